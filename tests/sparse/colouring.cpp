#include <etch/sparse/colouring.hpp>

#include "random_patterns.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch::sparse;
using random_patterns::draw;

namespace {

/// Whether no two columns of one colour have a row in common.
bool is_proper(pattern_view p, colouring const& c) {
  std::set<std::pair<int, int>> taken;
  for (int j = 0; j < p.columns; ++j)
    for (int row : p.column(j))
      if (!taken.insert({row, c.of[static_cast<std::size_t>(j)]}).second) return false;
  return true;
}
/// Whether every entry is alone in its row, or its mirror image is, among the entries of its column's colour.
bool gives_each_entry(pattern_view p, colouring const& c) {
  auto const alone = [&](int i, int j) {
    int same = 0;
    for (int k : p.column(i)) same += c.of[static_cast<std::size_t>(k)] == c.of[static_cast<std::size_t>(j)];
    return same == 1;
  };
  for (int j = 0; j < p.columns; ++j)
    for (int i : p.column(j))
      if (!alone(i, j) && !alone(j, i)) return false;
  return true;
}
/// Whether a random symmetric matrix of this pattern comes back from its product with the colours' vectors.
bool comes_back(pattern_view p, colouring const& c, std::uint64_t seed) {
  draw random(seed);
  auto const n = static_cast<std::size_t>(p.columns);
  std::vector<std::vector<double>> h(n, std::vector<double>(n));
  for (int j = 0; j < p.columns; ++j)
    for (int i : p.column(j))
      if (i <= j)
        h[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            h[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = 1 + random.below(1000);
  std::vector<std::vector<double>> compressed(n, std::vector<double>(static_cast<std::size_t>(c.count)));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) compressed[i][static_cast<std::size_t>(c.of[j])] += h[i][j];
  auto const places = places_of(p, c);
  for (int j = 0; j < p.columns; ++j)
    for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k) {
      auto const at = places[static_cast<std::size_t>(k)];
      auto const i = static_cast<std::size_t>(p.index[static_cast<std::size_t>(k)]);
      if (at.row < 0 || compressed[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.colour)] !=
                            h[i][static_cast<std::size_t>(j)])
        return false;
    }
  return true;
}

}  // namespace

TEST_CASE("colours of columns and rows are proper, for all orders") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    draw random(seed);
    pattern const p = random_patterns::scattered(1 + random.below(40), 1 + random.below(40), 1 + random.below(5), seed);
    colouring const c = colour_columns(p), fast = colour_columns(p, 1);
    CHECK(is_proper(p, c));
    CHECK(is_proper(p, fast));
    CHECK(c.count <= fast.count);
    CHECK(is_proper(transposed(p), colour_rows(p)));
    pattern const by_rows = transposed(p);
    CHECK(transposed(by_rows).index == p.index);
    using enum detail::adjacency;
    detail::crossed const m{p, by_rows};
    etch::sequence<int> const degree = detail::degrees<by_common_row>(m), ties = detail::shuffled(p.columns, seed);
    for (auto const& order :
         {detail::largest_first(degree, ties), detail::smallest_last<by_common_row>(m, degree, ties),
          detail::incidence_degree<by_common_row>(m, detail::largest_of(degree), ties)}) {
      std::vector<int> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(sorted[i] == static_cast<int>(i));
    }
  }
}

TEST_CASE("every entry of a symmetric matrix comes back") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    draw random(seed);
    pattern const p =
        random_patterns::scattered_symmetric(1 + random.below(40), 1 + random.below(6), seed, seed % 3 != 0);
    for (int orders : {64, 1}) {
      colouring const c = colour_symmetric(p, orders);
      CHECK(gives_each_entry(p, c));
      CHECK(comes_back(p, c, seed));
    }
  }
  for (bool corners : {false, true}) {
    pattern const p = random_patterns::mesh(13, 11, corners);
    CHECK(comes_back(p, colour_symmetric(p), 1));
  }
}

TEST_CASE("the fewest colours where these are known") {
  std::vector<std::pair<int, int>> chain, arrow;
  for (int i = 0; i < 49; ++i) chain.push_back({i, i + 1}), arrow.push_back({i < 20 ? i : i + 1, 20});
  CHECK(colour_symmetric(random_patterns::symmetric(50, chain)).count == 3);
  CHECK(colour_columns(random_patterns::symmetric(50, chain)).count == 3);
  CHECK(colour_symmetric(random_patterns::symmetric(50, arrow)).count == 2);
  CHECK(colour_columns(random_patterns::symmetric(50, arrow)).count == 50);
  CHECK(colour_symmetric(random_patterns::symmetric(50, {})).count == 1);
  CHECK(colour_columns(random_patterns::mesh(20, 20, true)).count == 9);
}

TEST_CASE("the same functions are for the compiler") {
  constexpr auto chain = [] {
    pattern p{6, 6, {}, {}};
    p.start.push_back(0);
    for (int j = 0; j < 6; ++j) {
      for (int i = j - 1; i <= j + 1; ++i)
        if (i >= 0 && i < 6) p.index.push_back(i);
      p.start.push_back(static_cast<int>(p.index.size()));
    }
    return p;
  };
  static_assert(colour_columns(chain()).count == 3);
  static_assert(colour_rows(chain()).count == 3);
  static_assert(colour_symmetric(chain()).count == 3);
  static_assert(places_of(chain(), colour_symmetric(chain()))[0].row == 0);
}
