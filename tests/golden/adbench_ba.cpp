#include "golden/adbench_ba.hpp"

TEST_CASE("ADBench's bundle adjustment in double") {
  ba_golden::check<double>("ba_test.txt", "adbench_ba_test");
  ba_golden::check<double>("ba1_n49_m7776_p31843.txt", "adbench_ba1");
}
