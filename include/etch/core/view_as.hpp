// view_as: memory of somebody else's as an argument, such as what the plain function around a program is given.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/eigen.hpp>
#include <etch/base/mistake.hpp>
#include <etch/core/named_view.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// Whether all leaves of an `A` have entries of type `T`.
template <class A, class T>
consteval bool has_leaves_of() {
  if constexpr (reflected<A>)
    return with_members<A>([](auto... i) { return (has_leaves_of<member_type<A, i>, T>() && ...); });
  else if constexpr (is_tuple<A>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_leaves_of<std::tuple_element_t<I, A>, T>() && ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  else if constexpr (std::is_empty_v<A>) return true;
  else return std::is_same_v<typename argument<A>::traced::scalar_type, T>;
}

}  // namespace detail

/// The `A` that lies at `memory`: a tensor, or a struct, an array or a tuple of tensors, whose entries all have the
/// type `T`. Nothing is copied. There are `sizeof(A)` bytes at a multiple of `alignof(A)`, which is 64, else
/// `etch::on_mistake` is called. A tensor's entries lie side by side, the first index fastest; in a struct each tensor
/// begins at a multiple of 64 bytes, and what lies between belongs to no entry.
template <class A, class T>
A const& view_as(T const* memory) {
  if constexpr (!detail::has_leaves_of<A, T>()) error::memory_is_of_another_type<A, T>();
  if (reinterpret_cast<std::uintptr_t>(memory) % alignof(A) != 0) error::memory_is_not_aligned();
  return *reinterpret_cast<A const*>(memory);
}
template <class A, class T>
  requires(!std::is_const_v<T>)
A& view_as(T* memory) {
  return const_cast<A&>(view_as<A>(static_cast<T const*>(memory)));
}

ETCH_NAMESPACE_END
