// call: one kernel call of a program, keyed by its signature and its buffers' places, not by the program it belongs to.
#pragma once

#include <etch/graph/content_key.hpp>
#include <etch/lower/functions.hpp>
#include <etch/machine/block_kernel.hpp>
#include <etch/machine/conv.hpp>
#include <etch/machine/gemm.hpp>
#include <etch/machine/lane_kernel.hpp>
#include <etch/machine/elementwise_kernel.hpp>
#include <etch/machine/points.hpp>
#include <etch/machine/unroll_and_jam.hpp>
#include <etch/machine/loop_of_numbers.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Gives the name of a leaf of the arguments.
using leaf_namer = std::string_view (*)(int leaf);

/// The memory that a program runs on.
struct buffers {
  std::byte const* const* arguments;
  std::byte* const* outputs;
  std::byte* workspace;
  status* outcome;            ///< failures are added to it
  leaf_namer name = nullptr;  ///< where the program can tell

  /// Where the number of entries that count is, an `int`; for programs that have such ones.
  [[gnu::always_inline]] inline std::byte* count() const { return const_cast<std::byte*>(arguments[-1]); }

  /// The name of the argument in which a buffer is; empty where it is in none.
  std::string_view name_of(pass::location const& at) const {
    return at.in == pass::location::place::argument && name != nullptr ? name(static_cast<int>(at.position))
                                                                       : std::string_view();
  }

  template <pass::location At>
  [[gnu::always_inline]] inline std::byte* find() const {
    using place = pass::location::place;
    if constexpr (At.in == place::argument)
      return const_cast<std::byte*>(arguments[At.position]) + At.offset;  // read only
    else if constexpr (At.in == place::output) return outputs[At.position] + At.offset;
    else return workspace + At.offset;
  }
};

template <class Key>
struct executable;
/// The program of the graph in `Packed`: its content is its identity, so equal programs are one type and one symbol.
template <auto Packed>
using executable_of = executable<key_of<Packed>>;

// The forms of a kernel: `of<Set>::run` runs it where it is compiled for `Set`.

template <auto Packed>
struct elementwise_loop {
  template <vectors Set>
  using of = elementwise_kernel<Packed, Set>;
};
template <class Key, element A, element B>
struct lane_product {
  template <vectors Set>
  using of = lane_kernel<Key, Set, A, B>;
};
template <class Key, element A, element B>
struct jammed_lane_product {
  template <vectors Set>
  struct of {
    template <class... Arguments>
    [[gnu::always_inline]] static inline void run(Arguments... arguments) {
      lane_kernel<Key, Set, A, B>::jam(arguments...);
    }
  };
};
/// A loop in lanes. Of several entries it reads pointers from a copy that no store can change: otherwise they would be
/// loaded anew behind each store.
template <class Key>
struct lane_loop {
  template <vectors Set>
  struct of {
    [[gnu::always_inline]] static inline void run(std::byte* const* pointers) {
      constexpr auto const& s = lane_kernel<Key>::s;
      constexpr int count = s.inputs + s.outputs, most = 32;
      if constexpr (!is_one_entry(s) && count <= most) {
        std::byte* copies[count];
        for (int p = 0; p < count; ++p) copies[p] = pointers[p];
        lane_kernel<Key, Set>::run(copies);
      } else {
        lane_kernel<Key, Set>::run(pointers);
      }
    }
  };
};

/// The pointers that a kernel with description `Description` takes.
template <auto const& Description>
struct pointers_of {
  static constexpr bool counts = counts_entries(Description.kernel);
  std::byte* to[Description.at.size() + counts];

  using each = std::make_index_sequence<Description.at.size()>;
  template <std::size_t... I>
  [[gnu::always_inline]] static inline pointers_of in(buffers const& where, std::index_sequence<I...>) {
    if constexpr (counts) return {{where.find<Description.at[I]>()..., where.count()}};
    else return {{where.find<Description.at[I]>()...}};
  }
};

/// The call of the kernel in `Words` where it is compiled for `Set`: all that it needs to know.
template <auto Words, auto Accumulated, vectors Set>
struct described {
  static constexpr auto const& d = description<Words, Accumulated, Set>;
  static constexpr auto signature =
      d.kernel;  // an object of its own: for clang 16, only such a one is a template argument
  static constexpr auto packed = pack_signature<signature>();
};

/// The call of the kernel in `Words`; results that `Accumulated` names are added to what their storage holds. A heavy
/// kernel is a function of its own, compiled for `Set`.
template <auto Words, auto Accumulated, pass::form Form = size_of_kernel<Words>.computes>
struct call : described<Words, Accumulated, machine_vectors> {
  using described<Words, Accumulated, machine_vectors>::d;
  using described<Words, Accumulated, machine_vectors>::signature;
  using described<Words, Accumulated, machine_vectors>::packed;
  static constexpr std::int64_t heavy = 256, heavy_in_lanes = 32;
  static constexpr bool is_heavy = d.work > (is_lanes(signature.type) ? heavy_in_lanes : heavy);

  template <vectors Set = any_vectors>
  [[gnu::always_inline]] static inline void run(buffers const& where) {
    if constexpr (signature.outputs == 0) {
      return;  // all that it would leave is there (compile/kept_zeros.hpp)
    } else if constexpr (Form == pass::form::product && !is_lanes(signature.type)) {
      if constexpr (is_heavy)
        with_vectors<Set>([&](auto set) __attribute__((always_inline)) { run_product<set>(where); });
      else run_product<vectors_around<Set>>(where);
    } else {
      auto const pointers = pointers_of<d>::in(where, typename pointers_of<d>::each());
      if constexpr (Form == pass::form::product) {
        using kernel = lane_product<key_of<packed>, d.a_type, d.b_type>;
        here_or_apart<kernel, Set>::run(pointers.to, where.find<d.a>(), where.find<d.b>());
      } else if constexpr (is_lanes(signature.type)) {
        here_or_apart<lane_loop<key_of<packed>>, Set>::run(pointers.to);
      } else {
        // A long formula is compiled once: three times would take compilers too long.
        constexpr vectors set = dispatches && elementwise_kernel<packed>::cost > 100 ? vectors_around<Set> : Set;
        here_or_apart<elementwise_loop<packed>, set>::run(pointers.to);
      }
    }
  }

  /// Adds a product in lanes to a sum over points, for so many registers of points whose memory is `apart` bytes from
  /// each other's.
  template <vectors Set>
  [[gnu::always_inline]] static inline void jam(buffers const& where, int registers, std::ptrdiff_t apart) {
    auto const pointers = pointers_of<d>::in(where, typename pointers_of<d>::each());
    using kernel = jammed_lane_product<key_of<packed>, d.a_type, d.b_type>;
    std::byte const *const a = where.find<d.a>(), *const b = where.find<d.b>();
    here_or_apart<kernel, Set>::run(pointers.to, a, b, registers, apart);
  }

 private:
  template <class Kernel, vectors Set>
  struct as_function {
    template <class... Arguments>
    [[gnu::always_inline]] static inline void run(Arguments... arguments) {
      run_for<Kernel, Set>(arguments...);
    }
  };
  template <class Kernel, vectors Set>
  using here_or_apart =
      std::conditional_t<is_heavy, as_function<Kernel, Set>, typename Kernel::template of<vectors_around<Set>>>;

  template <vectors Set>
  [[gnu::always_inline]] static inline void run_product(buffers const& where) {
    using described = run::described<Words, Accumulated, Set>;
    constexpr auto const& d = described::d;
    auto const pointers = pointers_of<d>::in(where, typename pointers_of<d>::each());
    std::byte const *const a = where.find<d.a>(), *const b = where.find<d.b>();
    std::byte* const scratch = where.find<d.scratch>();
    if constexpr (requires { described::signature.product.contracts_batch; })
      compiled_for<machine_vectors>::template run<conv<described::packed, Set>>(pointers.to, a, b, scratch);
    else if constexpr (is_heavy && !gemm<described::packed, Set>::is_large && Set == machine_vectors)
      compiled_for<Set>::template run<gemm<described::packed, Set>>(pointers.to, a, b, scratch);
    else gemm<described::packed, Set>::run(pointers.to, a, b, scratch);
  }
};

/// The call of a block.
template <auto Words, auto Accumulated>
struct call<Words, Accumulated, pass::form::block> {
  static constexpr auto const& d = description<Words, Accumulated>;

  template <vectors Set = any_vectors>
  [[gnu::always_inline]] static inline void run(buffers const& where) {
    auto const pointers = pointers_of<d>::in(where, typename pointers_of<d>::each());
    if constexpr (is_a<op_at<d.kernel.op>, opaque_kind>) {
      constexpr opaque_call f = call_for(d.kernel, 0);
      constexpr auto run = function_named(f, functions_of(Words))->run;  // all that the program refers to
      std::byte* results[d.kernel.inputs + 1]{};                         // null where nobody asks for it
      for (int r = 0; r < d.kernel.outputs; ++r)
        results[call_for(d.kernel, r).result()] = pointers.to[d.kernel.inputs + r];
      run(f, pointers.to, results);
    } else {
      using kernel = block_kernel<d.kernel, vectors_around<Set>>;
      using compiled = compiled_for<runs_whole_registers<d.kernel> ? vectors_around<Set> : machine_vectors>;
      if constexpr (requires { op_at<d.kernel.op>::names_indices; }) {
        bool constexpr picks = !requires { op_at<d.kernel.op>::accumulates; };  // its first operand is what is indexed
        error::index_names const names{picks ? where.name_of(d.at[0]) : std::string_view(), where.name_of(d.at[1])};
        *where.outcome |= compiled::template run<kernel, std::byte* const*>(pointers.to, names);
      } else {
        *where.outcome |= compiled::template run<kernel, std::byte* const*>(pointers.to);
      }
    }
  }
};

/// The body, as a program's content, of the loop that `words` describe, or that of the steps which it runs again.
template <int Words, bool Again = false>
constexpr packed_graph<Words> packed_body_of(const_span<std::uint64_t> words) {
  pass::scheduled_kernel const k = pass::unpack_kernel(words);
  return etch::detail::packed_literal<Words>((Again ? k.again : k.body).begin());
}
/// The places of a loop's buffers.
template <int Inputs, int Outputs>
struct loop_places {
  fixed<pass::location, Inputs> operand{};
  fixed<pass::location, Outputs> result{};
  std::int64_t scratch = 0;

  constexpr explicit loop_places(pass::scheduled_kernel const& k) : scratch(k.scratch) {
    for (std::size_t i = 0; i < Inputs; ++i) operand[i] = k.inputs[i].at;
    for (std::size_t i = 0; i < Outputs; ++i) result[i] = k.results[i].at;
  }
};
/// Inputs and results of a loop, the words of its body and of the steps that it runs again, and whether it is one over
/// points in lanes.
struct loop_size {
  int inputs = 0, results = 0, words = 0, words_again = 0;
  bool in_lanes = false, counts = false;

  constexpr explicit loop_size(pass::scheduled_kernel const& k)
      : inputs(static_cast<int>(k.inputs.size())),
        results(static_cast<int>(k.results.size())),
        words(static_cast<int>(k.body.size())),
        words_again(static_cast<int>(k.again.size())),
        in_lanes(k.in_lanes),
        counts(k.space.counted != 0) {}
};
template <loop_size Size, class Body, class Again>
constexpr auto signature_of_loop(pass::scheduled_kernel const& k) {
  if constexpr (Size.in_lanes) return points_signature_of<Size.inputs, Size.results>(k, room_of_points<Body>);
  else return loop_signature_of<Size.inputs, Size.results>(k, std::max(Body::plan.bytes, Again::plan.bytes));
}

/// The program of the steps that the loop of `Key` runs again; without any of them that of its body.
template <class Key>
constexpr auto steps_again_of() {
  constexpr auto const& words = content_of(Key{});
  constexpr loop_size size{pass::unpack_kernel(content(words))};
  constexpr bool any = size.words_again > 0;
  return std::type_identity<executable_of<
      pass::naming<packed_body_of<any ? size.words_again : size.words, any>(content(words)), functions_of(words)>()>>{};
}

/// The call of the loop that `Key` stands for. It is a function of its own, whose name would have the words of the
/// body.
template <class Key, auto Accumulated>
struct loop_call {
  static constexpr auto const& words = content_of(Key{});
  static constexpr loop_size size{pass::unpack_kernel(content(words))};
  using body = executable_of<pass::naming<packed_body_of<size.words>(content(words)), functions_of(words)>()>;
  using again = typename decltype(steps_again_of<Key>())::type;
  static constexpr auto signature = signature_of_loop<size, body, again>(pass::unpack_kernel(content(words)));
  static constexpr auto accumulated = Accumulated;
  static constexpr loop_places<size.inputs, size.results> at{pass::unpack_kernel(content(words))};

  template <vectors Set = any_vectors>
  static void run(buffers const& where) {
    std::byte const* all[1 + size.inputs]{};  // of none, g++ 12 warns
    std::byte const** const operands = all + 1;
    if constexpr (size.counts) operands[-1] = where.count();
    std::byte* results[size.results];
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((operands[I] = where.find<at.operand[I]>()), ...);
    }(std::make_index_sequence<size.inputs>{});
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((results[I] = where.find<at.result[I]>()), ...);
    }(std::make_index_sequence<size.results>{});
    std::byte* const scratch = where.workspace + at.scratch;
    if constexpr (size.in_lanes)
      *where.outcome |=
          run_for<points_loop, Set, std::byte const* const*, std::byte* const*>(operands, results, scratch);
    else
      *where.outcome |=
          compiled_for<vectors_around<Set>>::template run<step_by_step<loop_call, Set>, std::byte const* const*,
                                                          std::byte* const*>(operands, results, scratch);
  }

 private:
  struct points_loop {
    template <vectors Set>
    using of = points<signature, body, Accumulated, Set>;
  };
};
template <auto Words, auto Accumulated>
struct call<Words, Accumulated, pass::form::loop> : loop_call<key_of<Words>, Accumulated> {};

}  // namespace run
ETCH_NAMESPACE_END
