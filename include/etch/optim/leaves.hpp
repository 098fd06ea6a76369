// leaves: walks a model together with structs of the same type, leaf by leaf.
#pragma once

#include <etch/compile/trace.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// Calls `f(n, w, other...)` for every floating-point leaf: `w` points to the n entries in `model`,
/// `other` to those in `others`, in order.
template <class Model, class... Other>
void for_each_leaf(Model& model, auto f, Other&... others) {
  static_assert((std::is_same_v<std::remove_const_t<Other>, Model> && ...),
                "etch: gradient and state have the type of the model");
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

}  // namespace optim
ETCH_NAMESPACE_END
