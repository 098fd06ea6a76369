// budget: the program that fits a workspace of so many bytes, found step by step, each step a constant of its own.
#pragma once

#include <etch/lower/rematerialise.hpp>
#include <etch/compile/executable.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

namespace detail {

template <class Executable>
inline constexpr int kernel_count = Executable::plan.kernel_count;

template <class Executable>
inline constexpr auto new_numbers = [] {
  sequence<int> const found = pass::numbers_in_materialised(Executable::graph);
  fixed<int, static_cast<int>(Executable::graph.nodes.size())> s;
  for (std::size_t i = 0; i < found.size(); ++i) s.entry[i] = found.entry[i];
  return s;
}();

template <class Executable>
inline constexpr auto live = [] {
  sequence<std::int64_t> const found = pass::live_by_kernel(arranged<Executable>.lives.of(), kernel_count<Executable>);
  fixed<std::int64_t, kernel_count<Executable>> s;
  for (std::size_t i = 0; i < found.size(); ++i) s.entry[i] = found.entry[i];
  return s;
}();

/// The kernel of every node, numbered as they run.
template <class Executable>
inline constexpr auto membership_as_run =
    literal<node_count<Executable>>(pass::renumbered({Executable::groups.of.begin(), Executable::groups.of.end()},
                                                     fused<Executable>.as_fused(), arranged<Executable>.order));

template <class Executable, std::int64_t Bytes, int Rank, int Stamp>
struct step {
  static constexpr auto next = freeze<Executable::graph>([] {
    return pass::rematerialise(
        {Executable::graph, Executable::materialised, new_numbers<Executable>, Executable::values,
         membership_as_run<Executable>, arranged<Executable>.lives.by_node, live<Executable>},
        Bytes, Rank, Stamp);
  });
  static constexpr bool exists = next.outputs.size() != 0;
  struct identity {
    static constexpr graph_view value = next;
  };
};

/// Whether `A` is nearer to a workspace of `Bytes` than `B`.
template <class A, class B, std::int64_t Bytes>
consteval bool is_nearer() {
  std::int64_t const a = pass::excess(live<A>, Bytes), b = pass::excess(live<B>, Bytes);
  return a != b ? a < b : A::plan.bytes < B::plan.bytes;
}

inline constexpr int most_steps = 48, most_ranks = 6;

/// Steps from `Executable`; `Best` needs the least so far.
template <class Executable, class Best, std::int64_t Bytes, int Rank = 0, int Stamp = 1>
consteval auto within() {
  if constexpr (Executable::plan.bytes <= Bytes || Stamp > most_steps || Rank >= most_ranks) {
    return std::type_identity<std::conditional_t<(Executable::plan.bytes < Best::plan.bytes), Executable, Best>>{};
  } else {
    using tried = step<Executable, Bytes, Rank, Stamp>;
    if constexpr (!tried::exists) {
      return within<Executable, Best, Bytes, most_ranks, Stamp>();
    } else {
      using next = executable_of<pass::naming<pack<typename tried::identity>(), Executable::functions>()>;
      constexpr std::int64_t bytes =
          next::plan.bytes;  // before anything that the plan is made of is asked for by itself
      if constexpr (is_nearer<next, Executable, Bytes>())
        return within<next, std::conditional_t<(bytes < Best::plan.bytes), next, Best>, Bytes, 0, Stamp + 1>();
      else return within<Executable, Best, Bytes, Rank + 1, Stamp>();
    }
  }
}

}  // namespace detail

/// `Executable`, or a program of the same values that computes some of them again, so that its workspace has at most
/// `Bytes` bytes; the smallest that was found if none has.
template <class Executable, std::int64_t Bytes>
using within_budget = typename decltype(detail::within<Executable, Executable, Bytes>())::type;

}  // namespace run
ETCH_NAMESPACE_END
