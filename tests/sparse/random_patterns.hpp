// random_patterns: patterns of matrices of many kinds, for colourings.
#pragma once

#include <etch/base/philox.hpp>
#include <etch/sparse/pattern.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace random_patterns {

/// Numbers that are the same on every machine.
class draw {
  std::uint64_t state_;

 public:
  explicit draw(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  /// From 0 to n - 1.
  int below(int n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }
};

using rows_of_columns = std::vector<std::set<int>>;

inline etch::sparse::pattern packed(int rows, rows_of_columns const& columns) {
  etch::sparse::pattern p{rows, static_cast<int>(columns.size()), {}, {}};
  p.start.push_back(0);
  for (auto const& column : columns) {
    for (int row : column) p.index.push_back(row);
    p.start.push_back(static_cast<int>(p.index.size()));
  }
  return p;
}

/// About so many entries a column, anywhere.
inline etch::sparse::pattern scattered(int rows, int columns, int each, std::uint64_t seed) {
  draw random(seed);
  rows_of_columns of(static_cast<std::size_t>(columns));
  for (auto& column : of)
    for (int k = random.below(2 * each + 1); k > 0; --k) column.insert(random.below(rows));
  return packed(rows, of);
}

/// The symmetric matrix with these entries, their mirror images, and the diagonal.
inline etch::sparse::pattern symmetric(int n, std::vector<std::pair<int, int>> const& edges, bool diagonal = true) {
  rows_of_columns of(static_cast<std::size_t>(n));
  for (int i = 0; diagonal && i < n; ++i) of[static_cast<std::size_t>(i)].insert(i);
  for (auto [i, j] : edges) of[static_cast<std::size_t>(j)].insert(i), of[static_cast<std::size_t>(i)].insert(j);
  return packed(n, of);
}
inline etch::sparse::pattern scattered_symmetric(int n, int each, std::uint64_t seed, bool diagonal = true) {
  draw random(seed);
  std::vector<std::pair<int, int>> edges;
  for (int k = n * each / 2; k > 0; --k)
    if (int const i = random.below(n), j = random.below(n); i != j) edges.push_back({i, j});
  return symmetric(n, edges, diagonal);
}
/// The five-point or nine-point stencil on a grid.
inline etch::sparse::pattern mesh(int width, int height, bool corners) {
  std::vector<std::pair<int, int>> edges;
  auto const at = [&](int x, int y) { return x + width * y; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      if (x + 1 < width) edges.push_back({at(x, y), at(x + 1, y)});
      if (y + 1 < height) edges.push_back({at(x, y), at(x, y + 1)});
      if (corners && x + 1 < width && y + 1 < height) edges.push_back({at(x, y), at(x + 1, y + 1)});
      if (corners && x > 0 && y + 1 < height) edges.push_back({at(x, y), at(x - 1, y + 1)});
    }
  return symmetric(width * height, edges);
}

}  // namespace random_patterns
