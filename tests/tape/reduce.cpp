#include <etch/tape/reduce.hpp>

#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

constexpr opcode reductions[]{opcode_of<op::sum>, opcode_of<op::max>, opcode_of<op::min>};

shape without(shape s, attribute axes) { return op::reduction::infer(axes, {s}); }

/// All reductions of a value along all combinations of its axes.
template <class T>
void along_all_axes(operand const& x, double tolerance) {
  for (opcode code : reductions)
    for (attribute axes = 1; axes <= op::reduction::whole; ++axes) {
      if (axes < op::reduction::whole && (axes >> x.extent.rank) != 0) continue;
      subject const s{code, x.type, without(x.extent, axes), axes, {x}};
      numbers const expected = interpreted(s);
      for (way how : every_way) {
        CAPTURE(to_string(x.extent));
        CAPTURE(axes);
        CAPTURE(static_cast<int>(how));
        CHECK(difference(computed<T>(s, how), expected) <= (code == opcode_of<op::sum> ? tolerance : 0));
      }
    }
}

template <class T>
void of_all_shapes() {
  constexpr element type = element_of<T>;
  for (shape const& s :
       {shape{}, make_shape(1), make_shape(3), make_shape(8), make_shape(67), make_shape(1000), make_shape(5, 13),
        make_shape(300, 7), make_shape(1, 40), make_shape(2, 3, 5), make_shape(17, 2, 3, 4), make_shape(3, 1, 4, 37)})
    along_all_axes<T>(sampled(type, s, -2, 2, 5), 2 * digits<T>);
}

TEST_CASE("reductions along any axes, in double") { of_all_shapes<double>(); }
TEST_CASE("reductions along any axes, in float") { of_all_shapes<float>(); }

TEST_CASE("whole numbers add up exactly, in any order") {
  operand x{element::f64, make_shape(100, 101), {}};
  for (int i = 1; i <= 10100; ++i) x.entries.push_back(i);
  for (way how : every_way) {
    CHECK(computed<double>({opcode_of<op::sum>, element::f64, shape{}, op::reduction::whole, {x}}, how)[0] ==
          10100.0 * 10101 / 2);
    CHECK(computed<double>({opcode_of<op::max>, element::f64, shape{}, op::reduction::whole, {x}}, how)[0] == 10100);
    CHECK(computed<double>({opcode_of<op::min>, element::f64, make_shape(1, 101), 1, {x}}, how)[100] == 10001);
    CHECK(computed<double>({opcode_of<op::sum>, element::f64, make_shape(100, 1), 2, {x}}, how)[0] ==
          101 * 1 + 100 * 5050);
  }
}

TEST_CASE("an entry that is no number makes sums and extremes none, wherever it is") {
  for (int n : {1, 5, 16, 67, 300})
    for (int at = 0; at < n; at += 1 + n / 9) {
      operand x = sampled(element::f64, make_shape(n), -1, 1, 3);
      x.entries[static_cast<std::size_t>(at)] = std::numeric_limits<double>::quiet_NaN();
      for (opcode code : reductions)
        for (way how : {way::adjoining, way::apart})
          CHECK(std::isnan(computed<double>({code, element::f64, shape{}, op::reduction::whole, {x}}, how)[0]));
    }
  operand const far{element::f64,
                    make_shape(2),
                    {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}};
  CHECK(computed<double>({opcode_of<op::max>, element::f64, shape{}, op::reduction::whole, {far}}, way::adjoining)[0] ==
        far.entries[0]);
}

TEST_CASE("a sum does not depend on where in memory its operand lies") {
  numbers const entries = sample(element::f64, 517, -1, 1, 9);
  std::vector<double> memory(600);
  double first = 0;
  for (std::size_t shift = 0; shift < 16; ++shift) {
    std::copy(entries.begin(), entries.end(), memory.begin() + static_cast<std::ptrdiff_t>(shift));
    double y = 0;
    dynamic::reduce<op::sum, double>(dynamic::contiguous(element::f64, shape{}, &y),
                                     dynamic::contiguous(element::f64, make_shape(517), memory.data() + shift));
    if (shift == 0) first = y;
    CHECK(same(y, first));
  }
}

}  // namespace
