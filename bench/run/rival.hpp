// rival: one way to compute a problem's value and gradient. A file that defines one at
// namespace scope makes it take part.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace bench {

/// `Problem` is a struct with
///   name, unit         as the report calls it, and the unit of its times
///   inputs, gradient   structs or tensors; the gradient of a type that could be an argument of a loss
///   fill(inputs&)      makes a fixed instance
///   flops or bytes     of one call: how much it must compute, or how much it must at least read and write
///   tolerance          how much a gradient may differ from that of the first rival, relative to the largest entry of
///   each leaf
///   least_scale        optional: or to this part of the largest of all, where a leaf is 0 but for rounding
///   is_right(inputs const&, gradient const&)   optional: whether a gradient is, by another way to compute it; says so
template <class Problem>
struct rival {
  using inputs = typename Problem::inputs;
  using gradient = typename Problem::gradient;

  /// The facts that the race knows of one.
  struct entry {
    char const* name;
    double (*compute)(inputs const&, gradient&);
    void (*repeat)(benchmark::State&, inputs const&, gradient&);
    double workspace;  ///< bytes that the program states at compile time; negative if it states none
  };

  /// `f(inputs, gradient)`, a function object without state, writes the gradient and returns the value. It keeps its
  /// own buffers, which it has not touched before it runs, and is compiled into the loop that is timed.
  template <class F>
  rival(char const* name, F, double workspace = -1) {
    entered().push_back({name, [](inputs const& in, gradient& g) { return static_cast<double>(F{}(in, g)); },
                         [](benchmark::State& state, inputs const& in, gradient& g) {
                           for (auto _ : state) {
                             auto value = F{}(in, g);
                             benchmark::DoNotOptimize(value);
                             benchmark::ClobberMemory();
                           }
                         },
                         workspace});
  }

  /// All that take part in this process.
  static std::vector<entry>& entered() {
    static std::vector<entry> all;
    return all;
  }
};

/// Calls `f(i)` for i = 0 ... n - 1, each on its own: the compiler may not join neighbours, or
/// take what is in memory for known.
void one_by_one(int n, auto f) {
  for (int i = 0; i < n; ++i) {
    f(i);
    benchmark::ClobberMemory();
  }
}
/// Calls `f()`, which returns where it leaves a result, `n` times; `g.entries` is where the last one is. The value is
/// an entry of each, summed.
double many_times(int n, auto& g, auto f) {
  double total = 0;
  one_by_one(n, [&](int) {
    g.entries = f();
    total += g.entries[0];
  });
  return total;
}

}  // namespace bench
