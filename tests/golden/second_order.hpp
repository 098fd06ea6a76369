// second_order: hvp and hessian of one loss against PyTorch, as programs, with plain values and on a tape.
#pragma once

#include <etch/etch.hpp>

#include "golden/golden.hpp"
#include "golden/second_order_data.hpp"

namespace golden::second_order {

/// The entries of a struct, leaf by leaf.
template <class S>
run::numbers entries_of(S const& s) {
  run::numbers all;
  visit_leaves([&](auto const& leaf) { all.insert(all.end(), leaf.begin(), leaf.end()); }, s);
  return all;
}
template <class S>
S structure_of(run::numbers const& entries) {
  S s;
  std::size_t next = 0;
  visit_leaves(
      [&](auto& leaf) {
        for (double& e : leaf) e = entries.at(next++);
      },
      s);
  return s;
}

inline file read_text(char const* text) {
  file f;
  std::istringstream in(text);
  f.read_blocks(in);
  return f;
}

/// Value, gradient, products and the Hessian of `loss` by the struct `at`, with plain values and on a tape.
template <class S, class F, class... More>
void check(file const& f, F loss, S const& at, More const&... more) {
  run::numbers const &of_value = f.value.at("loss"), &gradient = f.grad.at("all"), &product = f.second.at("hvp"),
                     &matrix = f.second.at("hessian");
  auto const direction = structure_of<S>(f.second.at("direction"));
  auto const all = std::make_unique<decltype(compile<wrt<>>(value_grad_hessian(loss), at, more...))>();
  compare(run::numbers{(*all)(at, more...)}, of_value, 1e-10);
  compare(entries_of(all->template result<1>()), gradient, 1e-10);
  compare(all->template result<2>(), matrix, 1e-10);
  compare(hessian(loss)(at, more...), matrix, 1e-10);
  compare(entries_of(hvp(loss)(at, more..., direction)), product, 1e-10);

  tape<double> t;
  auto const on_tape = t.watch(at);
  compare(value(hessian(loss)(on_tape, t.constant(more)...)), matrix, 1e-10);
  run::numbers taped;
  visit_leaves([&](auto const& leaf) { taped.insert(taped.end(), value(leaf).begin(), value(leaf).end()); },
               hvp(loss)(on_tape, t.constant(more)..., t.constant(direction)));
  compare(taped, product, 1e-10);
}

}  // namespace golden::second_order
