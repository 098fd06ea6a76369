// Loops that keep few carries, as programs: against the same loops that keep everything, and what they keep.
#include <etch/transform/scan.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace same;

namespace {

using matrix_type = tensor<double, 3, 3>;
template <int Steps>
using series = tensor<double, 3, Steps>;
constexpr std::int64_t vector_bytes = 3 * 8;

template <class Keep>
constexpr auto rnn = [](auto w, auto init, auto xs) {
  return sum(square(scan([&](auto h, auto x) { return tanh(w * h + x); }, init, xs, Keep{})));
};

constexpr std::integer_sequence<int, 0, 1> both;
constexpr std::integer_sequence<int, 0, 1, 2> all;

template <int Steps, int Snapshots>
void check_steps() {
  CAPTURE(Steps);
  CAPTURE(Snapshots);
  check_same(all, rnn<keep_recursive_t<Snapshots * vector_bytes>>, rnn<keep_all_t>, filled_with<matrix_type>(1),
             filled_with<tensor<double, 3>>(2), filled_with<series<Steps>>(3));
}

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

}  // namespace

TEST_CASE("one step, two, a prime number, a thousand; one snapshot, few, all but one, all, more") {
  check_steps<1, 1>();
  check_steps<2, 1>();
  check_steps<13, 1>();
  check_steps<13, 3>();
  check_steps<13, 12>();
  check_steps<13, 13>();
  check_steps<1000, 4>();
}

TEST_CASE("several carries: with a stack for all steps, unread by the gradient, unread at all") {
  matrix_type const w = filled_with<matrix_type>(4);
  series<23> const xs = filled_with<series<23>>(5);
  constexpr std::int64_t carry = 3 * vector_bytes + 8;
  check_same(both, momentum(keep_recursive<carry>), momentum(keep_all), w, xs);
  check_same(both, momentum(keep_recursive<4 * carry>), momentum(keep_all), w, xs);
  check_same(both, leapfrog(keep_recursive<2 * vector_bytes>), leapfrog(keep_all), w, xs);
  check_same(both, leapfrog(keep_recursive<7 * vector_bytes>), leapfrog(keep_all), w, xs);
}

TEST_CASE("repeat, in float") {
  constexpr auto newton = []<class Keep>(Keep) {
    return [](auto w, auto h) { return sum(square(etch::repeat<50>([&](auto c) { return tanh(w * c); }, h, Keep{}))); };
  };
  using matrix_of_float = tensor<float, 3, 3>;
  auto const w = filled_with<matrix_of_float>(6);
  auto const h = filled_with<tensor<float, 3>>(7);
  auto a = compile<wrt<0, 1>>(newton(keep_recursive<36>), w, h);
  auto b = compile<wrt<0, 1>>(newton(keep_carries), w, h);
  CHECK(a(w, h) == b(w, h));
  CHECK(a.grad<0>() == b.grad<0>());
  CHECK(a.grad<1>() == b.grad<1>());
}

namespace {

template <int Steps, class Keep>
using program = decltype(compile<wrt<0, 1, 2>>(rnn<Keep>, matrix_type{}, tensor<double, 3>{}, series<Steps>{}));

// 8 snapshots of three doubles, and the last carry: whatever the number of steps.
static_assert(program<1000, keep_recursive_t<8 * vector_bytes>>::facts.saved_bytes == 8 * vector_bytes + 64);
static_assert(program<100'000, keep_recursive_t<8 * vector_bytes>>::facts.workspace_bytes ==
              program<1000, keep_recursive_t<8 * vector_bytes>>::facts.workspace_bytes);
static_assert(program<1000, keep_recursive_t<9 * vector_bytes - 1>>::facts.saved_bytes == 8 * vector_bytes + 64);
static_assert(program<1000, keep_recursive_t<8 * vector_bytes>>::facts.allocations == 0);
// What fits whole is kept whole: then it is the same program.
static_assert(std::is_same_v<program<10, keep_recursive_t<1000>>::executable, program<10, keep_all_t>::executable>);
// Steps that run again are counted.
static_assert(program<1000, keep_recursive_t<8 * vector_bytes>>::facts.flops >
              program<1000, keep_carries_t>::facts.flops +
                  2 * 9 * etch::detail::steps_run_again(1000, 8));

}  // namespace
