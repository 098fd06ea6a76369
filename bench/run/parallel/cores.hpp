// cores: a program on one core, another such beside it, and one that two workers share, entered by the file of each
// problem.
#pragma once

#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include <cmath>
#include <vector>

namespace cores {

struct entry {
  char const* name;
  double (*one)();     ///< a call; all return the value
  double (*beside)();  ///< of another program of the same kind, in memory of its own
  double (*two)();
  double (*difference)();  ///< of the gradients of both, relative to the largest entry of a leaf
};
inline std::vector<entry>& entries() {
  static std::vector<entry> all;
  return all;
}
struct entered {
  entered(char const* name, double (*one)(), double (*beside)(), double (*two)(), double (*difference)()) {
    entries().push_back({name, one, beside, two, difference});
  }
};

/// The largest difference between two gradients, relative to the largest entry of the leaf it is in.
template <class T>
double distance(T const& a, T const& b) {
  std::vector<std::vector<double>> leaves;
  etch::argument<T>::visit(a, [&](auto const* entries, std::size_t n) { leaves.emplace_back(entries, entries + n); });
  double worst = 0;
  std::size_t leaf = 0;
  etch::argument<T>::visit(b, [&](auto const* entries, std::size_t n) {
    double scale = 1e-300, most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double const d = std::abs(static_cast<double>(entries[i]) - leaves[leaf][i]);
      scale = std::max(scale, std::abs(leaves[leaf][i])), most = d <= most ? most : d;
    }
    worst = most / scale <= worst ? worst : most / scale;
    ++leaf;
  });
  return worst;
}

}  // namespace cores
