// memory_models: the programs whose memory is measured.
#pragma once

#include <etch/etch.hpp>

#include <memory>
#include <utility>

namespace memory_models {

using namespace etch;

/// The problem `mlp` of the benchmarks.
inline constexpr auto mlp = [](auto x, auto w1, auto b1, auto w2, auto b2) {
  return sum(square(w2 * tanh(w1 * x + b1) + b2));
};

inline constexpr auto dense_exp = [](auto w, auto x, auto b) { return sum(exp(w * x + b)); };

inline constexpr auto normal = [](auto x, auto mu, auto sigma) {
  return -0.5 * sum(square((x - mu) / sigma)) - 1000 * log(sigma);
};

inline constexpr auto regression = [](auto w, auto b, auto sigma, auto x, auto y) {
  return -0.5 * sum(square((y - x * w - b) / sigma)) - 1000 * log(sigma) - 0.5 * sum(square(w)) - 0.5 * square(b);
};

/// z <- x z, `Steps` times.
template <int Steps>
struct chain {
  constexpr auto operator()(auto x) const {
    auto z = x;
    for (int i = 0; i < Steps; ++i) z = x * z;
    return sum(square(z));
  }
};

/// One matrix in `Uses` products.
template <int Uses>
struct fan_out {
  constexpr auto operator()(auto w, auto x) const {
    auto h = x;
    for (int i = 0; i < Uses; ++i) h = tanh(w * h);
    return sum(square(h));
  }
};

/// An unrolled recurrent network; `Cell` maps input and state to the next state.
template <class Cell, int Units, int Batch, int Steps>
struct unrolled {
  constexpr auto operator()(auto w, auto u, auto b, auto xs, auto h, auto c) const {
    expr<float> total(0);
    [&]<int... Step>(std::integer_sequence<int, Step...>) {
      (..., [&] {
        auto const [next_h, next_c] = Cell{}(w, u, b, reshape<Units, Batch>(slice<2, Step, 1>(xs)), h, c);
        h = next_h;
        c = next_c;
        total = total + sum(square(h));
      }());
    }(std::make_integer_sequence<int, Steps>{});
    return total;
  }
};

template <int Units>
struct lstm {
  constexpr auto operator()(auto w, auto u, auto b, auto x, auto h, auto c) const {
    auto const z = w * x + u * h + b;
    auto const [in, forget, update, out] = split<0, 4>(z);
    auto const next = cwise_product(sigmoid(forget), c) + cwise_product(sigmoid(in), tanh(update));
    return std::pair{cwise_product(sigmoid(out), tanh(next)), next};
  }
};

template <int Units>
struct gru {
  constexpr auto operator()(auto w, auto u, auto b, auto x, auto h, auto c) const {
    auto const of_input = w * x + b, of_state = u * h;
    auto const [reset_x, update_x, new_x] = split<0, 3>(of_input);
    auto const [reset_h, update_h, new_h] = split<0, 3>(of_state);
    auto const update = sigmoid(update_x + update_h),
               fresh = tanh(new_x + cwise_product(sigmoid(reset_x + reset_h), new_h));
    return std::pair{cwise_product(1 - update, fresh) + cwise_product(update, h), c};
  }
};

/// The same by `scan`.
template <class Cell, class Keep = keep_all_t>
struct scanned {
  constexpr auto operator()(auto w, auto u, auto b, auto xs, auto h, auto c) const {
    auto const states = scan(
        [&](auto const& state, auto const& x) {
          auto const [next_h, next_c] = Cell{}(w, u, b, x, std::get<0>(state), std::get<1>(state));
          return step{std::tuple{next_h, next_c}, next_h};
        },
        std::tuple{h, c}, xs, Keep{});
    return sum(square(states.y));
  }
};

/// At most 5 % above what is in use at once, and that no more than the values themselves.
consteval bool is_near_optimal(program_facts const& f) {
  return f.workspace_bytes * 100 <= f.live_lower_bound_bytes * 105 && f.live_lower_bound_bytes <= f.unplanned_bytes &&
         f.allocations == 0;
}
template <class Wrt, class F, class... A>
using program_of = decltype(compile<Wrt>(std::declval<F>(), std::declval<A const&>()...));
template <int... N>
using floats = tensor<float, N...>;
template <int... N>
using doubles = tensor<double, N...>;

template <class T>
std::unique_ptr<T> filled_with(double from) {
  auto t = std::make_unique<T>();
  double x = from;
  for (auto& e : *t) {
    x = x * 1.7 + 0.3;
    x -= static_cast<int>(x);
    e = static_cast<std::remove_reference_t<decltype(e)>>(0.2 * (x - 0.5));
  }
  return t;
}

}  // namespace memory_models
