// family: what is common to the programs whose compile time is measured.
#pragma once

#include <etch/etch.hpp>

namespace families {

inline constexpr int operations = OPERATIONS;

/// A user compiles this: a program of a loss and arguments, and a call of it.
template <class Loss, class Wrt, class... A>
struct family {
  using program = decltype(etch::compile<Wrt>(Loss{}, A{}...));
  static auto call(program& step, A const&... arguments) { return step(arguments...); }
};

}  // namespace families
