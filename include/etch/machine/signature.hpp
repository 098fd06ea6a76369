// signature: what a kernel's machine code depends on, and nothing else: equal signatures share one instantiation.
#pragma once

#include <etch/lower/schedule.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace run {

using steps = fixed<std::int64_t, max_rank>;

struct input_signature {
  pass::source from{};
  element type{};
  steps step{};
  attribute bits{};
};
struct step_signature {
  opcode op{};
  fixed<int, 3> operand{};  ///< values are numbered: inputs first, then instructions
};
struct output_signature {
  steps step{};  // first, as clang misplaces what follows padding in a template argument
  int value{};
  bool reduces = false;
  bool accumulates = false;  ///< adds to what the storage holds
  opcode op{};
};

/// One operand or the result of a block.
struct operand_signature {
  element type{};
  shape extent{};
  steps step{};
};

/// A block: which op, on which shapes.
template <int Arity>
struct block_signature {
  static constexpr int inputs = Arity, outputs = 1;
  opcode op{};
  attribute attributes{};
  operand_signature result{};
  fixed<operand_signature, Arity> in{};
  bool accumulates = false;
};

/// Several results of a function of the user's: a call for each, all on the same operands.
template <int Arity, int Results>
struct opaque_signature {
  static constexpr int inputs = Arity, outputs = Results;
  opcode op{};
  fixed<attribute, Results> calls{};
};
/// The call that gives result `r`.
template <int Arity>
constexpr opaque_call call_for(block_signature<Arity> const& s, int) {
  return opaque_call(s.attributes);
}
template <int Arity, int Results>
constexpr opaque_call call_for(opaque_signature<Arity, Results> const& s, int r) {
  return opaque_call(s.calls.entry[r]);
}

/// Pointers are handed to a kernel in the order: inputs, outputs.
/// `Product` says of a product how it is computed.
template <int Inputs, int Steps, int Outputs, class Product = pass::contraction>
struct signature {
  static constexpr int inputs = Inputs, steps_count = Steps, outputs = Outputs;
  element type{};
  /// 1 + the axis along which so many entries count as the program is told, each of them `entries_counted` entries of
  /// that axis; `contracted_counts` for the terms of a product; 0 where all entries count. The number stands behind the
  /// pointer after those of the outputs.
  int counted = 0;
  std::int64_t entries_counted = 1;
  fixed<int, max_rank> extent{};
  Product product{};
  fixed<input_signature, Inputs> in{};
  fixed<step_signature, Steps> code{};
  fixed<output_signature, Outputs> out{};
};

/// Whether a kernel of signature `s` works on a single entry.
constexpr bool is_one_entry(auto const& s) {
  for (int extent : s.extent)
    if (extent != 1) return false;
  return s.counted == 0;
}

/// Whether so many entries of what a kernel works on count as the program is told.
template <int Inputs, int Steps, int Outputs, class Product>
constexpr bool counts_entries(signature<Inputs, Steps, Outputs, Product> const& s) {
  return s.counted != 0;
}
template <int Arity>
constexpr bool counts_entries(block_signature<Arity> const& s) {
  bool counts = s.result.extent.counted != 0;
  for (operand_signature const& in : s.in) counts = counts || in.extent.counted != 0;
  return counts;
}
template <int Arity, int Results>
constexpr bool counts_entries(opaque_signature<Arity, Results> const&) {
  return false;
}
/// How many entries of the axis that is counted count; `pointers` are those of the kernel of signature `s`.
template <class Signature>
[[gnu::always_inline]] inline std::ptrdiff_t counted_in(Signature const& s, std::byte* const* pointers) {
  return *reinterpret_cast<int const*>(pointers[Signature::inputs + Signature::outputs]) *
         static_cast<std::ptrdiff_t>(s.entries_counted);
}

namespace detail {

/// Drops axes of extent 1 and joins neighbouring axes wherever every operand steps through both as through one. What
/// counts along an axis that is joined is a number of its first entries, so none is joined behind it.
constexpr void collapse(auto& s) {
  int const counted = s.counted - 1;
  s.counted = 0;
  auto const each_step = [&](auto f) {
    for (auto& i : s.in) f(i.step);
    for (auto& o : s.out) f(o.step);
  };
  std::size_t kept = 0;
  for (std::size_t axis = 0; axis < max_rank; ++axis) {
    bool const counts = static_cast<int>(axis) == counted;
    if (s.extent[axis] == 1 && !counts) continue;
    bool joins = kept > 0 && s.counted != static_cast<int>(kept);
    if (joins) joins = std::int64_t{s.extent[kept - 1]} * s.extent[axis] <= std::numeric_limits<int>::max();
    if (joins) each_step([&](auto const& step) { joins = joins && step[axis] == step[kept - 1] * s.extent[kept - 1]; });
    if (joins) {
      if (counts) s.counted = static_cast<int>(kept), s.entries_counted = s.extent[kept - 1];
      s.extent[kept - 1] *= s.extent[axis];
      continue;
    }
    if (counts) s.counted = static_cast<int>(kept) + 1;
    s.extent[kept] = s.extent[axis];
    each_step([&](auto& step) { step[kept] = step[axis]; });
    ++kept;
  }
  for (std::size_t axis = kept; axis < max_rank; ++axis) {
    s.extent[axis] = 1;
    each_step([&](auto& step) { step[axis] = 0; });
  }
}

}  // namespace detail

/// A flag for each of a kernel's results: whether it is added to what its storage holds; empty where none is.
template <int N>
using accumulation = fixed<bool, N>;

/// The outputs of a program that are added to what their storage holds. The call of every kernel has it as a template
/// argument, which compilers copy each time, so an output is a bit.
template <int N>
struct output_set {
  fixed<std::uint64_t, N / 64 + 1> bits{};
  /// So many of the first outputs lie in memory that held zeros before the first call and that nobody else writes.
  int keeping_zeros = 0;

  constexpr bool contains(int i) const { return ((bits.entry[i / 64] >> (i % 64)) & 1u) != 0; }
  constexpr void insert(int i) { bits.entry[i / 64] |= std::uint64_t{1} << (i % 64); }
};

/// The signature of a block.
template <int Arity, int N>
constexpr block_signature<Arity> block_signature_of(pass::scheduled_kernel const& k,
                                                    accumulation<N> const& accumulate) {
  pass::placed const& r = k.results[0];
  block_signature<Arity> s{r.op, r.bits, {r.type, r.extent, r.step}};
  for (std::size_t i = 0; i < Arity; ++i) s.in[i] = {k.inputs[i].type, k.inputs[i].extent, k.inputs[i].step};
  s.accumulates = N > 0 && accumulate[0];
  return s;
}

template <int Arity, int Results>
constexpr opaque_signature<Arity, Results> opaque_signature_of(pass::scheduled_kernel const& k) {
  opaque_signature<Arity, Results> s{k.results[0].op, {}};
  for (int r = 0; r < Results; ++r) s.calls.entry[r] = k.results.entry[r].bits;
  return s;
}

/// The signature of a loop or a product.
template <int Inputs, int Instructions, int Outputs, class Product = pass::contraction, int N>
constexpr signature<Inputs, Instructions, Outputs, Product> signature_of(pass::scheduled_kernel const& k,
                                                                         accumulation<N> const& accumulate) {
  signature<Inputs, Instructions, Outputs, Product> s;
  s.type = k.type;
  s.counted = k.space.counted;
  s.extent = k.space.extent;
  if constexpr (std::same_as<Product, pass::convolution>) s.product = k.sliding;
  else s.product = k.product;
  auto const number = [](int operand) { return operand < 0 ? ~operand : Inputs + operand; };
  for (std::size_t i = 0; i < Inputs; ++i)
    s.in[i] = {k.inputs[i].from, k.inputs[i].type, k.inputs[i].step, k.inputs[i].bits};
  for (std::size_t i = 0; i < Instructions; ++i) {
    s.code[i].op = k.code[i].op;
    for (std::size_t o = 0; o < static_cast<std::size_t>(op_table[k.code[i].op].arity); ++o)
      s.code[i].operand[o] = number(k.code[i].operand[o]);
  }
  for (std::size_t i = 0; i < Outputs; ++i) {
    pass::placed const& r = k.results[i];
    s.out[i] = {r.step, number(r.value), r.reduces, N > 0 && accumulate[i], r.op};
  }
  if (k.computes == pass::form::elementwise) detail::collapse(s);
  else if (k.product.transposed) {
    std::swap(s.extent[0], s.extent[1]);
    if (s.counted == 1 || s.counted == 2) s.counted = 3 - s.counted;
    for (auto& i : s.in) std::swap(i.step[0], i.step[1]);
    for (auto& o : s.out) std::swap(o.step[0], o.step[1]);
  }
  return s;
}

}  // namespace run
ETCH_NAMESPACE_END
