// out_of_line: calls a function through a template, which a unit can leave to another unit: `tape/extern.hpp` does.
#pragma once

#include <etch/base/namespace.hpp>

ETCH_NAMESPACE_BEGIN

/// `out_of_line<f>::call` is `f`. It is no inline function: an explicit instantiation declaration keeps it, and all
/// that only `f` refers to, out of a unit.
template <auto F>
struct out_of_line;

template <class R, class... A, R (*F)(A...)>
struct out_of_line<F> {
  static R call(A... arguments);
};

template <class R, class... A, R (*F)(A...)>
R out_of_line<F>::call(A... arguments) {
  return F(static_cast<A>(arguments)...);
}

ETCH_NAMESPACE_END
