// choosing: times every form of both problems in turns, after comparing their values and gradients, and prints a figure
// a line: problem.form.figure number. The exit status is 1 if they do not agree.
#include "recurrent.hpp"
#include "scalar.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

namespace {

using choosing::form;

constexpr int rounds = 15;
constexpr double least_seconds = 0.01;

double seconds(form const& f, long calls) {
  auto const start = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) f.compute();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Whether all forms compute what the first does, up to a difference relative to the largest entry.
bool agree(char const* problem, std::vector<form> const& forms, double tolerance) {
  bool all = true;
  std::vector<double> wanted, found;
  double const value = forms[0].compute();
  forms[0].gradient(wanted);
  double scale = 0;
  for (double const each : wanted) scale = std::max(scale, std::abs(each));
  for (form const& f : forms) {
    found.clear();
    double difference = std::abs(f.compute() - value) / std::abs(value);
    f.gradient(found);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      difference = std::max(difference, std::abs(found.at(i) - wanted[i]) / scale);
    if (!(difference <= tolerance)) {
      std::fprintf(stderr, "%s.%s differs from %s by %.1e\n", problem, f.name, forms[0].name, difference);
      all = false;
    }
  }
  return all;
}

void print(char const* problem, std::vector<form> const& forms) {
  std::vector<long> calls;
  for (form const& f : forms) {
    long n = 1;
    while (seconds(f, n) < least_seconds) n *= 2;
    calls.push_back(n);
  }
  std::vector<double> least(forms.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < forms.size(); ++i)
      least[i] = std::min(least[i], seconds(forms[i], calls[i]) / static_cast<double>(calls[i]));
  for (std::size_t i = 0; i < forms.size(); ++i) {
    std::printf("%s.%s.seconds %.6e\n", problem, forms[i].name, least[i]);
    std::printf("%s.%s.bytes %lld\n", problem, forms[i].name, forms[i].bytes());
    std::printf("%s.%s.entries %ld\n", problem, forms[i].name, forms[i].entries());
  }
}

}  // namespace

int main() {
  using namespace choosing;
  std::vector<form> const recurrent{recurrent_unrolled(), recurrent_scan(),    recurrent_bounded(),
                                    recurrent_blocks(),   recurrent_tensors(), recurrent_scalars()};
  std::vector<form> const scalar{scalar_unrolled(), scalar_repeat(), scalar_bounded(),
                                 scalar_scalars(),  scalar_blocks(), scalar_tensors()};
  if (!agree("recurrent", recurrent, 1e-4) || !agree("scalar", scalar, 1e-12)) return 1;
  print("recurrent", recurrent);
  print("scalar", scalar);
}
