// Eigen's member functions that pick entries, rows, columns and blocks.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/op/linalg/product.hpp>
#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class X>
constexpr auto not_a_vector() {
  static_assert(
      never<X>,
      "etch: a vector is needed: a matrix has x(i, j), block, row and col instead of x(i), segment, head and tail");
  return mistake{};
}
template <class X>
constexpr auto not_one_entry() {
  static_assert(never<X>, "etch: value is that of a 1x1 matrix: another has x(i, j), or sum");
  return mistake{};
}
template <class X, class N>
constexpr auto size_is_part_of_the_type() {
  static_assert(never<X, N>,
                "etch: a size is part of the type: head<2>() or head(Eigen::fix<2>) for head(2), block<2, 2>(i, j) for "
                "block(i, j, 2, 2)");
  return mistake{};
}
/// Stops constant evaluation where `index` is no position of an axis of `Extent` entries: both numbers are in what
/// compilers print of a subscript, or of a call's arguments. Throws at run time.
template <int Extent>
constexpr void position_out_of_range(std::ptrdiff_t index, [[maybe_unused]] int entries = Extent) {
  if (__builtin_is_constant_evaluated()) {
    bool const etch_position_out_of_range[Extent]{};
    if (etch_position_out_of_range[index]) return;
  } else {
    raise("position out of range: " + std::to_string(index) + " where the axis has " + std::to_string(Extent) +
          " entries");
  }
}
template <class X, int Positions>
constexpr auto position_is_missing() {
  static_assert(never<X>, "etch: an entry is picked by one position for each axis");
  return mistake{};
}
}  // namespace error

namespace detail {

template <class X>
inline constexpr bool is_vector = X::extent.rank <= 2 && (X::extent[0] == 1 || X::extent[1] == 1);
template <class X>
inline constexpr bool is_row = X::extent[0] == 1 && X::extent[1] > 1;

/// `x` with the rank of an Eigen argument: a matrix of one column is a vector.
template <static_handle X>
constexpr auto eigen_ranked(X const& x) {
  if constexpr (X::extent.rank == 2 && X::extent[1] == 1) return reshape<X::extent[0]>(x);
  else return x;
}
/// `x` with rank 2, so that rows and columns are axes.
template <static_handle X>
constexpr auto as_matrix(X const& x) {
  if constexpr (X::extent.rank > 2) {
    error::not_a_matrix<X>();
    return instead_of<typename X::scalar_type, make_shape(X::extent[0], X::extent[1])>(x);
  } else if constexpr (X::extent.rank < 2) {
    return reshape<X::extent[0], X::extent[1]>(x);
  } else {
    return x;
  }
}

/// `Count` entries along `Axis` from `begin` on.
template <int Axis, int Count, static_handle X>
constexpr auto part(X const& x, std::ptrdiff_t begin) {
  if constexpr (Count < 1 || Count > X::extent[Axis]) {
    error::slice_out_of_range<X, Axis, 0, Count, 1>();
    return instead_of<typename X::scalar_type, with_extent(X::extent, Axis, Count < 1 ? 1 : Count)>(x);
  } else {
    if (begin < 0) error::position_out_of_range<X::extent[Axis]>(begin);
    if (begin + Count > X::extent[Axis]) error::position_out_of_range<X::extent[Axis]>(begin + Count - 1);
    return sliced<Axis, Count>(x, static_cast<int>(begin));
  }
}
/// The value of a size given as an object.
template <class N>
inline constexpr int size_in = std::remove_cvref_t<N>::value;

template <int Rows, int Cols, static_handle X>
constexpr auto block_of(X const& x, std::ptrdiff_t i, std::ptrdiff_t j) {
  if constexpr (requires { typename X::known_entries; }) return x.template block_of_known<Rows, Cols>(i, j);
  else return eigen_ranked(part<1, Cols>(part<0, Rows>(as_matrix(x), i), j));
}
template <int N, static_handle X>
constexpr auto segment_of(X const& x, std::ptrdiff_t i) {
  if constexpr (!is_vector<X>) {
    error::not_a_vector<X>();
    return instead_of<typename X::scalar_type, make_shape(N)>(x);
  } else if constexpr (is_row<X>) {
    return block_of<1, N>(x, 0, i);
  } else {
    return block_of<N, 1>(x, i, 0);
  }
}

/// The part of a join that holds the entry at `at`, which then counts from the part's beginning; in joins of joins the
/// innermost. Nothing where that cannot be seen, and a zero between the parts.
constexpr term part_with_entry(term t, fixed<std::ptrdiff_t, max_rank>& at) {
  while (is<op::join>(t)) {
    const_span<int> const parts = t.owner->operands(t.id);
    std::size_t low = 0, high = parts.size();
    int const axis = region(term { t.owner, parts[0] } -> attributes).axis;
    while (high - low > 1) {  // parts are in order
      std::size_t const middle = (low + high) / 2;
      if (region(term { t.owner, parts[middle] } -> attributes).begin <= at.entry[axis]) low = middle;
      else high = middle;
    }
    term const part{t.owner, parts[low]};
    if (!is<op::embed>(part)) return t;
    region const r(part->attributes);
    if (r.step != 1 || r.axis != axis || at.entry[axis] < r.begin ||
        at.entry[axis] > r.last(part.operand(0).extent()[axis]))
      return t;
    at.entry[axis] -= r.begin;
    t = part.operand(0);
  }
  return t;
}

/// The entry at the positions given, one for each axis.
template <static_handle X, int N>
constexpr auto entry(X const& x, fixed<std::ptrdiff_t, N> const& at) {
  if constexpr (X::extent.rank > N) {
    error::position_is_missing<X, N>();
    return instead_of<typename X::scalar_type, shape{}>(x);
  } else {
    [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
      ((at.entry[Axis] < 0 || at.entry[Axis] >= X::extent[Axis]
            ? error::position_out_of_range<X::extent[Axis]>(at.entry[Axis])
            : void()),
       ...);
    }(std::make_integer_sequence<int, N>{});
    if constexpr (requires { x.known_entry(at.entry[0], at.entry[0]); })
      if (x.is_known()) return expr<typename X::scalar_type>(x.known_entry(at.entry[0], N > 1 ? at.entry[1] : 0));
    if constexpr (!constant_handle<X>)
      if (x.owner == nullptr && x.id == identity_id)
        return expr<typename X::scalar_type>(N > 1 && at.entry[0] == at.entry[N > 1 ? 1 : 0] ? x.immediate : 0.0);
    return computed<shape{}>(x, [&](term t) {
      fixed<std::ptrdiff_t, max_rank> from{};
      for (int axis = 0; axis < N; ++axis) from.entry[axis] = at.entry[axis];
      t = part_with_entry(t, from);
      for (int axis = 0; axis < N; ++axis)
        if (t.extent()[axis] > 1) t = slice(t, region(axis, static_cast<int>(from.entry[axis])), 1);
      return emit_to<op::reshape>(shape{}, t);
    });
  }
}

}  // namespace detail

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::value() const {
  if constexpr (X::extent.size() != 1) error::not_one_entry<X>();
  return detail::entry(self(), fixed<index, max_rank>{});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::transpose() const {
  return detail::eigen_ranked(etch::transpose(self()));
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::adjoint() const {
  return transpose();
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::replicate() const {
  return detail::eigen_ranked(tile<Rows, Cols>(detail::as_matrix(self())));
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::replicate(static_size auto const& rows, static_size auto const& cols) const {
  return replicate<detail::size_in<decltype(rows)>, detail::size_in<decltype(cols)>>();
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::replicate(std::integral auto rows, std::integral auto) const {
  error::size_is_part_of_the_type<X, decltype(rows)>();
  return self();
}

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator()(index i) const& {
  if constexpr (!detail::is_vector<X>) error::not_a_vector<X>();
  return detail::entry(self(), detail::is_row<X> ? fixed<index, max_rank>{0, i} : fixed<index, max_rank>{i});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator()(index i, index j) const& {
  return detail::entry(self(), fixed{i, j});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator()(index i, index j, index k) const {
  return detail::entry(self(), fixed{i, j, k});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator()(index i, index j, index k, index l) const {
  return detail::entry(self(), fixed{i, j, k, l});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator[](index i) const& {
  return (*this)(i);
}

namespace detail {

/// Stands for an entry, or for a part, at a traced index.
template <class Part, class X, class I>
constexpr auto at_traced_index(X const& x, I const& i) {
  note_mistake_in(i);
  return instead_of<typename X::scalar_type, Part::extent>(x);
}

}  // namespace detail

template <class X, class Base>
template <class I>
  requires traced_index<I>
constexpr auto eigen_methods<X, Base>::operator()(I const& i, auto const&...) const {
  error::index_is_traced<X, I>();
  return detail::at_traced_index<expr<typename X::scalar_type>>(self(), i);
}
template <class X, class Base>
template <class I>
  requires traced_index<I>
constexpr auto eigen_methods<X, Base>::operator()(index, I const& i, auto const&...) const {
  error::index_is_traced<X, I>();
  return detail::at_traced_index<expr<typename X::scalar_type>>(self(), i);
}
template <class X, class Base>
template <class I>
  requires traced_index<I>
constexpr auto eigen_methods<X, Base>::operator[](I const& i) const {
  error::index_is_traced<X, I>();
  return detail::at_traced_index<expr<typename X::scalar_type>>(self(), i);
}

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::row(index i) const& {
  return detail::block_of<1, X::extent[1]>(self(), i, 0);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::col(index j) const& {
  return detail::block_of<X::extent[0], 1>(self(), 0, j);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::block(index i, index j) const& {
  return detail::block_of<Rows, Cols>(self(), i, j);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::block(index i, index j, static_size auto const& rows,
                                             static_size auto const& cols) const& {
  return detail::block_of<detail::size_in<decltype(rows)>, detail::size_in<decltype(cols)>>(self(), i, j);
}
template <class X, class Base>
template <int Rows>
constexpr auto eigen_methods<X, Base>::topRows() const& {
  return detail::block_of<Rows, X::extent[1]>(self(), 0, 0);
}
template <class X, class Base>
template <int Rows>
constexpr auto eigen_methods<X, Base>::middleRows(index i) const& {
  return detail::block_of<Rows, X::extent[1]>(self(), i, 0);
}
template <class X, class Base>
template <int Rows>
constexpr auto eigen_methods<X, Base>::bottomRows() const& {
  return detail::block_of<Rows, X::extent[1]>(self(), X::extent[0] - Rows, 0);
}
template <class X, class Base>
template <int Cols>
constexpr auto eigen_methods<X, Base>::leftCols() const& {
  return detail::block_of<X::extent[0], Cols>(self(), 0, 0);
}
template <class X, class Base>
template <int Cols>
constexpr auto eigen_methods<X, Base>::middleCols(index j) const& {
  return detail::block_of<X::extent[0], Cols>(self(), 0, j);
}
template <class X, class Base>
template <int Cols>
constexpr auto eigen_methods<X, Base>::rightCols() const& {
  return detail::block_of<X::extent[0], Cols>(self(), 0, X::extent[1] - Cols);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::topLeftCorner() const& {
  return detail::block_of<Rows, Cols>(self(), 0, 0);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::topRightCorner() const& {
  return detail::block_of<Rows, Cols>(self(), 0, X::extent[1] - Cols);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::bottomLeftCorner() const& {
  return detail::block_of<Rows, Cols>(self(), X::extent[0] - Rows, 0);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::bottomRightCorner() const& {
  return detail::block_of<Rows, Cols>(self(), X::extent[0] - Rows, X::extent[1] - Cols);
}
template <class X, class Base>
template <int N>
constexpr auto eigen_methods<X, Base>::head() const& {
  return detail::segment_of<N>(self(), 0);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::head(static_size auto const& n) const& {
  return detail::segment_of<detail::size_in<decltype(n)>>(self(), 0);
}
template <class X, class Base>
template <int N>
constexpr auto eigen_methods<X, Base>::segment(index i) const& {
  return detail::segment_of<N>(self(), i);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::segment(index i, static_size auto const& n) const& {
  return detail::segment_of<detail::size_in<decltype(n)>>(self(), i);
}
template <class X, class Base>
template <int N>
constexpr auto eigen_methods<X, Base>::tail() const& {
  return detail::segment_of<N>(self(), X::extent.size() - N);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::tail(static_size auto const& n) const& {
  return detail::segment_of<detail::size_in<decltype(n)>>(self(), X::extent.size() - detail::size_in<decltype(n)>);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::head(std::integral auto n) const {
  error::size_is_part_of_the_type<X, decltype(n)>();
  return self();
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::segment(index, std::integral auto n) const {
  error::size_is_part_of_the_type<X, decltype(n)>();
  return self();
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::tail(std::integral auto n) const {
  error::size_is_part_of_the_type<X, decltype(n)>();
  return self();
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::block(index, index, std::integral auto rows, std::integral auto) const {
  error::size_is_part_of_the_type<X, decltype(rows)>();
  return self();
}

ETCH_NAMESPACE_END
