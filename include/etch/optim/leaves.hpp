// leaves: walks a model together with structs of the same type, leaf by leaf.
#pragma once

#include <etch/compile/trace.hpp>
#include <etch/core/tangent.hpp>
#include <etch/transform/structure.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {
template <class Model, class... Other>
void for_each_flat_leaf(Model& model, auto f, Other&... others) {
  constexpr int count = pass::leaf_count<Model>();
  void* pointers[sizeof...(Other) + 1][count];
  [[maybe_unused]] std::size_t other = 0;
  (
      [&] {
        int leaf = 0;
        argument<Model>::visit(others, [&](auto* data, std::size_t) {
          pointers[other][leaf++] = const_cast<void*>(static_cast<void const*>(data));
        });
        ++other;
      }(),
      ...);
  int leaf = 0;
  argument<Model>::visit(model, [&]<class T>(T* w, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>)
      [&]<std::size_t... O>(std::index_sequence<O...>) {
        f(n, w, static_cast<std::conditional_t<std::is_const_v<Other>, T const*, T*>>(pointers[O][leaf])...);
      }(std::index_sequence_for<Other...>{});
    ++leaf;
  });
}
}  // namespace detail

/// The type of gradients by a `Model`, and of an optimiser's state: `Model`, but for manifolds, whose are tangent
/// vectors.
template <class Model>
struct gradient_type {
  using type = Model;
};
template <class Model>
  requires(etch::detail::holds_curved<Model>())
struct gradient_type<Model> {
  using type = typename argument<Model>::gradient;
};
/// That type.
template <class Model>
using gradient_of = typename gradient_type<Model>::type;

/// Calls `f(n, w, other...)` for every floating-point leaf: `w` points to the n entries in `model`, `other` to those in
/// `others`, in order. Of a manifold, `w` points to a tangent vector of zeros, and the model is retracted along what
/// `f` has made of it.
template <class Model, class... Other>
void for_each_leaf(Model& model, auto f, Other&... others) {
  static_assert((std::is_same_v<std::remove_const_t<Other>, gradient_of<std::remove_const_t<Model>>> && ...),
                "etch: gradient and state have the type of the model, or of its tangent vectors where it holds "
                "manifolds");
  if constexpr (etch::detail::curved<Model>) {
    gradient_of<Model> step{};
    f(step.size(), step.data(), others.data()...);
    model = retract(model, step);
  } else if constexpr (etch::detail::holds_curved<Model>()) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const part = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        for_each_leaf(etch::detail::part_of<J>(model), f, std::get<J>(others)...);
      };
      (part(std::integral_constant<std::size_t, I>{}), ...);
    }(etch::detail::indices_of<Model>());
  } else {
    detail::for_each_flat_leaf(model, f, others...);
  }
}

}  // namespace optim
ETCH_NAMESPACE_END
