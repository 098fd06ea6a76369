// block_kernel: runs an op that is a function of whole operands.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/machine/signature.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace run {

/// A block's operand or result at `at`; of one in lanes, that lane's entries.
template <class T>
inline block<T> block_at(operand_signature const& of,
                         std::conditional_t<std::is_const_v<T>, std::byte const*, std::byte*> at, int lane) {
  block<T> b{reinterpret_cast<T*>(at) + (is_lanes(of.type) ? lane : 0), of.extent, of.step};
  for (std::int64_t& step : b.step.entry) step *= points_in(of.type);
  return b;
}

/// The block has as many entries that count as is said behind the pointers of the block of signature `S`.
template <class T, auto S, operand_signature Of>
inline block<T> counted_block_at(std::byte* const* pointers, std::size_t which, int lane) {
  block<T> b = block_at<T>(Of, pointers[which], lane);
  if constexpr (Of.extent.counted != 0)
    b.extent[Of.extent.counted - 1] = *reinterpret_cast<int const*>(pointers[S.inputs + 1]);
  return b;
}

/// Whether all operands in lanes, and the result behind them, begin where a register may.
template <class Signature>
inline bool are_aligned(Signature const& s, std::byte* const* pointers) {
  auto const is_aligned = [](std::byte const* at) {
    return (reinterpret_cast<std::uintptr_t>(at) & (std::uintptr_t{register_bytes} - 1)) == 0;
  };
  bool all = is_aligned(pointers[Signature::inputs]);
  for (std::size_t i = 0; i < Signature::inputs; ++i) all = all && (!is_lanes(s.in[i].type) || is_aligned(pointers[i]));
  return all;
}
/// The number type of an operand for code in lanes.
template <element Type>
using number_in_lanes = typename number_of_width<scalar_of<Type>, points_in(Type)>::type;

/// Runs a block; where it is in lanes, for all at once if `Op` can, else for one lane after the other. An operand more
/// than `Op` has says in which lanes it runs; the others are 0. Shapes are constants here, so that the loops of
/// `Op::run` have fixed bounds.
template <auto Signature>
[[gnu::noinline]] status block_kernel(std::byte* const* pointers, auto... names) {
  static constexpr auto s = Signature;
  using Op = op_at<s.op>;
  constexpr int operands = s.inputs < Op::arity ? s.inputs : Op::arity;
  constexpr bool is_gated = s.inputs > operands;
  using each_operand = std::make_index_sequence<operands>;
  if constexpr (requires { Op::in_lanes; } && !is_gated && is_lanes(s.result.type) &&
                bytes_of(s.result.type) == register_bytes) {
    using V = number_in_lanes<s.result.type>;
    if (are_aligned(s, pointers))
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Op::run_in_lanes(
            s.attributes, block<V>{reinterpret_cast<V*>(pointers[s.inputs]), s.result.extent, s.result.step},
            block<number_in_lanes<s.in[I].type> const>{
                reinterpret_cast<number_in_lanes<s.in[I].type> const*>(pointers[I]), s.in[I].extent, s.in[I].step}...);
      }(each_operand{});
  }
  status outcome = status::ok;
  for (int lane = 0; lane < points_in(s.result.type); ++lane) {
    auto const y = counted_block_at<scalar_of<s.result.type>, s, s.result>(pointers, s.inputs, lane);
    if constexpr (is_gated)
      if (block_at<scalar_of<s.in[operands].type> const>(s.in[operands], pointers[operands], lane)(0) == 0) {
        if (!s.accumulates) for_each_index(y.extent, [&](auto const& i) { y(i) = 0; });
        continue;
      }
    outcome |= [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (requires { Op::accumulates; })
        return Op::run(s.attributes, y,
                       counted_block_at<scalar_of<s.in[I].type> const, s, s.in[I]>(pointers, I, lane)..., s.accumulates,
                       names...);
      else
        return Op::run(s.attributes, y,
                       counted_block_at<scalar_of<s.in[I].type> const, s, s.in[I]>(pointers, I, lane)..., names...);
    }(each_operand{});
  }
  return outcome;
}

}  // namespace run
ETCH_NAMESPACE_END
