// One layer, sum(exp(W x + b)), asked for the gradients in W and b only, with x in several places, and for all three.
#pragma once

#include "../run/dense_exp/loss.hpp"

namespace asked {

inline constexpr int rows = 512, features = 256, columns = 4096;
using weights = etch::tensor<double, rows, features>;
using offsets = etch::tensor<double, rows>;
using samples = etch::tensor<double, features, columns>;

template <class T>
struct batch {
  etch::param<T, features, columns> x;
  ETCH_MEMBERS(batch, x)
};

template <class T>
struct everything {
  etch::param<T, rows, features> w;
  etch::param<T, rows> b;
  etch::param<T, features, columns> x;
  ETCH_MEMBERS(everything, w, b, x)
};

constexpr auto with_struct = [](auto w, auto b, auto from) { return sum(exp(w * from.x + b)); };
constexpr auto with_closure = [](auto w, auto b, auto x) {
  auto const layer = [x](auto const& by, auto const& offset) { return by * x + offset; };
  return sum(exp(layer(w, b)));
};
constexpr auto with_one_struct = [](auto all) { return sum(exp(all.w * all.x + all.b)); };

using of_weights = decltype(etch::compile<etch::wrt<0, 1>>(dense_exp_loss, weights{}, offsets{}, samples{}));
using of_all = decltype(etch::compile<etch::wrt<0, 1, 2>>(dense_exp_loss, weights{}, offsets{}, samples{}));
using x_in_struct = decltype(etch::compile<etch::wrt<0, 1>>(with_struct, weights{}, offsets{}, batch<double>{}));
using x_in_closure = decltype(etch::compile<etch::wrt<0, 1>>(with_closure, weights{}, offsets{}, samples{}));
using x_in_same_struct = decltype(etch::compile<etch::wrt_members<0, "w", "b">>(with_one_struct, everything<double>{}));

/// Kernels that a call of `Program` runs.
template <class Program>
constexpr int kernels = static_cast<int>(etch::run::kernels_of<typename Program::executable>().size());

inline constexpr std::int64_t one_product = 2LL * rows * features * columns;

// Where x is kept makes no difference, and asking for its gradient adds the one product that this is.
template <class A, class B>
constexpr bool same_code = std::is_same_v<typename A::executable, typename B::executable>;
static_assert(same_code<of_weights, x_in_struct> && etch::same_program<of_weights, x_in_closure>);
static_assert(x_in_same_struct::facts.flops == of_weights::facts.flops);
static_assert(x_in_same_struct::facts.workspace_bytes == of_weights::facts.workspace_bytes);
static_assert(x_in_same_struct::facts.nodes == of_weights::facts.nodes &&
              kernels<x_in_same_struct> == kernels<of_weights>);
static_assert(of_all::facts.flops == of_weights::facts.flops + one_product);
static_assert(of_weights::facts.workspace_bytes < of_all::facts.workspace_bytes);
static_assert(of_weights::facts.workspace_bytes < static_cast<std::int64_t>(sizeof(samples)) / 8);
static_assert(of_weights::facts.allocations == 0 && of_all::facts.allocations == 0);

}  // namespace asked
