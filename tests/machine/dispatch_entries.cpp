// Loops over entries, and convolutions.
#include "dispatch.hpp"

#if ETCH_DISPATCHES

using namespace each_set;

namespace {

constexpr auto rows = [](auto x, auto y) {
  return sum(cwise_product(log(1.5 + square(x)), sin(y))) + sum(cwise_product(softmax(x), y)) +
         max(cwise_product(x, sqrt(square(y) + 0.1)));
};
constexpr auto in_two_words = [](auto x, auto y) { return sum(erf(x)) + sum(cwise_product(gelu(x), erfc(y))); };
constexpr auto images = [](auto x, auto k) { return sum(square(max_pool<2>(relu(conv2d(x, k))))); };

}  // namespace

TEST_CASE("loops over entries of every set have the same gradients") {
  same_for_all_sets<float>(rows, tensor<float, 97, 3>{}, tensor<float, 97, 3>{});
  same_for_all_sets<double>(rows, tensor<double, 16, 20>{}, tensor<double, 16, 20>{});
  same_for_all_sets<double>(rows, tensor<double, 5, 61>{}, tensor<double, 5, 61>{});
}

TEST_CASE("functions that compute in two words, which g++ may not leave as functions of their own, do so too") {
  same_for_all_sets<float>(in_two_words, tensor<float, 97, 3>{}, tensor<float, 97, 3>{});
  same_for_all_sets<double>(in_two_words, tensor<double, 16, 20>{}, tensor<double, 16, 20>{});
}

TEST_CASE("convolutions of every set have the same gradients") {
  same_for_all_sets<float>(images, tensor<float, 12, 11, 2, 19>{}, tensor<float, 3, 4, 2, 5>{});
  same_for_all_sets<double>(images, tensor<double, 9, 8, 1, 3>{}, tensor<double, 4, 3, 1, 2>{});
}

#endif
