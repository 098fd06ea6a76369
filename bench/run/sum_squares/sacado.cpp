// Sacado.
#include "scalar.hpp"

#include "../by_sacado.hpp"

namespace {

bench::rival<scalars::problem> const here("sacado",
                                          [](auto const& in, auto& g) { return bench::by_sacado<scalars>(in, g); });

}  // namespace
