// block_kernel: runs an op that is a function of whole operands.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/machine/signature.hpp>

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

/// Runs a block, for one lane after the other where it is in lanes. Its shapes are constants here, so that the loops of
/// `Op::run` have fixed bounds.
template <auto Signature>
[[gnu::noinline]] status block_kernel(std::byte* const* pointers, auto... names) {
  static constexpr auto s = Signature;
  using Op = op_at<s.op>;
  status outcome = status::ok;
  for (int lane = 0; lane < points_in(s.result.type); ++lane)
    outcome |= [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const y = block_at<scalar_of<s.result.type>>(s.result, pointers[s.inputs], lane);
      if constexpr (requires { Op::accumulates; })
        return Op::run(s.attributes, y, block_at<scalar_of<s.in[I].type> const>(s.in[I], pointers[I], lane)...,
                       s.accumulates, names...);
      else
        return Op::run(s.attributes, y, block_at<scalar_of<s.in[I].type> const>(s.in[I], pointers[I], lane)...,
                       names...);
    }(std::make_index_sequence<s.inputs>{});
  return outcome;
}

}  // namespace run
ETCH_NAMESPACE_END
