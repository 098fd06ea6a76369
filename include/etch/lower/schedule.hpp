// schedule: fused kernels with their planned buffers, packed into words, from which each becomes machine
// code on its own. (A constant of nested arrays costs compilers as much for every kernel that is read out
// of it as for all of them together.)
#pragma once

#include <etch/lower/placement.hpp>
#include <etch/lower/static_kernels.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A program's kernels in order, each in words of its own.
template <int Words, int Kernels>
struct static_schedule {
  static constexpr int kernel_count = Kernels;
  fixed<std::uint64_t, Words> words{};
  fixed<int, Kernels + 1> first{};          ///< word of each kernel
  fixed<bool, Kernels + 1> accumulates{};   ///< whether a kernel adds to a gradient, where the caller wants that
  fixed<bool, Kernels + 1> writes_zeros{};  ///< whether a kernel leaves constant zeros in an output

  constexpr int word_count(int k) const { return first.entry[k + 1] - first.entry[k]; }
  constexpr scheduled_kernel operator[](int k) const {
    return unpack_kernel({words.data() + first.entry[k], static_cast<std::size_t>(word_count(k))});
  }
};

/// Whether result `r` of kernel `k` is a matrix of zeros but for some diagonals.
constexpr bool puts_on_diagonals(scheduled_kernel const& k, placed const& r) {
  return k.computes == form::block && r.op == opcode_of<op::on_diagonals>;
}
/// Whether it is 0 everywhere.
constexpr bool leaves_zeros(scheduled_kernel const& k, placed const& r) {
  if (k.computes != form::elementwise || r.reduces) return false;
  int value = r.value;
  while (value >= 0 && k.code.entry[value].op == opcode_of<op::copy>) value = k.code.entry[value].operand.entry[0];
  if (value >= 0) return false;
  placed const& in = k.inputs.entry[~value];
  return in.from == source::constant && in.bits == 0;
}

/// The `Count` words of kernel `k`.
template <int Count>
constexpr fixed<std::uint64_t, Count> words_of(auto const& schedule, int k) {
  fixed<std::uint64_t, Count> words;
  for (int i = 0; i < Count; ++i) words.entry[i] = schedule.words.entry[schedule.first.entry[k] + i];
  return words;
}

/// Some of a program's kernels in words, of which `Words` is the room there is for them and `count` what they need.
template <int Words, int Kernels>
struct packed_kernels {
  static_schedule<Words, Kernels> schedule;
  int count = 0;

  /// The kernels from position `from` of `order` on, with the buffers of `plan`, of the materialised graph `g`.
  constexpr packed_kernels(graph_view g, auto const& kernels, const_span<int> order, auto const& plan, int from) {
    etch::detail::byte_writer out;
    for (int i = 0; i < Kernels; ++i) {
      scheduled_kernel s = place_buffers(g, plan, plan.scratch.entry[from + i], kernels[order.start[from + i]]);
      schedule.first.entry[i] = static_cast<int>(out.words().size());
      pack_kernel(out, s);
      for (placed const& r : s.results) {
        schedule.accumulates.entry[i] = schedule.accumulates.entry[i] || r.accumulates;
        if (r.at.in == location::place::output && (puts_on_diagonals(s, r) || leaves_zeros(s, r)))
          schedule.writes_zeros.entry[i] = true;
      }
    }
    count = schedule.first.entry[Kernels] = static_cast<int>(out.words().size());
    for (int i = 0; i < count && count <= Words; ++i) schedule.words.entry[i] = out.words().entry[i];
  }
};

}  // namespace pass
ETCH_NAMESPACE_END
