// block_kernel: runs an op that is a function of whole operands.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/machine/dispatch.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/machine/level_3.hpp>
#include <etch/machine/signature.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace run {

/// A block's operand or result at `at`; of one in lanes, that lane's entries.
template <class T, operand_signature Of>
inline block<T> block_at(std::conditional_t<std::is_const_v<T>, std::byte const*, std::byte*> at, int lane) {
  constexpr strides step = [] {
    strides all = Of.step;
    for (std::int64_t& each : all.entry) each *= points_in(Of.type);
    return all;
  }();
  return {reinterpret_cast<T*>(at) + (is_lanes(Of.type) ? lane : 0), Of.extent, step};
}

/// The block has as many entries that count as is said behind the pointers of the block of signature `S`.
template <class T, auto S, operand_signature Of>
inline block<T> counted_block_at(std::byte* const* pointers, std::size_t which, int lane) {
  block<T> b = block_at<T, Of>(pointers[which], lane);
  if constexpr (Of.extent.counted != 0)
    b.extent[Of.extent.counted - 1] = *reinterpret_cast<int const*>(pointers[S.inputs + 1]);
  return b;
}

/// Whether all operands in lanes, and the result behind them, begin where a register may.
template <vectors Set, class Signature>
inline bool are_aligned(Signature const& s, std::byte* const* pointers) {
  auto const is_aligned = [](std::byte const* at) {
    return (reinterpret_cast<std::uintptr_t>(at) & (std::uintptr_t{bytes_of_register(Set)} - 1)) == 0;
  };
  bool all = is_aligned(pointers[Signature::inputs]);
  for (std::size_t i = 0; i < Signature::inputs; ++i) all = all && (!is_lanes(s.in[i].type) || is_aligned(pointers[i]));
  return all;
}
/// The lanes of a block's operand or result that are computed at a time, as a register; of one number for all lanes
/// that number.
template <int Width, operand_signature Of>
[[gnu::always_inline]] inline auto registers_at(auto* at) {
  using number = typename number_of_width<scalar_of<Of.type>, is_lanes(Of.type) ? Width : 1>::type;
  using V = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(at)>>, number const, number>;
  block<V> b{reinterpret_cast<V*>(at), Of.extent, Of.step};
  if constexpr (is_lanes(Of.type))
    for (std::int64_t& step : b.step.entry) step *= points_in(Of.type) / Width;
  return b;
}

/// Whether the block of signature `s` is in lanes and has code for a problem in each.
template <auto Signature>
inline constexpr bool runs_whole_registers = [] {
  using Op = op_at<Signature.op>;
  return requires { Op::in_lanes; } && Signature.inputs <= Op::arity && is_lanes(Signature.result.type) &&
         bytes_of(Signature.result.type) == register_bytes;
}();

/// Runs a block; where it is in lanes, for as many at once as a register holds if `Op` can, else for one lane after the
/// other. An operand more than `Op` has says in which lanes it runs; the others are 0. Shapes are constants here, so
/// that the loops of `Op::run` have fixed bounds.
template <auto Signature, vectors Set>
struct block_kernel {
  static constexpr auto s = Signature;
  using Op = op_at<s.op>;
  static constexpr int operands = s.inputs < Op::arity ? s.inputs : Op::arity;
  static constexpr bool is_gated = s.inputs > operands;
  static constexpr level_3_work work = level_3_work_of<Op>(s.in[0].extent[0], s.result.extent[1]);
  using each_operand = std::make_index_sequence<operands>;

  ETCH_DETAIL_INLINED static status run(std::byte* const* pointers, auto... names) {
    if constexpr (runs_whole_registers<Signature>)
      if (are_aligned<Set>(s, pointers)) return run_registers(pointers, each_operand{});
    status outcome = status::ok;
    for (int lane = 0; lane < points_at_a_time(s.result.type, Set); ++lane)
      outcome |= run_lane(pointers, lane, each_operand{}, names...);
    return outcome;
  }

 private:
  template <std::size_t... I>
  ETCH_DETAIL_INLINED static status run_registers(std::byte* const* pointers, std::index_sequence<I...>) {
    constexpr int width = widest<scalar_of<s.result.type>, Set>;
    return Op::run_in_lanes(s.attributes, registers_at<width, s.result>(pointers[s.inputs]),
                            registers_at<width, s.in[I]>(const_cast<std::byte const*>(pointers[I]))...);
  }
  template <std::size_t... I>
  static status run_lane(std::byte* const* pointers, int lane, std::index_sequence<I...>, auto... names) {
    work_on_memory();
    auto const y = counted_block_at<scalar_of<s.result.type>, s, s.result>(pointers, s.inputs, lane);
    if constexpr (is_gated)
      if (block_at<scalar_of<s.in[operands].type> const, s.in[operands]>(pointers[operands], lane)(0) == 0) {
        if (!s.accumulates) for_each_index(y.extent, [&](auto const& i) { y(i) = 0; });
        return status::ok;
      }
    if constexpr (requires { Op::accumulates; })
      return Op::run(s.attributes, y, counted_block_at<scalar_of<s.in[I].type> const, s, s.in[I]>(pointers, I, lane)...,
                     s.accumulates, names...);
    else if constexpr (work != level_3_work::none)
      return Op::run(s.attributes, y, counted_block_at<scalar_of<s.in[I].type> const, s, s.in[I]>(pointers, I, lane)...,
                     level_3<work>{});
    else
      return Op::run(s.attributes, y, counted_block_at<scalar_of<s.in[I].type> const, s, s.in[I]>(pointers, I, lane)...,
                     names...);
  }
};

}  // namespace run
ETCH_NAMESPACE_END
