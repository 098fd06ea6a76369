#include <etch/io/leaves.hpp>

#include "files.hpp"

using namespace files;

TEST_CASE("leaves have names, types, and shapes as a loss sees them") {
  std::string text;
  for (io::leaf const& l : io::leaves_in<mixed>()) text += l.name + " " + name_of(l.type) + to_string(l.extent) + "; ";
  CHECK(text ==
        "d f64[3]; layers.0.weight f32[2, 3]; layers.0.bias f32[2]; layers.1.weight f32[2, 3]; layers.1.bias f32[2]; i "
        "i32[2, 2]; b bool[3]; "
        "small u8[]; others.0 f64[]; others.2 i16[2, 1, 2]; rows f32[2, 3]; ");
  CHECK(io::leaves_in<float>().front().name == "arr_0");
  CHECK(io::leaves_in<nothing>().empty());
  CHECK(io::leaves_in<Eigen::Matrix<float, 1, 4>>().front().extent == make_shape(1, 4));
}

TEST_CASE("steps in C's order have the last index fastest") {
  CHECK(io::last_index_fastest(make_shape(2, 3, 4)) == strides{12, 4, 1, 1});
  CHECK(io::last_index_fastest(make_shape(5)) == strides{1, 1, 1, 1});
  CHECK(io::last_index_fastest(shape{}) == strides{1, 1, 1, 1});
}

TEST_CASE("a program's hash has 16 digits") {
  CHECK(io::hexadecimal(0) == "0000000000000000");
  CHECK(io::hexadecimal(0xfedcba9876543210u) == "fedcba9876543210");
}
