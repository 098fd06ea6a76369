// kept_zeros: zeros between the diagonals of a program's results, which are there from its construction on and are not
// written again.
#pragma once

#include <etch/lower/schedule.hpp>
#include <etch/machine/signature.hpp>

ETCH_NAMESPACE_BEGIN
namespace run::detail {

/// By output: whether the kernels write each of its entries once, so that what is zero stays zero. Of a loop of steps
/// that is not known.
template <class Program>
consteval auto find_outputs_written_once() {
  constexpr graph_view g = Program::graph.view();
  fixed<std::int64_t, Program::output_count> entries{};
  for (int k = 0; k < Program::schedule.kernel_count; ++k) {
    pass::scheduled_kernel const kernel = Program::schedule[k];
    for (pass::placed const& r : kernel.results) {
      if (r.at.in != pass::location::place::output) continue;
      std::int64_t written = 1;
      if (kernel.computes == pass::form::loop || kernel.space.counted != 0) written = std::int64_t{1} << 50;
      else if (kernel.computes == pass::form::block) written = r.extent.size();
      else
        for (int axis = 0; axis < max_rank; ++axis)
          if (r.step.entry[axis] != 0) written *= kernel.space[axis];
      entries.entry[r.at.position] += written;
    }
  }
  fixed<bool, Program::output_count> once{};
  for (int o = 0; o < Program::output_count; ++o)
    once.entry[o] = entries.entry[o] == g[g.outputs[static_cast<std::size_t>(o)]].extent.size();
  return once;
}
template <class Program>
inline constexpr auto outputs_written_once = find_outputs_written_once<Program>();

/// The words of kernel `k` with its result, if `outputs` keeps zeros there, put over them.
template <class Program, auto Outputs>
constexpr sequence<std::uint64_t> words_over_zeros(int k) {
  pass::scheduled_kernel kernel = Program::schedule[k];
  pass::placed& r = kernel.results.entry[0];
  if (r.at.in == pass::location::place::output && r.at.position < Outputs.keeping_zeros &&
      outputs_written_once<Program>.entry[r.at.position])
    r.bits = op::diagonal_numbers(r.bits).over_zeros();
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
