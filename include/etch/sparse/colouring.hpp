// colouring: groups of columns of a sparse matrix that one directional derivative gives together. (A. Gebremedhin,
// F. Manne, A. Pothen, What color is your Jacobian?, SIAM Review 47, 2005.)
#pragma once

#include <etch/sparse/pattern.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace sparse {

/// A colour for each column (or row), from 0.
struct colouring {
  sequence<int> of;
  int count = 0;
};

namespace detail {

/// Two columns are neighbours if they have a row in common; two vertices of a symmetric matrix if it has an entry for
/// them: what the orders of vertices ask for.
enum class adjacency { by_common_row, by_entry };

/// The lines of a matrix and the lines that cross them.
struct crossed {
  pattern_view lines, crossing;

  template <adjacency By>
  constexpr void for_each_neighbour(int v, auto&& f) const {
    for (int row : lines.column(v)) {
      if constexpr (By == adjacency::by_entry) {
        if (row != v) f(row);
      } else {
        for (int other : crossing.column(row))
          if (other != v) f(other);
      }
    }
  }
};

/// Calls `f` for each neighbour of `v` once: `seen[w]` is v for those that were met.
template <adjacency By>
constexpr int degree(crossed const& m, int v, sequence<int>& seen) {
  int d = 0;
  m.for_each_neighbour<By>(v, [&](int w) {
    d += seen.entry[w] != v;
    seen.entry[w] = v;
  });
  return d;
}

template <adjacency By>
constexpr sequence<int> degrees(crossed const& m) {
  auto const n = static_cast<std::size_t>(m.lines.columns);
  sequence<int> seen = filled(n, -1), all = sequence<int>::zeros(n);
  for (int v = 0; v < m.lines.columns; ++v) all.entry[v] = degree<By>(m, v, seen);
  return all;
}

/// The numbers from 0 to n - 1, and permutations of them that are the same everywhere.
constexpr sequence<int> natural(int n) {
  sequence<int> order;
  for (int v = 0; v < n; ++v) order.push_back(v);
  return order;
}
constexpr sequence<int> shuffled(int n, std::uint64_t seed) {
  sequence<int> order = natural(n);
  for (int i = n; i > 1; --i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    auto const at = static_cast<std::size_t>((seed >> 33) % static_cast<std::uint64_t>(i));
    std::swap(order.entry[i - 1], order.entry[at]);
  }
  return order;
}

/// The vertices by falling degree, equal ones in the order of `ties`.
constexpr sequence<int> largest_first(sequence<int> const& degree, sequence<int> const& ties) {
  int most = 0;
  for (int d : degree) most = d > most ? d : most;
  sequence<int> first = sequence<int>::zeros(static_cast<std::size_t>(most) + 2);
  for (int d : degree) ++first.entry[most - d + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first.entry[i] += first.entry[i - 1];
  sequence<int> order = sequence<int>::zeros(degree.size());
  for (int v : ties) order.entry[first.entry[most - degree.entry[v]]++] = v;
  return order;
}

/// The vertices in lists by a key that changes.
struct buckets {
  sequence<int> head, next, before, key;

  constexpr buckets(sequence<int> const& keys, int most, sequence<int> const& ties)
      : head(filled(static_cast<std::size_t>(most) + 1, -1)),
        next(filled(keys.size(), -1)),
        before(filled(keys.size(), -1)),
        key(keys) {
    for (std::size_t at = keys.size(); at-- > 0;) put(ties.entry[at]);
  }
  constexpr void put(int v) {
    int& first = head.entry[key.entry[v]];
    next.entry[v] = first;
    before.entry[v] = -1;
    if (first >= 0) before.entry[first] = v;
    first = v;
  }
  constexpr void take(int v) {
    if (before.entry[v] >= 0) next.entry[before.entry[v]] = next.entry[v];
    else head.entry[key.entry[v]] = next.entry[v];
    if (next.entry[v] >= 0) before.entry[next.entry[v]] = before.entry[v];
  }
  constexpr void move(int v, int by) {
    take(v);
    key.entry[v] += by;
    put(v);
  }
};

constexpr int largest_of(sequence<int> const& all) {
  int most = 0;
  for (int each : all) most = each > most ? each : most;
  return most;
}

/// The vertices so that each has the smallest degree among those before it: the last one is found first. (D. Matula,
/// L. Beck, Smallest-last ordering and clustering and graph coloring algorithms, Journal of the ACM 30, 1983.)
template <adjacency By>
constexpr sequence<int> smallest_last(crossed const& m, sequence<int> const& degree, sequence<int> const& ties) {
  auto const n = degree.size();
  buckets left(degree, largest_of(degree), ties);
  sequence<int> order = sequence<int>::zeros(n), seen = filled(n, -1);
  int least = 0;
  for (std::size_t at = n; at-- > 0;) {
    if (least > 0) --least;
    while (left.head.entry[least] < 0) ++least;
    int const v = left.head.entry[least];
    left.take(v);
    order.entry[at] = v;
    left.key.entry[v] = -1;
    m.for_each_neighbour<By>(v, [&](int w) {
      if (left.key.entry[w] < 0 || seen.entry[w] == v) return;
      seen.entry[w] = v;
      left.move(w, -1);
      if (left.key.entry[w] < least) least = left.key.entry[w];
    });
  }
  return order;
}

/// The vertices so that each has the most neighbours among those before it; none has more than `most_neighbours`.
template <adjacency By>
constexpr sequence<int> incidence_degree(crossed const& m, int most_neighbours, sequence<int> const& ties) {
  auto const n = ties.size();
  buckets left(sequence<int>::zeros(n), most_neighbours, ties);
  sequence<int> order = sequence<int>::zeros(n), seen = filled(n, -1);
  int most = 0;
  for (std::size_t at = 0; at < n; ++at) {
    while (most > 0 && left.head.entry[most] < 0) --most;
    int const best = left.head.entry[most];
    left.take(best);
    order.entry[at] = best;
    left.key.entry[best] = -1;
    m.for_each_neighbour<By>(best, [&](int w) {
      if (left.key.entry[w] < 0 || seen.entry[w] == best) return;
      seen.entry[w] = best;
      left.move(w, 1);
      if (left.key.entry[w] > most) most = left.key.entry[w];
    });
  }
  return order;
}

/// Gives each vertex in `order` the first colour that `forbid(v, forbidden)` leaves: it sets forbidden[c] to v.
constexpr colouring greedy(sequence<int> const& order, auto&& forbid, auto&& coloured) {
  colouring c{filled(order.size(), -1), 0};
  sequence<int> forbidden = filled(order.size() + 1, -1);
  for (int v : order) {
    forbid(c, v, forbidden);
    int colour = 0;
    while (forbidden.entry[colour] == v) ++colour;
    c.of.entry[v] = colour;
    if (colour >= c.count) c.count = colour + 1;
    coloured(c, v);
  }
  return c;
}

/// Columns of one colour have no row in common.
constexpr colouring by_common_rows(crossed const& m, sequence<int> const& order) {
  return greedy(
      order,
      [&](colouring const& c, int v, sequence<int>& forbidden) {
        for (int row : m.lines.column(v))
          for (int other : m.crossing.column(row))
            if (c.of.entry[other] >= 0) forbidden.entry[c.of.entry[other]] = v;
      },
      [](colouring const&, int) {});
}

/// A star colouring: neighbours differ, and every path of four vertices has three colours, so that the subgraphs of two
/// colours are stars. (A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen, New acyclic and star coloring algorithms with
/// application to computing Hessians, SIAM Journal on Scientific Computing 29, 2007, algorithm 4.1.)
class star_colouring {
  pattern_view g_;
  sequence<int> star_;          // by entry of the pattern: the star that the edge is in
  sequence<int> hub_;           // by star: its middle, -1 while it has but one edge
  sequence<int> mirror_;        // by entry of the pattern: the entry of its transpose
  sequence<int> first_vertex_;  // by colour: the vertex for which a neighbour of that colour was noted,
  sequence<int> first_entry_;   // and the entry of the edge to that neighbour
  sequence<int> treated_;

  constexpr void forbid_around(colouring const& c, int v, int w, sequence<int>& forbidden) {
    for (int x : g_.column(w))
      if (x != w && x != v && c.of.entry[x] >= 0) forbidden.entry[c.of.entry[x]] = v;
    treated_.entry[w] = v;
  }

 public:
  constexpr explicit star_colouring(pattern_view g)
      : g_(g),
        star_(filled(g.index.size(), -1)),
        mirror_(sequence<int>::zeros(g.index.size())),
        first_vertex_(filled(static_cast<std::size_t>(g.columns) + 1, -1)),
        first_entry_(filled(static_cast<std::size_t>(g.columns) + 1, -1)),
        treated_(filled(static_cast<std::size_t>(g.columns), -1)) {
    sequence<int> next(g.start.begin(), g.start.end());
    for (int j = 0; j < g.columns; ++j)
      for (int k = g.start.start[j]; k < g.start.start[j + 1]; ++k) {
        int const other = next.entry[g.index.start[k]]++;
        mirror_.entry[k] = other;
      }
  }

  constexpr void forbid(colouring const& c, int v, sequence<int>& forbidden) {
    for (int k = g_.start.start[v]; k < g_.start.start[v + 1]; ++k) {
      int const w = g_.index.start[k];
      if (w == v || c.of.entry[w] < 0) continue;
      int const colour = c.of.entry[w];
      forbidden.entry[colour] = v;
      if (first_vertex_.entry[colour] == v) {
        int const q = g_.index.start[first_entry_.entry[colour]];
        if (treated_.entry[q] != v) forbid_around(c, v, q, forbidden);
        forbid_around(c, v, w, forbidden);
        continue;
      }
      first_vertex_.entry[colour] = v;
      first_entry_.entry[colour] = k;
      for (int e = g_.start.start[w]; e < g_.start.start[w + 1]; ++e) {
        int const x = g_.index.start[e];
        if (x == v || x == w || c.of.entry[x] < 0) continue;
        if (hub_.entry[star_.entry[e]] == x) forbidden.entry[c.of.entry[x]] = v;
      }
    }
  }

  /// Puts the edges of `v`, which just got its colour, into stars.
  constexpr void coloured(colouring const& c, int v) {
    for (int k = g_.start.start[v]; k < g_.start.start[v + 1]; ++k) {
      int const w = g_.index.start[k];
      if (w == v || c.of.entry[w] < 0) continue;
      int star = -1;
      for (int e = g_.start.start[w]; e < g_.start.start[w + 1] && star < 0; ++e) {
        int const x = g_.index.start[e];
        if (x == v || x == w || c.of.entry[x] != c.of.entry[v]) continue;
        star = star_.entry[e];
        hub_.entry[star] = w;
      }
      if (star < 0) {
        int const first = first_entry_.entry[c.of.entry[w]];
        if (g_.index.start[first] != w) {
          star = star_.entry[first];
          hub_.entry[star] = v;
        } else {
          star = static_cast<int>(hub_.size());
          hub_.push_back(-1);
        }
      }
      star_.entry[k] = star_.entry[mirror_.entry[k]] = star;
    }
  }
};

constexpr colouring by_stars(pattern_view g, sequence<int> const& order) {
  star_colouring stars(g);
  return greedy(
      order, [&](colouring const& c, int v, sequence<int>& forbidden) { stars.forbid(c, v, forbidden); },
      [&](colouring const& c, int v) { stars.coloured(c, v); });
}

/// `order` with the vertices of the last colour of `c` in front: those that found no room. (D. Joslin, D. Clements,
/// Squeaky wheel optimization, Journal of Artificial Intelligence Research 10, 1999.)
constexpr sequence<int> last_colour_first(sequence<int> const& order, colouring const& c) {
  sequence<int> next;
  for (bool is_last : {true, false})
    for (int v : order)
      if ((c.of.entry[v] == c.count - 1) == is_last) next.push_back(v);
  return next;
}

/// The best colouring that `colour(order)` gives for up to `orders` orders of the vertices, or the first one that needs
/// no more than `least`: the natural one, and the usual ones with ties broken in several ways, each followed by seven
/// that bring forward what came off badly.
template <adjacency By>
constexpr colouring best_of_orders(crossed const& m, int least, int orders, auto&& colour) {
  int const n = m.lines.columns;
  colouring best = colour(natural(n));
  int tried = 1;
  auto const is_done = [&] { return best.count <= least || tried >= orders; };
  auto const consider = [&](sequence<int> order) {
    for (int round = 0; !is_done(); ++round) {
      colouring const c = colour(order);
      ++tried;
      if (c.count < best.count) best = c;
      if (round == 7) return;
      order = last_colour_first(order, c);
    }
  };
  if (is_done()) return best;
  // Large are vertices with many others within two edges: what a star colouring has to tell apart.
  sequence<int> const degree = degrees<By>(m);
  sequence<int> reach = degree;
  if constexpr (By == adjacency::by_entry) reach = degrees<adjacency::by_common_row>(m);
  int const most_neighbours = largest_of(degree);
  for (int round = 0; !is_done(); ++round) {
    sequence<int> ties = natural(n);
    if (round > 0) ties = shuffled(n, static_cast<std::uint64_t>(round));
    consider(smallest_last<By>(m, degree, ties));
    consider(largest_first(reach, ties));
    consider(incidence_degree<By>(m, most_neighbours, ties));
  }
  return best;
}

constexpr int most_in_a_column(pattern_view p) {
  int most = 0;
  for (int j = 0; j < p.columns; ++j)
    most = p.start.start[j + 1] - p.start.start[j] > most ? p.start.start[j + 1] - p.start.start[j] : most;
  return most;
}

}  // namespace detail

/// Colours the columns of a matrix so that those of one colour have no row in common: J times the sum of their unit
/// vectors has all of their entries. The best of so many orders of the columns; the first one is theirs.
constexpr colouring colour_columns(pattern_view p, int orders = 256) {
  pattern const by_rows = transposed(p);
  detail::crossed const m{p, by_rows};
  return detail::best_of_orders<detail::adjacency::by_common_row>(
      m, std::max(1, detail::most_in_a_column(by_rows)), orders,
      [&](sequence<int> const& order) { return detail::by_common_rows(m, order); });
}

/// Colours the rows of a matrix so that those of one colour have no column in common.
constexpr colouring colour_rows(pattern_view p, int orders = 256) { return colour_columns(transposed(p), orders); }

/// Colours the columns of a symmetric matrix, whose pattern is given whole, so that each entry is found in its column
/// or in that of its mirror image: a star colouring.
constexpr colouring colour_symmetric(pattern_view p, int orders = 256) {
  int const least = p.nonzeros() == 0 ? 1 : 2;
  return detail::best_of_orders<detail::adjacency::by_entry>(
      {p, p}, least, orders, [&](sequence<int> const& order) { return detail::by_stars(p, order); });
}

/// Where an entry of a symmetric matrix is found: the row, and the column of which colour.
struct place_in_compressed {
  int row = 0, colour = 0;
};

/// The place of each entry of the symmetric pattern `p`, in its order: B(row, colour) of B = H times the sums of unit
/// vectors by colour. Both of an entry and its mirror image have the same place.
constexpr sequence<place_in_compressed> places_of(pattern_view p, colouring const& c) {
  sequence<place_in_compressed> places(p.index.size(), {});
  // By row i and colour: how many entries of row i have a column of that colour.
  sequence<int> count = sequence<int>::zeros(static_cast<std::size_t>(c.count));
  for (int i = 0; i < p.columns; ++i) {  // column i is row i
    for (int j : p.column(i)) ++count.entry[c.of.entry[j]];
    for (int k = p.start.start[i]; k < p.start.start[i + 1]; ++k) {
      int const j = p.index.start[k], colour = c.of.entry[j];
      // Entry (i, j) is alone in its row, or entry (j, i) is in its own.
      places.entry[k] = count.entry[colour] == 1 ? place_in_compressed{i, colour} : place_in_compressed{-1, 0};
    }
    for (int j : p.column(i)) count.entry[c.of.entry[j]] = 0;
  }
  pattern const mirrored = transposed(p);
  sequence<int> next(p.start.begin(), p.start.end());
  for (int j = 0; j < p.columns; ++j)
    for (int k = p.start.start[j]; k < p.start.start[j + 1]; ++k) {
      int const other = next.entry[p.index.start[k]]++;  // the entry of the mirror image
      if (k > other) continue;
      if (places.entry[k].row < 0) places.entry[k] = places.entry[other];
      places.entry[other] = places.entry[k];
    }
  return places;
}

}  // namespace sparse
ETCH_NAMESPACE_END
