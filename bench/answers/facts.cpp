// The facts that the compiler knows of the programs, and accumulation over many calls: figures that are
// the same in every run, one a line.
#include "asked.hpp"
#include "gates.hpp"

#include "../../examples/heap_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

// ---- the gates of recurrent cells are views, and their adjoints parts of one buffer ----

using gates::there, gates::back, gates::lstm_program, gates::gru_program;

template <class Program>
constexpr bool copies_nothing = there<Program>.copied_slices == 0 && there<Program>.bare_copies == 0 &&
                                back<Program>.copied_slices == 0 && back<Program>.bare_copies == 0;
template <class Program>
constexpr bool is_written_in_place = back<Program>.joined > 0 && back<Program>.parts == back<Program>.parts_in_place;
static_assert(copies_nothing<lstm_program> && copies_nothing<gru_program>);
static_assert(is_written_in_place<lstm_program> && is_written_in_place<gru_program>);
// For each of the two layers one buffer of four adjoints; of the GRU two of three, since it
// has one product by x and one by h.
static_assert(back<lstm_program>.joined == 2 && back<lstm_program>.parts == 8);
static_assert(back<gru_program>.joined == 4 && back<gru_program>.parts == 12);
// The work between a layer's products is one loop there; back it is one for the LSTM.
static_assert(there<lstm_program>.gate_loops == 2 && there<gru_program>.gate_loops == 2 &&
              back<lstm_program>.gate_loops == 2);
// A program that does copy a slice, since it asks for one: so that this would be seen.
constexpr auto copying = [](auto w, auto xs) {
  auto const steps = etch::scan(
      [&](auto h, auto x) {
        auto const both = w * h + x;
        return etch::step{tanh(etch::slice<0, 0, 8>(both)), etch::slice<0, 8, 8>(both)};
      },
      etch::zeros<8, 4>(), xs);
  return sum(square(steps.y));
};
using copying_program = decltype(etch::compile(copying, etch::tensor<float, 16, 8>{}, etch::tensor<float, 16, 4, 3>{}));
static_assert(there<copying_program>.copied_slices > 0);
static_assert(lstm_program::facts.allocations == 0 && gru_program::facts.allocations == 0);

void say(char const* of, char const* what, long long n) { std::printf("%s.%s %lld\n", of, what, n); }

template <class Program>
void say_asked(char const* of) {
  say(of, "flops", Program::facts.flops);
  say(of, "workspace", Program::facts.workspace_bytes);
  say(of, "nodes", Program::facts.nodes);
  say(of, "kernels", asked::kernels<Program>);
}

template <class Program>
void say_gates(char const* of) {
  say(of, "kernels_there", there<Program>.kernels), say(of, "kernels_back", back<Program>.kernels);
  say(of, "products_there", there<Program>.products), say(of, "products_back", back<Program>.products);
  say(of, "loops_there", there<Program>.gate_loops / 2), say(of, "loops_back", back<Program>.gate_loops / 2);
  say(of, "copied_slices", there<Program>.copied_slices + back<Program>.copied_slices);
  say(of, "joined", back<Program>.joined / 2);
  say(of, "parts", back<Program>.parts), say(of, "parts_in_place", back<Program>.parts_in_place);
  say(of, "kept_a_step", etch::loop_memory<Program>.kept.per_segment);
  say(of, "workspace", Program::facts.workspace_bytes);
}

// ---- accumulation: several batches into one gradient ----

struct accumulation {
  static constexpr int batches = 8;
  asked::of_weights step;
  asked::weights w, each_w, sum_w;
  asked::offsets b, each_b, sum_b;
  asked::samples x;

  void draw(int batch) {
    etch::nn::generator random(100 + static_cast<unsigned>(batch));
    for (double& e : x) e = random.normal();
  }
};

/// The largest distance between the gradient that `add_to` has summed and the sum of all batches' own, relative to the
/// largest entry; heap allocations of all calls of `add_to`.
std::pair<double, long> accumulate() {
  auto const a = std::make_unique<accumulation>();
  auto const wanted = std::make_unique<accumulation>();  // its sums only
  etch::nn::generator random(1);
  for (double& e : a->w) e = 0.03 * random.normal();
  for (double& e : a->b) e = 0.1 * random.normal();
  long allocations = 0;
  for (int i = 0; i < accumulation::batches; ++i) {
    a->draw(i);
    long const before = heap::count();
    a->step(a->w, a->b, a->x, etch::add_to(a->sum_w, a->sum_b));
    allocations += heap::count() - before;
    a->step(a->w, a->b, a->x, etch::into(a->each_w, a->each_b));
    for (std::size_t k = 0; k < a->each_w.size(); ++k) wanted->sum_w[k] += a->each_w[k];
    for (std::size_t k = 0; k < a->each_b.size(); ++k) wanted->sum_b[k] += a->each_b[k];
  }
  double scale = 0, distance = 0;
  auto const compare = [&](auto const& is, auto const& should) {
    for (std::size_t k = 0; k < is.size(); ++k) {
      scale = std::max(scale, std::abs(should[k]));
      distance = std::max(distance, std::abs(is[k] - should[k]));
    }
  };
  compare(a->sum_w, wanted->sum_w), compare(a->sum_b, wanted->sum_b);
  return {scale > 0 ? distance / scale : INFINITY, allocations};
}

}  // namespace

int main() {
  if (char const* reason = heap::why_not_counted()) {
    std::printf("skipped: heap allocations are %s\n", reason);
    return 77;
  }
  say_asked<asked::of_weights>("asked.weights");
  say_asked<asked::x_in_same_struct>("asked.same_struct");
  say_asked<asked::of_all>("asked.all");
  say("asked", "samples_bytes", sizeof(asked::samples));
  say_gates<lstm_program>("gates.lstm");
  say_gates<gru_program>("gates.gru");
  auto const [distance, allocations] = accumulate();
  say("accumulated", "batches", accumulation::batches);
  say("accumulated", "allocations", allocations);
  std::printf("accumulated.distance %.3g\n", distance);
  bool const good = allocations == 0 && distance < 1e-13;
  std::printf("%d passed, %d failed\n", good, !good);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
