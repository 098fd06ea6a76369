// Structure is identity: eight losses timed in turns within one run, each used first in its turn, with the heap
// allocations of a call. An argument, 0 to 7, names the loss that the process uses first.
#include "losses.hpp"

#include "../../../examples/heap_count.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace identity_problem;

constexpr int rounds = 400, calls = 20000;
constexpr std::size_t count = std::tuple_size_v<decltype(losses)>;

template <std::size_t I>
constinit auto step = etch::compile(std::get<I>(losses), layer{}, inputs{}, targets{});

layer model, gradient;
inputs x;
targets y;

/// Nanoseconds for one call of loss `I`.
template <std::size_t I>
double measure() {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    step<I>(model, x, y, etch::into(gradient));
    asm volatile("" ::: "memory");
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / calls;
}

struct row {
  std::vector<double> times;
  long allocations = 0;
  float value = 0;
  layer gradient;
};

}  // namespace

int main(int argument_count, char** arguments) {
  std::size_t const begin = argument_count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 0;  // the loss used first
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_assert((etch::same_program<decltype(step<0>), decltype(step<I>)> && ...), "eight losses are one program");
  }(std::make_index_sequence<count>{});
  etch::nn::init::glorot_uniform(model, 1);
  etch::nn::generator random(2);
  for (float& e : x) e = static_cast<float>(random.normal());
  for (float& e : y) e = static_cast<float>(random.normal());

  std::array<row, count> table;
  for (row& r : table) r.times.reserve(rounds);
  auto const run = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    long const before = heap::count();
    double const time = measure<I>();
    table[I].allocations += heap::count() - before;
    table[I].times.push_back(time);
    table[I].value = step<I>.value();
    table[I].gradient = gradient;
  };
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t turn = 0; turn < count; ++turn)
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        std::size_t const which = (begin + round + turn) % count;
        static_cast<void>(((which == I && (run(std::integral_constant<std::size_t, I>{}), true)) || ...));
      }(std::make_index_sequence<count>{});

  char const* const uncounted = heap::why_not_counted();
  if (uncounted != nullptr) std::printf("heap allocations are %s\n", uncounted);
  std::printf("%-28s %10s %10s %12s\n", "loss", "min ns", "median ns", "allocs/call");
  bool equal = true;
  for (std::size_t i = 0; i < count; ++i) {
    row& r = table[i];
    std::sort(r.times.begin(), r.times.end());
    std::printf("%-28s %10.2f %10.2f %12g\n", names[i], r.times.front(), r.times[r.times.size() / 2],
                static_cast<double>(r.allocations) / (double{rounds} * calls));
    equal = equal && r.value == table[0].value && r.gradient.weight == table[0].gradient.weight &&
            r.gradient.bias == table[0].gradient.bias;
  }
  std::printf("values and gradients %s\n", equal ? "are equal in every bit" : "DIFFER");
  return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
