#include <etch/op/image/convolution.hpp>

#include <etch/etch.hpp>

#include "laws/agree.hpp"
#include "laws/differences.hpp"

using namespace etch;
using namespace laws;

namespace {

constexpr sliding plain({1, 1}, {0, 0}, {1, 1}, 1), uneven({2, 1}, {1, 2}, {1, 2}, 2);

static_assert(sliding(attribute(uneven)) == uneven && sliding(attribute(plain)) == plain);
static_assert(sliding(attribute(sliding({255, 1}, {0, 255}, {255, 3}, 32767))) ==
              sliding({255, 1}, {0, 255}, {255, 3}, 32767));
static_assert(plain.positions(0, 28, 5) == 24 && plain.positions(0, 4, 5) == 0 && uneven.positions(0, 7, 3) == 4);
static_assert(!sliding({0, 1}, {0, 0}, {1, 1}, 1).is_possible() && !sliding({1, 1}, {-1, 0}, {1, 1}, 1).is_possible() &&
              !sliding({1, 1}, {0, 0}, {1, 256}, 1).is_possible() && !sliding({1, 1}, {0, 0}, {1, 1}, 0).is_possible());

constexpr auto dilated_groups = [](auto x, auto w) { return sum(tanh(conv2d<2, 1, 2, 2>(x, w))); };
constexpr auto no_batch = [](auto x, auto w) { return sum(square(conv2d<1, 1>(x, w))); };
constexpr auto with_permuted = [](auto x, auto w) {
  auto const y =
      relu(conv2d<1, 1>(permute<1, 0, 2, 3>(sin(x)), w));  // an image whose batch has no neighbours in memory
  return sum(cwise_product(y, slice<2, 0, 1>(y))) + sum(square(permute<2, 0, 1, 3>(y)));
};

}  // namespace

TEST_CASE(
    "convolution agrees with finite differences, at first and second order, for every set of operands that varies") {
  subject const conv2d = subject_of<op::conv2d>();
  check_derivatives(conv2d, {make_shape(2, 4, 3, 2), make_shape(3, 2, 2, 2)}, plain),
      check_float(conv2d, {make_shape(2, 4, 3, 2), make_shape(3, 2, 2, 2)}, plain);
  check_derivatives(conv2d, {make_shape(2, 5, 3, 2), make_shape(3, 2, 1, 4)}, uneven);
  check_derivatives(conv2d, {make_shape(1, 2, 2, 1), make_shape(1, 1, 1, 1)}, plain);
}

TEST_CASE("the adjoints of a convolution are convolutions: a third derivative agrees with finite differences, too") {
  for (sliding const& s : {plain, uneven}) {
    shape const extents[] = {make_shape(1, 3, 3, 2), make_shape(2, 2, 2 / s.groups, 2)};
    graph g;
    term const x = input(g, element::f64, extents[0], 0), w = input(g, element::f64, extents[1], 1),
               y = emit<op::conv2d>(s, x, w);
    g.outputs = {emit<op::sum>(op::reduction::whole, y * y * y).id};
    std::uint64_t seed = 1;
    values at;
    for (int order = 1; order <= 3; ++order) {
      for (shape const& extent : extents)
        at.push_back(sample(static_cast<std::size_t>(extent.size()), 0.5, 1.5, seed++));
      std::vector<int> leaves;
      for (int id = 0; id < g.size(); ++id)
        if (g[id].op == opcode_of<op::input> && g[id].attributes < 2) leaves.push_back(id);
      CHECK(gradient_error(g, leaves, at, false) < 1e-7);
      g = directional(g, leaves, false);
    }
  }
}

TEST_CASE_TEMPLATE("compiled convolutions are the plain evaluation of their graphs", T, float, double) {
  double const tolerance = sizeof(T) == 4 ? 1e-4 : 1e-11;
  tensor<T, 7, 6, 4, 5> x;
  tensor<T, 3, 2, 2, 6> w;
  tensor<T, 5, 4, 3> single;
  tensor<T, 3, 3, 3, 2> v;
  tensor<T, 5, 5, 3, 18> batch;
  randomise(x, -1, 1, 1), randomise(w, -1, 1, 2), randomise(single, -1, 1, 3), randomise(v, -1, 1, 4),
      randomise(batch, -1, 1, 5);
  check_agreement<wrt<0, 1>>(tolerance, dilated_groups, x, w);
  check_agreement<wrt<1>>(tolerance, dilated_groups, x, w);
  check_agreement<wrt<0>>(tolerance, dilated_groups, x, w);
  check_agreement<wrt<0, 1>>(tolerance, no_batch, single, v);
  check_agreement<wrt<0, 1>>(tolerance, with_permuted, batch, v);
}

TEST_CASE("a convolution of constant arguments is a constant") {
  constexpr auto gradient = [] {
    tensor<double, 3, 2> x{1, 2, 3, 4, 5, 6};
    tensor<double, 2, 2> w{1, 10, 100, 1000};
    return value_and_grad<wrt<0, 1>>([](auto a, auto b) { return sum(conv2d(a, b)); })(x, w);
  };
  constexpr double value = gradient().value;
  static_assert(value == 1 + 20 + 400 + 5000 + 2 + 30 + 500 + 6000);
  static_assert(std::get<0>(gradient().grad)(1, 1) == 1100 && std::get<1>(gradient().grad)(0, 1) == 9);
}
