#include <etch/op/permute.hpp>

#include <etch/etch.hpp>

#include "laws/agree.hpp"

using namespace etch;

namespace {

constexpr attribute last_to_first = 0b10'01'00'11, first_to_last = 0b00'11'10'01;

static_assert(op::permute::inverse(last_to_first) == first_to_last &&
              op::permute::inverse(first_to_last) == last_to_first);
static_assert(op::permute::infer(last_to_first, {make_shape(2, 3, 4, 5)}) == make_shape(5, 2, 3, 4));

/// A graph with a computed value z = exp(x), given in another order.
struct drawing {
  graph g;
  term x, z, turned;
  constexpr drawing() {
    g.simplifying = true;
    x = input(g, element::f64, make_shape(2, 3, 4, 5), 0);
    z = exp(x);
    turned = emit<op::permute>(first_to_last, z);  // [3, 4, 5, 2]
  }
};

constexpr bool is_permuted(term t, auto from) {
  return is<op::permute>(t) && t->attributes == first_to_last && from(t.operand(0));
}

static_assert([] {
  drawing d;
  return emit<op::permute>(last_to_first, d.turned) == d.z;  // there and back
}());
static_assert([] {
  drawing d;
  term const line = input(d.g, element::f64, make_shape(1, 1, 5), 1);  // along the axis that is the last but one
  term const y = d.turned + line;
  return is_permuted(y, [&](term t) {
    return is<op::add>(t) && t.operand(0) == d.z && t.operand(1).extent() == make_shape(1, 1, 1, 5);
  });
}());
static_assert([] {
  drawing d;
  return is_permuted(d.turned * 2, [&](term t) { return is<op::mul>(t); }) &&
         is_permuted(d.turned + exp(d.turned),
                     [&](term t) { return is<op::add>(t) && t.operand(0) == d.z && t.operand(1) == exp(d.z); });
}());
static_assert([] {  // what is computed in the other order keeps its own
  drawing d;
  term const other = exp(input(d.g, element::f64, make_shape(3, 4, 5, 2), 1));
  term const y = d.turned + other;
  return is<op::add>(y) && y.operand(0) == d.turned && y.operand(1) == other;
}());
static_assert([] {  // an argument alone is read in the order asked for
  drawing d;
  return is<op::exp>(exp(emit<op::permute>(first_to_last, d.x)));
}());
static_assert([] {
  drawing d;
  term const part = slice(d.turned, region(1, 1, 2), 2);  // of the axis that is axis 2 of z
  return is_permuted(
      part, [&](term t) { return is<op::slice>(t) && t.operand(0) == d.z && region(t->attributes).axis == 2; });
}());
static_assert([] {
  drawing d;
  term const one = emit<op::sum>(0b0010, d.turned), all = emit<op::max>(op::reduction::whole, d.turned);
  return is_permuted(one, [&](term t) { return is<op::sum>(t) && t->attributes == 0b0100; }) && all.operand(0) == d.z;
}());
static_assert([] {  // axes joined within the two blocks that were swapped: [60, 2] is the transpose of [2, 60]
  drawing d;
  term const flat = emit_to<op::reshape>(make_shape(60, 2), d.turned);
  term const split = emit_to<op::reshape>(make_shape(12, 5, 2), d.turned);
  return is<op::transpose>(flat) && is<op::reshape>(flat.operand(0)) && flat.operand(0).operand(0) == d.z &&
         is<op::permute>(split);
}());
static_assert([] {  // axes of both blocks cannot be joined
  drawing d;
  return is<op::reshape>(emit_to<op::reshape>(make_shape(3, 40), d.turned));
}());

}  // namespace

TEST_CASE("operations behind permutations are computed before them, with the same values") {
  tensor<double, 2, 3, 4, 5> x;
  tensor<double, 5> b;
  tensor<double, 3, 4, 5, 2> w;
  laws::randomise(x, -1, 1, 1), laws::randomise(b, -1, 1, 2), laws::randomise(w, -1, 1, 3);
  laws::check_agreement<wrt<0, 1, 2>>(
      1e-12,
      [](auto a, auto c, auto d) {
        auto const z = tanh(permute<1, 2, 3, 0>(sin(a)) + reshape<1, 1, 5>(c));
        auto const other = permute<0, 1, 2, 3>(exp(d));
        auto const flat = reshape<60, 2>(cwise_product(z, d));
        return sum(cwise_product(z, other)) + sum(square(slice<1, 1, 2, 2>(z))) + sum(square(sum<0, 2>(z))) +
               sum(max<1>(z)) + sum(transpose(flat) * flat) + sum(cwise_product(reshape<3, 40>(z), reshape<3, 40>(d))) +
               sum(cube(permute<3, 0, 1, 2>(z)));
      },
      x, b, w);
}
