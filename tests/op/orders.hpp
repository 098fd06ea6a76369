// orders: derivatives of any order of a function of one variable, each from the graph of the one before.
#pragma once

#include "rewrite/at_run_time.hpp"

#include <etch/op/leaf.hpp>

#include <vector>

namespace orders {

using namespace etch;

/// The value of `f` at `x` and its derivatives up to `order`. `f` takes a term.
inline std::vector<double> derivatives(auto f, double x, int order, bool precise = false) {
  graph g;
  g.outputs = {f(input(g, element::f64, make_shape(), 0)).id};
  std::vector<double> all;
  for (int k = 0;; ++k) {
    all.push_back(at_run_time::interpret(at_run_time::prune(at_run_time::expand(g)), {{x}})[0][0]);
    if (k == order) return all;
    int leaf = 0;
    while (g[leaf].op != opcode_of<op::input>) ++leaf;
    std::vector<int> const wrt{leaf};
    g = at_run_time::differentiate(g, wrt, precise);
    g.outputs = {g.outputs[1]};
  }
}

}  // namespace orders
