// Resident memory over time at D = 1000, each rival and number of steps in a process of its own: as a table, and
// in the directory that the first argument names as memory.csv and memory.svg. Fails where etch, or its tape,
// takes more than 1.05 times the memory of the pass by hand in 100 steps, or where what etch takes besides one
// matrix a step depends on the number of steps.
#include "../memory_over_time.hpp"
#include "large.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace {

using namespace large_chain;

constexpr int rows = 1000;
constexpr double mebibyte = 1 << 20, allowed = 1.05;
using square = matrix<rows>;
constexpr double matrix_bytes = sizeof(square);

constinit square x, z, gradient;

bench::measured_memory measure(rival<rows> const& r) {
  auto const work = [&] {
    r.run(x, z, gradient);
    double sum = 0;  // of squares
    for (double e : gradient) sum += e * e;
    return sum;
  };
  return bench::measure_memory([] { fill(x, z); }, work, 100);
}

/// The memory that a process took besides a matrix a step, in matrices. The arguments and the gradient are 3 of them.
double besides(bench::measured_memory const& m, int steps) { return (m.peak - m.before) / matrix_bytes - steps; }

}  // namespace

int main(int argc, char** argv) {
  constexpr int rivals = 3;
  char const* const keys[rivals] = {"etch", "hand", "tape"};
  struct race {
    int steps;
    rival<rows> of[rivals];
  };
  race const races[] = {{25, {etch_rival<rows, 25>(), hand_rival<rows, 25>(), tape_rival<rows, 25>()}},
                        {50, {etch_rival<rows, 50>(), hand_rival<rows, 50>(), tape_rival<rows, 50>()}},
                        {100, {etch_rival<rows, 100>(), hand_rival<rows, 100>(), tape_rival<rows, 100>()}}};
  bool good = true;
  double ratio = 0, of_tape = 0, least = INFINITY, most = -INFINITY;
  std::vector<bench::named_curve> picture;
  std::printf("steps  rival     peak MiB  matrices besides one a step  seconds\n");
  for (race const& p : races) {
    bench::measured_memory m[rivals];
    for (int i = 0; i < rivals; ++i) {
      m[i] = measure(p.of[i]);
      if (m[i].over_time.empty()) {
        std::printf("%s failed\n", p.of[i].name);
        return 1;
      }
      std::printf("%5d  %-8s  %8.1f  %27.2f  %7.2f\n", p.steps, p.of[i].name, m[i].peak / mebibyte,
                  besides(m[i], p.steps), m[i].seconds);
      char const* const key = keys[i];
      std::printf("chain_memory.%d.%s.peak %.0f\nchain_memory.%d.%s.seconds %.6g\n", p.steps, key, m[i].peak, p.steps,
                  key, m[i].seconds);
      picture.push_back(
          {std::string(p.of[i].name) + ", " + std::to_string(p.steps) + " steps", i == 1, m[i].over_time});
    }
    for (int i : {0, 2})
      if (!(std::abs(m[i].result / m[1].result - 1) < 1e-9)) good = false, std::printf("the gradients differ\n");
    ratio = m[0].peak / m[1].peak, of_tape = m[2].peak / m[1].peak;
    least = std::min(least, besides(m[0], p.steps)), most = std::max(most, besides(m[0], p.steps));
  }
  std::printf("etch / by hand, 100 steps: %.3f of the peak (allowed: %.2f)\n", ratio, allowed);
  std::printf("tape / by hand, 100 steps: %.3f of the peak (allowed: %.2f)\n", of_tape, allowed);
  std::printf("etch besides one matrix a step: %.2f to %.2f matrices\n", least, most);
  std::printf("chain_memory.matrix.bytes %.0f\n", matrix_bytes);
  std::printf("chain_memory.sum.workspace %lld\n", workspace_of_sum<rows, 100>());  // with the loss sum(z) instead
  if (argc > 1) bench::write_picture(picture, std::string(argv[1]) + "/memory");
  good = good && ratio <= allowed && of_tape <= allowed && most - least < 0.5;
  std::printf("%s\n", good ? "as it should be" : "not as it should be");
  return good ? 0 : 1;
}
