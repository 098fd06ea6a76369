#include <etch/tape/elementwise.hpp>

#include "math/ulps.hpp"
#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

/// Units of the last place between registers and scalars: compilers contract products and sums where they see both in
/// one expression, which is not the same in functions of registers. Between layouts there is no such difference.
constexpr double contraction = has_fma ? 2 : 0;

/// Ordinary numbers among which are those at which functions are special.
numbers points(element type, std::int64_t n, unsigned seed) {
  numbers x = sample(type, n, -4, 4, seed);
  constexpr double inf = std::numeric_limits<double>::infinity();
  double const special[]{0.0, -0.0, 1,   -1,    inf, -inf, std::numeric_limits<double>::quiet_NaN(),
                         3,   -7,   0.5, 1e-30, 80,  -80,  1e30};
  for (std::size_t i = 0; i < x.size(); i += 3) {
    double const s = special[(i / 3 + seed) % std::size(special)];
    x[i] = type == element::f32 ? static_cast<double>(static_cast<float>(s)) : s;
  }
  return x;
}

/// All element-wise ops on operands of shape `whole`, operand i without the axes that its part of
/// `repeated` names (four bits each).
template <class T>
void every_op(shape const& whole, unsigned repeated) {
  constexpr element type = element_of<T>;
  for (opcode code = 0; code < op::list::size; ++code) {
    op_facts const& facts = op_table[code];
    if (!facts.is_elementwise || code == opcode_of<op::cast>) continue;
    subject s{code, type, whole, 0, {}};
    for (int i = 0; i < facts.arity; ++i) {
      shape part = whole;
      if (facts.arity > 1)
        for (int axis = 0; axis < whole.rank; ++axis)
          if (((repeated >> (4 * i + axis)) & 1) != 0) part[axis] = 1;
      s.operands.push_back({type, part, points(type, part.size(), code + static_cast<unsigned>(i))});
    }
    numbers const expected = interpreted(s), adjoining = computed<T>(s, way::adjoining);
    for (way how : every_way) {
      numbers const y = computed<T>(s, how);
      REQUIRE(y.size() == expected.size());
      double most = 0;
      bool same_everywhere = true;
      for (std::size_t i = 0; i < y.size(); ++i) {
        same_everywhere = same_everywhere && same(y[i], adjoining[i]);
        if (!same(y[i], expected[i]))
          most = std::max({most, 0.5, ulps::distance<T>(static_cast<T>(y[i]), static_cast<long double>(expected[i]))});
      }
      CAPTURE(std::string(facts.name));
      CAPTURE(to_string(whole));
      CAPTURE(static_cast<int>(how));
      CHECK(same_everywhere);
      CHECK(most <= contraction);
    }
  }
}

template <class T>
void every_op_on_all_shapes() {
  every_op<T>(shape{}, 0);
  for (int n : {1, 2, 7, 16, 67, 300}) every_op<T>(make_shape(n), 0);
  every_op<T>(make_shape(67), 0b0000'0001'0000);
  every_op<T>(make_shape(5, 13), 0b0010'0001'0000);
  every_op<T>(make_shape(300, 3), 0b0011'0010'0001);
  every_op<T>(make_shape(37, 1, 5), 0);
  every_op<T>(make_shape(2, 3, 5, 2), 0b0000'1010'0101);
  every_op<T>(make_shape(40, 2, 2, 3), 0b1101'0000'0010);
}

TEST_CASE("element-wise ops on a tape are their formulas to the last bit, in double") {
  every_op_on_all_shapes<double>();
}
TEST_CASE("element-wise ops on a tape are their formulas to the last bit, in float") {
  every_op_on_all_shapes<float>();
}

}  // namespace
