// schedule: fused kernels with their planned buffers, packed into words, from which each becomes machine code on its own.
// (A constant of nested arrays costs compilers as much for every kernel that is read out of it as for all of them together.)
#pragma once

#include <etch/pass/materialise.hpp>
#include <etch/pass/order.hpp>
#include <etch/pass/placement.hpp>

namespace etch::inline ETCH_ABI::pass {

/// A program's kernels in order, each in words of its own.
template <int Words, int Kernels>
struct static_schedule {
  static constexpr int kernel_count = Kernels;
  fixed<std::uint64_t, Words> words{};
  fixed<int, Kernels + 1> first{};         ///< word of each kernel
  fixed<bool, Kernels + 1> accumulates{};  ///< whether a kernel adds to a gradient, where the caller wants that

  constexpr int word_count(int k) const { return first.entry[k + 1] - first.entry[k]; }
  constexpr scheduled_kernel operator[](int k) const {
    return unpack_kernel({words.data() + first.entry[k], static_cast<std::size_t>(word_count(k))});
  }
};

/// The `Count` words of kernel `k`.
template <int Count>
constexpr fixed<std::uint64_t, Count> words_of(auto const& schedule, int k) {
  fixed<std::uint64_t, Count> words;
  for (int i = 0; i < Count; ++i) words.entry[i] = schedule.words.entry[schedule.first.entry[k] + i];
  return words;
}

namespace detail {
template <int Nodes>
consteval auto literal(sequence<value> const& values) {
  fixed<value, Nodes> s;
  for (int i = 0; i < Nodes; ++i) s.entry[i] = values.entry[i];
  return s;
}
}  // namespace detail

/// The facts of every node of `Program::materialised`.
template <class Program>
consteval auto make_values() {
  return detail::literal<static_cast<int>(Program::materialised.nodes.size())>(values_of(Program::materialised));
}

/// The membership of every node of the materialised graph `Program::materialised`.
template <int Nodes>
struct static_grouping {
  fixed<membership, Nodes> of{};
  int kernels = 0;
};
namespace detail {

template <int Nodes>
consteval auto literal(grouping const& g) {
  static_grouping<Nodes> s;
  for (int i = 0; i < Nodes; ++i) s.of.entry[i] = g.of.entry[i];
  s.kernels = g.kernels;
  return s;
}

template <class Program>
inline constexpr int node_count = static_cast<int>(Program::materialised.nodes.size());
// A variable of its own, with a budget of its own.
template <class Program>
inline constexpr auto unordered = literal<node_count<Program>>(group(Program::materialised, Program::values));

}  // namespace detail

/// Kernels are numbered in the order in which they run.
template <class Program>
consteval auto make_grouping() {
  auto const& found = detail::unordered<Program>;
  return detail::literal<detail::node_count<Program>>(
      ordered(Program::materialised, Program::values, {sequence<membership>(found.of.begin(), found.of.end()), found.kernels},
              Program::loop_bytes));
}

/// The kernels of a program in the order in which they run.
template <class Program>
constexpr sequence<kernel> kernels_of() {
  return fuse(Program::materialised, Program::values, Program::groups.of, Program::groups.kernels, Program::loop_bytes);
}

/// The buffers of a program, as in `buffer_plan`.
template <int Nodes, int Kernels>
struct static_plan {
  static constexpr int kernel_count = Kernels;
  fixed<std::int64_t, Nodes> offset{};
  fixed<int, Nodes> slot{};
  fixed<bool, Nodes> is_continued{};
  fixed<std::int64_t, Kernels> scratch{};
  std::int64_t bytes = 0, live_bytes = 0;
};

namespace detail {

/// What is to be packed, and what needs no packing.
template <int Nodes, int Kernels>
struct static_lifetimes {
  fixed<lifetime, Nodes + Kernels> of{};
  int count = 0;
  fixed<int, Nodes> by_node{}, slot{};
  fixed<bool, Nodes> is_continued{};
  fixed<int, Kernels> by_kernel{};
  std::int64_t most_live = 0;

  constexpr const_span<lifetime> view() const { return {of.data(), static_cast<std::size_t>(count)}; }
};
template <class Program>
consteval auto make_lifetimes(sequence<kernel> const& kernels) {
  graph_view const g = Program::materialised;
  traffic const t = traffic_of(g, kernels);
  output_storage const outputs = storage_in_outputs(g, kernels, t);
  pass::lifetimes const all = lifetimes_of(g, kernels, t, outputs.slot);
  static_lifetimes<node_count<Program>, Program::groups.kernels> s;
  for (int i = 0; i < node_count<Program>; ++i) {
    s.by_node.entry[i] = all.by_node.entry[i];
    s.slot.entry[i] = outputs.slot.entry[i];
    s.is_continued.entry[i] = outputs.is_continued.entry[i] != 0;
  }
  for (int k = 0; k < Program::groups.kernels; ++k) s.by_kernel.entry[k] = all.by_kernel.entry[k];
  for (lifetime const& each : all.of) s.of.entry[s.count++] = each;
  s.most_live = all.most_live;
  return s;
}

// Variables of their own, for the reason given at `freeze`.
template <class Program>
inline constexpr auto lives = make_lifetimes<Program>(kernels_of<Program>());

template <int Count>
struct static_packing {
  fixed<std::int64_t, Count> offset{};
  std::int64_t bytes = 0;
};
template <int Count>
constexpr static_packing<Count> literal(packing const& p) {
  static_packing<Count> s;
  for (int i = 0; i < Count; ++i) s.offset.entry[i] = p.offset.entry[i];
  s.bytes = p.bytes;
  return s;
}
template <class Program, int Rule>
inline constexpr auto packed = literal<lives<Program>.count>(pack(lives<Program>.view(), Program::groups.kernels, Rule));

/// The best packing by rule `Best` or one from `Rule` on.
template <class Program, int Best = 0, int Rule = 1>
consteval auto const& best_packing() {
  constexpr std::int64_t bytes = packed<Program, Best>.bytes;
  if constexpr (is_worth_trying(Rule, lives<Program>.view().size(), bytes, lives<Program>.most_live)) {
    constexpr bool better = packed<Program, Rule>.bytes < bytes;
    return best_packing < Program, better ? Rule : Best, Rule + 1 > ();
  } else {
    return packed<Program, Best>;
  }
}

}  // namespace detail

/// The plan for the kernels that `Program::groups` makes.
template <class Program>
consteval auto make_plan() {
  auto const& all = detail::lives<Program>;
  auto const& p = detail::best_packing<Program>();
  static_plan<detail::node_count<Program>, Program::groups.kernels> s;
  auto const offset = [&](int life) { return life < 0 ? -1 : p.offset.entry[life]; };
  for (int i = 0; i < detail::node_count<Program>; ++i) s.offset.entry[i] = offset(all.by_node.entry[i]);
  for (int k = 0; k < Program::groups.kernels; ++k) s.scratch.entry[k] = offset(all.by_kernel.entry[k]);
  s.slot = all.slot;
  s.is_continued = all.is_continued;
  s.bytes = p.bytes;
  s.live_bytes = all.most_live;
  return s;
}

namespace detail {

/// Kernels in words, of which `Words` is the room there is for them and `count` what they need.
template <int Words, int Kernels>
struct packed_kernels {
  static_schedule<Words, Kernels> schedule;
  int count = 0;
};
template <class Program, int Words>
consteval auto pack_kernels(sequence<kernel> const& kernels) {
  packed_kernels<Words, Program::plan.kernel_count> packed;
  etch::detail::byte_writer out;
  for (int i = 0; i < Program::plan.kernel_count; ++i) {
    scheduled_kernel s = place_buffers(Program::materialised, Program::plan, Program::plan.scratch.entry[i], kernels.entry[i]);
    packed.schedule.first.entry[i] = static_cast<int>(out.words().size());
    pack_kernel(out, s);
    for (placed const& r : s.results) packed.schedule.accumulates.entry[i] = packed.schedule.accumulates.entry[i] || r.accumulates;
  }
  packed.count = packed.schedule.first.entry[Program::plan.kernel_count] = static_cast<int>(out.words().size());
  for (int i = 0; i < packed.count && packed.count <= Words; ++i) packed.schedule.words.entry[i] = out.words().entry[i];
  return packed;
}
template <class Program, int Words>
inline constexpr auto packed_in_room = pack_kernels<Program, Words>(kernels_of<Program>());

}  // namespace detail

/// The kernels of a program, with the buffers of `Program::plan`. They are packed once, or twice where they need more words than is usual.
template <class Program>
consteval auto make_schedule() {
  constexpr int usual = 8 * detail::node_count<Program> + 64;
  constexpr int words = detail::packed_in_room<Program, usual>.count;
  auto const& packed = detail::packed_in_room<Program, words <= usual ? usual : words>.schedule;
  static_schedule<words, Program::plan.kernel_count> s;
  for (int i = 0; i < words; ++i) s.words.entry[i] = packed.words.entry[i];
  s.first = packed.first;
  s.accumulates = packed.accumulates;
  return s;
}

}  // namespace etch::inline ETCH_ABI::pass
