// tape: records what is done to its variables while it is done, whatever way control flows, and goes back through it.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/compile/program_error.hpp>
#include <etch/tape/apply.hpp>
#include <etch/tape/checkpoint.hpp>
#include <etch/tape/tape_state.hpp>

#include <functional>

ETCH_NAMESPACE_BEGIN

/// The type of `retain`.
struct retain_t {};
/// Says to `backward` that what is recorded is kept, so that one may go back again.
inline constexpr retain_t retain{};

/// A tape of values of type `T`, float or double. It owns an arena that grows in large blocks and is used again after
/// `reset`: once it has grown, no call allocates. Variables refer to it, so it does not move. One thread at a time; any
/// number of tapes. Mistakes throw `etch::exception`, and what was recorded before stays as it was. Docs: tape.md.
template <class T>
class tape {
  static_assert(std::same_as<T, float> || std::same_as<T, double>, "etch: a tape holds values of float or of double");

 public:
  tape() = default;
  /// Keeps values and entries in `buffer` alone; where that is full, `error::tape_is_full` is thrown.
  explicit tape(std::span<std::byte> buffer) : ledger_(buffer) {}

  /// A variable that derivatives are taken with respect to: `var<T>` for a number, `var<T, Dims...>` for a
  /// tensor, for a struct template over its element type the struct of `taped<T>`, for arrays and tuples
  /// those of variables. The value is copied.
  template <class A>
  auto watch(A const& value) {
    return put(value, {.is_active = true, .is_seen_as_leaf = true});
  }
  /// Watches `std::cref(value)`, of anything but a number, without a copy: the value stays where it is, and as it
  /// is, for as long as the variable exists.
  template <class A>
  auto watch(std::reference_wrapper<A> value) {
    return put(std::as_const(value.get()), {.is_active = true, .is_seen_as_leaf = true, .is_lent = true});
  }
  /// A value that none are taken with respect to; of any element type.
  template <class A>
  auto constant(A const& value) {
    if constexpr (scalar<A>) return var<T>(value);
    else return put(value, {.is_seen_as_leaf = true});
  }
  template <class A>
  auto constant(std::reference_wrapper<A> value) {
    if constexpr (scalar<std::remove_const_t<A>>) return constant(value.get());
    else return put(std::as_const(value.get()), {.is_seen_as_leaf = true, .is_lent = true});
  }

  /// `f(x...)`, compiled as a program of its own, as one entry: its forward half runs now and leaves what its
  /// backward half reads. Variables among `x` are differentiated, other arguments are constants. Returns a
  /// variable, or a tuple where `f` does.
  template <class F, class... X>
  auto apply(F f, X const&... x) {
    if constexpr (detail::hold_places<X...>()) return apply(f, detail::without_places(x)...);
    else return apply_to_values(f, x...);
  }

  /// `f(x...)` on the tape, of which only `x` and what it returns is kept: it is recorded once more on
  /// the way back, and does the same then. `f` is copied; it may capture numbers, and refer to what
  /// outlives the tape, but no variables.
  template <class F, class... X>
  auto checkpoint(F const& f, X const&... x) {
    return dynamic::checkpointed(ledger_, f, as_variables(x)...);
  }
  /// The number or tensor `f(value of x...)`, whose derivative is written by hand: `pullback(g, y, value of x...)`
  /// gives, from the adjoint `g` of the result `y`, the adjoint of each x, as a tuple where there are several.
  /// `pullback` is copied; it may refer to what outlives the tape.
  template <class F, class Pullback, class... X>
  auto external(F&& f, Pullback pullback, X const&... x) {
    return dynamic::recorded_externally(ledger_, f, pullback, as_variables(x)...);
  }

  /// Goes back from `loss`, a scalar whose value it returns; gradients are then found by `grad`. One may go back once
  /// through what is recorded, unless it is retained; gradients begin at 0 every time.
  template <class Loss>
  T backward(Loss const& loss) {
    return go_back_from(loss, false);
  }
  template <class Loss>
  T backward(Loss const& loss, retain_t) {
    return go_back_from(loss, true);
  }
  /// Goes back from the tensor `y`, with `seed` as its adjoint.
  template <static_handle Y, int... Dims>
    requires(Y::extent == tensor<T, Dims...>::extent)
  void backward(Y const& y, tensor<T, Dims...> const& seed) {
    backward(sum(cwise_product(y, constant(seed))));
  }
  template <static_handle Y, int... Dims>
    requires(Y::extent == tensor<T, Dims...>::extent)
  void backward(Y const& y, tensor<T, Dims...> const& seed, retain_t) {
    backward(sum(cwise_product(y, constant(seed))), retain);
  }

  /// The derivative with respect to `v` of what was last gone back from: of a number a number, of a watched
  /// tensor a reference to one, which holds until the tape is rewound, reset or gone back through again; of a
  /// struct of variables a struct of gradients, and of a manifold a tangent vector.
  T grad(var<T> const& v) { return ledger_.adjoint(v); }
  T grad(expr<T> const&) { error::gradient_is_not_kept(); }
  template <scalar Number>
  auto grad(Number const&) {
    error::number_is_no_variable<Number>();
    return T{};
  }
  template <int... Dims>
    requires(sizeof...(Dims) > 0)
  tensor<T, Dims...> const& grad(var<T, Dims...> const& v) {
    return *reinterpret_cast<tensor<T, Dims...> const*>(ledger_.tensor_adjoint(v));
  }
  template <class V>
    requires(dynamic::is_on_tape<V> && !tape_scalar<V> && !static_handle<V>)
  auto grad(V const& v) {
    typename argument<typename dynamic::off_tape<V>::type>::gradient all{};
    dynamic::collect_gradients(all, v, [&](auto const& each) -> decltype(auto) { return grad(each); });
    return all;
  }

  /// How far the tape has come.
  using position = typename dynamic::tape_state<T>::position;
  position mark() { return ledger_.here(); }
  /// Takes back what was recorded since `to`, and its variables with it.
  void rewind(position const& to) { ledger_.rewind(to); }
  /// Takes back everything; the memory is kept.
  void reset() { ledger_.rewind({}); }

  /// Bytes of memory that the tape holds.
  std::size_t bytes() const { return ledger_.memory.capacity(); }
  /// Sees to it that it holds at least so many.
  void reserve(std::size_t bytes) { ledger_.memory.reserve(bytes); }

 private:
  template <class F, class... X>
  auto apply_to_values(F f, X const&... x) {
    using verdict = dynamic::mistake_in_application<F, X...>;
    if constexpr (std::is_same_v<verdict, detail::no_mistake>) {
      return dynamic::applied(ledger_, f, x...);
    } else {
      if constexpr (std::is_same_v<verdict, detail::not_traceable>) {
        [[maybe_unused]] constexpr int
            the_function_uses_only_arguments_constants_and_constexpr_functions_within_fconstexpr_steps =
                detail::traced_size<F, typename dynamic::off_tape<X>::type...>()[0];
      }
      return var<T>();
    }
  }

  dynamic::tape_state<T> ledger_;

  /// Numbers and tensors as constants; what is on a tape as it is.
  template <class X>
  decltype(auto) as_variables(X const& x) {
    if constexpr (detail::hold_places<X>()) return detail::without_places(x);
    else if constexpr (dynamic::is_variables<X>()) return (x);
    else return constant(x);
  }

  template <class A>
  typename dynamic::on_tape<A>::type put(A const& value, dynamic::leaf_terms terms) {
    if constexpr (scalar<A>) {
      return ledger_.leaf(static_cast<T>(value));
    } else {
      int nodes[pass::leaf_count<A>() + 1];
      typename dynamic::on_tape<A>::type variables{};
      dynamic::assign<A>(variables, dynamic::traced_on(ledger_, value, nodes, terms));
      return variables;
    }
  }
  template <class Loss>
  T go_back_from(Loss const& loss, bool retained) {
    if constexpr (std::is_convertible_v<Loss const&, var<T>>) return ledger_.go_back_from(var<T>(loss), retained);
    else if constexpr (static_handle<Loss> && Loss::extent.rank == 0)
      return error::element_types_differ<Loss, var<T>>(), T{};
    else return error::loss_is_not_a_scalar<Loss>(), T{};
  }
};

/// The value of a tensor on a tape; the reference holds until the tape is rewound or reset. Of
/// a scalar of its graph a number.
template <scalar T, int... Dims>
decltype(auto) value(expr<T, Dims...> const& x) {
  if constexpr (sizeof...(Dims) == 0)
    if (x.owner == nullptr) return static_cast<T>(x.immediate);
  if (x.owner == nullptr || x.owner->recorder == nullptr) error::value_is_not_known();
  std::byte* const entries = x.owner->recorder->settle(*x.owner->recorder, x.id);
  if (node const& n = (*x.owner)[x.id]; n.type != element_of<T> || !same_extents(n.extent, expr<T, Dims...>::extent))
    error::variable_is_gone();
  if constexpr (sizeof...(Dims) == 0) return T(*reinterpret_cast<T const*>(entries));
  else return (*reinterpret_cast<tensor<T, Dims...> const*>(entries));
}
template <scalar T, int... Dims>
  requires(sizeof...(Dims) > 0)
tensor<T, Dims...> const& value(var<T, Dims...> const& v) {
  v.check();
  return value(static_cast<expr<T, Dims...> const&>(v));
}

ETCH_NAMESPACE_END
