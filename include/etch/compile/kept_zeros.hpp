// kept_zeros: zeros in a program's results, which are there from its construction on and are not written again.
#pragma once

#include <etch/lower/schedule.hpp>
#include <etch/machine/signature.hpp>

ETCH_NAMESPACE_BEGIN
namespace run::detail {

/// Whether output `output` is the memory of one buffer only, whose parts are apart: what is zero there stays zero.
template <class Program>
constexpr bool is_one_buffer(int output) {
  int buffers = 0;
  for (int slot : Program::plan.slot.entry) buffers += slot == output;
  return buffers == 1;
}

/// The words of kernel `k`, which leaves zeros in outputs, without those that `Outputs` says are kept there.
template <class Program, auto Outputs>
constexpr sequence<std::uint64_t> words_over_zeros(int k) {
  pass::scheduled_kernel kernel = Program::schedule[k];
  sequence<pass::placed> left;
  bool adds = false;
  for (pass::placed r : kernel.results) {
    adds = adds || (r.accumulates && Outputs.contains(r.at.position));
    bool const keeps = r.at.in == pass::location::place::output && r.at.position < Outputs.keeping_zeros &&
                       is_one_buffer<Program>(r.at.position);
    if (keeps && pass::puts_on_diagonals(kernel, r)) r.bits = op::diagonal_numbers(r.bits).over_zeros();
    else if (keeps && pass::leaves_zeros(kernel, r)) continue;
    left.push_back(r);
  }
  if (!adds) kernel.results = std::move(left);  // else there is a flag for each
  if (kernel.results.empty()) kernel.inputs.clear(), kernel.code.clear();
  etch::detail::byte_writer out;
  pass::pack_kernel(out, kernel);
  return out.words();
}
/// The words of kernel `K` as it runs where `Outputs` says what becomes of outputs.
template <class Program, auto Outputs, int K>
consteval auto words_of_call() {
  constexpr int count = Program::schedule.word_count(K);
  if constexpr (Outputs.keeping_zeros == 0 || !Program::schedule.writes_zeros.entry[K]) {
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
