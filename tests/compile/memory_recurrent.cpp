// How much memory recurrent networks need, step after step written out and as loops.
#include "compile/memory_models.hpp"

#include <doctest/doctest.h>

namespace {

using namespace memory_models;

template <class Loss, int Gates, int Units, int Batch, int Steps>
using recurrent_program =
    program_of<wrt<0, 1, 2>, Loss, floats<Gates * Units, Units>, floats<Gates * Units, Units>, floats<Gates * Units>,
               floats<Units, Batch, Steps>, floats<Units, Batch>, floats<Units, Batch>>;
template <class Cell, int Gates, int Units, int Batch, int Steps>
using unrolled_program = recurrent_program<unrolled<Cell, Units, Batch, Steps>, Gates, Units, Batch, Steps>;

// Parameters used at every step: their gradients grow where the caller wants them.
static_assert(is_near_optimal(unrolled_program<lstm<64>, 4, 64, 256, 4>::facts));
static_assert(is_near_optimal(unrolled_program<gru<64>, 3, 64, 256, 4>::facts));

template <int Steps, class Keep = keep_all_t>
constexpr program_facts lstm_facts = recurrent_program<scanned<lstm<64>, Keep>, 4, 64, 256, Steps>::facts;
template <int Steps, class Keep = keep_all_t>
constexpr program_facts gru_facts = recurrent_program<scanned<gru<64>, Keep>, 3, 64, 256, Steps>::facts;
static_assert(is_near_optimal(lstm_facts<16>) && is_near_optimal(gru_facts<16>));
static_assert(is_near_optimal(lstm_facts<16, keep_carries_t>));

// The same nodes however many steps, and memory that grows by the same amount with each.
static_assert(lstm_facts<16>.nodes == lstm_facts<4>.nodes);
template <class Keep>
constexpr std::int64_t bytes_of_step = (lstm_facts<16, Keep>.workspace_bytes - lstm_facts<8, Keep>.workspace_bytes) / 8;
static_assert(lstm_facts<8>.workspace_bytes - lstm_facts<4>.workspace_bytes == 4 * bytes_of_step<keep_all_t>);
static_assert(lstm_facts<8, keep_carries_t>.workspace_bytes - lstm_facts<4, keep_carries_t>.workspace_bytes ==
              4 * bytes_of_step<keep_carries_t>);
// h, c, four gates, tanh(c), and the derivative of the square; or h, c and that derivative.
static_assert(bytes_of_step<keep_all_t> == 8 * 64 * 256 * 4);
static_assert(bytes_of_step<keep_carries_t> == 3 * 64 * 256 * 4);

}  // namespace

TEST_CASE("a recurrent network's gradients are those of differences, also added to what is there") {
  using program_type = unrolled_program<lstm<8>, 4, 8, 5, 3>;
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
