// both_halves: a function compiled in halves against the gradient of the weighed sum of its results in one program.
#pragma once

#include <etch/compile/split_program.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>
#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace both_halves {

using namespace etch;

template <class F, class Wrt, class... A>
using halves_of = detail::halves<F, detail::settings<allow_unused>, Wrt, A...>;

/// Numbers that no symmetry hides: of either sign, none near 0, no two alike.
template <class A>
void fill(A& a, unsigned seed) {
  argument<A>::visit(a, [&]<class T>(T* data, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      seed = seed * 1664525u + 1013904223u;
      if constexpr (std::is_floating_point_v<T>)
        data[i] = static_cast<T>((0.25 + (seed >> 8) / 33554432.0) * ((seed >> 5 & 1) != 0 ? 1 : -1));
      else data[i] = static_cast<T>(seed >> 20) % 3;
    }
  });
}

/// The sum of seed times result, and all results. Seeds are the last arguments.
template <class F, std::size_t Arguments>
struct weighed {
  constexpr auto operator()(auto const&... all) const {
    auto const given = std::tie(all...);
    auto const results = as_tuple([&]<std::size_t... J>(std::index_sequence<J...>) {
      return F{}(std::get<J>(given)...);
    }(std::make_index_sequence<Arguments>{}));
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple((product(std::get<Arguments + K>(given), std::get<K>(results)) + ...), std::get<K>(results)...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(results)>>>{});
  }

 private:
  template <class R>
  static constexpr auto as_tuple(R const& result) {
    if constexpr (requires { std::tuple_size<R>::value; }) return result;
    else return std::tuple(result);
  }
  template <class R>
  static constexpr auto product(auto const& seed, R const& result) {
    if constexpr (requires { R::extent; }) return sum(cwise_product(seed, result));
    else return seed * result;
  }
};

/// The number of units in the last place between two numbers, as of the larger; any two NaN are equal.
template <class T>
double distance(T a, T b, T scale) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1e300;
  if (a == b) return 0;
  return static_cast<double>(std::abs(a - b)) /
         (std::numeric_limits<T>::epsilon() * static_cast<double>(std::max({std::abs(a), std::abs(b), scale})));
}

template <class T>
std::byte* bytes_of(T* data) {
  return reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(data));
}

/// Storage whose bytes are all ones, hence NaN, to show who writes what.
struct poisoned {
  static constexpr std::size_t line = 64;
  std::unique_ptr<std::byte[]> all;
  std::size_t size;
  explicit poisoned(std::int64_t bytes)
      : all(new std::byte[static_cast<std::size_t>(bytes) + 2 * line]), size(static_cast<std::size_t>(bytes)) {
    poison();
  }
  void poison() { std::memset(begin(), 0xff, size); }
  std::byte* begin() const { return all.get() + (line - reinterpret_cast<std::uintptr_t>(all.get()) % line) % line; }
};

template <class F, class Wrt, class... A>
struct run_of;

/// A call of both halves at some arguments, which are kept, with some seeds.
template <class F, int... I, class... A>
struct run_of<F, wrt<I...>, A...> {
  using halves = halves_of<F, wrt<I...>, A...>;
  static_assert(
      std::is_same_v<decltype(detail::find_mistake_in_halves<F, detail::settings<allow_unused>, wrt<I...>, A...>()),
                     detail::no_mistake>);

  template <std::size_t... K>
  static auto tuple_of_results(std::index_sequence<K...>)
      -> std::tuple<typename halves::template result<static_cast<int>(K)>...>;
  using results_type = decltype(tuple_of_results(std::make_index_sequence<halves::result_count>{}));
  using gradients_type = std::tuple<typename argument<A>::gradient...>;

  std::tuple<A...> arguments;
  results_type results{}, seeds{};
  gradients_type gradients{};
  std::vector<std::byte const*> leaves;
  std::vector<std::byte*> of_results, of_gradients;
  std::vector<std::byte const*> read_leaves, read_results, read_seeds;
  poisoned saved{halves::saved_bytes}, there{halves::forward_workspace_bytes}, back{halves::backward_workspace_bytes};

  explicit run_of(A const&... given) : arguments(given...) {
    fill(seeds, 99);
    argument<std::tuple<A...>>::visit(arguments, [&](auto* data, std::size_t) { leaves.push_back(bytes_of(data)); });
    argument<results_type>::visit(results, [&](auto* data, std::size_t) { of_results.push_back(bytes_of(data)); });
    std::vector<std::byte*> by_leaf;
    argument<gradients_type>::visit(gradients, [&](auto* data, std::size_t n) {
      by_leaf.push_back(bytes_of(data));
      std::memset(data, 0xff, n * sizeof *data);
    });
    for (int i = 0; i < halves::gradient_count; ++i)
      of_gradients.push_back(by_leaf[static_cast<std::size_t>(halves::leaf_of_gradient.entry[i])]);
    // The way back is not given what it does not read.
    for (int i = 0; i < halves::leaf_count; ++i)
      read_leaves.push_back(halves::leaf_is_read(i) ? leaves[static_cast<std::size_t>(i)] : nullptr);
    for (int k = 0; k < halves::result_count; ++k) {
      read_results.push_back(halves::result_is_read(k) ? of_results[static_cast<std::size_t>(k)] : nullptr);
      int n = 0;
      argument<results_type>::visit(seeds, [&](auto* data, std::size_t) {
        if (n++ == k) read_seeds.push_back(halves::seed_is_read(k) ? bytes_of(data) : nullptr);
      });
    }
  }

  status forward() { return halves::forward(leaves.data(), of_results.data(), saved.begin(), there.begin()); }
  template <typename halves::additions Added = typename halves::additions{}>
  status backward() {
    there.poison(), back.poison();
    return halves::template backward<Added>(read_leaves.data(), read_results.data(), saved.begin(), read_seeds.data(),
                                            of_gradients.data(), back.begin());
  }
  template <class Usual>
  status backward(std::vector<char> const& added) {
    back.poison();
    bool is_added[halves::gradient_count + 1] = {};
    for (std::size_t i = 0; i < added.size(); ++i) is_added[i] = added[i] != 0;
    return halves::template backward<Usual>(read_leaves.data(), read_results.data(), saved.begin(), read_seeds.data(),
                                            of_gradients.data(), is_added, back.begin());
  }
  /// Calls `f(entries, number, index)` for each gradient that there is.
  void visit_gradients(auto f) {
    int leaf = 0;
    argument<gradients_type>::visit(gradients, [&](auto* data, std::size_t n) {
      if (int const i = halves::gradient_of_leaf(leaf++); i >= 0) f(data, n, i);
    });
  }
};

/// Distances in units of the last place of the larger number or of 1.
struct distances {
  double once = 0;   ///< of results and gradients from those of one program
  double twice = 0;  ///< of gradients added to themselves from twice as much, where they are added to
};

template <class F, int... I, class... A>
distances distance_from_one_program(wrt<I...>, F, A const&... given) {
  using call = run_of<F, wrt<I...>, A...>;
  using halves = typename call::halves;
  auto const p = std::make_unique<call>(given...);
  CHECK(p->forward() == status::ok);
  CHECK(p->backward() == status::ok);

  distances most;
  auto const compare = [&]<class T>(T const* a, T const* b, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t i = 0; i < n; ++i) most.once = std::max(most.once, distance(a[i], b[i], T{1}));
  };
  auto const expected = std::apply(
      [&](auto const&... seed) {
        return std::make_unique<decltype(value_and_grad<wrt<I...>, allow_unused>(weighed<F, sizeof...(A)>{})(given...,
                                                                                                             seed...))>(
            value_and_grad<wrt<I...>, allow_unused>(weighed<F, sizeof...(A)>{})(given..., seed...));
      },
      p->seeds);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (
        [&] {
          using R = std::tuple_element_t<K, typename call::results_type>;
          auto const& wanted = std::get<K + 1>(expected->value);
          if constexpr (scalar<R>) compare(&std::get<K>(p->results), &wanted, 1);
          else compare(std::get<K>(p->results).data(), wanted.data(), wanted.size());
        }(),
        ...);
  }(std::make_index_sequence<halves::result_count>{});

  std::vector<std::vector<double>> once;
  int next_wanted = 0;
  auto const compare_gradients = [&]<class G>(std::size_t position, G const& wanted) {
    int first = 0, leaf = 0, at = 0;
    fixed<int, sizeof...(A)> const counts{pass::leaf_count<A>()...};
    for (std::size_t i = 0; i < position; ++i) first += counts[i];
    argument<std::remove_const_t<G>>::visit(wanted, [&](auto const* data, std::size_t n) {
      leaf = first + at++;
      bool seen = false;
      p->visit_gradients([&](auto* own, std::size_t, int i) {
        if (halves::leaf_of_gradient.entry[i] != leaf) return;
        seen = true;
        if constexpr (std::is_same_v<std::remove_const_t<std::remove_pointer_t<decltype(data)>>,
                                     std::remove_pointer_t<decltype(own)>>)
          compare(own, data, n);
      });
      using T = std::remove_cvref_t<decltype(*data)>;
      if constexpr (std::is_floating_point_v<T>)
        if (!seen)
          for (std::size_t i = 0; i < n; ++i) CHECK(data[i] == 0);
    });
    ++next_wanted;
  };
  if constexpr (sizeof...(I) == 1) (compare_gradients(static_cast<std::size_t>(I), expected->grad), ...);
  else
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      (compare_gradients(static_cast<std::size_t>(I), std::get<At>(expected->grad)), ...);
    }(std::make_index_sequence<sizeof...(I)>{});
  CHECK(next_wanted == static_cast<int>(sizeof...(I)));

  auto const remember = [&] {
    once.assign(static_cast<std::size_t>(halves::gradient_count), {});
    p->visit_gradients(
        [&](auto* data, std::size_t n, int i) { once[static_cast<std::size_t>(i)].assign(data, data + n); });
  };
  auto const check_multiples = [&](auto factor) {
    p->visit_gradients([&]<class T>(T* data, std::size_t n, int i) {
      for (std::size_t e = 0; e < n; ++e) {
        T const wanted = static_cast<T>(once[static_cast<std::size_t>(i)][e] * factor(i));
        most.twice = std::max(most.twice, distance(data[e], wanted, T{1}));
      }
    });
  };
  remember();
  p->template backward<run::detail::all_gradients<halves::gradient_count, true, 0>()>();
  check_multiples([](int) { return 2; });
  for (int pattern : {0, 1, 2, 3}) {
    std::vector<char> added(static_cast<std::size_t>(halves::gradient_count));
    for (int i = 0; i < halves::gradient_count; ++i)
      added[static_cast<std::size_t>(i)] =
          pattern == 3 ? i % 2 == 0 : pattern == 2 || (pattern == 1 && halves::argument_of_gradient.entry[i] == 0);
    p->template backward<wrt<0>>({});
    p->template backward<wrt<0>>(added);
    check_multiples([&](int i) { return added[static_cast<std::size_t>(i)] != 0 ? 2 : 1; });
  }
  return most;
}

/// Whether the halves agree with one program to so many units in the last place (0: bit for bit), and
/// sums of twice the same to `for_sums`.
inline bool within(double ulps, distances d, double for_sums = 2) {
  CAPTURE(d.once);
  CAPTURE(d.twice);
  CHECK(d.once <= ulps);
  CHECK(d.twice <= for_sums);
  return d.once <= ulps && d.twice <= for_sums;
}

template <class A>
A some(unsigned seed) {
  A a{};
  fill(a, seed);
  return a;
}

}  // namespace both_halves
