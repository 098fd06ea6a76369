// sparse_program: a program whose result is a sparse matrix of Eigen's with a structure that the compiler has found.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/sparse/collect.hpp>
#include <etch/sparse/diagonals.hpp>

#include <Eigen/SparseCore>

ETCH_NAMESPACE_BEGIN

/// Facts of a sparse derivative, and those of the program that computes it.
struct sparse_facts : program_facts {
  int rows = 0, columns = 0;
  int nonzeros = 0;      ///< entries that are stored and computed
  int colours = 0;       ///< directional derivatives that give all of them, where those are not taken along diagonals
  bool by_rows = false;  ///< whether these are adjoints, each for a group of rows
};

namespace detail {

/// Directions whose graphs have up to so many nodes in all are followed in straight code, where each is vectorised
/// along the entries and what they have in common is computed once; else they are the points of a map.
inline constexpr int most_straight_nodes = 300;

/// Whether so many directions are: loops count as long.
template <class Pattern>
consteval bool is_short(int directions) {
  for (node const& n : Pattern::graph.nodes)
    if (facts_of(n).is_loop) return false;
  return directions * Pattern::graph.size() <= most_straight_nodes;
}

/// (x, seeds, more...) -> the rule's values, and the compressed matrix: a column for each of the seeds.
template <class Rule, bool ByRows, int Count, bool Straight>
struct compressed_derivative {
  template <class X, class Seeds, class... More>
  constexpr auto operator()(X const& x, Seeds const& seeds, More const&... more) const {
    auto const times = [&](auto const& seed) {
      if constexpr (ByRows) return Rule::back(x, seed, more...);
      else return Rule::along(x, seed, more...);
    };
    auto const compressed = [&] {
      if constexpr (Count < 2) return times(seeds);
      else if constexpr (!Straight) return map(times, seeds);
      else
        return [&]<int... C>(std::integer_sequence<int, C...>) {
          return stack<1>(times(seeds.col(C))...);
        }(std::make_integer_sequence<int, Count>{});
    }();
    return std::tuple_cat(Rule::values(x, more...), std::tuple(compressed));
  }
};

/// The vectors that are 1 where a column (or row) has their colour.
template <class T, int N, int Count>
consteval auto seeds_of(fixed<int, N> const& colours) {
  if constexpr (Count < 2) {
    tensor<T, N> all;
    for (T& each : all) each = 1;
    return all;
  } else {
    tensor<T, N, Count> all;
    for (T& each : all) each = 0;
    for (int i = 0; i < N; ++i) all(i, colours.entry[i]) = 1;
    return all;
  }
}

// The ways to compute all entries: a program whose last result holds them, and by entry its place there.

/// By groups of columns or rows.
template <class Rule, class Pattern, class Found, class X, class... More>
struct by_colours {
  static constexpr int lines = Found::by_rows ? Pattern::rows : Pattern::columns;
  static constexpr auto seeds = seeds_of<typename Pattern::T, lines, Found::colours.count>(Found::colours.of);
  static constexpr auto const& places = Found::places;
  using program = std::remove_cvref_t<decltype(compile<wrt<>>(
      compressed_derivative<Rule, Found::by_rows, Found::colours.count, is_short<Pattern>(Found::colours.count)>{},
      std::declval<X const&>(), seeds, std::declval<More const&>()...))>;

  static void run(program& p, X const& x, More const&... more) { p(x, seeds, more...); }
};
/// Along diagonals.
template <class Rule, class Diagonals, class X, class... More>
struct by_diagonals {
  static constexpr auto const& places = Diagonals::places;
  using program =
      std::remove_cvref_t<decltype(compile<wrt<>>(derivative_along_diagonals<Rule, Diagonals::numbers.count()>{},
                                                  std::declval<X const&>(), std::declval<More const&>()...))>;

  static void run(program& p, X const& x, More const&... more) { p(x, more...); }
};

template <class Rule, class Found, class Pattern, class X, class... More>
consteval auto way_of_derivative() {
  using diagonals = diagonals_of_derivative<Rule, Pattern, X, More...>;
  if constexpr (diagonals::exist) return std::type_identity<by_diagonals<Rule, diagonals, X, More...>>{};
  else return std::type_identity<by_colours<Rule, Pattern, Found, X, More...>>{};
}

/// A program that computes a sparse matrix of derivatives.
template <class Rule, template <class> class Colours, class X, class... More>
class sparse_derivative {
  using pattern = pattern_of_derivative<Rule, X, More...>;
  using found = Colours<pattern>;
  using T = typename pattern::T;
  using way = typename decltype(way_of_derivative<Rule, found, pattern, X, More...>())::type;
  using program_type = typename way::program;
  static constexpr int value_count = program_type::further_count;

  program_type program_{};
  Eigen::SparseMatrix<T> matrix_{pattern::rows, pattern::columns};

 public:
  static constexpr sparse_facts facts{program_type::facts,
                                      pattern::rows,
                                      pattern::columns,
                                      pattern::nonzeros,
                                      pattern::nonzeros == 0 ? 0 : found::colours.count,
                                      found::by_rows};

  /// Allocates the matrix.
  sparse_derivative() {
    matrix_.resizeNonZeros(pattern::nonzeros);
    for (int j = 0; j <= pattern::columns; ++j) matrix_.outerIndexPtr()[j] = pattern::by_columns.start.entry[j];
    for (int k = 0; k < pattern::nonzeros; ++k) matrix_.innerIndexPtr()[k] = pattern::by_columns.index.entry[k];
    for (int k = 0; k < pattern::nonzeros; ++k) matrix_.valuePtr()[k] = 0;
  }

  /// The matrix at these arguments. Its structure, and where it lies, never change; nothing is allocated.
  Eigen::SparseMatrix<T> const& operator()(X const& x, More const&... more) {
    way::run(program_, x, more...);
    collect<way::places>(program_.template result<value_count>().data(), matrix_.valuePtr());
    return matrix_;
  }
  /// The matrix of the last call.
  Eigen::SparseMatrix<T> const& matrix() const { return matrix_; }

  /// The value of f in the last call: the entries of its result as a vector for a Jacobian, a number for a Hessian.
  auto const& value() const { return program_.template result<0>(); }
  /// The gradient of f in the last call, of a Hessian.
  auto const& gradient() const
    requires(value_count == 2)
  {
    return program_.template result<1>();
  }
  /// The rows of the entries, column by column,
  static constexpr const_span<int> row_indices() { return pattern::by_columns.index; }
  /// where each column begins among them, and where the last one ends,
  static constexpr const_span<int> column_starts() { return pattern::by_columns.start; }
  /// and their values in the last call.
  const_span<T> entries() const { return {matrix_.valuePtr(), static_cast<std::size_t>(pattern::nonzeros)}; }
  /// The matrix of the last call as triplets: `f(row, column, value)` is called for each entry.
  void for_each_entry(auto&& f) const {
    for (int j = 0; j < pattern::columns; ++j)
      for (int k = pattern::by_columns.start.entry[j]; k < pattern::by_columns.start.entry[j + 1]; ++k)
        f(pattern::by_columns.index.entry[k], j, matrix_.valuePtr()[k]);
  }
  /// The matrix of the last call, dense.
  tensor<T, pattern::rows, pattern::columns> dense() const {
    tensor<T, pattern::rows, pattern::columns> all;
    for (T& each : all) each = 0;
    for_each_entry([&](int row, int column, T entry) { all(row, column) = entry; });
    return all;
  }
  etch::status status() const { return program_.status(); }
};

/// The program for `Rule`, unless there is a mistake in the function itself, which is then the only error.
template <template <class> class Rule, template <class> class Colours, class Wrt, class F, class... A>
auto sparse_program() {
  using pattern = pattern_of_derivative<Rule<F>, A...>;
  if constexpr (!std::is_same_v<decltype(find_mistake<F, Wrt, settings<allow_unused>, A...>()), no_mistake>) {
    return no_program<A...>();
  } else if constexpr (pass::counts(front_stages<F, Wrt, settings<allow_unused>, A...>::traced)) {
    error::sparse_derivative_of_counts<std::tuple<A...>>();
    return no_program<A...>();
  } else if constexpr (!pattern::is_sparse) {
    error::derivative_is_not_sparse<pattern::counted, most_nonzeros>();
    return no_program<A...>();
  } else {
    return sparse_derivative<Rule<F>, Colours, A...>();
  }
}

}  // namespace detail
ETCH_NAMESPACE_END
