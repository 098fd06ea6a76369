#include <etch/tape/kernel.hpp>

#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

struct form {
  sliding s;
  shape image, kernel;
};

template <class T>
void agree(form const& f) {
  constexpr element type = element_of<T>;
  shape const result = f.s.result(f.image, f.kernel);
  operand const x = sampled(type, f.image, -1, 1, 1), w = sampled(type, f.kernel, -1, 1, 2),
                y = sampled(type, result, -1, 1, 3);
  subject const all[]{{opcode_of<op::conv2d>, type, result, f.s, {x, w}},
                      {opcode_of<op::conv2d_image>, type, f.image, f.s, {y, w}},
                      {opcode_of<op::conv2d_kernel>, type, f.kernel, f.s, {x, y}}};
  for (subject const& each : all) {
    numbers const expected = interpreted(each);
    for (way how : every_way) {
      CAPTURE(to_string(f.image));
      CAPTURE(to_string(f.kernel));
      CAPTURE(op_table[each.op].name);
      CAPTURE(static_cast<int>(how));
      CHECK(difference(computed<T>(each, how), expected) <=
            20 * digits<T> * std::sqrt(static_cast<double>(result.size())));
    }
  }
}

TEST_CASE(
    "convolutions and both adjoints, in all layouts: strides, borders, gaps, groups, kernels as large as the image") {
  form const forms[]{{sliding({1, 1}, {0, 0}, {1, 1}, 1), make_shape(3, 6, 7, 4), make_shape(3, 2, 4, 6)},
                     {sliding({2, 1}, {1, 2}, {1, 2}, 1), make_shape(3, 6, 7, 4), make_shape(3, 2, 4, 6)},
                     {sliding({1, 1}, {1, 1}, {1, 1}, 2), make_shape(3, 6, 7, 4), make_shape(3, 2, 2, 6)},
                     {sliding({3, 2}, {2, 0}, {2, 1}, 3), make_shape(2, 9, 5, 3), make_shape(3, 3, 1, 9)},
                     {sliding({1, 1}, {0, 0}, {1, 1}, 1), make_shape(1, 1, 1, 1), make_shape(1, 1, 1, 1)},
                     {sliding({1, 1}, {0, 0}, {1, 1}, 1), make_shape(5, 4, 3, 2), make_shape(4, 3, 2, 7)},
                     {sliding({1, 1}, {3, 3}, {1, 1}, 1), make_shape(1, 2, 1, 1), make_shape(3, 3, 1, 2)},
                     {sliding({1, 1}, {0, 0}, {1, 1}, 5), make_shape(17, 3, 3, 5), make_shape(1, 3, 1, 5)}};
  for (form const& f : forms) agree<double>(f), agree<float>(f);
}

TEST_CASE("images whose patches are taken some positions, or some images, at a time") {
  agree<float>({sliding({1, 1}, {1, 1}, {1, 1}, 1), make_shape(64, 12, 5, 8), make_shape(3, 3, 8, 5)});
  agree<double>({sliding({2, 1}, {0, 1}, {1, 1}, 2), make_shape(130, 15, 3, 16), make_shape(5, 3, 8, 4)});
  agree<float>({sliding({1, 1}, {1, 1}, {1, 1}, 1), make_shape(70, 5, 4, 60), make_shape(3, 3, 60, 2)});
}

TEST_CASE("whole numbers convolve exactly: ones count what a position meets") {
  operand const image{element::f64, make_shape(2, 5, 4, 3), numbers(120, 1.0)},
      kernel{element::f64, make_shape(3, 3, 3, 1), numbers(27, 1.0)};
  sliding const s({1, 1}, {1, 1}, {1, 1}, 1);
  numbers const y =
      computed<double>({opcode_of<op::conv2d>, element::f64, s.result(image.extent, kernel.extent), s, {image, kernel}},
                       way::transposed);
  std::size_t at = 0;
  for (int q = 0; q < 4; ++q)
    for (int p = 0; p < 5; ++p)
      for (int n = 0; n < 2; ++n) CHECK(y[at++] == 3 * (p == 0 || p == 4 ? 2 : 3) * (q == 0 || q == 3 ? 2 : 3));
}

}  // namespace
