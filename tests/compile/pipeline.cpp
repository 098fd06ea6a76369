#include <etch/compile/pipeline.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr auto loss = [](auto a, auto b, auto c) { return sum(a * std::get<0>(b)) * std::get<1>(b) + c; };
using matrix_type = tensor<double, 2, 3>;
using pair = std::tuple<tensor<double, 3>, double>;
template <class Wrt>
using stages =
    detail::pipeline<std::remove_const_t<decltype(loss)>, Wrt, detail::settings<>, matrix_type, pair, double>;

template <class Stages>
constexpr shape gradient_shape(std::size_t i) {
  graph_view const g = Stages::differentiate::value;
  return g[g.outputs[i + 1]].extent;
}

}  // namespace

// Leaves of an argument: its first, and their number.
static_assert(detail::leaves_of<0, matrix_type, pair, double>() == fixed{0, 1});
static_assert(detail::leaves_of<1, matrix_type, pair, double>() == fixed{1, 2});
static_assert(detail::leaves_of<2, matrix_type, pair, double>() == fixed{3, 1});

// Gradients come in the order of wrt, leaf by leaf.
static_assert(stages<wrt<0, 1, 2>>::differentiate::value.outputs.size() == 5);
static_assert(gradient_shape<stages<wrt<0, 1, 2>>>(0) == make_shape(2, 3) &&
              gradient_shape<stages<wrt<0, 1, 2>>>(1) == make_shape(3));
static_assert(gradient_shape<stages<wrt<1, 0>>>(0) == make_shape(3) &&
              gradient_shape<stages<wrt<1, 0>>>(1) == make_shape() &&
              gradient_shape<stages<wrt<1, 0>>>(2) == make_shape(2, 3));
static_assert(stages<wrt<>>::differentiate::value.outputs.size() == 1);
static_assert(wrt<3, 1>::count == 2);

// Leaves of whole numbers get no gradient, and their neighbours keep their places.
using with_labels = detail::pipeline<decltype([](auto x, auto y) { return sum(std::get<1>(x)) * y; }), wrt<0, 1>,
                                     detail::settings<>, std::tuple<tensor<int, 3>, tensor<double, 2>>, double>;
static_assert(with_labels::floating_leaves(with_labels::traced, {0, 3}) == sequence<int>{1, 2});
static_assert(with_labels::leaf_nodes(with_labels::traced).size() == 3);

// A transposed leaf stands between the others: nodes are found by what they are, not by their number.
using row_major = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;
using with_rows = detail::pipeline<decltype([](auto x, auto y) { return sum(x) * y; }), wrt<1>, detail::settings<>,
                                   row_major, double>;
static_assert(with_rows::leaf_nodes(with_rows::traced) == sequence<int>{0, 2});
static_assert(with_rows::floating_leaves(with_rows::traced, {1, 1}) == sequence<int>{2});

// The unused is allowed where that is said: then the argument's gradient is zero, and prunes to a constant.
using unused = detail::pipeline<decltype([](auto x, auto) { return square(x); }), wrt<0, 1>,
                                detail::settings<allow_unused>, double, tensor<double, 4>>;
static_assert(!unused::all_influence());
static_assert(unused::differentiate::value.outputs.size() == 3);

TEST_CASE("each stage is a literal, and the last has no node that no output needs") {
  using all = stages<wrt<0, 1, 2>>;
  CHECK(all::traced.outputs.size() == 1);
  CHECK(all::pruned.nodes.size() <= all::differentiate::value.nodes.size());
  graph const again = pass::prune(all::pruned);
  CHECK(static_cast<std::size_t>(again.size()) == all::pruned.nodes.size());
}
