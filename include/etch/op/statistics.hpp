// Norms, variances, and the places of extreme entries, over all entries or along axes.
#pragma once

#include <etch/op/extremum.hpp>
#include <etch/op/linalg/product.hpp>
#include <etch/op/power.hpp>
#include <etch/op/softmax.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// A composite whose result has a reduction's shape.
struct statistic : composite {
  static constexpr shape infer(attribute axes, shapes<1> const& x) { return reduction::infer(axes, x); }

 protected:
  /// The gradient of a norm y of the vector x. Nothing is divided by 0, which no constant expression may do.
  static constexpr auto along(auto x, auto g, auto y) {
    auto const is_zero = equal_to(y, 0);
    return x * emit<select>(0, is_zero, constant(*y.owner, y->type, 0),
                            g / emit<select>(0, is_zero, constant(*y.owner, y->type, 1), y));
  }
};

/// x - mean(x). The mean is clamped to the range of the entries, so that equal entries become 0, not their mean's
/// rounding error. The map is a symmetric projection: dx = g - mean(g).
struct centred : composite {
  static constexpr auto name = "centred";
  static constexpr auto call = "centred<0>(x)";
  static constexpr auto formula = "x - mean(x)";
  static constexpr interval domain{-4, 4};
  static constexpr auto expand(attribute axes, auto x) {
    auto const mean = emit<sum>(axes, x) / reduction::entries_at_run_time(axes, x);
    return x - emit<clamp>(0, mean, emit<min>(axes, x), emit<max>(axes, x));
  }
  static constexpr auto pullback(auto g, auto, auto, attribute axes) { return operands{emit<centred>(axes, g)}; }
};

/// sqrt(sum(x²)).  dy/dx = x / y; 0 where all entries are 0. Entries are not scaled: their squares must neither
/// overflow nor vanish.
struct norm : statistic {
  static constexpr auto name = "norm";
  static constexpr auto call = "norm<0>(x)";
  static constexpr auto formula = "sqrt(x1^2 + x2^2 + ...)";
  static constexpr auto kinks =
      "gradient 0 where all entries are 0; squares may overflow or vanish, unlike those of `stableNorm` and `hypot`";
  static constexpr interval domain{-4, 4};
  static constexpr auto expand(attribute axes, auto x) { return etch::sqrt(emit<sum>(axes, x * x)); }
  static constexpr auto pullback(auto g, auto y, auto x) { return operands{along(x, g, y)}; }
};

/// sum((x - mean(x))²).  dy/dx = 2 (x - mean(x)).
struct squared_deviation : statistic {
  static constexpr auto name = "squared_deviation";
  static constexpr auto part_of = "variance";
  static constexpr auto formula = "squared_norm(x - mean(x))";
  static constexpr interval domain{-4, 4};
  static constexpr auto expand(attribute axes, auto x) {
    auto const z = centred::expand(axes, x);
    return emit<sum>(axes, z * z);
  }
  static constexpr auto pullback(auto g, auto, auto x, attribute axes) {
    return operands{2 * g * emit<centred>(axes, x)};
  }
};

/// The norm of x - mean(x).  dy/dx = (x - mean(x)) / y; 0 where all entries are equal.
struct deviation : statistic {
  static constexpr auto name = "deviation";
  static constexpr auto part_of = "stddev";
  static constexpr auto formula = "norm(x - mean(x))";
  static constexpr auto kinks = "0 with gradient 0 where all entries are equal";
  static constexpr interval domain{-4, 4};
  static constexpr auto expand(attribute axes, auto x) { return etch::sqrt(squared_deviation::expand(axes, x)); }
  static constexpr auto pullback(auto g, auto y, auto x, attribute axes) {
    return operands{along(emit<centred>(axes, x), g, y)};
  }
};

/// The first index of the entry that `Extreme` gives, in memory order along the reduced axes;
/// no derivative flows through it.
template <class Extreme>
struct place_of : statistic {
  static constexpr bool differentiable = false;
  static constexpr auto kinks = "the first index on ties, of the first NaN if there is one; gradient 0 everywhere";
  static constexpr auto expand(attribute axes, auto x) {
    graph& to = *x.owner;
    auto index = constant(to, x->type, 0);
    double step = 1;
    for (int axis = 0; axis < max_rank; ++axis) {
      int const n = x.extent()[axis];
      if (!reduction::reduces(axes, axis) || n == 1) continue;
      index = index + etch::iota(to, x->type, axis, n) * step;
      step *= n;
    }
    auto const hit = equal_to(x, emit<Extreme>(axes, x)) + emit<not_equal>(0, x, x);
    return emit<min>(axes, emit<select>(0, hit, index, constant(to, x->type, step)));
  }
};

struct argmax : place_of<max> {
  static constexpr auto name = "argmax";
  static constexpr auto call = "argmax<0>(x)";
  static constexpr auto formula = "the index of the largest entry";
};

struct argmin : place_of<min> {
  static constexpr auto name = "argmin";
  static constexpr auto call = "argmin<0>(x)";
  static constexpr auto formula = "the index of the smallest entry";
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The entries less their mean, over all entries or along the given axes; exactly 0 where all are equal.
template <int... Axis, handle X>
constexpr auto centred(X const& x) {
  return apply<op::centred, detail::axes<Axis...>>(x);
}

/// The Euclidean norm of all entries, or along the given axes; 0 with gradient 0 for zeros.
template <int... Axis, handle X>
constexpr auto norm(X const& x) {
  return apply<op::norm, detail::axes<Axis...>>(x);
}
/// `x` divided by its Euclidean norm, over all entries or along the given axes; zeros stay zeros, with gradient 0.
template <int... Axis, handle X>
constexpr auto normalize(X const& x) {
  auto const length = norm<Axis...>(x);
  auto const is_zero = equal_to(length, 0);
  return select(is_zero, 0, x / select(is_zero, 1, length));
}
/// The sum of squares of all entries, or along the given axes.
template <int... Axis, handle X>
constexpr auto squared_norm(X const& x) {
  return sum<Axis...>(square(x));
}

namespace error {
[[noreturn]] inline void no_degrees_of_freedom(long long entries, int ddof) {
  raise("a variance of " + std::to_string(entries) + " entries with ddof = " + std::to_string(ddof) +
        " would divide by nothing");
}
}  // namespace error

namespace detail {
/// By what a sum of squares is divided.
template <int... Axis, handle X>
constexpr auto degrees_of_freedom(X const& x, int ddof) {
  if constexpr (!counts<X, Axis...>) {
    double const n = entries<Axis...>(x);
    if (n <= ddof) error::no_degrees_of_freedom(static_cast<long long>(n), ddof);
  }
  return entries<Axis...>(x, ddof);
}
/// The root of a number, or of a scalar.
constexpr double root_of(double x) { return math::sqrt(x); }
template <handle X>
constexpr auto root_of(X const& x) {
  return etch::sqrt(x);
}
}  // namespace detail

/// The variance of all entries, or along the given axes: of a population, or with `ddof` = 1 of
/// a sample. From centred entries.
template <int... Axis, handle X>
constexpr auto variance(X const& x, int ddof = 0) {
  return apply<op::squared_deviation, detail::axes<Axis...>>(x) / detail::degrees_of_freedom<Axis...>(x, ddof);
}
namespace by_argument {
/// The variance: `var(x)` and `var<Axis>(x)` without a namespace in front, since `etch::var` is a value on a tape.
template <int... Axis, handle X>
constexpr auto var(X const& x, int ddof = 0) {
  return variance<Axis...>(x, ddof);
}
}  // namespace by_argument
/// The standard deviation, the root of the variance; 0 with gradient 0 where all entries are equal.
template <int... Axis, handle X>
constexpr auto stddev(X const& x, int ddof = 0) {
  return apply<op::deviation, detail::axes<Axis...>>(x) / detail::root_of(detail::degrees_of_freedom<Axis...>(x, ddof));
}

/// The sum of products of two vectors of the same size; rows and columns are vectors too.
template <static_handle A, static_handle B>
constexpr auto dot(A const& a, B const& b) {
  constexpr auto is_vector = [](shape const& s) { return s.size() == s[0] || s.size() == s[1]; };
  constexpr bool vectors = is_vector(A::extent) && is_vector(B::extent),
                 same_size = A::extent.size() == B::extent.size();
  static_assert(vectors, "etch: dot takes two vectors; for other tensors use sum(cwise_product(a, b))");
  static_assert(same_size, "etch: dot takes two vectors of the same size");
  if constexpr (vectors && same_size) {
    constexpr shape flat = counted_as(make_shape(A::extent.size()), A::extent);
    [[maybe_unused]] graph* const owner = detail::owner_of(a, b);
    auto const flattened = [&](auto const& x) {
      if constexpr (requires { x.term_in(*owner); })
        if (x.owner == nullptr && owner != nullptr)
          return make_expr<typename std::remove_cvref_t<decltype(x)>::scalar_type, flat>(
              owner, etch::reshaped(detail::joined(x, *owner), flat).id);
      return apply_to<op::reshape, flat>(x);
    };
    return sum(cwise_product(flattened(a), flattened(b)));
  } else {
    return detail::instead_of<detail::likely_type<A, B>, shape{}>(a, b);
  }
}
template <class A, class B>
  requires detail::stray_operands<A, B>
constexpr auto dot(A const& a, B const& b) {
  return detail::with_constants([](auto const& x, auto const& y) { return etch::dot(x, y); }, a, b);
}
template <class A, class B>
  requires(detail::traced_pair<A, B> && (scalar<A> || scalar<B>))
constexpr auto dot(A const& a, B const& b) {
  error::number_is_no_vector<A, B>();
  return detail::instead_of<detail::likely_type<A, B>, shape{}>(a, b);
}
constexpr term dot(term a, term b) { return sum(a * b); }

namespace detail {
template <class Op, int... Axis, handle X>
constexpr auto place(X const& x) {
  if constexpr (static_handle<X>) {
    constexpr auto count = op::reduction::entries(axes<Axis...>, X::extent);
    if constexpr (sizeof(typename X::scalar_type) == 4 && count > (1 << 24)) error::indices_exceed_float<X>();
  }
  return apply<Op, axes<Axis...>>(x);
}
}  // namespace detail

/// The index of the largest entry, as a number in the element type: in memory order over all entries, or along the
/// given axes. Of equal entries the first; NaN counts as largest.
template <int... Axis, handle X>
constexpr auto argmax(X const& x) {
  return detail::place<op::argmax, Axis...>(x);
}
/// The index of the smallest entry, as a number in the element type. Of equal entries the
/// first; NaN counts as smallest.
template <int... Axis, handle X>
constexpr auto argmin(X const& x) {
  return detail::place<op::argmin, Axis...>(x);
}

ETCH_NAMESPACE_END
