// directed: every op on inputs, with directions in which these may vary: what laws of derivatives along curves share.
#pragma once

#include "laws/differences.hpp"

namespace laws {

/// Ops with shapes of their operands, and attributes.
struct law_case {
  subject of;
  std::vector<shape> extents;
  attribute attributes = 0;
};

inline std::vector<law_case> all_cases() {
  std::vector<law_case> all;
  auto const add = [&](auto wanted, std::vector<std::vector<shape>> const& shapes,
                       std::vector<attribute> const& attributes) {
    for (subject const& each : subjects(wanted))
      for (auto const& extents : shapes)
        for (attribute a : attributes) all.push_back({each, extents, a});
  };
  add([](op_facts const& f, bool s) { return f.is_elementwise && f.arity == 1 && s; }, {{scalar_shape}, {matrix_shape}},
      {0});
  add([](op_facts const& f, bool s) { return f.is_elementwise && f.arity == 2 && s; },
      {{matrix_shape, matrix_shape}, {column_shape, row_shape}, {scalar_shape, matrix_shape}}, {0});
  add([](op_facts const& f, bool s) { return f.is_elementwise && f.arity == 3 && s; },
      {{matrix_shape, matrix_shape, matrix_shape}, {scalar_shape, matrix_shape, column_shape}}, {0});
  add([](op_facts const& f, bool s) { return f.is_composite && s; }, {{matrix_shape}}, {1, 2, op::reduction::whole});
  add([](op_facts const& f, bool) { return f.is_reduction; }, {{matrix_shape}}, {1, 2, op::reduction::whole});
  add([](op_facts const& f, bool s) { return f.is_block && s; }, {{matrix_shape}}, {0, 1});
  all.push_back({subject_of<op::matmul>(), {make_shape(3, 4), make_shape(4, 2)}, 0});
  all.push_back({subject_of<op::matmul>(), {make_shape(3, 4), make_shape(4)}, 0});
  return all;
}

/// An op with inputs: its operands, directions for those that may vary, and one more of the result's shape.
struct directed {
  graph g;
  std::vector<int> operands;
  std::vector<shape> extents;
  sequence<int> y, xs, vs;
  int w = 0;

  explicit directed(law_case const& c) {
    for (shape const& s : c.extents) operands.push_back(put(s));
    node const prototype{c.of.code, element::f64, {}, c.attributes, 0, 0};
    y.push_back(rule_table[c.of.code].insert(g, prototype, operands).id);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (((c.of.smooth >> i) & 1u) != 0) xs.push_back(operands[i]), vs.push_back(put(c.extents[i]));
    w = put(g[y[0]].extent);
  }

  values sampled(law_case const& c) const {
    values x;
    std::size_t total = 0, at = 0;
    for (shape const& s : extents) total += static_cast<std::size_t>(s.size());
    std::vector<double> const unit = apart(total, 3);
    for (std::size_t k = 0; k < extents.size(); ++k) {
      bool const is_operand = k < operands.size();
      op::interval const in = is_operand ? c.of.domain[k] : op::interval{0.5, 1.5};
      numbers& leaf = x.emplace_back(static_cast<std::size_t>(extents[k].size()));
      for (double& e : leaf) e = in.low + (in.high - in.low) * unit[at++];
      if (is_operand && ((c.of.smooth >> k) & 1u) == 0)
        for (double& e : leaf) e = std::round(e);
    }
    return x;
  }

 private:
  int put(shape const& s) {
    extents.push_back(s);
    return input(g, element::f64, s, static_cast<int>(extents.size()) - 1).id;
  }
};

inline numbers flat(values const& of) {
  numbers all;
  for (numbers const& each : of) all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace laws
