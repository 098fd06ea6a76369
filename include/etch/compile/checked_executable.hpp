// checked_executable: with ETCH_CHECK_FINITE, a program that looks at its results and gradients behind every call, and
// names the statement that they are not finite for. Docs: errors.md.
#pragma once

#if defined(ETCH_FORBID_HEAP)
#error "etch: ETCH_CHECK_FINITE computes statements again in heap memory, which ETCH_FORBID_HEAP forbids"
#endif

#include <etch/base/mistake.hpp>
#include <etch/compile/call_names.hpp>
#include <etch/compile/executable.hpp>
#include <etch/compile/origin.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn, gnu::cold, gnu::noinline]] inline void result_is_not_finite(std::string const& sentence) {
  refuse_call(("etch: " + sentence).c_str());
}

}  // namespace error
namespace run {

/// `Executable` with a look at its outputs behind every run.
template <class Executable, class Names>
struct checked_executable : Executable {
  template <bool Accumulate, int Results = 1, bool ResultsAreZeroed = false>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace,
                    leaf_namer name = nullptr) {
    status const outcome =
        Executable::template run<Accumulate, Results, ResultsAreZeroed>(arguments, outputs, workspace, name);
    look(arguments, outputs, Accumulate);
    return outcome;
  }
  template <bool Accumulate, int Results = 1, bool ResultsAreZeroed = false>
  [[gnu::always_inline]] static inline status run_in_line(std::byte const* const* arguments, std::byte* const* outputs,
                                                          std::byte* workspace, leaf_namer name = nullptr) {
    status const outcome =
        Executable::template run_in_line<Accumulate, Results, ResultsAreZeroed>(arguments, outputs, workspace, name);
    look(arguments, outputs, Accumulate);
    return outcome;
  }
  /// Tells of gradients when all have been looked at.
  template <bool Accumulate, int Results, bool ResultsAreZeroed = false>
  static status run_telling(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace,
                            leaf_namer name, auto& ready) {
    status const outcome = run<Accumulate, Results, ResultsAreZeroed>(arguments, outputs, workspace, name);
    Executable::template tell_all<Results>(ready);
    return outcome;
  }

 private:
  [[gnu::noinline]] static void look(std::byte const* const* arguments, std::byte* const* outputs, bool accumulates) {
    std::string const sentence = why_not_finite(observed_call::of<Executable, Names>(arguments, outputs, accumulates));
    if (!sentence.empty()) error::result_is_not_finite(sentence);
  }
};

}  // namespace run
ETCH_NAMESPACE_END
