// einsum: sums of products whose axes are named by letters, made of products, sums and views.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/op/linalg/product.hpp>
#include <etch/op/linalg/subscripts.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// A value and the letters of its axes.
struct lettered {
  term value;
  letters axes;
};

/// The extent of an axis.
constexpr int extent_of(lettered const& x, char letter) { return x.value.extent()[x.axes.find(letter)]; }
constexpr int extent_of(lettered const& x, letters const& group) {
  int n = 1;
  for (int i = 0; i < group.count; ++i) n *= extent_of(x, group.each.entry[i]);
  return n;
}

/// The axes of `x` in the order `to`, which may lack none of them, with extent 1 where `x` has no such axis.
constexpr term aligned(lettered const& x, letters const& to) {
  attribute order = op::permute::identity;
  shape s;
  int axis = 0;
  for (int i = 0; i < to.count; ++i) {
    int const from = x.axes.find(to.each.entry[i]);
    s[s.rank++] = from < 0 ? 1 : x.value.extent()[from];
    if (from < 0) continue;
    order = (order & ~(attribute{3} << (2 * axis))) | (static_cast<attribute>(from) << (2 * axis));
    ++axis;
  }
  return reshaped(order == op::permute::identity ? x.value : emit<op::permute>(order, x.value), s);
}

/// `x` added up along the axes whose letters `keep` lacks, which then are gone.
constexpr lettered summed(lettered const& x, letters const& keep) {
  letters rest;
  attribute axes = 0;
  shape s;
  for (int i = 0; i < x.axes.count; ++i) {
    if (!keep.has(x.axes.each.entry[i])) {
      axes |= attribute{1} << i;
      continue;
    }
    rest.add(x.axes.each.entry[i]);
    s[s.rank++] = x.value.extent()[i];
  }
  if (axes == 0) return x;
  return {rest.count == 0 ? emit<op::sum>(op::reduction::whole, x.value) : reshaped(emit<op::sum>(axes, x.value), s),
          rest};
}

/// `x` with every letter once: of axes with one letter, the diagonal.
constexpr lettered diagonals(lettered x) {
  for (int second = 1; second < x.axes.count; ++second) {
    int const first = x.axes.find(x.axes.each.entry[second]);
    if (first == second) continue;
    letters rest = x.axes;
    rest.remove(second);
    if (x.axes.count == 2) return {emit<op::diagonal>(0, x.value), rest};
    graph& g = *x.value.owner;
    int const n = x.value.extent()[first];
    term const on_diagonal = equal_to(iota(g, x.value->type, first, n), iota(g, x.value->type, second, n));
    term const kept = emit<op::select>(0, on_diagonal, x.value, constant(g, x.value->type, 0));
    shape s = x.value.extent();
    for (int axis = second; axis + 1 < s.rank; ++axis) s[axis] = s[axis + 1];
    s[--s.rank] = 1;
    x = {reshaped(emit<op::sum>(attribute{1} << second, kept), s), rest};
    second = 0;
  }
  return x;
}

/// The product of two values, added up along the axes whose letters `keep` lacks. Where both have axes of their own it
/// is a product of matrices, and one for each entry of the axes that both have and that stay; `result` are the letters
/// of the final result.
constexpr lettered contracted(lettered a, lettered b, letters const& keep, letters const& result) {
  a = summed(a, keep.with(b.axes));
  b = summed(b, keep.with(a.axes));
  letters batch, inner, rows, columns;
  for (int i = 0; i < a.axes.count; ++i) {
    char const c = a.axes.each.entry[i];
    (!b.axes.has(c) ? rows : keep.has(c) ? batch : inner).add(c);
  }
  for (int i = 0; i < b.axes.count; ++i)
    if (!a.axes.has(b.axes.each.entry[i])) columns.add(b.axes.each.entry[i]);
  if (inner.count == 0 || rows.count + columns.count == 0) {
    letters const all = inner.count == 0 ? keep.among(a.axes.with(b.axes), result) : a.axes;
    return summed({aligned(a, all) * aligned(b, all), all}, keep);
  }
  // A vector stands on the right, and what the result begins with on the left.
  if (rows.count == 0 || (columns.count > 0 && result.count > 0 && columns.has(result.each.entry[0]))) {
    std::swap(a, b);
    std::swap(rows, columns);
  }
  int const m = extent_of(a, rows), k = extent_of(a, inner), n = extent_of(b, columns), products = extent_of(a, batch);
  bool const many = batch.count > 0;
  shape const left = many ? make_shape(m, k, products) : make_shape(m, k);
  shape const right = many ? make_shape(k, n, products) : columns.count == 0 ? make_shape(k) : make_shape(k, n);
  term const y = emit<op::matmul>(0, reshaped(aligned(a, rows.with(inner).with(batch)), left),
                                  reshaped(aligned(b, inner.with(columns).with(batch)), right));
  letters const axes = rows.with(columns).with(batch);
  shape s;
  for (int i = 0; i < axes.count; ++i)
    s[s.rank++] = extent_of(b.axes.has(axes.each.entry[i]) ? b : a, axes.each.entry[i]);
  return {reshaped(y, s), axes};
}

/// The result of `form`, whose operands are `x`, in the order of products that `plan` gives.
constexpr term einsum(einsum_form const& form, einsum_plan const& plan, sequence<term> const& x) {
  sequence<lettered> parts;
  for (int i = 0; i < form.operands; ++i)
    parts.push_back(diagonals({x.entry[i], form.of[static_cast<std::size_t>(i)]}));
  for (int i = 0; i < plan.steps; ++i) {
    auto const& [first, second, keep] = plan.step[static_cast<std::size_t>(i)];
    parts.entry[first] = contracted(parts.entry[first], parts.entry[second], keep, form.result);
    parts.entry[second] = parts.entry[form.operands - 1 - i];
  }
  return aligned(summed(parts.entry[0], form.result), form.result);
}

template <subscripts Text, class First, class... More>
constexpr auto checked_einsum(First const& first, More const&... more) {
  constexpr einsum_form form(Text.view());
  constexpr shapes<1 + sizeof...(More)> extents{First::extent, More::extent...};
  constexpr einsum_mistake mistake = mistake_in(form, extents);
  constexpr auto plan = mistake == einsum_mistake::none ? plan_of(form, extents) : einsum_plan{};
  using T = decltype(joint_type<First, More...>());
  if constexpr (mistake == einsum_mistake::malformed) {
    error::subscripts_are_malformed<Text>();
  } else if constexpr (mistake == einsum_mistake::does_not_fit) {
    error::subscripts_do_not_fit<Text, First, More...>();
  } else if constexpr (mistake == einsum_mistake::two_extents) {
    error::subscript_has_two_extents<Text, First, More...>();
  } else if constexpr (plan.result.counted == two_counts) {
    error::two_axes_are_counted<First, More...>();
  } else if constexpr (!plan.exists) {
    error::rank_too_large<First, More...>();
  } else if constexpr (!(std::is_floating_point_v<typename First::scalar_type> && ... &&
                         std::is_floating_point_v<typename More::scalar_type>)) {
    error::integers_are_labels<First, More...>();
  } else if constexpr (!(joins_as<T, First> && ... && joins_as<T, More>)) {
    error::element_types_differ<First, std::tuple<More...>>();
  } else {
    graph* const owner = owner_of(first, more...);
    if (owner == nullptr) error::constants_belong_to_no_graph();
    sequence<term> operands;
    (operands.push_back(joined(cast<T>(first), *owner)), ..., operands.push_back(joined(cast<T>(more), *owner)));
    constexpr bool elementwise = (First::elementwise_product || ... || More::elementwise_product);
    return make_expr<T, plan.result, elementwise>(owner, einsum(form, plan, operands).id);
  }
}

}  // namespace detail

/// The sum of products that the subscripts describe, as NumPy's: a letter for each axis of each operand, and behind
/// `->` the letters of the result; axes with one letter run together, and what the result lacks is added up. Without
/// `->` the result has the letters that occur once, in alphabetical order. `einsum<"ij,jk->ik">(a, b)` is the very
/// program of `a * b`. Several operands are multiplied two by two, the cheapest pair first. Up to eight operands;
/// extents of one letter are equal, and no intermediate has more than four axes.
template <subscripts Text, detail::traced First, detail::traced... More>
constexpr auto einsum(First const& first, More const&... more) {
  if constexpr ((tape_scalar<First> || ... || tape_scalar<More>)) {
    return einsum<Text>(detail::on_graph(first), detail::on_graph(more)...);
  } else {
    using result = decltype(detail::checked_einsum<Text>(first, more...));
    if constexpr (!std::is_void_v<result>) return detail::checked_einsum<Text>(first, more...);
    else return detail::instead_of<float, shape{}>(first, more...);
  }
}

ETCH_NAMESPACE_END
