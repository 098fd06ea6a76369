// var: a value on a tape. Of rank 0 it is a number with its place on the tape; else a handle, as an expr is.
#pragma once

#include <etch/core/constant.hpp>
#include <etch/core/symbol.hpp>
#include <etch/tape/recorder.hpp>
#include <etch/tape/statement.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {
template <class T, int... Dims>
consteval bool has_fixed_shape() {
  if constexpr (((Dims > counted_dimension) || ...)) error::tape_takes_no_counts<expr<T, Dims...>>();
  return true;
}
}  // namespace detail

/// A tensor on a tape. Everything that applies to an expr applies to it; what operations return
/// is an expr, which converts back.
template <scalar T, int... Dims>
class var : public expr<T, Dims...> {
  static_assert(dynamic::define_rows<T>(), "etch: variables define the rows of ops");
  static_assert(detail::has_fixed_shape<T, Dims...>(), "etch: shapes on a tape are fixed");

 public:
  constexpr var() = default;
  var(expr<T, Dims...> const& value)
      : expr<T, Dims...>(value), generation_(dynamic::recorder<T>::epoch_of(value.owner)) {}

  /// A constant, such as `zeros<3>()`.
  template <constant_handle X>
    requires(X::extent == expr<T, Dims...>::extent)
  constexpr var(X const& constant) : expr<T, Dims...>(constant) {}

  /// Called where an operation meets the value: if it no longer exists, that is the mistake.
  void check() const { dynamic::recorder<T>::check(this->owner, this->id, generation_); }

 private:
  std::uint32_t generation_ = 0;  ///< of the tape, when the value was seen first
};

/// A number on a tape; without a tape a constant, such as the 0 that a sum starts from. It is 24 bytes (of double), may
/// be copied, kept in containers and assigned to; the tape must live where it does.
template <scalar T>
class var<T> {
 public:
  using scalar_type = T;
  using tape_scalar_type = T;
  static constexpr shape extent{};
  static constexpr bool elementwise_product = false;
  static constexpr int most_partials = 1;

  constexpr var() = default;
  template <scalar S>
  constexpr var(S number) : value_(static_cast<T>(number)) {}
  template <constant_handle X>
    requires(X::extent.rank == 0)
  constexpr var(X const& constant) : value_(static_cast<T>(constant)) {}
  /// Records the statement.
  template <class Op, class... X>
  [[gnu::always_inline]] var(statement<T, Op, X...> const& s) : value_(s.value()) {
    if (dynamic::tape_state<T>* const t = s.owner(); t != nullptr) {
      number_ = t->record(s);
      if (number_ != 0) owner_ = t, generation_ = t->generation();
    }
  }
  /// A scalar of a tape's graph, such as the sum of a tensor.
  var(expr<T> const& of_graph) : var(dynamic::tape_state<T>::scalar_of(of_graph)) {}

  template <class X>
  var& operator+=(X const& x) {
    return *this = *this + x;
  }
  template <class X>
  var& operator-=(X const& x) {
    return *this = *this - x;
  }
  template <class X>
  var& operator*=(X const& x) {
    return *this = *this * x;
  }
  template <class X>
  var& operator/=(X const& x) {
    return *this = *this / x;
  }

  constexpr T value() const { return value_; }
  template <std::same_as<bool> Truth>
  constexpr explicit operator Truth() const {
    return value_ != 0;
  }

  constexpr dynamic::tape_state<T>* owner() const { return owner_; }
  [[gnu::always_inline]] bool is_current(dynamic::tape_state<T> const* t) const {
    return owner_ == t && generation_ == t->generation();
  }
  [[gnu::always_inline]] void check(dynamic::tape_state<T> const* t) const {
    if (owner_ != nullptr && !is_current(t)) [[unlikely]]
      t->look_at(owner_, number_, generation_);  // by value: an address would keep the variable in memory
  }
  [[gnu::always_inline]] void collect(T g, dynamic::partials<T>& to) const { to.add(number_, g); }
  /// The value as a scalar of the tape's graph.
  expr<T> on_graph() const {
    if (owner_ == nullptr) return expr<T>(value_);
    return {&owner_->nodes().graph(), owner_->node_of(*this)};
  }

 private:
  friend class dynamic::tape_state<T>;
  dynamic::tape_state<T>* owner_ = nullptr;
  T value_ = 0;
  std::uint32_t number_ = 0;      ///< of the entry that gave it; 0 for a constant
  std::uint32_t generation_ = 0;  ///< of the tape, when that entry was made

  constexpr var(dynamic::tape_state<T>* owner, T value, std::uint32_t number, std::uint32_t generation)
      : owner_(owner), value_(value), number_(number), generation_(generation) {}
};

/// Element tag of a struct on a tape: the members of `mlp<taped<float>>` are variables.
template <scalar T>
struct taped : var<T> {
  using var<T>::var;
  constexpr taped() = default;
  constexpr taped(var<T> const& value) : var<T>(value) {}
};

namespace detail {
template <scalar T, int... Dims>
struct param_of<taped<T>, Dims...> {
  using type = var<T, Dims...>;
};
}  // namespace detail

ETCH_NAMESPACE_END
