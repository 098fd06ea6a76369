#include <etch/view/rounded.hpp>

#include <doctest/doctest.h>

using etch::detail::rounded_bytes;
using etch::detail::rounded_count;

TEST_CASE("bytes are rounded to a tenth of the largest unit that they reach") {
  CHECK(rounded_bytes(0) == "0 B");
  CHECK(rounded_bytes(1023) == "1023 B");
  CHECK(rounded_bytes(1024) == "1 KiB");
  CHECK(rounded_bytes(1536) == "1.5 KiB");
  CHECK(rounded_bytes(28160) == "27.5 KiB");
  CHECK(rounded_bytes(1048000) == "1023.4 KiB");
  CHECK(rounded_bytes(1048575) == "1 MiB");
  CHECK(rounded_bytes(16920000) == "16.1 MiB");
  CHECK(rounded_bytes(std::int64_t{5} << 50) == "5120 TiB");
}

TEST_CASE("counts are rounded to a tenth of a power of a thousand") {
  CHECK(rounded_count(999) == "999");
  CHECK(rounded_count(1000) == "1 k");
  CHECK(rounded_count(21888) == "21.9 k");
  CHECK(rounded_count(999960) == "1 M");
  CHECK(rounded_count(13100000) == "13.1 M");
}
