// Loops of several carries that keep few of them.
#include "transform/few_carries.hpp"

using namespace etch;
using namespace few_carries;
using namespace same;

namespace {

/// Outputs, of which one is a carry and so stacked for all steps; a carry that no gradient reads, but another carry is
/// computed from; and one that nothing reads.
template <class Keep>
constexpr auto momentum(Keep) {
  return [](auto w, auto xs) {
    auto const r = scan(
        [&](auto carry, auto slices) {
          auto const [h, v, s, n] = carry;
          auto const [a, b] = slices;
          auto const next = 0.5 * v + w * a;
          auto const moved = tanh(h + next);
          return step{std::tuple{moved, next, s + 0.1 * cwise_product(moved, sin(s)), n + 1},
                      std::tuple{moved, sum(cwise_product(b, s))}};
        },
        std::tuple{zeros<3>(), ones<3>(), ones<3>(), 0.0}, std::tuple{xs, xs}, Keep{});
    auto const [h, v, s, n] = r.carry;
    auto const [hs, sums] = r.y;
    return sum(h) + sum(v) * n + sum(square(s)) + sum(square(hs)) + sum(square(sums));
  };
}

/// The same without the stack of a carry.
template <class Keep>
constexpr auto leapfrog(Keep) {
  return [](auto w, auto xs) {
    auto const last = scan(
        [&](auto carry, auto x) {
          auto const [q, p] = carry;
          auto const half = p - 0.05 * sin(w * q);
          auto const moved = q + 0.1 * half;
          return std::tuple{moved, half + 0.05 * x};
        },
        std::tuple{ones<3>(), zeros<3>()}, xs, Keep{});
    return sum(square(std::get<0>(last))) + sum(std::get<1>(last));
  };
}

/// Two layers, of which the upper one reads a carry of the lower one at all steps.
template <class Keep>
constexpr auto two_layers(Keep) {
  return [](auto w, auto xs) {
    auto const lower = scan(
        [&](auto carry, auto x) {
          auto const [h, c] = carry;
          auto const memory = cwise_product(sigmoid(w * h), c) + 0.5 * tanh(x + h);
          return step{std::tuple{tanh(memory + h), memory}, memory};
        },
        std::tuple{zeros<3>(), ones<3>()}, xs, Keep{});
    auto const upper = scan([&](auto h, auto x) { return tanh(w * h + x); }, std::get<0>(lower.carry), lower.y, Keep{});
    return sum(square(upper));
  };
}

/// What is saved of 40 steps.
template <class Loss>
constexpr std::int64_t saved = decltype(compile<wrt<0, 1>>(Loss{}, matrix_type{}, series<40>{}))::facts.saved_bytes;
// Of q and p three snapshots each, the first ones, the last ones; steps that keep all carries stack both.
static_assert(saved<decltype(leapfrog(keep_recursive<2 * vector_bytes * 3>))> <= 2 * (128 + 64 + 64));
static_assert(saved<decltype(leapfrog(keep_carries))> >= 40 * vector_bytes);
// Of the lower layer one stack, which the upper one reads; of the other carry and of the upper layer snapshots.
static_assert(saved<decltype(two_layers(keep_recursive<2 * vector_bytes * 3>))> <=
              saved<decltype(two_layers(keep_carries))> - 2 * 30 * vector_bytes);
// The stack of moved is there anyway. Three snapshots of next and of s, and no stack.
static_assert(saved<decltype(momentum(keep_recursive<3 * (3 * vector_bytes + 8)>))> <=
              saved<decltype(momentum(keep_carries))> - 40 * vector_bytes);

}  // namespace

TEST_CASE("several carries: with a stack for all steps, unread by the gradient, unread at all") {
  matrix_type const w = filled_with<matrix_type>(4);
  series<23> const xs = filled_with<series<23>>(5);
  constexpr std::int64_t carry = 3 * vector_bytes + 8;
  check_same(both, momentum(keep_recursive<carry>), momentum(keep_all), w, xs);
  check_same(both, momentum(keep_recursive<4 * carry>), momentum(keep_all), w, xs);
  check_same(both, leapfrog(keep_recursive<2 * vector_bytes>), leapfrog(keep_all), w, xs);
  check_same(both, leapfrog(keep_recursive<7 * vector_bytes>), leapfrog(keep_all), w, xs);
}

TEST_CASE("a stack that another loop reads, too") {
  matrix_type const w = filled_with<matrix_type>(6);
  series<23> const xs = filled_with<series<23>>(7);
  check_same(both, two_layers(keep_recursive<2 * vector_bytes>), two_layers(keep_all), w, xs);
  check_same(both, two_layers(keep_recursive<10 * vector_bytes>), two_layers(keep_all), w, xs);
}
