// How much memory programs need: figures, not hopes.
#include "compile/memory_models.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace memory_models;

using mlp_program = program_of<wrt<1, 2, 3, 4>, decltype(mlp), floats<784, 128>, floats<32, 784>, floats<32>,
                               floats<10, 32>, floats<10>>;
static_assert(is_near_optimal(mlp_program::facts));
static_assert(mlp_program::facts.workspace_bytes <= 37'888);
// tanh, which its adjoint overwrites, and the square and its derivative; packed operands beside
// them, where the machine wants some.
static_assert(mlp_program::facts.workspace_bytes >= (32 + 10) * 128 * 4);
static_assert(mlp_program::facts.saved == 1 && mlp_program::facts.saved_bytes == 32 * 128 * 4);

using dense_exp_program =
    program_of<wrt<0, 2>, decltype(dense_exp), doubles<512, 256>, doubles<256, 4096>, doubles<512>>;
static_assert(is_near_optimal(dense_exp_program::facts));

using normal_program = program_of<wrt<0, 1, 2>, decltype(normal), doubles<1000>, double, double>;
static_assert(is_near_optimal(normal_program::facts));
// Six scalars, each at a multiple of 64: a division by sigma² keeps its scale and the inverse of the scaled divisor.
static_assert(normal_program::facts.workspace_bytes <= 384 && normal_program::facts.unplanned_bytes > 20'000);

using regression_program =
    program_of<wrt<0, 1, 2>, decltype(regression), doubles<10>, double, double, doubles<1000, 10>, doubles<1000>>;
static_assert(is_near_optimal(regression_program::facts));

using chain_program = program_of<wrt<0>, chain<20>, doubles<200, 200>>;
static_assert(is_near_optimal(chain_program::facts));

/// Buffers of the workspace that have this many entries.
template <class Program>
consteval int buffers_of(std::int64_t entries) {
  int count = 0;
  graph_view const g = Program::executable::materialised;
  for (int id = 0; id < g.size(); ++id)
    count += Program::executable::plan.offset.entry[id] >= 0 && g[id].extent.size() == entries;
  return count;
}

// A parameter used 100 times costs one buffer, and that is the caller's. What remains is what each use
// saves, and the adjoint on its way.
template <int Uses>
using fan_out_program = program_of<wrt<0>, fan_out<Uses>, doubles<16, 16>, doubles<16, 8>>;
static_assert(buffers_of<fan_out_program<100>>(16 * 16) == 0);
static_assert(fan_out_program<100>::facts.workspace_bytes - fan_out_program<10>::facts.workspace_bytes ==
              90 * 16 * 8 * 8);
static_assert(fan_out_program<100>::facts.saved == 99);  // the last is squared before it leaves its register
static_assert(is_near_optimal(fan_out_program<100>::facts));

// x twice: not a single copy of it.
constexpr auto twice = [](auto x) { return sum(x) + sum(x); };
using twice_program = program_of<wrt<0>, decltype(twice), doubles<1000>>;
static_assert(twice_program::facts.workspace_bytes == 64 && twice_program::facts.saved == 0);

// Without gradients nothing is saved.
static_assert(program_of<wrt<>, decltype(twice), doubles<1000>>::facts.saved == 0);

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

// Bytes are affine in the number of entries that count: at the bound of another program they are that program's.
namespace {

template <int N>
using counted_network =
    decltype(compile<wrt<0, 1>>([](auto w, auto v, auto x) { return mean(square(v * tanh(w * tanh(x)))); },
                                tensor<float, 16, 16>{}, tensor<float, 16, 16>{}, tensor<float, 16, upto<N>>{}));
constexpr program_facts of_64 = counted_network<64>::facts, of_24 = counted_network<24>::facts;
static_assert(of_64.saved_bytes > 0 && of_64.saved_bytes_at(24) == of_24.saved_bytes);
static_assert(of_64.saved_bytes_of_each == of_64.saved_bytes / 64);
static_assert(of_64.unplanned_bytes_at(24) == of_24.unplanned_bytes && of_64.flops_at(24) == of_24.flops);

}  // namespace
