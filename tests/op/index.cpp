#include <etch/op/index.hpp>

#include <etch/run/gradient.hpp>

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
  CHECK(columns([](auto labels) { return one_hot<2>(labels); }, tensor<bool, 2>{true, false}) == tensor<float, 2, 2>{0, 1, 1, 0});
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
  auto const [value, g] =
      value_and_grad([](auto t, auto labels) { return sum(square(t * one_hot<3, double>(labels))); })(table, tensor<int, 3>{2, 0, 2});
  CHECK(value == 2 * (25 + 36) + 1 + 4);
  CHECK(g == tensor<double, 2, 3>{2, 4, 0, 0, 20, 24});
}

}  // namespace
