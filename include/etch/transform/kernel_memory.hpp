// kernel_memory: how a kernel's functions are called with spans, while a program runs and in constant evaluation.
#pragma once

#include <etch/core/symbol.hpp>
#include <etch/graph/opaque.hpp>

#include <array>
#include <span>
#include <tuple>

ETCH_NAMESPACE_BEGIN
namespace detail::opaque {

/// A number of entries of type `T`: an operand or the result of a kernel.
template <class T, std::size_t Count>
struct entries {
  using type = T;
  static constexpr std::size_t count = Count;
  static constexpr bool has_adjoint = std::is_floating_point_v<T>;
};
/// A parameter of the user's function: an operand, or a result, at a position. Where several are alike, all but one may
/// be missing, and spans have no fixed extent.
template <int Position, class Entries, bool Fixed = true>
struct parameter : Entries {
  static constexpr int position = Position;
  static constexpr std::size_t extent = Fixed ? Entries::count : std::dynamic_extent;
};
inline constexpr int missing = -1;
template <class... Parameter>
struct parameters {};

// The functions that users write take spans of fixed extent, or of any.
struct forward_role {
  template <class F, class... S>
  static constexpr auto call(S... spans) -> decltype(F::forward(spans...)) {
    return F::forward(spans...);
  }
};
struct backward_role {
  template <class F, class... S>
  static constexpr auto call(S... spans) -> decltype(F::backward(spans...)) {
    return F::backward(spans...);
  }
};
struct along_role {
  template <class F, class... S>
  static constexpr auto call(S... spans) -> decltype(F::along(spans...)) {
    return F::along(spans...);
  }
};
template <class Role, class F, class... S>
concept takes_fixed = requires(S... spans) { Role::template call<F>(spans...); };
template <class Role, class F, class... S>
inline constexpr bool takes_spans =
    takes_fixed<Role, F, S...> || takes_fixed<Role, F, std::span<typename S::element_type>...>;
template <class Role, class F, class... S>
constexpr void call_with(S... spans) {
  if constexpr (takes_fixed<Role, F, S...>) Role::template call<F>(spans...);
  else Role::template call<F>(std::span<typename S::element_type>(spans)...);
}
template <class P>
using read_span = std::span<typename P::type const, P::extent>;
template <class P>
using written_span = std::span<typename P::type, P::extent>;
template <class Role, class F, class In, class Out>
inline constexpr bool takes = false;
template <class Role, class F, class... In, class... Out>
inline constexpr bool takes<Role, F, parameters<In...>, parameters<Out...>> =
    takes_spans<Role, F, read_span<In>..., written_span<Out>...>;

template <std::size_t Bytes>
alignas(64) inline constexpr std::byte zero_bytes[Bytes]{};

/// Operands and results while a program runs. A result that nobody asks for is null.
struct run_time_memory {
  std::byte const* const* operands;
  std::byte* const* results;

  template <class Role, class F, class... In, class... Out>
  void call(parameters<In...>, parameters<Out...>) const {
    call_with<Role, F>(read<In>()..., written_span<Out>(reinterpret_cast<typename Out::type*>(results[Out::position]),
                                                        results[Out::position] != nullptr ? Out::count : 0)...);
  }
  bool asks_for(int result) const { return results[result] != nullptr; }
  run_time_memory only(int result) const { return {operands, results + result}; }
  /// `f` of this memory with two operands that are 0 behind the first of `count`.
  template <std::size_t Bytes>
  void with_zeros(std::size_t count, auto f) const {
    std::byte const* all[opaque_call::most_operands]{operands[0], zero_bytes<Bytes>, zero_bytes<Bytes>};
    for (std::size_t i = 1; i < count; ++i) all[2 + i] = operands[i];
    f(run_time_memory{all, results});
  }

 private:
  template <class P>
  read_span<P> read() const {
    if constexpr (P::position == missing) return {};
    else return read_span<P>(reinterpret_cast<typename P::type const*>(operands[P::position]), P::count);
  }
};

/// Operands and the result in constant evaluation, where all numbers are doubles. An operand without data is 0.
struct constant_memory {
  const_span<block<double const>> operands;
  block<double> y;
  int result;

  template <class Role, class F, class... In, class... Out>
  constexpr void call(parameters<In...>, parameters<Out...>) const {
    std::tuple<std::array<typename In::type, In::count>...> in{copy<In>()...};
    std::tuple<std::array<typename Out::type, Out::count>...> out{};
    [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>, std::index_sequence<O...>) {
      call_with<Role, F>(read_span<In>(std::get<I>(in).data(), In::position == missing ? 0 : In::count)...,
                         written_span<Out>(std::get<O>(out).data(), asks_for(Out::position) ? Out::count : 0)...);
      (take<Out>(std::get<O>(out)), ...);
    }(std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{});
  }
  constexpr bool asks_for(int position) const { return position == result; }
  constexpr constant_memory only(int) const { return {operands, y, 0}; }
  template <std::size_t Bytes>
  constexpr void with_zeros(std::size_t count, auto f) const {
    sequence<block<double const>> all;
    all.push_back(operands[0]);
    for (int i = 0; i < 2; ++i) all.push_back({});
    for (std::size_t i = 1; i < count; ++i) all.push_back(operands[i]);
    f(constant_memory{all, y, result});
  }

 private:
  template <class P>
  constexpr std::array<typename P::type, P::count> copy() const {
    std::array<typename P::type, P::count> entries{};
    if constexpr (P::position != missing)
      if (double const* const from = operands[P::position].data; from != nullptr)
        for (std::size_t i = 0; i < P::count; ++i) entries[i] = static_cast<typename P::type>(from[i]);
    return entries;
  }
  template <class P>
  constexpr void take(std::array<typename P::type, P::count> const& entries) const {
    if (asks_for(P::position))
      for (std::size_t i = 0; i < P::count; ++i) y.data[i] = static_cast<double>(entries[i]);
  }
};

}  // namespace detail::opaque
ETCH_NAMESPACE_END
