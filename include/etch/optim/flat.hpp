// flatten, unflatten: a model as one vector of numbers, which is how full-batch optimisers see it.
#pragma once

#include <etch/compile/trace.hpp>

#include <span>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {

/// Counts the floating-point entries of an argument while it is traced.
struct entry_counter {
  pass::leaf_maker make;
  std::size_t* entries;

  template <scalar T, shape Extent>
  constexpr auto operator()() const {
    if constexpr (std::is_floating_point_v<T>) *entries += static_cast<std::size_t>(Extent.size());
    return make.template operator()<T, Extent>();
  }
  template <scalar T, shape Extent>
  constexpr auto transposed() const {
    return etch::transpose((*this).template operator()<T, Extent>());
  }
};

template <class Model>
consteval std::size_t count_entries() {
  graph g;
  int position = 0;
  std::size_t entries = 0;
  static_cast<void>(argument<Model>::trace(entry_counter{{&g, &position}, &entries}));
  return entries;
}

}  // namespace detail

/// The number of floating-point entries of a model: a tensor, a number, an Eigen matrix of fixed size, an array, a
/// tuple, a struct of them. Integer leaves are no parameters and do not count.
template <class Model>
inline constexpr std::size_t flat_size = detail::count_entries<Model>();

/// Copies the floating-point entries of `model` to `to`, leaf by leaf in their order in
/// memory, those of `float` exactly.
template <class Model>
void flatten(Model const& model, std::span<double, flat_size<Model>> to) {
  double* next = to.data();
  argument<Model>::visit(model, [&]<class T>(T const* entries, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t i = 0; i < n; ++i) *next++ = entries[i];
  });
}

/// Copies numbers back into `model`, rounded where its entries are `float`. Integer leaves stay.
template <class Model>
void unflatten(std::span<double const, flat_size<Model>> from, Model& model) {
  double const* next = from.data();
  argument<Model>::visit(model, [&]<class T>(T* entries, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t i = 0; i < n; ++i) entries[i] = static_cast<T>(*next++);
  });
}

}  // namespace optim
ETCH_NAMESPACE_END
