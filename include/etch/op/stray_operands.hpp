// stray_operands: plain tensors among the operands of a function of traced values.
#pragma once

#include <etch/op/apply.hpp>
#include <etch/op/operand.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// `f` of operands of which some are stray: each is the constant that it is, in the graph of the others, or all of them
/// are the mistake.
template <class... X>
constexpr auto with_constants(auto f, X const&... x) {
  graph* owner = nullptr;
  auto const find = [&]<class Each>(Each const& each) {
    if constexpr (static_handle<Each>) owner = innermost(owner, each.owner);
  };
  (find(x), ...);
  if constexpr (((stray<X> && !few_numbers<X>) || ...)) {
    error::tensor_belongs_to_no_graph<X...>();
    note_mistake(owner);
  }
  auto const operand = [&]<class Each>(Each const& each) {
    if constexpr (!stray<Each>) {
      return each;
    } else {
      auto const constant = as_operand(each);
      using T = typename operand_traits<Each>::scalar_type;
      if constexpr (few_numbers<Each>)
        if (owner != nullptr) return make_expr<T, Each::extent>(owner, constant.term_in(*owner).id);
      return make_expr<T, Each::extent>(nullptr, -1);
    }
  };
  return f(operand(x)...);
}

}  // namespace detail
ETCH_NAMESPACE_END
