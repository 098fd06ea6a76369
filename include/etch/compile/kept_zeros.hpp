// kept_zeros: zeros between the diagonals of a program's results, which are there from its construction on and are not
// written again.
#pragma once

#include <etch/lower/schedule.hpp>
#include <etch/machine/signature.hpp>

ETCH_NAMESPACE_BEGIN
namespace run::detail {

/// Whether no other kernel writes to the output to which kernel `k` does, so that what is zero there stays zero.
template <class Program>
constexpr bool writes_alone(int k, int output) {
  bool alone = true;
  for (int other = 0; other < Program::schedule.kernel_count; ++other)
    for (pass::placed const& r : Program::schedule[other].results)
      alone = alone && (other == k || r.at.in != pass::location::place::output || r.at.position != output);
  return alone;
}

/// The words of kernel `k`, which puts diagonals into an output: over the zeros that `Outputs` says are kept there.
template <class Program, auto Outputs>
constexpr sequence<std::uint64_t> words_over_zeros(int k) {
  pass::scheduled_kernel kernel = Program::schedule[k];
  pass::placed& r = kernel.results.entry[0];
  if (r.at.position < Outputs.keeping_zeros && writes_alone<Program>(k, r.at.position))
    r.bits = op::diagonal_numbers(r.bits).over_zeros();
  etch::detail::byte_writer out;
  pass::pack_kernel(out, kernel);
  return out.words();
}
/// The words of kernel `K` as it runs where `Outputs` says what becomes of outputs.
template <class Program, auto Outputs, int K>
consteval auto words_of_call() {
  constexpr int count = Program::schedule.word_count(K);
  if constexpr (Outputs.keeping_zeros == 0 || !Program::schedule.writes_diagonals.entry[K]) {
    return pass::words_of<count>(Program::schedule, K);
  } else {
    constexpr etch::detail::roomy_words<count + 2> roomy(  // one more bit makes a number two words longer at most
        words_over_zeros<Program, Outputs>(K));
    fixed<std::uint64_t, roomy.count> words;
    for (int i = 0; i < roomy.count; ++i) words.entry[i] = roomy.words.entry[i];
    return words;
  }
}

}  // namespace run::detail
ETCH_NAMESPACE_END
