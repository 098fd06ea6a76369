// Mistakes about losses that workers are to share. Docs: errors.md.
#pragma once

#include <etch/base/error.hpp>
#include <etch/base/mistake.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

/// Numbers, as they are printed with a sentence.
template <int N>
struct workers {};
template <int N>
struct entries {};

template <class Program>
constexpr auto not_a_program_to_share() {
  static_assert(never<Program>,
                "etch: parallel takes a program that compile<wrt<...>> has returned; of one whose gradients are those "
                "of members, compile it with wrt instead of wrt_members");
  return mistake{};
}
template <class... A>
constexpr auto nothing_to_share() {
  static_assert(never<A...>,
                "etch: parallel splits the arguments outside of wrt that are tensors with the last extent of the last "
                "argument, and here is none: name them, parallel<N, etch::over<1, 2>>(program)");
  return mistake{};
}
template <class Over, class... A>
constexpr auto arguments_are_not_split_alike() {
  static_assert(never<Over, A...>,
                "etch: over names arguments that are tensors or Eigen's matrices and arrays, all of them with the same "
                "extent along the axis that is last in memory");
  return mistake{};
}
template <class... A>
constexpr auto counted_argument_is_not_split() {
  static_assert(never<A...>,
                "etch: where workers share a batch of which as many entries count as a call says, all arguments that "
                "count are split, and no others: name them, parallel<N, etch::over<1, 2>>(program)");
  return mistake{};
}
template <class Workers, class Entries>
constexpr auto more_workers_than_entries() {
  static_assert(never<Workers, Entries>,
                "etch: parallel splits a batch among more workers than it has entries (of an upto<N>: than half as "
                "many)");
  return mistake{};
}
template <class Op>
constexpr auto sum_is_needed_before_the_end() {
  static_assert(never<Op>,
                "etch: the loss cannot be split: this op needs a sum over the whole batch, of which a worker has its "
                "own part alone; only what is linear may follow such a sum");
  return mistake{};
}
template <class Op>
constexpr auto entries_of_workers_meet() {
  static_assert(never<Op>,
                "etch: the loss cannot be split: along the axis that is split, this op combines entries otherwise than "
                "by adding them up");
  return mistake{};
}
template <class Op>
constexpr auto whole_value_meets_a_split_one() {
  static_assert(never<Op>,
                "etch: the loss cannot be split: what this op gives is not split, and has an entry of its own for each "
                "of the batch; pass it as an argument, and name it in over");
  return mistake{};
}
template <class Op>
constexpr auto split_axis_is_divided() {
  static_assert(never<Op>,
                "etch: the loss cannot be split: this op cuts the axis that is split, divides it in two, or reads it "
                "in another order");
  return mistake{};
}
template <class Op>
constexpr auto op_is_not_split() {
  static_assert(never<Op>,
                "etch: the loss cannot be split: nothing is known of how this op treats the entries of a batch");
  return mistake{};
}
template <class Op>
constexpr auto steps_are_not_split() {
  static_assert(never<Op>,
                "etch: the loss cannot be split: a loop takes the entries of the batch one after the other, and hands "
                "values on; only loops of map and sum_map are split by their points");
  return mistake{};
}
template <class Op>
constexpr auto result_is_scattered() {
  static_assert(never<Op>,
                "etch: a result is split along an axis that is not its last, so that the workers' parts do not adjoin: "
                "let the loss return it with that axis last");
  return mistake{};
}
template <class A>
constexpr auto gradient_is_scattered() {
  static_assert(never<A>,
                "etch: the gradient of a large row-major matrix lies in memory as its transpose, so that the workers' "
                "parts do not adjoin: pass a tensor");
  return mistake{};
}

}  // namespace error
ETCH_NAMESPACE_END
