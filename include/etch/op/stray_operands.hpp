// stray_operands: plain tensors among the operands of a function of traced values.
#pragma once

#include <etch/op/apply.hpp>
#include <etch/op/operand.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// `x` as a constant of `g`; of more than two axes as the vector of its entries in another shape.
template <few_entries X>
constexpr term constant_in(graph& g, X const& x) {
  if constexpr (few_numbers<X>) return as_operand(x).term_in(g);
  else {
    constexpr int size = static_cast<int>(X::extent.size());
    auto const entries = matrix_expr<typename X::value_type, size>::known(
        [&](std::ptrdiff_t i, std::ptrdiff_t) { return x[static_cast<std::size_t>(i)]; });
    return reshaped(entries.term_in(g), X::extent);
  }
}

/// `f` of operands of which some are stray: each is the constant that it is, in the graph of the others, or all of them
/// are the mistake.
template <class... X>
constexpr auto with_constants(auto f, X const&... x) {
  graph* owner = nullptr;
  auto const find = [&]<class Each>(Each const& each) {
    if constexpr (static_handle<Each>) owner = innermost(owner, each.owner);
  };
  (find(x), ...);
  if constexpr (((stray<X> && !few_entries<X>) || ...)) {
    error::tensor_belongs_to_no_graph<X...>();
    note_mistake(owner);
  }
  auto const operand = [&]<class Each>(Each const& each) {
    if constexpr (!stray<Each>) {
      return each;
    } else {
      using T = typename operand_traits<Each>::scalar_type;
      if constexpr (few_entries<Each>)
        if (owner != nullptr) return make_expr<T, Each::extent>(owner, constant_in(*owner, each).id);
      return make_expr<T, Each::extent>(nullptr, -1);
    }
  };
  return f(operand(x)...);
}

}  // namespace detail
ETCH_NAMESPACE_END
