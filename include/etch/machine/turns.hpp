// turns: the order in which a kernel of one entry computes its instructions: where the same expensive op waits for
// several of them, they are lanes of one register.
#pragma once

#include <etch/machine/signature.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Instructions in an order in which each finds its operands: those from `begin[t]` up to `begin[t + 1]` are turn `t`,
/// of one op, and none of them is another's operand.
template <int Steps>
struct turns {
  fixed<int, Steps> step{};
  fixed<int, Steps + 1> begin{};
  int size = 0;
  int longest = 0;  ///< the number of instructions in the turn that has most
};

/// Whether two numbers in a register are faster than one after the other, although they have to be brought together.
constexpr bool is_worth_a_register(step_signature const& step) {
  return op_table.entry[step.op].cost >= 16 && !op_table.entry[step.op].branches;
}

/// The turns of `code`, whose values are numbered after `inputs` others, with at most `most` instructions in each. What
/// is cheap is computed as soon as it can be; then the op has its turn of which the fewest instructions still wait.
template <int Steps>
constexpr turns<Steps> turns_of(fixed<step_signature, Steps> const& code, int inputs, int most) {
  turns<Steps> t;
  fixed<bool, Steps> computed{};
  int ordered = 0;
  auto const take = [&](int i) {
    computed.entry[i] = true;
    t.step.entry[ordered++] = i;
  };
  auto const end_turn = [&] {
    t.longest = std::max(t.longest, ordered - t.begin.entry[t.size]);
    t.begin.entry[++t.size] = ordered;
  };
  auto const is_ready = [&](int i, fixed<bool, Steps> const& among) {
    for (int k = 0; k < op_table.entry[code.entry[i].op].arity; ++k)
      if (int const from = code.entry[i].operand.entry[k] - inputs; from >= 0 && !among.entry[from]) return false;
    return true;
  };
  while (true) {
    for (int i = 0; i < Steps; ++i)
      if (!computed.entry[i] && !is_worth_a_register(code.entry[i]) && is_ready(i, computed)) take(i), end_turn();
    if (ordered == Steps) return t;
    fixed<bool, Steps> const before = computed;
    fixed<int, op_table.size()> waiting{};
    for (int i = 0; i < Steps; ++i)
      if (!before.entry[i] && !is_ready(i, before)) ++waiting.entry[code.entry[i].op];
    int next = -1;
    for (int i = 0; i < Steps; ++i) {
      if (before.entry[i] || !is_ready(i, before)) continue;
      if (next < 0 || waiting.entry[code.entry[i].op] < waiting.entry[code.entry[next].op]) next = i;
    }
    for (int i = next; i < Steps && ordered - t.begin.entry[t.size] < most; ++i)
      if (code.entry[i].op == code.entry[next].op && !before.entry[i] && is_ready(i, before)) take(i);
    end_turn();
  }
}

}  // namespace run
ETCH_NAMESPACE_END
