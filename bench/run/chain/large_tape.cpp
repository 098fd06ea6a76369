// The chain on a tape: each product is recorded as it is computed.
#include <etch/etch.hpp>

#include "large.hpp"

namespace large_chain {

template <int D, int Steps>
rival<D> tape_rival() {
  return {"tape",
          [](matrix<D> const& at_x, matrix<D> const& at_z, matrix<D>& g) {
            static etch::tape<double> tape;
            tape.reset();
            auto const x = tape.watch(std::cref(at_x));
            etch::var<double, D, D> z = tape.constant(std::cref(at_z));
            for (int i = 0; i < Steps; ++i) z = x * z;
            double const value = tape.backward(sum(square(z)));
            g = tape.grad(x);
            return value;
          },
          flops(D, Steps)};
}

template rival<1000> tape_rival<1000, 25>();
template rival<1000> tape_rival<1000, 50>();
template rival<1000> tape_rival<1000, 100>();

}  // namespace large_chain
