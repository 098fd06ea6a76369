// parallel_numbers: arguments for the tests of shared programs, and the distance between two results.
#pragma once

#include <etch/etch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace parallel_numbers {

using namespace etch;

/// Two layers: 6 numbers to 5.
template <class T>
struct network {
  nn::dense<T, 6, 9> hidden;
  nn::dense<T, 9, 5> output;
  ETCH_MEMBERS(network, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};

template <class T>
void fill(T& t, double scale = 1) {
  nn::generator random(static_cast<std::uint64_t>(sizeof t));
  argument<T>::visit(t, [&](auto* entries, std::size_t n) {
    using entry = std::remove_pointer_t<decltype(entries)>;
    for (std::size_t i = 0; i < n; ++i)
      entries[i] =
          std::is_floating_point_v<entry> ? static_cast<entry>(scale * random.normal()) : static_cast<entry>(i * 7 % 5);
  });
}

/// The largest difference between two structures, relative to the largest entry of the leaf that it is in.
template <class T>
double distance(T const& a, T const& b) {
  std::vector<std::vector<double>> leaves;
  argument<T>::visit(a, [&](auto const* entries, std::size_t n) { leaves.emplace_back(entries, entries + n); });
  double worst = 0;
  std::size_t leaf = 0;
  argument<T>::visit(b, [&](auto const* entries, std::size_t n) {
    double scale = 1e-300, most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      scale = std::max(scale, std::abs(leaves[leaf][i]));
      double const d = std::abs(static_cast<double>(entries[i]) - leaves[leaf][i]);
      most = d <= most ? most : d;  // not a number stays
    }
    if (!(most / scale <= worst)) worst = most / scale;
    ++leaf;
  });
  return worst;
}
template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace parallel_numbers
