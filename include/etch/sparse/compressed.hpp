// compressed: the structure of a matrix of derivatives, known to the compiler: which entries can differ from zero, and
// which columns (or rows) one directional derivative gives together.
#pragma once

#include <etch/sparse/colouring.hpp>
#include <etch/sparse/dependence.hpp>
#include <etch/transform/jacobian.hpp>

#include <bit>

ETCH_NAMESPACE_BEGIN

namespace error {
template <int Nonzeros, int Most>
constexpr auto derivative_is_not_sparse() {
  static_assert(Nonzeros <= Most,
                "etch: this matrix of derivatives has too many entries to list: jacobian and hessian give it dense");
  return mistake{};
}
}  // namespace error

namespace detail {

/// The most entries of a sparse matrix of derivatives.
inline constexpr int most_nonzeros = 1 << 16;

/// A pattern of known size, compressed by its `Lines`.
template <int Lines, int Nonzeros>
struct stored_pattern {
  fixed<int, Lines + 1> start{};
  fixed<int, Nonzeros> index{};

  constexpr sparse::pattern_view view(int across) const { return {across, Lines, start, index}; }
};

/// The number of orders of the lines that a compiler's usual limit lets us try, from the lines that cross them.
constexpr int orders_to_try(sparse::pattern_view crossing) {
  std::int64_t pairs = crossing.rows + crossing.columns;
  for (int i = 0; i < crossing.columns; ++i) {
    auto const in_line = static_cast<std::int64_t>(crossing.column(i).size());
    pairs += in_line * in_line;
  }
  std::int64_t const most = 40'000 / (pairs + 1);
  return static_cast<int>(most < 1 ? 1 : most > 64 ? 64 : most);
}

/// Colours of known number.
template <int Lines>
struct stored_colouring {
  fixed<int, Lines> of{};
  int count = 0;

  constexpr explicit stored_colouring(sparse::colouring const& c) : count(c.count) {
    for (int i = 0; i < Lines; ++i) of.entry[i] = c.of.entry[i];
  }
};

/// The traced value whose entries are differentiated: `x`, or its tangent vectors, which are zero, where it holds
/// manifolds.
template <class X>
constexpr auto variables_of(X const& x) {
  if constexpr (holds_curved<X>()) return origin_of(x, *graph_around(x));
  else return x;
}
/// The vector `v` in the structure of the variables of `x`.
template <class X, static_handle V>
constexpr auto direction_at(X const& x, V const& v) {
  return in_structure_of(variables_of(x), v);
}

/// `Rule::back(x, u, more...)` as a loss: the transpose of the matrix of derivatives times the vector u.
template <class Rule>
struct back_to_variables {
  template <class X, class U, class... More>
  constexpr auto operator()(X const& x, U const& u, More const&... more) const {
    return Rule::back(x, u, more...);
  }
};

/// The pattern of the matrix of derivatives that `Rule` stands for, at arguments of types `X` and `More`. What depends
/// on the adjoint u is found in the graph of the derivative itself, so custom rules and masks count as they are.
template <class Rule, class X, class... More>
struct pattern_of_derivative {
  using variables = decltype(variables_of(std::declval<typename argument<X>::traced const&>()));
  using T = element_among<variables>;
  static constexpr int columns = entries_in<variables>();
  static constexpr int rows = Rule::template rows<typename argument<X>::traced, typename argument<More>::traced...>();
  using stages = graph_stages<back_to_variables<Rule>, wrt<>, settings<>, X, tensor<T, rows>, More...>;
  static constexpr graph_view graph = stages::pruned;
  static constexpr int chunks = (rows + pass::entries_of_a_set - 1) / pass::entries_of_a_set;

  // Each a constant with a budget of steps of its own.
  template <int Chunk>
  static constexpr auto sets = [] {
    fixed<pass::entry_set, columns> by_column{};
    auto const found = pass::dependences_on(graph, pass::program_leaf_count<X>(), Chunk * pass::entries_of_a_set);
    for (int j = 0; j < columns; ++j) by_column.entry[j] = found.entry[j];
    return by_column;
  }();
  static constexpr auto all_sets = []<int... Chunk>(std::integer_sequence<int, Chunk...>) {
    return fixed<pass::entry_set const*, chunks>{{sets<Chunk>.entry...}};
  }(std::make_integer_sequence<int, chunks>{});
  static constexpr int counted = [] {
    int count = 0;
    for (pass::entry_set const* each : all_sets)
      for (int j = 0; j < columns; ++j)
        if (each[j] != 0)
          count += std::popcount(static_cast<std::uint64_t>(each[j])) +
                   std::popcount(static_cast<std::uint64_t>(each[j] >> 64));
    return count;
  }();
  static constexpr bool is_sparse = counted <= most_nonzeros;
  static constexpr int nonzeros = is_sparse ? counted : 0;

  static constexpr auto by_columns = [] {
    stored_pattern<columns, nonzeros> p;
    int next = 0;
    for (int j = 0; is_sparse && j < columns; ++j) {
      for (int chunk = 0; chunk < chunks; ++chunk)
        for (int half = 0; half < 2; ++half) {
          auto left = static_cast<std::uint64_t>(all_sets.entry[chunk][j] >> (64 * half));
          int const first = chunk * pass::entries_of_a_set + 64 * half;
          for (; left != 0; left &= left - 1) p.index.entry[next++] = first + std::countr_zero(left);
        }
      p.start.entry[j + 1] = next;
    }
    return p;
  }();
  static constexpr auto by_rows = [] {
    stored_pattern<rows, nonzeros> p;
    sparse::pattern const turned = sparse::transposed(by_columns.view(rows));
    for (int i = 0; i <= rows; ++i) p.start.entry[i] = turned.start.entry[i];
    for (int k = 0; k < nonzeros; ++k) p.index.entry[k] = turned.index.entry[k];
    return p;
  }();
};

}  // namespace detail
ETCH_NAMESPACE_END
