// kernel_functions: the functions of a kernel's struct, and those that follow from them, on memory.
#pragma once

#include <etch/transform/kernel_memory.hpp>

#include <string_view>

ETCH_NAMESPACE_BEGIN
namespace detail::opaque {

/// The struct that gives the adjoint by input `I` as a kernel; void where there is none.
template <class F, int I, bool Single>
consteval auto adjoint_struct() {
  if constexpr (!requires { typename F::adjoint; }) {
    return std::type_identity<void>{};
  } else if constexpr (requires { std::tuple_size<typename F::adjoint>::value; }) {
    if constexpr (I < std::tuple_size_v<typename F::adjoint>)
      return std::type_identity<std::tuple_element_t<I, typename F::adjoint>>{};
    else return std::type_identity<void>{};
  } else {
    return std::type_identity<std::conditional_t<Single, typename F::adjoint, void>>{};
  }
}

template <class T>
consteval std::string_view name_with_frame() {
  return __PRETTY_FUNCTION__;
}
/// The key of a function in graphs: a hash of the name of its struct and of the types of its operands (FNV-1a), the
/// same from every compiler where the name is a plain one. Units may give one key to structs that each has for itself:
/// programs tell those apart by address.
template <class F, class... Entries>
consteval std::uint32_t key_of() {
  std::uint32_t h = 0x811c9dc5u;
  auto const take = [&](std::uint64_t x) { h = (h ^ static_cast<std::uint32_t>(x)) * 0x01000193u; };
  auto const take_name = [&](std::string_view name) {
    for (std::string_view unnamed : {"{anonymous}", "(anonymous namespace)"})  // as compilers write it
      if (name.starts_with(unnamed)) name.remove_prefix(unnamed.size());
    for (char each : name) take(static_cast<unsigned char>(each));
  };
  constexpr std::string_view frame = name_with_frame<void>();
  constexpr std::size_t before = frame.rfind("void"), behind = frame.size() - before - 4;
  std::string_view const framed = name_with_frame<F>();
  take_name(framed.substr(before, framed.size() - before - behind));
  (..., (take_name(name_of(element_of<typename Entries::type>)), take(Entries::count)));
  return h;
}

/// The functions of the struct `F` for inputs `X` and a result `Y`.
template <class F, class Y, class... X>
class kernel_functions {
  static constexpr int inputs = static_cast<int>(sizeof...(X));
  static constexpr bool single = (static_cast<int>(X::has_adjoint) + ... + 0) == 1;
  template <int I>
  using input = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<X...>>;
  template <int I>
  using given = typename decltype(adjoint_struct<F, I, single>())::type;
  /// The adjoint by input `I` as a function of its own.
  template <int I>
  using next = kernel_functions<given<I>, input<I>, Y, Y, X...>;
  template <class, class, class...>
  friend class kernel_functions;

  template <class... P>
  static constexpr parameters<P...> joined(parameters<P...>) {
    return {};
  }
  template <class... A, class... B, class... More>
  static constexpr auto joined(parameters<A...>, parameters<B...>, More... more) {
    return joined(parameters<A..., B...>{}, more...);
  }
  /// A parameter for each input of floating type: at the input's position, or at 0 that of input `Only` alone.
  template <int Only = -1>
  static constexpr auto floating_inputs() {
    return []<int... I>(std::integer_sequence<int, I...>) {
      return joined(parameters<>{}, floating_input<I, (Only < 0 ? I : Only == I ? 0 : missing)>()...);
    }(std::make_integer_sequence<int, inputs>{});
  }
  template <int I, int Position>
  static constexpr auto floating_input() {
    if constexpr (input<I>::has_adjoint) return parameters<parameter<Position, input<I>, single>>{};
    else return parameters<>{};
  }
  /// The inputs, behind `Before` other operands.
  template <int Before>
  static constexpr auto all_inputs() {
    return []<int... I>(std::integer_sequence<int, I...>) {
      return parameters<parameter<Before + I, input<I>>...>{};
    }(std::make_integer_sequence<int, inputs>{});
  }
  using result = parameters<parameter<0, Y>>;
  using forward_in = decltype(all_inputs<0>());
  using backward_in = decltype(joined(parameters<parameter<0, Y>, parameter<1, Y>>{}, all_inputs<2>()));
  using backward_out = decltype(floating_inputs<>());
  template <int I>
  using along_in = decltype(joined(floating_inputs<I>(), parameters<parameter<1, Y>>{}, all_inputs<2>()));

  template <int I>
  static constexpr bool has_struct = !std::is_void_v<given<I>>;
  static constexpr bool has_backward = takes<backward_role, F, backward_in, backward_out>;
  template <int I>
  static constexpr bool has_along = takes<along_role, F, along_in<I>, result>;
  template <int I>
  static consteval bool has_adjoint() {
    return input<I>::has_adjoint && (has_backward || has_struct<I>);
  }

  template <int I>
  static constexpr bool has_by(opaque_call f) {
    if (f.first() != I || !input<I>::has_adjoint) return false;
    if (f.is_first_order()) {
      if (!f.along) return has_adjoint<I>();
      if constexpr (has_struct<I>) return has_along<I> || next<I>::template has_adjoint<0>();
      else return has_along<I>;
    }
    if constexpr (has_struct<I>) return next<I>::has(f.rest());
    else return false;
  }

  /// The adjoint by input `I`, and by others that are asked for.
  template <int I, class Memory>
  static constexpr void run_adjoint(Memory const& m) {
    if constexpr (has_backward) {
      m.template call<backward_role, F>(backward_in{}, backward_out{});
    } else {
      if constexpr (has_struct<I>)
        if (m.asks_for(I)) next<I>::run_value(m.only(I));
      if constexpr (I + 1 < inputs) run_adjoint<I + 1>(m);
    }
  }
  /// The derivative along input `I`: the adjoint, linear in u, does not depend on what u is.
  template <int I, class Memory>
  static constexpr void run_along(Memory const& m) {
    if constexpr (has_along<I>) {
      m.template call<along_role, F>(along_in<I>{}, result{});
    } else if constexpr (has_struct<I>) {
      constexpr std::size_t bytes = sizeof(typename Y::type) * Y::count,
                            of_input = sizeof(typename input<I>::type) * input<I>::count;
      if constexpr (next<I>::template has_adjoint<0>())
        m.template with_zeros<(bytes > of_input ? bytes : of_input)>(
            2 + sizeof...(X), [](auto const& with) { next<I>::template run_adjoint<0>(with); });
    }
  }
  template <class Memory>
  static constexpr void run_value(Memory const& m) {
    m.template call<forward_role, F>(forward_in{}, result{});
  }
  template <int I, class Memory>
  static constexpr void run_by(opaque_call f, Memory const& m) {
    if constexpr (input<I>::has_adjoint) {
      if (f.first() != I) return;
      if (f.is_first_order()) return f.along ? run_along<I>(m) : run_adjoint<0>(m);
      if constexpr (has_struct<I>) next<I>::run_any(f.rest(), m);
    }
  }
  template <class Memory>
  static constexpr void run_any(opaque_call f, Memory const& m) {
    if (f.path == 0) return run_value(m);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (run_by<I>(f, m), ...);
    }(std::make_integer_sequence<int, inputs>{});
  }

 public:
  static constexpr bool has_value = takes<forward_role, F, forward_in, result>;

  static constexpr bool has(opaque_call f) {
    if (f.path == 0) return true;
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return (has_by<I>(f) || ...);
    }(std::make_integer_sequence<int, inputs>{});
  }
  static void run(opaque_call f, std::byte const* const* operands, std::byte* const* results) {
    run_any(f, run_time_memory{operands, results});
  }
  static constexpr void compute(opaque_call f, block<double> y, const_span<block<double const>> operands) {
    run_any(f, constant_memory{operands, y, f.result()});
  }
  /// All of them, as programs know them, and as tapes do, which need no code for constant evaluation.
  static constexpr opaque_function described{key_of<F, Y, X...>(), has, run, compute};
  static constexpr opaque_function described_at_run_time{described.key, has, run, nullptr};
};

}  // namespace detail::opaque
ETCH_NAMESPACE_END
