#include <etch/op/index.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace etch;

constexpr auto three_classes = [](auto labels) { return one_hot<3>(labels); };

/// The columns for `labels`, computed by a compiled program.
template <class F, class Labels>
auto columns(F f, Labels const& labels) {
  auto program = compile<wrt<>>(f, labels);
  return program(labels);
}

/// The result of a compiled program for two arguments.
template <class F, class X, class Indices>
auto picked(F f, X const& x, Indices const& indices) {
  auto program = compile<wrt<>>(f, x, indices);
  return std::remove_cvref_t<decltype(program(x, indices))>(program(x, indices));
}

TEST_CASE("a label is a column with a one in its row") {
  auto const hot = columns(three_classes, tensor<int, 4>{2, 0, 1, 2});
  static_assert(std::is_same_v<decltype(hot), tensor<float, 3, 4> const>);
  CHECK(hot == tensor<float, 3, 4>{0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST_CASE("labels of every integer type give the same columns") {
  tensor<float, 3, 2> const expected{0, 1, 0, 0, 0, 1};
  CHECK(columns(three_classes, tensor<std::uint8_t, 2>{1, 2}) == expected);
  CHECK(columns(three_classes, tensor<std::int8_t, 2>{1, 2}) == expected);
  CHECK(columns(three_classes, tensor<std::uint16_t, 2>{1, 2}) == expected);
  CHECK(columns(three_classes, tensor<std::int64_t, 2>{1, 2}) == expected);
  CHECK(columns([](auto labels) { return one_hot<2>(labels); }, tensor<bool, 2>{true, false}) ==
        tensor<float, 2, 2>{0, 1, 1, 0});
}

TEST_CASE("a label outside the classes is a column of zeros") {
  CHECK(columns(three_classes, tensor<int, 3>{-1, 3, 1}) == tensor<float, 3, 3>{0, 0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(columns(three_classes, tensor<std::uint8_t, 1>(std::uint8_t{255})) == tensor<float, 3, 1>{});
}

TEST_CASE("the columns have the element type asked for, also for a single label") {
  auto const hot = columns([](auto label) { return one_hot<4, double>(label); }, 3);
  static_assert(std::is_same_v<decltype(hot), tensor<double, 4, 1> const>);
  CHECK(hot == tensor<double, 4, 1>{0, 0, 0, 1});
}

TEST_CASE("a product with one-hot columns picks entries, and the gradient goes there") {
  tensor<double, 2, 3> const table{1, 2, 3, 4, 5, 6};  // columns are embeddings
  auto const [value, g] = value_and_grad(
      [](auto t, auto labels) { return sum(square(t * one_hot<3, double>(labels))); })(table, tensor<int, 3>{2, 0, 2});
  CHECK(value == 2 * (25 + 36) + 1 + 4);
  CHECK(g == tensor<double, 2, 3>{2, 4, 0, 0, 20, 24});
}

TEST_CASE("gathered entries are where their indices are, along every axis, for indices of every type and rank") {
  tensor<double, 2, 3> const table{1, 2, 3, 4, 5, 6};
  CHECK(picked([](auto t, auto j) { return gather<1>(t, j); }, table, tensor<int, 4>{2, 0, 2, 1}) ==
        tensor<double, 2, 4>{5, 6, 1, 2, 5, 6, 3, 4});
  CHECK(picked([](auto t, auto j) { return gather<0>(t, j); }, table, tensor<std::uint8_t, 3>{1, 1, 0}) ==
        tensor<double, 3, 3>{2, 2, 1, 4, 4, 3, 6, 6, 5});
  CHECK(picked([](auto t, auto j) { return gather<0>(t, j); }, table, std::int64_t{1}) == tensor<double, 3>{2, 4, 6});
  CHECK(picked([](auto t, auto j) { return gather<1>(t, j); }, table, tensor<std::int16_t, 2, 2>{0, 1, 2, 0}) ==
        tensor<double, 2, 2, 2>{1, 2, 3, 4, 5, 6, 1, 2});
  CHECK(picked([](auto t, auto j) { return gather<0>(t, j); }, table, tensor<double, 1>(1.0)) ==
        tensor<double, 1, 3>{2, 4, 6});
  // Indices that are a view, gathered from a view.
  CHECK(picked([](auto t, auto j) { return gather<0>(permute<1, 0>(t), reverse<0>(slice<0, 0, 2, 2>(j))); }, table,
               tensor<int, 3>{0, 9, 2}) == tensor<double, 2, 2>{5, 1, 6, 2});
}

TEST_CASE("the gradient of a gather is added up at its indices, once for each time an entry was picked") {
  auto step = compile<wrt<0>>([](auto t, auto j, auto w) { return sum(cwise_product(gather<1>(t, j), w)); },
                              tensor<double, 2, 5>{}, tensor<int, 3>{}, tensor<double, 2, 3>{});
  tensor<double, 2, 5> t;
  tensor<double, 2, 3> const w{1, 2, 4, 8, 16, 32};
  step(t, tensor<int, 3>{3, 0, 3}, w);
  CHECK(step.grad<0>() == tensor<double, 2, 5>{4, 8, 0, 0, 0, 0, 1 + 16, 2 + 32, 0, 0});
  step(t, tensor<int, 3>{1, 1, 1}, w);  // nothing of the last call remains
  CHECK(step.grad<0>() == tensor<double, 2, 5>{0, 0, 21, 42, 0, 0, 0, 0, 0, 0});
  tensor<double, 2, 5> sums;
  sums.fill(100);
  step(t, tensor<int, 3>{4, 0, 4}, w, add_to(sums));
  step(t, tensor<int, 3>{4, 0, 4}, w, add_to(sums));
  CHECK(sums == tensor<double, 2, 5>{108, 116, 100, 100, 100, 100, 100, 100, 134, 168});
}

TEST_CASE("the gradient of an embedding is one kernel that adds into its final buffer: no one-hot matrix, no product") {
  auto step = compile<wrt<0>>(
      [](auto table, auto words) { return sum(cwise_product(gather<1>(table, words), gather<1>(table, words))); },
      tensor<float, 16, 1000>{}, tensor<int, 7>{});
  using executable = typename decltype(step)::executable;
  int scatters = 0;
  for (node const& n : executable::materialised.view().nodes) {
    CHECK(n.op != opcode_of<op::matmul>);
    scatters += n.op == opcode_of<op::scatter_add>;
    bool const is_dense = n.extent.size() >= 7 * 1000;
    CHECK((!is_dense || n.op == opcode_of<op::input> || n.op == opcode_of<op::scatter_add>));
  }
  CHECK(scatters == 1);
  static_assert(executable::plan.bytes < 16 * 1000 * 4, "the table's gradient is not in the workspace");
}

#if !defined(NDEBUG)
TEST_CASE("an index out of range throws, whichever side it leaves, in the value and in a gradient") {
  auto step =
      compile<wrt<0>>([](auto x, auto j) { return sum(gather<0>(x, j)); }, tensor<double, 3>{}, tensor<int, 2>{});
  tensor<double, 3> const x{1, 2, 3};
  CHECK(step(x, tensor<int, 2>{0, 2}) == 4);
  CHECK_THROWS_AS(step(x, tensor<int, 2>{0, 3}), exception);
  CHECK_THROWS_AS(step(x, tensor<int, 2>{-1, 0}), exception);
  // The gradient does not wait for the value, and in it no argument is indexed: which of the two is
  // first is the schedule's matter.
  CHECK_THROWS_WITH(step(x, tensor<int, 2>{0, 7}),
                    doctest::Contains("etch: index out of range: 7 where the axis has 3 entries, in argument 1"));
  CHECK(step(x, tensor<int, 2>{1, 1}) == 4);
  CHECK_THROWS_WITH(
      static_cast<void>(value_and_grad([](auto v, auto j) { return sum(gather<0>(v, j)); })(x, tensor<int, 1>(3))),
      doctest::Contains("etch: index out of range: 3 where the axis has 3 entries, in argument 1"));
}

template <class T>
struct language {
  std::array<nn::embedding<T, 5, 2>, 2> embedding;
  param<T> scale;
  ETCH_MEMBERS(language, embedding, scale)
};
TEST_CASE("an index out of range is told with the member that is indexed and the argument that holds the index") {
  constexpr auto loss = [](auto model, auto x) {
    auto const [words, w] = x;
    return sum(exp(gather<1>(model.embedding[1].table, words)) * w) * model.scale;
  };
  language<double> model{};
  std::tuple<tensor<int, 3>, tensor<double, 3>> x{tensor<int, 3>{1, 9, 0}, tensor<double, 3>{}};
  auto const sentence =
      "etch: index out of range: 9 where the axis has 5 entries, in argument 1[0], of argument 0.embedding[1].table";
  auto step = compile<wrt<0>>(loss, model, x);
  CHECK_THROWS_WITH(step(model, x), sentence);
  auto target = model;
  CHECK_THROWS_WITH(step(model, x, into(target)), sentence);
  auto part = compile<wrt_members<0, "scale">>(loss, model, x);  // positions are those of the user's call
  CHECK_THROWS_WITH(part(model, x), sentence);
  auto of_table = compile<wrt_members<0, "embedding">>(loss, model, x);
  CHECK_THROWS_WITH(of_table(model, x), sentence);
  auto const gradient_of_table = grad<wrt_members<0, "embedding">>(loss);
  CHECK_THROWS_WITH(gradient_of_table(model, x), sentence);
}
#endif

TEST_CASE("no derivative flows to indices, also where they are numbers that are differentiated") {
  auto const [value, g] = value_and_grad<wrt<0, 1>, allow_unused>([](auto x, auto j) {
    return sum(square(gather<0>(x, j))) + sum(0 * j);
  })(tensor<double, 3>{1, 2, 3}, tensor<double, 2>{2, 0});
  CHECK(value == 10);
  CHECK(std::get<0>(g) == tensor<double, 3>{2, 0, 6});
  CHECK(std::get<1>(g) == tensor<double, 2>{0, 0});
}

}  // namespace
