// Parts of networks, compiled in halves: a layer, a step of an LSTM, a loss with labels.
#include <etch/compile/split_program.hpp>

#include "compile/both_parts.hpp"

#include <etch/etch.hpp>

namespace {

using namespace etch;
using both_halves::distance_from_one_program;
using both_halves::halves_of;
using both_halves::some;
using both_halves::within;

constexpr auto dense = [](auto w, auto x, auto b) { return tanh(w * x + b); };

TEST_CASE("a layer, of prime extents and of extent 1") {
  CHECK(within(8, distance_from_one_program(wrt<0, 1, 2>{}, dense, some<tensor<float, 17, 13>>(1),
                                            some<tensor<float, 13, 7>>(2), some<tensor<float, 17>>(3))));
  CHECK(within(0, distance_from_one_program(wrt<0, 2>{}, dense, some<tensor<double, 1, 1>>(1),
                                            some<tensor<double, 1, 1>>(2), some<tensor<double, 1>>(3))));
}

TEST_CASE("what is saved of a layer: nothing, for the way back needs its result, which is handed in") {
  using halves =
      halves_of<decltype(dense), wrt<0, 1, 2>, tensor<float, 32, 16>, tensor<float, 16, 8>, tensor<float, 32>>;
  static_assert(halves::saved_bytes == 0 && halves::result_is_read(0) && halves::seed_is_read(0));
  static_assert(halves::leaf_is_read(0) && halves::leaf_is_read(1) && !halves::leaf_is_read(2));
  static_assert(std::is_same_v<halves::result<0>, tensor<float, 32, 8>>);
  static_assert(halves::gradient_count == 3 && halves::gradient_of_leaf(2) == 2 &&
                halves::argument_of_gradient[1] == 1);
  static_assert(halves::gradient_bytes(0) == 32 * 16 * 4);
}

constexpr auto recurrent_step = [](auto cell, auto h, auto c, auto x) { return cell(std::tuple(h, c), x); };
template <class T, int In, int Hidden, int Batch>
using lstm = halves_of<decltype(recurrent_step), wrt<0, 1, 2, 3>, nn::lstm_cell<T, In, Hidden>,
                       tensor<T, Hidden, Batch>, tensor<T, Hidden, Batch>, tensor<T, In, Batch>>;

TEST_CASE("a step of an LSTM keeps its four gates and the tanh of its next cell state") {
  static_assert(lstm<float, 64, 64, 256>::saved_count == 5);
  static_assert(lstm<float, 64, 64, 256>::saved_bytes == 5 * 64 * 256 * 4);
  static_assert(lstm<float, 64, 64, 256>::gradient_count == 6);
  using matrix = tensor<double, 5, 3>;
  // Compilers contract products and sums into one rounding in either form as they like.
  CHECK(within(1, distance_from_one_program(wrt<0, 1, 2, 3>{}, recurrent_step, some<nn::lstm_cell<double, 7, 5>>(1),
                                            some<matrix>(2), some<matrix>(3), some<tensor<double, 7, 3>>(4))));
}

constexpr auto classify = [](auto w, auto x, auto labels) { return nn::softmax_cross_entropy(w * x, labels); };

TEST_CASE("labels among the leaves have no gradient") {
  using halves =
      halves_of<decltype(classify), wrt<0, 1, 2>, tensor<double, 3, 4>, tensor<double, 4, 5>, tensor<int, 5>>;
  static_assert(halves::gradient_count == 2 && halves::gradient_of_leaf(2) == -1 && halves::leaf_is_read(2));
  CHECK(within(16, distance_from_one_program(wrt<0, 1>{}, classify, some<tensor<double, 3, 4>>(1),
                                             some<tensor<double, 4, 5>>(2), some<tensor<int, 5>>(3))));
}

}  // namespace
