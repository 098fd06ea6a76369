// Loops that keep few carries, as programs: against the same loops that keep everything, and what they keep.
#include "transform/few_carries.hpp"

using namespace etch;
using namespace few_carries;
using namespace same;

namespace {

template <class Keep>
constexpr auto rnn = [](auto w, auto init, auto xs) {
  return sum(square(scan([&](auto h, auto x) { return tanh(w * h + x); }, init, xs, Keep{})));
};

constexpr std::integer_sequence<int, 0, 1, 2> all;

template <int Steps, int Snapshots>
void check_steps() {
  CAPTURE(Steps);
  CAPTURE(Snapshots);
  check_same(all, rnn<keep_recursive_t<Snapshots * vector_bytes>>, rnn<keep_all_t>, filled_with<matrix_type>(1),
             filled_with<tensor<double, 3>>(2), filled_with<series<Steps>>(3));
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
              program<1000, keep_carries_t>::facts.flops + 2 * 9 * etch::detail::steps_run_again(1000, 8));

}  // namespace
