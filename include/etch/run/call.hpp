// call: one kernel call of a program, keyed by its signature and its buffers' places, not by the program it belongs to.
#pragma once

#include <etch/core/block.hpp>
#include <etch/run/conv.hpp>
#include <etch/run/gemm.hpp>
#include <etch/run/lane_kernel.hpp>
#include <etch/run/loop.hpp>
#include <etch/run/points.hpp>
#include <etch/run/repeat.hpp>

namespace etch::inline ETCH_ABI::run {

/// What a program runs on.
struct buffers {
  std::byte const* const* arguments;
  std::byte* const* outputs;
  std::byte* workspace;
  status* outcome;  ///< failures are added to it

  template <pass::location At>
  [[gnu::always_inline]] inline std::byte* find() const {
    using place = pass::location::place;
    if constexpr (At.in == place::argument) return const_cast<std::byte*>(arguments[At.position]) + At.offset;  // read only
    else if constexpr (At.in == place::output) return outputs[At.position] + At.offset;
    else return workspace + At.offset;
  }
};

/// A kernel's signature, and where its buffers lie: inputs and outputs in order, then the operands and the scratch memory of a product.
template <class Signature>
struct call_description {
  Signature kernel;
  fixed<pass::location, Signature::inputs + Signature::outputs> at{};
  pass::location a{}, b{}, scratch{};
  element a_type{}, b_type{};
  pass::form computes{};
  std::int64_t work = 0;  ///< entries computed, times the contracted extent of a product
};

/// The words of kernel `K` of `Program::schedule`, in a constant of their own.
template <class Program, int K>
consteval auto words_of() {
  constexpr int first = Program::schedule.first.entry[K], count = Program::schedule.first.entry[K + 1] - first;
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return fixed<std::uint64_t, count>{{Program::schedule.words.entry[first + I]...}};
  }
  (std::make_integer_sequence<int, count>{});
}

template <auto Packed>
struct executable;

template <auto Words>
consteval pass::form form_of() {
  return pass::unpack_kernel(Words).computes;
}

/// Which results of the kernel in `Words` are in an output that `outputs` names; empty where none is.
template <auto Words, int N>
consteval auto accumulated_results(accumulation<N> const& outputs) {
  constexpr int count = static_cast<int>(pass::unpack_kernel(Words).results.size());
  pass::scheduled_kernel const k = pass::unpack_kernel(Words);
  accumulation<count> results;
  for (std::size_t i = 0; i < count; ++i) {
    pass::location const& at = k.results[i].at;
    results[i] = k.results[i].accumulates && outputs[static_cast<std::size_t>(at.position)];
  }
  return results;
}

/// Describes a kernel from its words.
template <auto Words, auto Accumulated>
consteval auto describe() {
  constexpr auto size = [] {
    pass::scheduled_kernel const k = pass::unpack_kernel(Words);
    return fixed{static_cast<int>(k.computes), static_cast<int>(k.inputs.size()), static_cast<int>(k.code.size()),
                 static_cast<int>(k.results.size()), static_cast<int>(k.sliding.exists)};
  }();
  using product = std::conditional_t<size[4] != 0, pass::convolution, pass::contraction>;
  pass::scheduled_kernel const k = pass::unpack_kernel(Words);
  constexpr bool is_block = static_cast<pass::form>(size[0]) == pass::form::block;
  auto const kernel = [&] {
    if constexpr (is_block) return block_signature_of<size[1]>(k, Accumulated);
    else return signature_of<size[1], size[2], size[3], product>(k, Accumulated);
  }();
  call_description<std::remove_const_t<decltype(kernel)>> d{kernel};
  for (std::size_t i = 0; i < kernel.inputs; ++i) d.at[i] = k.inputs[i].at;
  for (std::size_t i = 0; i < kernel.outputs; ++i) d.at[kernel.inputs + i] = k.results[i].at;
  d.work = k.space.size();
  d.computes = k.computes;
  if (k.computes == pass::form::product) {
    d.work *= k.sliding.exists ? k.sliding.terms() : k.product.k;
    d.a = k.a.at;
    d.b = k.b.at;
    d.a_type = k.a.type;
    d.b_type = k.b.type;
    if (k.product.transposed) std::swap(d.a, d.b);
    d.scratch = {pass::location::place::workspace, 0, k.scratch};
  }
  return d;
}

namespace detail {

// Heavy kernels are functions of their own: one instantiation and one symbol for each signature.
template <auto Signature>
[[gnu::noinline]] void heavy_loop(std::byte* const* pointers) {
  loop<Signature>::run(pointers);
}
template <auto Signature>
[[gnu::noinline]] void heavy_gemm(std::byte* const* pointers, std::byte const* a, std::byte const* b, std::byte* scratch) {
  gemm<Signature>::run(pointers, a, b, scratch);
}
template <auto Signature>
[[gnu::noinline]] void heavy_conv(std::byte* const* pointers, std::byte const* a, std::byte const* b, std::byte* scratch) {
  conv<Signature>::run(pointers, a, b, scratch);
}

template <auto Signature>
[[gnu::noinline]] void heavy_lane_kernel(std::byte* const* pointers) {
  lane_kernel<Signature>::run(pointers);
}
template <auto Signature, element A, element B>
[[gnu::noinline]] void heavy_lane_kernel(std::byte* const* pointers, std::byte const* a, std::byte const* b) {
  lane_kernel<Signature, A, B>::run(pointers, a, b);
}

/// Runs a block. Its shapes are constants here, so that the loops of `Op::run` have fixed bounds.
template <auto Signature>
[[gnu::noinline]] status block_kernel(std::byte* const* pointers) {
  static constexpr auto s = Signature;
  using Op = op_at<s.op>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto const y =
        block<scalar_of<s.result.type>>{reinterpret_cast<scalar_of<s.result.type>*>(pointers[s.inputs]), s.result.extent, s.result.step};
    if constexpr (requires { Op::accumulates; })
      return Op::run(s.attributes, y,
                     block<scalar_of<s.in[I].type> const>{reinterpret_cast<scalar_of<s.in[I].type> const*>(pointers[I]), s.in[I].extent,
                                                          s.in[I].step}...,
                     s.accumulates);
    else
      return Op::run(s.attributes, y,
                     block<scalar_of<s.in[I].type> const>{reinterpret_cast<scalar_of<s.in[I].type> const*>(pointers[I]), s.in[I].extent,
                                                          s.in[I].step}...);
  }
  (std::make_index_sequence<s.inputs>{});
}

}  // namespace detail

/// The call of the kernel in `Words`; results that `Accumulated` names are added to what their storage holds.
template <auto Words, auto Accumulated, pass::form Form = form_of<Words>()>
struct call {
  static constexpr auto d = describe<Words, Accumulated>();
  static constexpr std::int64_t heavy = 256, heavy_in_lanes = 32;

  [[gnu::always_inline]] static inline void run(buffers const& where) {
    std::byte* pointers[d.at.size()];
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) { ((pointers[I] = where.find<d.at[I]>()), ...); }
    (std::make_index_sequence<d.at.size()>{});
    if constexpr (d.computes == pass::form::block) {
      *where.outcome |= detail::block_kernel<d.kernel>(pointers);
    } else if constexpr (is_lanes(d.kernel.type)) {
      if constexpr (d.computes == pass::form::product) {
        if constexpr (d.work > heavy_in_lanes)
          detail::heavy_lane_kernel<d.kernel, d.a_type, d.b_type>(pointers, where.find<d.a>(), where.find<d.b>());
        else lane_kernel<d.kernel, d.a_type, d.b_type>::run(pointers, where.find<d.a>(), where.find<d.b>());
      } else {
        if constexpr (d.work > heavy_in_lanes) detail::heavy_lane_kernel<d.kernel>(pointers);
        else lane_kernel<d.kernel>::run(pointers);
      }
    } else if constexpr (requires { d.kernel.product.contracts_batch; }) {
      detail::heavy_conv<d.kernel>(pointers, where.find<d.a>(), where.find<d.b>(), where.find<d.scratch>());
    } else if constexpr (d.computes == pass::form::product) {
      if constexpr (d.work > heavy) detail::heavy_gemm<d.kernel>(pointers, where.find<d.a>(), where.find<d.b>(), where.find<d.scratch>());
      else gemm<d.kernel>::run(pointers, where.find<d.a>(), where.find<d.b>(), where.find<d.scratch>());
    } else {
      if constexpr (d.work > heavy) detail::heavy_loop<d.kernel>(pointers);
      else loop<d.kernel>::run(pointers);
    }
  }
};

/// The call of a loop.
template <auto Words, auto Accumulated>
struct call<Words, Accumulated, pass::form::repetition> {
  static constexpr auto size = [] {
    pass::scheduled_kernel const k = pass::unpack_kernel(Words);
    return fixed{static_cast<int>(k.inputs.size()), static_cast<int>(k.results.size()), static_cast<int>(k.body.size())};
  }();
  static constexpr auto packed = [] {
    pass::scheduled_kernel const k = pass::unpack_kernel(Words);
    packed_graph<size[2]> p;
    for (std::size_t i = 0; i < k.body.size(); ++i) p.words[i] = k.body[i];
    return p;
  }();
  using body = executable<packed>;
  static constexpr bool in_lanes = is_lanes(pass::unpack_kernel(Words).results[0].type);
  static constexpr auto signature = [] {
    if constexpr (in_lanes) return points_signature_of<size[0], size[1]>(pass::unpack_kernel(Words), body::plan.bytes);
    else return repeat_signature_of<size[0], size[1]>(pass::unpack_kernel(Words), body::plan.bytes);
  }();
  struct places {
    fixed<pass::location, size[0]> operand{};
    fixed<pass::location, size[1]> result{};
    std::int64_t scratch = 0;
  };
  static constexpr places at = [] {
    pass::scheduled_kernel const k = pass::unpack_kernel(Words);
    places p;
    for (std::size_t i = 0; i < k.inputs.size(); ++i) p.operand[i] = k.inputs[i].at;
    for (std::size_t i = 0; i < k.results.size(); ++i) p.result[i] = k.results[i].at;
    p.scratch = k.scratch;
    return p;
  }();

  static void run(buffers const& where) {
    std::byte const* operands[size[0] == 0 ? 1 : size[0]];
    std::byte* results[size[1]];
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((operands[I] = where.find<at.operand[I]>()), ...); }
    (std::make_index_sequence<size[0]>{});
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((results[I] = where.find<at.result[I]>()), ...); }
    (std::make_index_sequence<size[1]>{});
    std::byte* const scratch = where.workspace + at.scratch;
    if constexpr (in_lanes) *where.outcome |= points<signature, body, Accumulated>::run(operands, results, scratch);
    else *where.outcome |= repeat<signature, body, Accumulated>(operands, results, scratch);
  }
};

}  // namespace etch::inline ETCH_ABI::run
