// Each program on one core and shared by two workers, in turns: the least time of a call and the median of the ratios.
// A machine with other work on its cores says nothing.
#include "cores.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

double seconds_of(double (*call)(), int repeats) {
  auto const begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeats;
}

}  // namespace

int main() {
  std::printf("%-8s %14s %14s %10s %12s\n", "", "one core, us", "two cores, us", "ratio", "difference");
  for (cores::entry const& each : cores::entries()) {
    double const of_one = each.one(), of_two = each.two();
    double const difference = std::max(std::abs(of_one - of_two) / std::abs(of_one), each.difference());
    int const repeats = std::max(1, static_cast<int>(0.02 / seconds_of(each.one, 2)));
    double one = 1e9, two = 1e9;
    std::vector<double> ratios;
    for (int round = 0; round < 31; ++round) {
      double const a = seconds_of(each.one, repeats), b = seconds_of(each.two, repeats);
      one = std::min(one, a), two = std::min(two, b);
      ratios.push_back(a / b);
    }
    std::nth_element(ratios.begin(), ratios.begin() + 15, ratios.end());
    std::printf("%-8s %14.1f %14.1f %10.2f %12.1e\n", each.name, one * 1e6, two * 1e6, ratios[15], difference);
  }
}
