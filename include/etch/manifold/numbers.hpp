// numbers: what the formulas of manifolds are written in: entries of vectors, and functions of numbers that are plain,
// traced or on a tape.
#pragma once

#include <etch/core/eigen.hpp>
#include <etch/core/named_view.hpp>
#include <etch/op/concat.hpp>
#include <etch/op/elementwise.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {
template <class V, int Entries>
constexpr auto vector_has_other_entries() {
  static_assert(never<V>,
                "etch: a tangent vector has as many entries as `tangent` of its manifold, and a point as many as its "
                "space has dimensions; the columns of a matrix are points");
  return mistake{};
}
}  // namespace error

namespace manifold::detail {

/// The element tag of a result of two operands: that which is not plain.
template <class T, class U>
using joint = std::conditional_t<scalar<T>, U, T>;

/// Entry `i` of a vector of any kind; a number is its own.
template <class V>
constexpr auto entry(V const& v, int i) {
  if constexpr (static_handle<V>) {
    if constexpr (V::extent.rank == 0) return v;
    else return v(i);
  } else if constexpr (requires { v[0]; }) {
    using S = std::remove_cvref_t<decltype(v[0])>;
    return S(v[static_cast<std::conditional_t<requires { v.derived(); }, std::ptrdiff_t, std::size_t>>(i)]);
  } else {
    return v;
  }
}
/// The entries of a vector as far as its type tells, else -1.
template <class V>
consteval int known_entries() {
  if constexpr (static_handle<V>) return static_cast<int>(V::extent.size());
  else if constexpr (requires { V::SizeAtCompileTime; }) return V::SizeAtCompileTime;
  else if constexpr (requires { std::tuple_size<V>::value; }) return static_cast<int>(std::tuple_size<V>::value);
  else if constexpr (requires { std::integral_constant<std::size_t, V::count>{}; }) return static_cast<int>(V::count);
  else return -1;
}
/// `v`, which has `N` entries, as far as its type tells.
template <int N, class V>
constexpr V const& with_entries(V const& v) {
  if constexpr (known_entries<V>() >= 0 && known_entries<V>() != N) error::vector_has_other_entries<V, N>();
  return v;
}
/// Whether the columns of a matrix `P` are points of so many dimensions: of a tensor, of Eigen's, or a traced one.
template <class P, int Dimensions>
concept columns_of_points = requires { requires P::extent.rank == 2 && P::extent[0] == Dimensions; } ||
                            requires { requires P::RowsAtCompileTime == Dimensions&& P::ColsAtCompileTime != 1; };
/// The first entry of a vector or of a matrix.
template <class V>
constexpr auto first_entry(V const& v) {
  if constexpr (requires { requires V::extent.rank == 2; }) return v(0, 0);
  else if constexpr (etch::detail::eigen_dense<V>) return typename V::Scalar(v(0, 0));
  else return entry(v, 0);
}
/// The element tag of a vector or a matrix: that of a struct whose members are such entries.
template <class E>
struct tag_of_entry {
  using type = E;
};
template <constant_handle E>
struct tag_of_entry<E> {
  using type = double;
};
template <static_handle E>
  requires(!constant_handle<E>)
struct tag_of_entry<E> {
  using type = symbol<typename E::scalar_type>;
};
template <class V>
using tag_of = typename tag_of_entry<std::remove_cvref_t<decltype(first_entry(std::declval<V const&>()))>>::type;

/// The tensor of these entries, or its like among traced values.
template <int... Dims, class T, std::same_as<T>... More>
constexpr auto tensor_of(T const& first, More const&... more) {
  if constexpr (scalar<T>) return tensor<T, Dims...>(first, more...);
  else if constexpr (sizeof...(Dims) == 1) return etch::stack<0>(first, more...);
  else return etch::reshape<Dims...>(etch::stack<0>(first, more...));
}

/// The image of a point with `Dimensions` entries, `one(point)`, or of each column of a matrix [Dimensions, n]: traced
/// ones at once, `all(points)`. `S` is the image's element tag.
template <int Dimensions, class S, class P>
constexpr auto image(P const& points, auto const& one, auto const& all) {
  if constexpr (!columns_of_points<P, Dimensions>) {
    return one(with_entries<Dimensions>(points));
  } else if constexpr (!scalar<S>) {
    if constexpr (static_handle<P>) return all(points.matrix());  // products of arrays are by entries
    else return all(points);
  } else {
    auto y = [&] {
      if constexpr (etch::detail::eigen_dense<P>) return typename P::PlainObject(points);
      else return points;
    }();
    for (int j = 0; j < static_cast<int>(y.size()) / Dimensions; ++j) {
      tensor<S, Dimensions> x;
      for (int i = 0; i < Dimensions; ++i) x(i) = y(i, j);
      x = one(x);
      for (int i = 0; i < Dimensions; ++i) y(i, j) = x(i);
    }
    return y;
  }
}

/// Three numbers; their operations are those of vectors.
template <class T>
struct triple {
  T x, y, z;

  template <class V>
  static constexpr triple of(V const& v) {
    return {static_cast<T>(entry(v, 0)), static_cast<T>(entry(v, 1)), static_cast<T>(entry(v, 2))};
  }
  constexpr auto vector() const { return tensor_of<3>(x, y, z); }

  friend constexpr triple operator+(triple const& a, triple const& b) {
    return {T(a.x + b.x), T(a.y + b.y), T(a.z + b.z)};
  }
  friend constexpr triple operator*(T const& s, triple const& a) { return {T(s * a.x), T(s * a.y), T(s * a.z)}; }
  friend constexpr triple cross(triple const& a, triple const& b) {
    return {T(a.y * b.z - a.z * b.y), T(a.z * b.x - a.x * b.z), T(a.x * b.y - a.y * b.x)};
  }
  friend constexpr T dot(triple const& a, triple const& b) { return T(a.x * b.x + a.y * b.y + a.z * b.z); }
};

template <class T>
constexpr T cosine(T const& x) {
  if constexpr (scalar<T>) return math::cos(x);
  else return T(etch::cos(x));
}
template <class T>
constexpr T sine(T const& x) {
  if constexpr (scalar<T>) return math::sin(x);
  else return T(etch::sin(x));
}
template <class T>
constexpr T angle(T const& y, T const& x) {
  if constexpr (scalar<T>) return math::atan2(y, x);
  else return T(etch::atan2(y, x));
}
template <class T>
constexpr T inverse_root(T const& x) {
  if constexpr (scalar<T>) return math::rsqrt(x);
  else return T(etch::rsqrt(x));
}
/// Stumpff's function of order `K`.
template <int K, class T>
constexpr T series(T const& s) {
  if constexpr (scalar<T>) return math::stumpff(T(K), s);
  else return T(etch::stumpff<K>(s));
}
/// Stumpff's functions themselves, and what is left of them in exponentials to second order: c_0 = 1 - s/2, and the
/// values of others at 0.
struct exactly {
  template <int K, class T>
  static constexpr T series(T const& s) {
    return detail::series<K>(s);
  }
};
struct to_second_order {
  template <int K, class T>
  static constexpr T series(T const& s) {
    if constexpr (K == 0) return T(1 - T(0.5) * s);
    else return T(math::detail::inverse_factorial(K));
  }
};
/// The angle of the point (w, √s) over √s.
template <class T>
constexpr T ratio(T const& s, T const& w) {
  if constexpr (scalar<T>) return math::angle_ratio(T(1), s, w);
  else return T(etch::angle_ratio(s, w));
}
template <class T>
constexpr T either(auto const& condition, T const& a, T const& b) {
  if constexpr (scalar<T>) return condition ? a : b;
  else return T(etch::select(condition, a, b));
}

}  // namespace manifold::detail
ETCH_NAMESPACE_END
