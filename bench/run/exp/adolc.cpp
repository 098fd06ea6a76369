// ADOL-C.
#include "scalar.hpp"

#include "../by_adolc.hpp"

namespace {

bench::rival<scalars::problem> const here("adolc",
                                          [](auto const& in, auto& g) { return bench::by_adolc<scalars>(in, g); });

}  // namespace
