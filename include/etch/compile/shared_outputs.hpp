// shared_outputs: where the workers that share a program write its outputs, and how their sums are added up.
#pragma once

#include <etch/compile/shard_program.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The place of an output: in the memory of the program, or in a worker's own.
struct output_place {
  pass::piece piece{};
  std::int64_t bytes = 0;   ///< of the whole output
  std::int64_t offset = 0;  ///< in a worker's memory
  std::int64_t kept = 0;    ///< bytes there
  bool is_wide = false;     ///< whether its entries are doubles
};

/// The places of the outputs of a shared program's graph; the gradients come behind the results.
template <class Of, class Executable, class Wrt, class... A>
struct output_places;
template <class Of, class Executable, int... I, class... A>
struct output_places<Of, Executable, wrt<I...>, A...> {
  static constexpr int total = static_cast<int>(Executable::graph.outputs.size());
  static constexpr int gradients =
      gradient_count<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>...>();
  static constexpr int results = total - gradients;

  /// Kernels go through what counts in whole tiles: what lies behind may be another worker's.
  static constexpr bool keeps_splits = Of::counts && Of::workers > 1;

  static constexpr auto make() {
    fixed<output_place, total> all{};
    graph_view const g = Executable::graph;
    auto const& verdict = Of::template verdict<Of::larger>::verdict;
    std::int64_t next = 0;
    auto const place = [&](std::size_t at, pass::piece piece) {
      node const& n = g[g.outputs[at]];
      output_place& to = all[at];
      to.piece = piece, to.is_wide = n.type == element::f64;
      std::int64_t const bytes = n.extent.size() * bytes_of(n.type);
      to.bytes = piece.is_split() ? bytes / Of::larger * Of::whole : bytes;
      to.offset = next;
      next += to.kept = !piece.is_split() || keeps_splits ? pass::padded(bytes) : 0;
    };
    for (std::size_t at = 0; at < results; ++at) place(at, verdict.outputs[at]);
    std::size_t at = results;
    [[maybe_unused]] auto const place_all = [&](int count, bool is_split) {
      for (int i = 0; i < count; ++i) place(at++, is_split ? pass::piece::along(0) : pass::piece::summand());
    };
    (place_all(gradient_count<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>>(), Of::is_split[I]),
     ...);
    return all;
  }
  static constexpr auto value = make();
  /// The bytes that a worker keeps, and those among them that are added up.
  static constexpr std::int64_t own_bytes = value[total - 1].offset + value[total - 1].kept;
  static constexpr std::int64_t summand_bytes = [] {
    std::int64_t bytes = 0;
    for (output_place const& each : value) bytes += each.piece.is_partial() ? each.bytes : 0;
    return bytes;
  }();
};

/// Adds the entries `first` ... `last` - 1 of what `N` workers have, in pairs, pairs of pairs, and so on: the sum is
/// the first worker's.
template <class T, int N>
inline void add_in_pairs(std::byte* const (&at)[N], std::int64_t first, std::int64_t last) {
  for (int apart = 1; apart < N; apart *= 2)
    for (int worker = 0; worker + apart < N; worker += 2 * apart) {
      T* const to = reinterpret_cast<T*>(at[worker]);
      T const* const from = reinterpret_cast<T const*>(at[worker + apart]);
      for (std::int64_t i = first; i < last; ++i) to[i] += from[i];
    }
}

}  // namespace detail
ETCH_NAMESPACE_END
