// How much memory programs need: figures, not hopes.
#include "run/memory_models.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace memory_models;

/// At most 5 % above what is in use at once, and that no more than the values themselves.
consteval bool is_near_optimal(program_facts const& f) {
  return f.workspace_bytes * 100 <= f.live_lower_bound_bytes * 105 && f.live_lower_bound_bytes <= f.unplanned_bytes && f.allocations == 0;
}
template <class Wrt, class F, class... A>
using program_of = decltype(compile<Wrt>(std::declval<F>(), std::declval<A const&>()...));
template <int... N>
using floats = tensor<float, N...>;
template <int... N>
using doubles = tensor<double, N...>;

using mlp_program = program_of<wrt<1, 2, 3, 4>, decltype(mlp), floats<784, 128>, floats<32, 784>, floats<32>, floats<10, 32>, floats<10>>;
static_assert(is_near_optimal(mlp_program::facts));
static_assert(mlp_program::facts.workspace_bytes <= 37'888);
// tanh, which its adjoint overwrites, and the square and its derivative; packed operands beside them, where the machine wants some.
static_assert(mlp_program::facts.workspace_bytes >= (32 + 10) * 128 * 4);
static_assert(mlp_program::facts.saved == 1 && mlp_program::facts.saved_bytes == 32 * 128 * 4);

using dense_exp_program = program_of<wrt<0, 2>, decltype(dense_exp), doubles<512, 256>, doubles<256, 4096>, doubles<512>>;
static_assert(is_near_optimal(dense_exp_program::facts));

using normal_program = program_of<wrt<0, 1, 2>, decltype(normal), doubles<1000>, double, double>;
static_assert(is_near_optimal(normal_program::facts));
static_assert(normal_program::facts.workspace_bytes <= 128 && normal_program::facts.unplanned_bytes > 20'000);

using regression_program = program_of<wrt<0, 1, 2>, decltype(regression), doubles<10>, double, double, doubles<1000, 10>, doubles<1000>>;
static_assert(is_near_optimal(regression_program::facts));

using chain_program = program_of<wrt<0>, chain<20>, doubles<200, 200>>;
static_assert(is_near_optimal(chain_program::facts));

// Parameters used at every step: their gradients grow where the caller wants them.
template <class Cell, int Gates, int Units, int Batch, int Steps>
using recurrent_program =
    program_of<wrt<0, 1, 2>, unrolled<Cell, Units, Batch, Steps>, floats<Gates * Units, Units>, floats<Gates * Units, Units>,
               floats<Gates * Units>, floats<Units, Batch, Steps>, floats<Units, Batch>, floats<Units, Batch>>;
using lstm_program = recurrent_program<lstm<64>, 4, 64, 256, 16>;
using gru_program = recurrent_program<gru<64>, 3, 64, 256, 4>;
static_assert(is_near_optimal(lstm_program::facts));
static_assert(is_near_optimal(gru_program::facts));

/// Buffers of the workspace that have this many entries.
template <class Program>
consteval int buffers_of(std::int64_t entries) {
  int count = 0;
  graph_view const g = Program::executable::materialised;
  for (int id = 0; id < g.size(); ++id) count += Program::executable::plan.offset.entry[id] >= 0 && g[id].extent.size() == entries;
  return count;
}

// A parameter used 100 times costs one buffer, and that is the caller's. What remains is what each use saves, and the adjoint on its way.
template <int Uses>
using fan_out_program = program_of<wrt<0>, fan_out<Uses>, doubles<16, 16>, doubles<16, 8>>;
static_assert(buffers_of<fan_out_program<100>>(16 * 16) == 0);
static_assert(fan_out_program<100>::facts.workspace_bytes - fan_out_program<10>::facts.workspace_bytes == 90 * 16 * 8 * 8);
static_assert(fan_out_program<100>::facts.saved == 99);  // the last is squared before it leaves its register
static_assert(is_near_optimal(fan_out_program<100>::facts));

// x twice: not a single copy of it.
constexpr auto twice = [](auto x) { return sum(x) + sum(x); };
using twice_program = program_of<wrt<0>, decltype(twice), doubles<1000>>;
static_assert(twice_program::facts.workspace_bytes == 64 && twice_program::facts.saved == 0);

// Without gradients nothing is saved.
static_assert(program_of<wrt<>, decltype(twice), doubles<1000>>::facts.saved == 0);

template <class T>
std::unique_ptr<T> filled_with(double from) {
  auto t = std::make_unique<T>();
  double x = from;
  for (auto& e : *t) {
    x = x * 1.7 + 0.3;
    x -= static_cast<int>(x);
    e = static_cast<std::remove_reference_t<decltype(e)>>(0.2 * (x - 0.5));
  }
  return t;
}

}  // namespace

TEST_CASE("a gradient that grows in place is overwritten or added to as the caller says") {
  fan_out_program<10> program;
  auto const w = filled_with<doubles<16, 16>>(0.1);
  auto const x = filled_with<doubles<16, 8>>(0.7);
  program(*w, *x);
  doubles<16, 16> const gradient = program.grad<0>();
  doubles<16, 16> sums, mine;
  sums.fill(3);
  mine.fill(7);
  program(*w, *x, add_to(sums));
  program(*w, *x, add_to(sums));
  program(*w, *x, into(mine));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    CHECK(mine[i] == gradient[i]);
    CHECK(sums[i] == doctest::Approx(3 + 2 * gradient[i]).epsilon(1e-12));
  }
  // A difference in one direction.
  double slope = 0;
  auto p = *w, q = *w;
  double const h = 1e-6;
  for (std::size_t i = 0; i < p.size(); ++i) {
    double const direction = static_cast<double>(i % 5) - 1.5;
    slope += direction * gradient[i];
    p[i] += h * direction;
    q[i] -= h * direction;
  }
  CHECK(slope == doctest::Approx((program(p, *x) - program(q, *x)) / (2 * h)).epsilon(1e-6));
}

TEST_CASE("a recurrent network's gradients are those of differences, also added to what is there") {
  using program_type = recurrent_program<lstm<8>, 4, 8, 5, 3>;
  auto const program = std::make_unique<program_type>();
  auto const w = filled_with<floats<32, 8>>(0.1), u = filled_with<floats<32, 8>>(0.2);
  auto const b = filled_with<floats<32>>(0.3);
  auto const xs = filled_with<floats<8, 5, 3>>(0.4);
  auto const h = filled_with<floats<8, 5>>(0.5), c = filled_with<floats<8, 5>>(0.6);
  (*program)(*w, *u, *b, *xs, *h, *c);
  auto const dw = program->grad<0>();
  auto const du = program->grad<1>();
  auto const db = program->grad<2>();
  floats<32, 8> more_w, more_u;
  floats<32> more_b;
  more_w.fill(1), more_u.fill(1), more_b.fill(1);
  (*program)(*w, *u, *b, *xs, *h, *c, add_to(more_w, more_u, more_b));
  for (std::size_t i = 0; i < dw.size(); ++i) {
    CHECK(more_w[i] == doctest::Approx(1 + dw[i]).epsilon(1e-5));
    CHECK(more_u[i] == doctest::Approx(1 + du[i]).epsilon(1e-5));
  }
  for (std::size_t i = 0; i < db.size(); ++i) CHECK(more_b[i] == doctest::Approx(1 + db[i]).epsilon(1e-5));
  auto const at = [&](std::size_t i, float by) {
    auto p = *w, q = *u;
    auto r = *b;
    p[i * 3] += by, q[i * 5] -= by, r[i] += by;
    return (*program)(p, q, r, *xs, *h, *c);
  };
  for (std::size_t i = 0; i < 32; ++i)
    CHECK(static_cast<double>(dw[i * 3] - du[i * 5] + db[i]) ==
          doctest::Approx(static_cast<double>(at(i, 0.05F) - at(i, -0.05F)) / 0.1).epsilon(0.02).scale(0.05));
}
