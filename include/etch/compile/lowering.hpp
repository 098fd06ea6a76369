// lowering: the constants on a program's way from its materialised graph to kernels with buffers. Each is made by a
// pass, in an evaluation with a budget of its own, and read by those after it.
#pragma once

#include <etch/compile/step_limit.hpp>
#include <etch/lower/materialise.hpp>
#include <etch/lower/outer_products.hpp>
#include <etch/lower/schedule.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

namespace detail {

template <class Program>
inline constexpr int node_count = static_cast<int>(Program::materialised.nodes.size());

/// The first `Count` entries of a list.
template <int Count, class T>
constexpr auto literal(sequence<T> const& list) {
  fixed<T, Count> to;
  for (int i = 0; i < Count; ++i) to.entry[i] = list.entry[i];
  return to;
}

/// The membership of every node.
template <int Nodes>
struct static_grouping {
  fixed<pass::membership, Nodes> of{};
  int kernels = 0;

  constexpr explicit static_grouping(pass::grouping const& g) : of(literal<Nodes>(g.of)), kernels(g.kernels) {}
};

/// The first step to it, of a program that is too large for both in one constant. Kernels are at most as many as nodes.
template <int Nodes>
struct static_assignment {
  fixed<pass::membership, Nodes> of{};
  fixed<pass::kernel_facts, Nodes> kernels{};
  int count = 0;

  constexpr explicit static_assignment(pass::assignment const& a)
      : of(literal<Nodes>(a.of)), count(static_cast<int>(a.kernels.size())) {
    for (int k = 0; k < count; ++k) kernels.entry[k] = a.kernels.entry[k];
  }
  constexpr pass::assignment get() const {
    return {{of.begin(), of.end()}, {kernels.begin(), kernels.begin() + count}};
  }
};
template <class Program>
inline constexpr static_assignment<node_count<Program>> assigned{pass::assign(Program::materialised, Program::values)};

template <class Program, pass::kernel_counts Room>
inline constexpr pass::static_kernels<Room> kernels_in_room{
    pass::fuse(Program::materialised, Program::values, Program::groups.of, Program::groups.kernels, Program::rooms)};
/// The kernels of a program, fused once, or twice where they have more parts than is usual.
template <class Program>
consteval auto const& kernels_as_fused() {
  constexpr int nodes = node_count<Program>, edges = static_cast<int>(Program::materialised.edges.size());
  constexpr pass::kernel_counts usual{Program::groups.kernels, Program::groups.kernels, edges + 64,
                                      nodes + nodes / 2 + 64, nodes};
  constexpr auto const& made = kernels_in_room<Program, usual>;
  if constexpr (made.fits()) return made;
  else return kernels_in_room<Program, made.count>;
}
template <class Program>
inline constexpr auto const& fused = kernels_as_fused<Program>();

/// A `pass::arrangement` as a literal.
template <int Nodes, int Kernels>
struct static_arrangement {
  struct lifetimes {
    fixed<pass::lifetime, Nodes + Kernels> room{};
    int count = 0;
    fixed<int, Nodes> by_node{};
    fixed<int, Kernels> by_kernel{};
    std::int64_t most_live = 0;

    constexpr const_span<pass::lifetime> of() const { return {room.data(), static_cast<std::size_t>(count)}; }
  };
  struct output_storage {
    fixed<int, Nodes> slot{};
    fixed<char, Nodes> is_continued{};
  };
  fixed<int, Kernels> order{};
  output_storage outputs{};
  lifetimes lives{};

  constexpr explicit static_arrangement(pass::arrangement const& a)
      : order(literal<Kernels>(a.order)),
        outputs{literal<Nodes>(a.outputs.slot), literal<Nodes>(a.outputs.is_continued)},
        lives{{},
              static_cast<int>(a.lives.of.size()),
              literal<Nodes>(a.lives.by_node),
              literal<Kernels>(a.lives.by_kernel),
              a.lives.most_live} {
    for (int i = 0; i < lives.count; ++i) lives.room.entry[i] = a.lives.of.entry[i];
  }
};
template <class Program>
inline constexpr auto order_found =
    literal<fused<Program>.count.kernels>(pass::order(Program::materialised, fused<Program>.as_fused()));
template <class Program>
inline constexpr static_arrangement<node_count<Program>, fused<Program>.count.kernels> arranged{
    pass::arrange(Program::materialised, fused<Program>.as_fused(), order_found<Program>)};

template <int Count>
struct static_packing {
  fixed<std::int64_t, Count> offset{};
  std::int64_t bytes = 0;

  constexpr explicit static_packing(pass::packing const& p) : offset(literal<Count>(p.offset)), bytes(p.bytes) {}
};
template <class Program, int Rule>
inline constexpr static_packing<arranged<Program>.lives.count> packed{
    pass::pack(arranged<Program>.lives.of(), fused<Program>.count.kernels, Rule)};
/// The rule to begin with: where products run last, the one that puts what they read first.
template <class Program>
inline constexpr int first_rule =
    fused<Program>.count.kernels > 0 &&
    pass::leaves_product_in_lanes(fused<Program>[arranged<Program>.order.entry[fused<Program>.count.kernels - 1]]);
/// The best packing by rule `Best` or one from `Rule` on.
template <class Program, int Best = first_rule<Program>, int Rule = 1 - Best>
consteval auto const& best_packing() {
  constexpr std::int64_t bytes = packed<Program, Best>.bytes;
  if constexpr (pass::is_worth_trying(Rule, arranged<Program>.lives.of().size(), bytes,
                                      arranged<Program>.lives.most_live)) {
    constexpr bool better = packed<Program, Rule>.bytes < bytes;
    return best_packing<Program, better ? Rule : Best, Rule + 1>();
  } else {
    return packed<Program, Best>;
  }
}

// Kernels are packed some at a time, since that takes many steps for each, and for each instruction.
inline constexpr int most_packed_at_once = 128, instructions_at_once = 4096;
template <class Program>
inline constexpr int packed_at_once = [] {
  pass::kernel_counts const all = fused<Program>.count;
  return std::clamp(all.kernels * instructions_at_once / (all.instructions + 1), 1, most_packed_at_once);
}();
template <class Program, int From>
inline constexpr int packed_from = std::min(packed_at_once<Program>, Program::plan.kernel_count - From);
template <class Program, int From, int Words>
inline constexpr pass::packed_kernels<Words, packed_from<Program, From>> packed_in_room{
    Program::materialised, fused<Program>, arranged<Program>.order, Program::plan, From};
/// The kernels from position `From` on, packed once, or twice where they need more words than is usual.
template <class Program, int From>
consteval auto const& packed_kernels() {
  constexpr int usual = 64 * packed_from<Program, From> + 64, words = packed_in_room<Program, From, usual>.count;
  return packed_in_room<Program, From, (words <= usual ? usual : words)>;
}

}  // namespace detail

/// The facts of every node of `Program::materialised`.
template <class Program>
consteval auto make_values() {
  return detail::literal<detail::node_count<Program>>(pass::facts_of_nodes(Program::materialised));
}

/// The kernel of every node of `Program::materialised`. Kernels are not numbered as they run.
template <class Program>
consteval auto make_grouping() {
  constexpr int nodes = detail::node_count<Program>;
  using grouping = detail::static_grouping<nodes>;
  if constexpr (nodes * etch::detail::steps_of_grouping <= etch::detail::steps_surely_allowed)
    return grouping(pass::group(Program::materialised, Program::values));
  else return grouping(pass::settle(Program::materialised, Program::values, detail::assigned<Program>.get()));
}

/// The kernels of a program in the order in which they run.
template <class Program>
constexpr sequence<pass::kernel> kernels_of() {
  return detail::fused<Program>.in_order(detail::arranged<Program>.order);
}

/// A `pass::buffer_plan` as a literal.
template <int Nodes, int Kernels>
struct static_plan {
  static constexpr int kernel_count = Kernels;
  fixed<std::int64_t, Nodes> offset{};
  fixed<int, Nodes> slot{};
  fixed<char, Nodes> is_continued{};
  fixed<std::int64_t, Kernels> scratch{};
  std::int64_t bytes = 0, live_bytes = 0;

  constexpr explicit static_plan(pass::buffer_plan const& p)
      : offset(detail::literal<Nodes>(p.offset)),
        slot(detail::literal<Nodes>(p.slot)),
        is_continued(detail::literal<Nodes>(p.is_continued)),
        scratch(detail::literal<Kernels>(p.scratch)),
        bytes(p.bytes),
        live_bytes(p.live_bytes) {}
};
template <class Program>
consteval auto make_plan() {
  return static_plan<detail::node_count<Program>, detail::fused<Program>.count.kernels>(
      pass::plan_of(detail::arranged<Program>, detail::best_packing<Program>()));
}

/// The kernels of a program with the buffers of `Program::plan`.
template <class Program>
consteval auto make_schedule() {
  constexpr int kernels = Program::plan.kernel_count, each = detail::packed_at_once<Program>;
  return []<int... Chunk>(std::integer_sequence<int, Chunk...>) {
    constexpr int words = (0 + ... + detail::packed_kernels<Program, Chunk * each>().count);
    pass::static_schedule<words, kernels> s;
    int kernel = 0, word = 0;
    [[maybe_unused]] auto const add = [&](auto const& packed) {
      for (int k = 0; k < packed.schedule.kernel_count; ++k, ++kernel) {
        s.first.entry[kernel] = word + packed.schedule.first.entry[k];
        s.accumulates.entry[kernel] = packed.schedule.accumulates.entry[k];
        s.writes_zeros.entry[kernel] = packed.schedule.writes_zeros.entry[k];
      }
      for (int i = 0; i < packed.count; ++i) s.words.entry[word++] = packed.schedule.words.entry[i];
    };
    (add(detail::packed_kernels<Program, Chunk * each>()), ...);
    s.first.entry[kernels] = words;
    return s;
  }(std::make_integer_sequence<int, (kernels + each - 1) / each>{});
}

}  // namespace run
ETCH_NAMESPACE_END
