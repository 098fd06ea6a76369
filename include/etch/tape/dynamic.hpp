// dynamic::value_and_grad: value and gradient of any lambda on a tape, called as the compiled ones are.
#pragma once

#include <etch/compile/program_error.hpp>
#include <etch/compile/gradient.hpp>
#include <etch/tape/tape.hpp>
#include <etch/transform/gradient.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The floating type of the first leaf that has one, among the arguments at positions `I`.
template <class... A>
consteval auto floating_type_among() {
  graph g;
  int position = 0;
  (static_cast<void>(argument<A>::trace(pass::leaf_maker{&g, &position})), ...);
  for (int id = 0; id < g.size(); ++id)
    if (is_floating(g[id].type)) return g[id].type;
  return element::f64;
}

template <class F, class Wrt>
class gradient_function;

/// Value and gradient of `F`, with tapes of its own, which are used again in the next call.
template <class F, int... I>
class gradient_function<F, wrt<I...>> {
  template <int J, class... A>
  using argument_at = std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<A...>>;

 public:
  explicit gradient_function(F f) : f_(f) {}

  template <class... A>
  auto operator()(A const&... arguments) {
    using gradient = typename etch::detail::gradients_as<typename etch::detail::gradient_at<I, A...>::type...>::type;
    if constexpr (!((I >= 0 && I < static_cast<int>(sizeof...(A))) && ...)) {
      error::wrt_is_out_of_range<wrt<I...>, A...>();
      return etch::value_with_gradient<double, gradient>{};
    } else {
      using T = scalar_of<floating_type_among<argument_at<I, A...>...>()>;
      return on(std::get<tape_state<T>>(ledgers_), arguments...);
    }
  }

 private:
  F f_;
  std::tuple<tape_state<float>, tape_state<double>> ledgers_;

  static constexpr bool is_differentiated(int position) { return ((position == I) || ...); }

  template <class T, class... A>
  auto on(tape_state<T>& l, A const&... arguments) {
    using gradient = typename etch::detail::gradients_as<typename etch::detail::gradient_at<I, A...>::type...>::type;
    l.rewind({});
    std::tuple<std::array<int, static_cast<std::size_t>(pass::leaf_count<A>() + 1)>...> nodes;
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      // Braces: from left to right.
      std::tuple<typename argument<A>::traced...> const values{
          traced_on(l, arguments, std::get<K>(nodes).data(), {is_differentiated(static_cast<int>(K))})...};
      auto const returned = f_(std::get<K>(values)...);
      auto const results = numbers_of(l, returned);
      l.go_back_from(loss_in<T>(returned), true);
      etch::value_with_gradient<std::remove_const_t<decltype(results)>, gradient> all{results, {}};
      if constexpr (sizeof...(I) == 1)
        (read(l, std::get<static_cast<std::size_t>(I)>(std::tie(arguments...)), all.grad,
              std::get<static_cast<std::size_t>(I)>(nodes).data()),
         ...);
      else
        [&]<std::size_t... G>(std::index_sequence<G...>) {
          (read(l, std::get<static_cast<std::size_t>(I)>(std::tie(arguments...)), std::get<G>(all.grad),
                std::get<static_cast<std::size_t>(I)>(nodes).data()),
           ...);
        }(std::make_index_sequence<sizeof...(I)>{});
      return all;
    }(std::index_sequence_for<A...>{});
  }

  /// The results of a loss, as numbers and tensors.
  template <class T, class R>
  static auto numbers_of(tape_state<T>& l, R const& returned) {
    if constexpr (etch::detail::is_tuple<R>)
      return std::apply([&](auto const&... each) { return std::tuple{numbers_of(l, each)...}; }, returned);
    else if constexpr (scalar<R>) return static_cast<T>(returned);
    else if constexpr (constant_handle<R>)
      return numbers_of(l, etch::detail::joined_structure<T>(returned, l.nodes().graph()));
    else return typename off_tape<R>::type(etch::value(returned));
  }
  template <class T, class R>
  static var<T> loss_in(R const& returned) {
    if constexpr (etch::detail::is_tuple<R>) return loss_in<T>(std::get<0>(returned));
    else if constexpr (std::is_convertible_v<R const&, var<T>>) return var<T>(returned);
    else return error::loss_is_not_a_scalar<R>(), var<T>();
  }

  /// The adjoints of the leaves `nodes` as a gradient with respect to `x`; labels and indices have none. Returns the
  /// nodes behind them.
  template <class T, class A>
  static int const* read(tape_state<T>& l, A const& x, auto& gradient, int const* nodes) {
    if constexpr (etch::detail::curved<A>) {
      A ambient = x;
      nodes = read_leaves(l, ambient, nodes);
      gradient = etch::detail::along_tangents(x, ambient);
    } else if constexpr (etch::detail::holds_curved<A>()) {
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((nodes = read(l, etch::detail::part_of<K>(x), std::get<K>(gradient), nodes)), ...);
      }(etch::detail::indices_of<A>());
    } else {
      nodes = read_leaves(l, gradient, nodes);
    }
    return nodes;
  }
  template <class T, class G>
  static int const* read_leaves(tape_state<T>& l, G& gradient, int const* nodes) {
    argument<G>::visit(gradient, [&]<class S>(S* data, std::size_t n) {
      int const node = *nodes++;
      if constexpr (std::is_same_v<S, T>) {
        if (l.nodes().adjoints.of(node) != nullptr) std::copy_n(l.nodes().adjoints.of_or_zeros(node), n, data);
        else std::fill_n(data, n, S{});
      }
    });
    return nodes;
  }
};

/// The function that maps arguments to value and gradient of `f`, which may do with its arguments whatever ordinary
/// code does with `etch::value` of them, and may capture. The result is that of `etch::value_and_grad`. It owns the
/// tape that it runs on: kept, it allocates nothing from the second call on; it is for one thread.
template <class Wrt = wrt<0>, class F>
auto value_and_grad(F f) {
  if constexpr (Wrt::count == 0) error::nothing_to_differentiate<Wrt>();
  return gradient_function<F, Wrt>(f);
}

/// The gradient alone.
template <class Wrt = wrt<0>, class F>
auto grad(F f) {
  return [both = value_and_grad<Wrt>(f)](auto const&... arguments) mutable { return both(arguments...).grad; };
}

}  // namespace dynamic
ETCH_NAMESPACE_END
