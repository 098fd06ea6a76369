// Each program on one core, two of them side by side on two cores, and one shared by two workers, in turns: the least
// time of a call and the medians of the ratios. What two programs that share nothing gain is what the machine has to
// give: one with other work on its cores gives less. Prints a table for docs/parallel.md; of the problems named, if
// any.
#include "cores.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>

namespace {

double seconds_of(auto const& calls) {
  auto const begin = std::chrono::steady_clock::now();
  calls();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
double median(std::vector<double>& of) {
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
  return of[of.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("| | one core | side by side | shared | of side by side | gradients differ by |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (cores::entry const& each : cores::entries()) {
    if (argc > 1 && std::find(argv + 1, argv + argc, std::string_view(each.name)) == argv + argc) continue;
    bool const is_shared = each.two != nullptr;
    double const of_one = each.one(), of_two = is_shared ? each.two() : of_one;
    each.beside();
    double const difference = is_shared ? std::max(std::abs(of_one - of_two) / std::abs(of_one), each.difference()) : 0;
    auto const repeat = [](double (*call)(), int repeats) {
      for (int i = 0; i < repeats; ++i) call();
    };
    int const repeats = std::max(1, static_cast<int>(0.02 / seconds_of([&] { repeat(each.one, 1); })));
    double least = 1e9;
    std::vector<double> of_pair, of_shared, efficiency;
    for (int round = 0; round < 61; ++round) {
      double const one = seconds_of([&] { repeat(each.one, repeats); });
      double const two = is_shared ? seconds_of([&] { repeat(each.two, repeats); }) : one;
      double const pair = seconds_of([&] {
        double (*const calls[2])() = {each.one, each.beside};
#pragma omp parallel for num_threads(2) schedule(static, 1)
        for (int i = 0; i < 2; ++i) repeat(calls[i], repeats);
      });
      least = std::min(least, one / repeats);
      of_pair.push_back(2 * one / pair), of_shared.push_back(one / two), efficiency.push_back(pair / 2 / two);
    }
    std::printf("| %s | %.0f µs | %.2f × |", each.name, least * 1e6, median(of_pair));
    if (is_shared) std::printf(" %.2f × | %.0f %% | %.0e |\n", median(of_shared), 100 * median(efficiency), difference);
    else std::printf(" – | – | – |\n");
  }
}
