// check_gradient: derivatives of a function compared with differences of its values, and of the ways to compute them.
#pragma once

#include <etch/compile/finite.hpp>
#include <etch/tape/dynamic.hpp>
#include <etch/transform/jvp.hpp>
#include <etch/view/leaf_names.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

ETCH_NAMESPACE_BEGIN

/// The result of `check_gradient`.
struct gradient_check {
  /// One leaf of the arguments.
  struct leaf {
    std::string name;         ///< such as `argument 0.hidden.weight`
    std::size_t checked = 0;  ///< entries compared with differences
    std::size_t entry = 0;    ///< the one with the largest error, in storage order
    double derivative = 0, difference = 0;
    double uncertainty = 0;  ///< of the difference, by its own estimate
    double error = 0;        ///< relative
    bool ok = true;
  };

  bool ok = true;
  double worst = 0;          ///< the largest relative error of a derivative against a difference
  double forward_error = 0;  ///< of the derivative along a direction by `jvp` against the gradient's, relative
  double tape_error = 0;     ///< of gradients on a tape against the program's, relative
  double allowed = 0;        ///< the relative error that counts as none
  std::vector<leaf> leaves;

  /// A line for each leaf, the worst first, and one for each other way to compute the derivative.
  std::string text() const {
    std::vector<leaf> sorted = leaves;
    std::sort(sorted.begin(), sorted.end(),
              [](leaf const& a, leaf const& b) { return a.ok != b.ok ? b.ok : a.error > b.error; });
    std::string all = ok ? "the gradient agrees with differences\n" : "THE GRADIENT DISAGREES\n";
    char line[256];
    for (leaf const& each : sorted) {
      std::snprintf(line, sizeof line,
                    ": entry %zu: derivative %.10g, difference %.10g +- %.1g, relative error %.1e%s (%zu entries)\n",
                    each.entry, each.derivative, each.difference, each.uncertainty, each.error,
                    each.ok ? "" : " TOO LARGE", each.checked);
      all += each.name + line;
    }
    std::snprintf(line, sizeof line,
                  "along a direction, forward mode: relative error %.1e\non a tape: relative error %.1e\n",
                  forward_error, tape_error);
    return all + line;
  }
};

namespace detail {

/// Numbers between -1 and 1 that have no pattern; none is near 0.
class directions {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    double const unit = static_cast<double>(state_ >> 11) * 0x1p-53;
    return unit < 0.5 ? unit - 1 : unit;
  }

 private:
  std::uint64_t state_ = 20190531;
};

/// (x..., v...) -> the derivative of order `Order` - 1 of the value of f along v..., whose gradient by x has f's
/// derivatives of order `Order`.
template <int Order, class F>
struct nested_slope {
  [[no_unique_address]] F f;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const all = std::tie(x...);
      auto const lower = [&](auto const&... y) {
        if constexpr (Order == 2) return value_of_result(f(y...));
        else return nested_slope<Order - 1, F>{f}(y..., std::get<sizeof...(I) + I>(all)...);
      };
      return std::get<1>(jvp(lower)(std::get<I>(all)..., std::get<sizeof...(I) + I>(all)...));
    }(std::make_index_sequence<sizeof...(X) / 2>{});
  }
};

/// A number that a function has returned first.
template <class Value>
double first_number(Value const& value) {
  if constexpr (scalar<Value>) return static_cast<double>(value);
  else if constexpr (is_tuple<Value>) return first_number(std::get<0>(value));
  else return static_cast<double>(value.data()[0]);
}

/// By its bits, so that it holds under -ffast-math too.
inline bool is_finite(double x) { return run::all_finite(&x, 1); }

/// The derivative of `f` at 0 and an estimate of its error, by central differences whose steps are halved, extrapolated
/// to step 0. (C. Ridders, Accurate computation of F'(x) and F'(x) F''(x), 1982.) `noise` is the rounding error of f.
inline std::array<double, 2> difference_of(auto const& f, double step, double noise) {
  constexpr int rounds = 8;
  double table[rounds][rounds], best = 0, error = std::numeric_limits<double>::max();
  for (int i = 0; i < rounds; ++i, step /= 2) {
    table[i][0] = (f(step) - f(-step)) / (2 * step);
    double factor = 1;
    for (int j = 1; j <= i; ++j) {
      factor *= 4;
      table[i][j] = (factor * table[i][j - 1] - table[i - 1][j - 1]) / (factor - 1);
      double const estimate =
          std::max(std::abs(table[i][j] - table[i][j - 1]), std::abs(table[i][j] - table[i - 1][j - 1])) + noise / step;
      if (estimate < error) error = estimate, best = table[i][j];
    }
  }
  return {best, error};
}

template <class F, class Wrt, class... A>
class gradient_checker;

/// Compares derivatives of the loss `F` by the arguments at positions `I`.
template <class F, int... I, class... A>
class gradient_checker<F, wrt<I...>, A...> {
  template <int J>
  using at = std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<A...>>;

 public:
  gradient_check operator()(A const&... arguments) const {
    gradient_check all;
    std::tuple<A...> x(arguments...);
    auto const by_program = gradient_function<F, wrt<I...>, settings<allow_unused>>{}(arguments...);
    double const value = first_number(by_program.value);
    std::vector<std::string> const names = names_of_leaves();
    constexpr bool is_single = (holds_float<at<I>>() || ...);
    all.allowed = is_single ? 1e-2 : 1e-6;
    double const rounding = is_single ? 0x1p-23 : 0x1p-52;
    std::size_t k = 0;
    for_each_gradient(by_program.grad, x, [&](auto* g, auto* entries, std::size_t n) {
      all.leaves.push_back(compare(g, entries, n, x, 16 * rounding * std::max(1.0, std::abs(value))));
      all.leaves.back().name = names[k++];
    });
    double largest = 0;
    for (auto const& each : all.leaves) largest = std::max(largest, std::abs(each.derivative));
    for (auto& each : all.leaves) {
      double const scale = std::max({std::abs(each.derivative), std::abs(each.difference), 1e-3 * largest});
      double const distance = std::abs(each.derivative - each.difference);
      each.error = scale > 0 ? distance / scale : distance;
      each.ok = is_finite(distance) && distance <= all.allowed * scale + 10 * each.uncertainty;
      all.worst = std::max(all.worst, is_finite(each.error) ? each.error : std::numeric_limits<double>::max());
      all.ok = all.ok && each.ok;
    }
    compare_modes(all, by_program.grad, x);
    return all;
  }

 private:
  template <class X>
  static consteval bool holds_float() {
    return std::is_same_v<X, float> || element_bytes<typename argument<X>::traced>() == sizeof(float);
  }
  static std::vector<std::string> names_of_leaves() {
    std::vector<std::string> names;
    auto const add = [&]<int J>(std::integral_constant<int, J>) {
      for_each_leaf_path<at<J>>(std::to_string(J), path_style::subscripts, [&]<class Leaf>(std::string const& path) {
        if constexpr (std::is_floating_point_v<typename argument<Leaf>::traced::scalar_type>)
          names.push_back("argument " + path);
      });
    };
    (add(std::integral_constant<int, I>{}), ...);
    return names;
  }

  /// Calls `f(gradient, entries, their number)` for every floating leaf of the arguments differentiated.
  template <class Gradient, class... X>
  static void for_each_gradient(Gradient const& gradient, std::tuple<X...>& x, auto f) {
    auto const one = [&]<int J>(std::integral_constant<int, J>, auto const& g) {
      std::vector<void const*> gradients;
      argument<typename argument<at<J>>::gradient>::visit(
          g, [&](auto const* data, std::size_t) { gradients.push_back(data); });
      std::size_t k = 0;
      auto& to = std::get<static_cast<std::size_t>(J)>(x);
      argument<std::remove_reference_t<decltype(to)>>::visit(to, [&]<class T>(T* entries, std::size_t n) {
        if constexpr (std::is_floating_point_v<T>) f(static_cast<T const*>(gradients[k]), entries, n);
        ++k;
      });
    };
    if constexpr (sizeof...(I) == 1) (one(std::integral_constant<int, I>{}, gradient), ...);
    else
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        (one(std::integral_constant<int, I>{}, std::get<K>(gradient)), ...);
      }(std::make_index_sequence<sizeof...(I)>{});
  }
  static double value_at(std::tuple<A...> const& x) {
    return first_number(std::apply(
        [](auto const&... each) { return gradient_function<F, wrt<>, settings<>>{}.values_at(each...); }, x));
  }

  /// The entries of one leaf: all of up to 64, else so many of them.
  template <class T>
  static gradient_check::leaf compare(T const* g, T* entries, std::size_t n, std::tuple<A...> const& x, double noise) {
    gradient_check::leaf worst;
    std::size_t const by = (n + 63) / 64;
    double largest = 0;
    for (std::size_t i = 0; i < n; i += by) {
      T const was = entries[i];
      double const step = 0.02 * std::max(1.0, std::abs(static_cast<double>(was)));
      auto const moved = [&](double by_step) {
        entries[i] = static_cast<T>(static_cast<double>(was) + by_step);
        return value_at(x);
      };
      auto const [difference, uncertainty] = difference_of(moved, step, noise);
      entries[i] = was;
      double const distance = std::abs(static_cast<double>(g[i]) - difference);
      double const beyond =
          is_finite(distance) ? distance - std::min(10 * uncertainty, 1e300) : std::numeric_limits<double>::max();
      if (++worst.checked == 1 || beyond > largest) {
        largest = beyond;
        worst.entry = i, worst.derivative = static_cast<double>(g[i]);
        worst.difference = difference, worst.uncertainty = uncertainty;
      }
    }
    return worst;
  }

  /// Forward mode along one direction, and a tape.
  template <class Gradient>
  static void compare_modes(gradient_check& all, Gradient const& gradient, std::tuple<A...>& x) {
    std::tuple<typename argument<A>::gradient...> direction{};
    directions numbers;
    double expected = 0, size = 0;
    auto const zero = [&](auto& each) {
      argument<std::remove_reference_t<decltype(each)>>::visit(each, []<class T>(T* entries, std::size_t n) {
        if constexpr (std::is_floating_point_v<T>) std::fill_n(entries, n, T(0));
      });
    };
    std::apply([&](auto&... each) { (zero(each), ...); }, direction);
    for_each_gradient(gradient, direction, [&]<class T>(T const* g, T* v, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = static_cast<T>(numbers.next());
        expected += static_cast<double>(g[i]) * static_cast<double>(v[i]);
        size += std::abs(static_cast<double>(g[i]) * static_cast<double>(v[i]));
      }
    });
    double const forward = std::apply(
        [&](auto const&... each) {
          return std::apply([&](auto const&... v) { return first_number(std::get<1>(jvp(F{})(each..., v...))); },
                            direction);
        },
        x);
    all.forward_error = size > 0 ? std::abs(forward - expected) / size : std::abs(forward - expected);
    auto const on_tape =
        std::apply([](auto const&... each) { return dynamic::value_and_grad<wrt<I...>>(F{})(each...).grad; }, x);
    std::vector<double> flat;
    for_each_gradient(gradient, x, [&](auto const* g, auto*, std::size_t n) { flat.insert(flat.end(), g, g + n); });
    double distance = 0, largest = 0;
    std::size_t k = 0;
    for_each_gradient(on_tape, x, [&](auto const* g, auto*, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i, ++k) {
        distance = std::max(distance, std::abs(static_cast<double>(g[i]) - flat[k]));
        largest = std::max(largest, std::abs(flat[k]));
      }
    });
    all.tape_error = largest > 0 ? distance / largest : distance;
    double const allowed = 1e-3 * all.allowed;  // no difference is taken: rounding errors alone
    all.ok = all.ok && all.forward_error <= allowed && all.tape_error <= allowed;
  }
};

/// Positions of arguments, to be put together.
template <int... I>
struct position_list {
  using type = wrt<I...>;
  template <int... J>
  friend constexpr position_list<I..., J...> operator+(position_list, position_list<J...>) {
    return {};
  }
};
/// The positions of arguments that have derivatives.
template <class... A>
consteval auto differentiable_positions() {
  return []<int... K>(std::integer_sequence<int, K...>) {
    return (position_list<>{} + ... +
            std::conditional_t<has_floating_leaf<typename argument<A>::traced>(), position_list<K>, position_list<>>{});
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(A))>{});
}

/// The type of steps along which an argument is checked: its own, or that of its tangent vectors.
template <class A>
struct step_of {
  using type = A;
};
template <class A>
  requires(holds_curved<A>())
struct step_of<A> {
  using type = typename argument<A>::gradient;
};
/// The argument `x` with tangent vectors of zeros in the place of manifolds.
template <class X>
auto no_step(X const& x) {
  if constexpr (curved<X>) return typename X::tangent{};
  else if constexpr (holds_curved<X>()) return map_parts([](auto const& part) { return no_step(part); }, x);
  else return x;
}
/// (v..., x...) -> f(retract(x, v)...), where what is no manifold is as in v: entries of v may move one by one.
template <class F>
struct of_steps {
  [[no_unique_address]] F f;

  constexpr auto operator()(auto const&... all) const {
    auto const given = std::tie(all...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return f(retracted<true>(std::get<sizeof...(I) + I>(given), std::get<I>(given))...);
    }(std::make_index_sequence<sizeof...(all) / 2>{});
  }
};

/// Arguments like `a` with numbers of no pattern in the place of floating ones at positions `I`, and 0 in that of
/// others.
template <int... I, class Arguments>
Arguments patternless(wrt<I...>, Arguments a) {
  directions numbers;
  int at = 0;
  std::apply(
      [&](auto&... each) {
        auto const fill = [&](auto& one) {
          bool const is_named = ((at == I) || ...);
          argument<std::remove_reference_t<decltype(one)>>::visit(one, [&]<class T>(T* entries, std::size_t n) {
            if constexpr (std::is_floating_point_v<T>)
              for (std::size_t i = 0; i < n; ++i) entries[i] = is_named ? static_cast<T>(numbers.next()) : T(0);
          });
          ++at;
        };
        (fill(each), ...);
      },
      a);
  return a;
}

}  // namespace detail

/// Compares the derivatives of the loss `f` at `arguments`, by those at the positions in `Wrt`, with differences of its
/// values, the derivative along a direction by forward mode with the gradient, and gradients on a tape with the
/// program's. Up to 64 entries of a leaf are compared with differences. With `Order` 2 or 3 it is the derivative of
/// that order along one direction that is compared, so that second and third derivatives are checked. Numbers of
/// `float` are compared to 1 %, of `double` to 1e-6, or to the uncertainty of the difference itself. For tests: it
/// allocates, and takes some twenty evaluations for each entry. By manifolds it is the first derivative along tangent
/// vectors that is compared. Docs: derivatives.md.
template <class Wrt, int Order = 1, class F, class... A>
gradient_check check_gradient(F const& f, A const&... arguments) {
  static_assert(Order >= 1, "etch: derivatives of order 1 and above are compared");
  if constexpr (!detail::names_arguments<Wrt, A...>) {
    error::wrt_is_out_of_range<Wrt, A...>();
    return {};
  } else if constexpr ((detail::holds_curved<A>() || ...)) {
    static_assert(Order == 1, "etch: by manifolds first derivatives are compared, those of higher order not");
    return detail::gradient_checker<detail::of_steps<F>, Wrt, typename detail::step_of<A>::type..., A...>{}(
        detail::no_step(arguments)..., arguments...);
  } else if constexpr (Order == 1) {
    return detail::gradient_checker<F, Wrt, A...>{}(arguments...);
  } else {
    static_cast<void>(f);
    auto const directions = detail::patternless(Wrt{}, std::tuple<A...>(arguments...));
    return std::apply(
        [&](auto const&... v) {
          return detail::gradient_checker<detail::nested_slope<Order, F>, Wrt, A..., A...>{}(arguments..., v...);
        },
        directions);
  }
}

/// Compares the derivatives by all arguments of floating type.
template <int Order = 1, class F, class... A>
gradient_check check_gradient(F const& f, A const&... arguments) {
  return check_gradient<typename decltype(detail::differentiable_positions<A...>())::type, Order>(f, arguments...);
}

ETCH_NAMESPACE_END
