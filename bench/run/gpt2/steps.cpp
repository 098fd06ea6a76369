// Trains GPT-2 for 20 steps of AdamW by the gradients of each rival in turn, and compares the losses. Status 1: one
// differs by more than 1e-3.
#include "problem.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr int steps = 20, batches = 4;

/// The loss before each step, and after the last one, from the same weights and on the same batches in turn.
std::vector<double> train(bench::rival<gpt2>::entry const& rival, gpt2::inputs& i, gpt2::gradient& g) {
  auto const adamw = std::make_unique<etch::optim::adamw<gpt2::gradient>>();
  adamw->learning_rate = 1e-4;
  gpt2::fill(i);
  std::vector<double> losses;
  for (int step = 0; step <= steps; ++step) {
    gpt2::draw(i, static_cast<std::uint64_t>(step % batches));
    losses.push_back(rival.compute(i, g));
    if (step < steps) adamw->update(i.model, g);
  }
  return losses;
}

}  // namespace

int main() {
  auto const inputs = std::make_unique<gpt2::inputs>();
  auto const gradient = std::make_unique<gpt2::gradient>();
  std::vector<std::vector<double>> losses;
  std::printf("step");
  for (auto const& each : bench::rival<gpt2>::entered()) {
    losses.push_back(train(each, *inputs, *gradient));
    std::printf("  %8s", each.name);
  }
  double apart = 0;
  for (std::size_t step = 0; step <= steps; ++step) {
    std::printf("\n%4zu", step);
    for (auto const& of : losses) {
      std::printf("  %8.5f", of[step]);
      double const distance = std::abs(of[step] - losses[0][step]);
      if (!(distance <= apart)) apart = distance;  // not a number stays
    }
  }
  std::printf("\nlargest difference %.1e\n", apart);
  return losses.size() > 1 && apart <= 1e-3 ? 0 : 1;
}
