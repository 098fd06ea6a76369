// Resident memory over time at D = 1000, each rival and number of steps in a process of its own: as a table, and in the directory that the
// first argument names as memory.csv and memory.svg. Fails where etch takes more than 1.05 times the memory of the pass by hand in 100
// steps, or where what it takes besides one matrix a step depends on the number of steps.
#include "picture.hpp"
#include "large.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace large_chain;

constexpr int rows = 1000;
constexpr double mebibyte = 1 << 20, allowed = 1.05;
using square = matrix<rows>;
constexpr double matrix_bytes = sizeof(square);

constinit square x, z, gradient;

double resident() {
  long size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The most that has been resident at once, as the kernel knows it.
double peak() {
  std::string line;
  for (std::ifstream status("/proc/self/status"); std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));
  return NAN;
}

/// What a process has measured of itself.
struct measured {
  double before = 0, peak = 0, seconds = 0, sum = 0;  ///< bytes, bytes, seconds, and the sum of the gradient's squares
  curve over_time;
};

void measure(rival<rows> const& r, std::FILE* to) {
  using clock = std::chrono::steady_clock;
  double const before = resident();
  fill(x, z);
  auto const start = clock::now();
  auto const seconds = [&] { return std::chrono::duration<double>(clock::now() - start).count(); };
  std::atomic<bool> done = false;
  curve samples;
  std::thread sampler([&] {
    while (!done) {
      samples.push_back({seconds(), resident()});
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  r.run(x, z, gradient);
  double const took = seconds();
  done = true;
  sampler.join();
  samples.push_back({took, resident()});
  double sum = 0;
  for (double e : gradient) sum += e * e;
  std::fprintf(to, "%.17g %.17g %.17g %.17g\n", before, peak(), took, sum);
  for (sample const& s : samples) std::fprintf(to, "%.17g %.17g\n", s.seconds, s.bytes);
}

/// Runs `r` in a process of its own. An empty curve where that fails.
measured measure_apart(rival<rows> const& r) {
  int ends[2];
  measured m;
  if (pipe(ends) != 0) return m;
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child < 0) return m;
  if (child == 0) {
    close(ends[0]);
    std::FILE* const to = fdopen(ends[1], "w");
    measure(r, to);
    std::fclose(to);
    _exit(0);
  }
  close(ends[1]);
  std::FILE* const from = fdopen(ends[0], "r");
  sample s;
  if (std::fscanf(from, "%lf %lf %lf %lf", &m.before, &m.peak, &m.seconds, &m.sum) == 4)
    while (std::fscanf(from, "%lf %lf", &s.seconds, &s.bytes) == 2) m.over_time.push_back(s);
  std::fclose(from);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) m.over_time.clear();
  return m;
}

/// What a process took besides a matrix a step, in matrices. The arguments and the gradient are 3 of them.
double besides(measured const& m, int steps) { return (m.peak - m.before) / matrix_bytes - steps; }

}  // namespace

int main(int argc, char** argv) {
  struct pair {
    int steps;
    rival<rows> of[2];
  };
  pair const pairs[] = {{25, {etch_rival<rows, 25>(), hand_rival<rows, 25>()}},
                        {50, {etch_rival<rows, 50>(), hand_rival<rows, 50>()}},
                        {100, {etch_rival<rows, 100>(), hand_rival<rows, 100>()}}};
  bool good = true;
  double ratio = 0, least = INFINITY, most = -INFINITY;
  std::vector<named_curve> picture;
  std::printf("steps  rival     peak MiB  matrices besides one a step  seconds\n");
  for (pair const& p : pairs) {
    measured m[2];
    for (int i = 0; i < 2; ++i) {
      m[i] = measure_apart(p.of[i]);
      if (m[i].over_time.empty()) {
        std::printf("%s failed\n", p.of[i].name);
        return 1;
      }
      std::printf("%5d  %-8s  %8.1f  %27.2f  %7.2f\n", p.steps, p.of[i].name, m[i].peak / mebibyte, besides(m[i], p.steps), m[i].seconds);
      picture.push_back({std::string(p.of[i].name) + ", " + std::to_string(p.steps) + " steps", i == 1, m[i].over_time});
    }
    if (!(std::abs(m[0].sum / m[1].sum - 1) < 1e-9)) good = false, std::printf("the gradients differ\n");
    ratio = m[0].peak / m[1].peak;
    least = std::min(least, besides(m[0], p.steps)), most = std::max(most, besides(m[0], p.steps));
  }
  std::printf("etch / by hand, 100 steps: %.3f of the peak (allowed: %.2f)\n", ratio, allowed);
  std::printf("etch besides one matrix a step: %.2f to %.2f matrices\n", least, most);
  if (argc > 1) write_picture(picture, argv[1]);
  good = good && ratio <= allowed && most - least < 0.5;
  std::printf("%s\n", good ? "as it should be" : "not as it should be");
  return good ? 0 : 1;
}
