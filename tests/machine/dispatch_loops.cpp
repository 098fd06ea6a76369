// Loops over steps and over points.
#include "dispatch.hpp"

#if ETCH_DISPATCHES

using namespace each_set;

namespace {

constexpr auto steps = [](auto w, auto h, auto xs) {
  return sum(square(etch::scan([&](auto now, auto x) { return tanh(w * now + x); }, h, xs)));
};
// At each point a factorisation and a system in lanes, entries, and a logarithm.
constexpr auto systems = [](auto s, auto b, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const column = reshape<3, 1>(x);
        auto const l = cholesky(square(s(0)) * identity<3>() + identity<3>() + column * transpose(column));
        auto const y = triangular_solve(l, b);
        return dot(y, y) + log(l(0, 0)) + sum(sigmoid(x)) * x(1);
      },
      xs);
};
// Sums over points of products, for several registers of points at once.
constexpr auto products = [](auto w, auto b, auto xs) {
  return sum_map([&](auto x) { return sum(square(tanh(w * x + b))); }, xs);
};

}  // namespace

TEST_CASE("loops over steps of every set have the same gradients") {
  same_for_all_sets<float>(steps, tensor<float, 20, 20>{}, tensor<float, 20, 6>{}, tensor<float, 20, 6, 7>{});
}

TEST_CASE("loops over points of every set have the same gradients") {
  same_for_all_sets<float>(systems, tensor<float, 1>{}, tensor<float, 3>{}, tensor<float, 3, 37>{});
  same_for_all_sets<double>(systems, tensor<double, 1>{}, tensor<double, 3>{}, tensor<double, 3, 64>{});
  same_for_all_sets<double>(systems, tensor<double, 1>{}, tensor<double, 3>{}, tensor<double, 3, 2>{});
  same_for_all_sets<double>(products, tensor<double, 7, 6>{}, tensor<double, 7>{}, tensor<double, 6, 75>{});
  same_for_all_sets<float>(products, tensor<float, 7, 6>{}, tensor<float, 7>{}, tensor<float, 6, 150>{});
}

#endif
