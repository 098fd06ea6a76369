// The tape, number by number.
#include "scalar.hpp"

#include "../by_tape.hpp"

namespace {

bench::rival<scalars::problem> const here("etch tape",
                                          [](auto const& in, auto& g) { return bench::by_tape<scalars>(in, g); });

}  // namespace
