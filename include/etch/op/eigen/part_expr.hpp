// part_expr: a block of a value that has a name. Assigned to, it makes that another value; the
// program stays single assignment.
#pragma once

#include <etch/op/constants.hpp>
#include <etch/op/eigen/parts.hpp>
#include <etch/op/replace.hpp>

#include <utility>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class X, class V>
constexpr auto assigned_shapes_differ() {
  static_assert(never<X, V>, "etch: a value of another shape is assigned to a part");
  return mistake{};
}
[[noreturn]] inline void scalar_is_no_entry() {
  raise("the result of a function cannot be assigned to; entries of a value that has a name can, such as y(0)");
}
[[noreturn]] inline void comma_initialiser_does_not_fit() {
  raise(
      "the entries given with << and commas do not fill the matrix: row by row from the left, blocks of one height "
      "side by side");
}
}  // namespace error

namespace detail {

/// `value` as an `R`: a handle of the same extents, or for scalars and arrays a number.
template <static_handle R, class V>
constexpr R value_as(V const& value) {
  using T = typename R::scalar_type;
  if constexpr (tape_scalar<V>) {
    return value_as<R>(value.on_graph());
  } else if constexpr (scalar<V>) {
    if constexpr (R::extent.rank > 0 && R::extent.size() > 1 && !R::elementwise_product)
      error::assigned_shapes_differ<R, V>();
    return make_handle<R>(nullptr, -1, static_cast<double>(value));
  } else if constexpr (std::is_convertible_v<V const&, R>) {
    return static_cast<R>(value);
  } else if constexpr (!static_handle<V>) {
    error::assigned_shapes_differ<R, V>();
    return R();
  } else if constexpr (!same_extents(V::extent, R::extent)) {
    error::assigned_shapes_differ<R, V>();
    return make_handle<R>(nullptr, -1);
  } else {
    auto const cast_value = cast<T>(value);
    if (cast_value.owner == nullptr) return make_handle<R>(nullptr, cast_value.id, cast_value.immediate);
    return make_handle<R>(cast_value.owner, fit(term{cast_value.owner, cast_value.id}, R::extent).id);
  }
}

/// Makes `whole` the value with `part` from row `i` and column `j` on.
template <static_handle X, static_handle V>
constexpr void write_block(X& whole, std::ptrdiff_t i, std::ptrdiff_t j, V const& part) {
  if constexpr (requires { whole.write_known(i, j, part); })
    if (whole.write_known(i, j, part)) return;
  graph* const owner = innermost(whole.owner, part.owner);
  if (owner == nullptr) error::constants_belong_to_no_graph();
  constexpr shape matrix = make_shape(X::extent[0], X::extent[1]), block = make_shape(V::extent[0], V::extent[1]);
  term const y = replaced(fit(joined(whole, *owner), matrix), fit(joined(part, *owner), block),
                          {static_cast<int>(i), static_cast<int>(j), 0, 0});
  if constexpr (requires { whole.value_alone(); })
    std::move(whole) = make_handle<X>(owner, fit(y, X::extent).id);  // where it lies
  else whole = make_handle<X>(owner, fit(y, X::extent).id);
}

template <static_handle X, static_handle R>
constexpr void write_part(by_argument::lookup& whole, std::ptrdiff_t i, std::ptrdiff_t j, R const& part) {
  write_block(static_cast<X&>(whole), i, j, part);
}

/// `<<` and what follows it behind commas.
template <static_handle X>
class comma_initialiser {
 public:
  template <class V>
  constexpr comma_initialiser(X& y, V const& first) : y_(&y) {
    put(first);
  }
  comma_initialiser(comma_initialiser const&) = delete;
  constexpr ~comma_initialiser() noexcept(false) {
    if (!failed_ && (row_ + height_ != X::extent[0] || column_ != X::extent[1]))
      error::comma_initialiser_does_not_fit();
  }
  template <class V>
  constexpr comma_initialiser& operator,(V const& next) {
    put(next);
    return *this;
  }
  constexpr X& finished() { return *y_; }

 private:
  X* y_;
  int row_ = 0, column_ = 0, height_ = 0;
  bool failed_ = false;

  template <class V>
  constexpr void put(V const& value) {
    if constexpr (tape_scalar<V>) {
      put(value.on_graph());
    } else {
      using T = typename X::scalar_type;
      auto const block = as_handle<T>(value);
      constexpr int rows = decltype(block)::extent[0], columns = decltype(block)::extent[1];
      if (column_ == X::extent[1]) {
        row_ += height_;
        column_ = height_ = 0;
      }
      if (height_ == 0) height_ = rows;
      if (rows != height_ || row_ + rows > X::extent[0] || column_ + columns > X::extent[1]) {
        failed_ = true;
        error::comma_initialiser_does_not_fit();
      }
      write_block(*y_, row_, column_, block);
      column_ += columns;
    }
  }
};

/// The constant `c` in the graph of `x`, if `x` has one: what is written there later need not know of a graph.
template <static_handle X>
constexpr X beside(X const& x, X const& c) {
  return x.owner == nullptr ? c : make_handle<X>(x.owner, joined(c, *x.owner).id);
}
/// Replaces `x` by one with every entry `value`.
template <static_handle X, class V>
constexpr X filled_with(X const& x, V const& value) {
  if constexpr (scalar<V>) return beside(x, make_handle<X>(nullptr, -1, static_cast<double>(value)));
  else
    return X(
        computed<X::extent>(value_as<expr<typename X::scalar_type>>(value), [](term t) { return fit(t, X::extent); }));
}
template <static_handle X>
constexpr X identity_of(X const& x) {
  if constexpr (X::extent.rank != 2 || X::extent[0] != X::extent[1]) {
    error::not_a_square_matrix<X>();
    return x;
  } else {
    return beside(x, make_handle<X>(nullptr, identity_id, 1));
  }
}

}  // namespace detail

/// The value of a block, of type `R`, that remembers where it lies: what is assigned to `y.head<2>()` is written
/// there. A part that has a name of its own, as in `auto h = y.head<2>()`, is a value like any other: assigned to, it
/// becomes another one, and `y` stays as it is.
template <static_handle R>
struct part_expr : R {
  using writer = void (*)(by_argument::lookup& whole, std::ptrdiff_t i, std::ptrdiff_t j, R const& part);

  constexpr part_expr(R const& value) : R(value) {}
  constexpr part_expr(R const& value, by_argument::lookup& whole, writer write, std::ptrdiff_t i, std::ptrdiff_t j)
      : R(value), whole_(&whole), write_(write), i_(i), j_(j) {}
  constexpr part_expr(part_expr const&) = default;

  template <class V>
  constexpr part_expr& operator=(V const& value) && {
    return become(detail::value_as<R>(value));
  }
  template <class V>
  constexpr part_expr& operator=(V const& value) & {
    return alone().become(detail::value_as<R>(value));
  }
  constexpr part_expr& operator=(part_expr const& value) && { return become(value); }
  constexpr part_expr& operator=(part_expr const& value) & { return alone().become(value); }
  template <class V>
  constexpr void operator+=(V const& value) && {
    become(detail::value_as<R>(*this + value));
  }
  template <class V>
  constexpr void operator-=(V const& value) && {
    become(detail::value_as<R>(*this - value));
  }
  template <class V>
  constexpr void operator*=(V const& value) && {
    become(detail::value_as<R>(*this * value));
  }
  template <class V>
  constexpr void operator/=(V const& value) && {
    become(detail::value_as<R>(*this / value));
  }
  template <class V>
  constexpr auto operator<<(V const& first) && {
    return detail::comma_initialiser<part_expr>(*this, first);
  }
  template <class V>
  constexpr auto operator<<(V const& first) & {
    return detail::comma_initialiser<part_expr>(alone(), first);
  }

  constexpr R const& value_alone() const { return *this; }
  constexpr part_expr&& noalias() && { return std::move(*this); }
  constexpr part_expr& noalias() & { return *this; }
  constexpr part_expr& setConstant(auto const& value) && { return become(detail::filled_with<R>(*this, value)); }
  constexpr part_expr& setConstant(auto const& value) & { return alone().become(detail::filled_with<R>(*this, value)); }
  constexpr part_expr& setIdentity() && { return become(detail::identity_of<R>(*this)); }
  constexpr part_expr& setIdentity() & { return alone().become(detail::identity_of<R>(*this)); }
  constexpr part_expr& setZero() && { return std::move(*this).setConstant(0); }
  constexpr part_expr& setZero() & { return setConstant(0); }
  constexpr part_expr& setOnes() && { return std::move(*this).setConstant(1); }
  constexpr part_expr& setOnes() & { return setConstant(1); }
  constexpr void fill(auto const& value) && { std::move(*this).setConstant(value); }
  constexpr void fill(auto const& value) & { setConstant(value); }
  constexpr void normalize() && { become(R(this->normalized())); }
  constexpr void normalize() & { alone().become(R(this->normalized())); }

 private:
  by_argument::lookup* whole_ = nullptr;
  writer write_ = nullptr;
  std::ptrdiff_t i_ = 0, j_ = 0;

  /// From now on a value without a place.
  constexpr part_expr& alone() {
    write_ = nullptr;
    return *this;
  }
  constexpr part_expr& become(R const& value) {
    if (write_ != nullptr) write_(*whole_, i_, j_, value);
    static_cast<R&>(*this) = value;
    return *this;
  }
};

template <scalar T, class V>
constexpr void write_entry(expr<T> const& place, V const& value) {
  if (place.write == nullptr) error::scalar_is_no_entry();
  place.write(*place.whole, place.row_of_entry, place.column_of_entry, detail::value_as<expr<T>>(value));
}

namespace detail {

template <static_handle X, int N>
constexpr auto entry_at(X& x, fixed<std::ptrdiff_t, N> const& at) {
  if constexpr (constant_handle<X>) {  // nothing is written to what a type says is constant
    return entry(std::as_const(x), at);
  } else {
    using T = typename X::scalar_type;
    expr<T> y = entry(std::as_const(x), at);
    y.whole = &x;
    y.write = &write_part<X, expr<T>>;
    y.row_of_entry = static_cast<int>(at.entry[0]);
    if constexpr (N > 1) y.column_of_entry = static_cast<int>(at.entry[1]);
    return y;
  }
}
template <int Rows, int Cols, static_handle X>
constexpr auto part_at(X& x, std::ptrdiff_t i, std::ptrdiff_t j) {
  auto const y = block_of<Rows, Cols>(std::as_const(x), i, j);
  using R = std::remove_const_t<decltype(y)>;
  if constexpr (constant_handle<X>) return y;
  else return part_expr<R>(y, x, &write_part<X, R>, i, j);
}
template <int N, static_handle X>
constexpr auto segment_at(X& x, std::ptrdiff_t i) {
  if constexpr (is_row<X>) return part_at<1, N>(x, 0, i);
  else if constexpr (is_vector<X>) return part_at<N, 1>(x, i, 0);
  else return segment_of<N>(std::as_const(x), i);
}

}  // namespace detail

ETCH_NAMESPACE_END
