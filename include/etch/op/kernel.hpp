// kernel: a function of the user's on memory, with its adjoint.
#pragma once

#include <etch/core/capture.hpp>
#include <etch/graph/opaque.hpp>
#include <etch/op/permute.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The function that the attribute, an `opaque_call`, names, of any number of operands. Its adjoints, and derivatives
/// along its operands, are nodes of the same op. Whether the user gives them is asked of those alone that are left in
/// the end (`compile/check.hpp`).
struct kernel : opaque_kind {
  static constexpr auto name = "kernel";
  static constexpr auto part_of = "kernel<F>";
  static constexpr auto formula = "F::forward(x, y); on the way back F::backward(u, y, x, gx)";
  static constexpr int arity = any_number;
  static constexpr reach reaches = reach::anywhere;

  static constexpr void adjoints(node const& n, term g, term y, const_span<term> x, sequence<term>& adjoints) {
    opaque_call const f(n.attributes);
    g = fit(g, n.extent);
    adjoints.clear();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!is_floating(x[i]->type)) adjoints.push_back(g);  // of a label, which is not read
      else if (i == 0 && f.path != 0) adjoints.push_back(linear(f, g, x));
      else if (!f.along) adjoints.push_back(called(f.by(static_cast<int>(i)), x[i], {g, y}, x));
      // <g, f'(v)> is <f*(g), v>, f* the adjoint
      else
        adjoints.push_back(called(f.transposed().by(static_cast<int>(i)), x[i], {x[0], linear(f, g, x), g}, rest(x)));
    }
  }
  static std::string describe(node const& n) {
    opaque_call f(n.attributes);
    std::string text;
    char const* const kind = f.along ? "<along " : "<adjoint ";
    for (; f.path != 0; f = f.rest()) text += (text.empty() ? kind : ", ") + std::to_string(f.first());
    return text.empty() ? text : text + ">";
  }

 private:
  static constexpr const_span<term> rest(const_span<term> x) { return {x.start + 1, x.size() - 1}; }
  static constexpr term called(opaque_call f, term like, std::initializer_list<term> first, const_span<term> more) {
    graph& to = *like.owner;
    sequence<int> operands;
    for (term each : first) operands.push_back(each.id);
    for (term each : more) operands.push_back(each.id);
    return {&to, to.insert(opcode_of<kernel>, like->type, like.extent(), f, operands)};
  }
  /// The adjoint by the first operand of what is linear in it.
  static constexpr term linear(opaque_call f, term g, const_span<term> x) {
    return called(f.transposed(), x[0], {g}, rest(x));
  }
};

}  // namespace op

namespace detail {

/// The node that calls `f` for operands that are nodes of `g`, with a result of this type.
constexpr term call_opaque(graph& g, opaque_function const& f, element type, shape const& extent,
                           const_span<int> operands) {
  make_known<op::kernel>();
  note_function(*outermost(&g), f);
  return {&g, g.insert(opcode_of<op::kernel>, type, extent, opaque_call(f.key), operands)};
}

}  // namespace detail
ETCH_NAMESPACE_END
