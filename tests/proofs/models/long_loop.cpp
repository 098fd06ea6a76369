// A recurrent layer over 1000 steps, of whose carries ten are in memory at once.
#include <etch/etch.hpp>

namespace long_loop_model {

constexpr int width = 32, batch = 16, steps = 1000;

using weights = etch::tensor<float, width, width>;
using series = etch::tensor<float, width, batch, steps>;

constexpr auto loss = [](auto w, auto xs) {
  constexpr int carry_bytes = width * batch * 4;
  return sum(square(etch::scan([&](auto h, auto x) { return tanh(w * h + x); }, etch::zeros<width, batch>(), xs,
                               etch::keep_recursive<10 * carry_bytes>)));
};

constinit auto step = etch::compile<etch::wrt<0>>(loss, weights{}, series{});

float gradient(weights const& w, series const& xs, weights& to) { return step(w, xs, etch::into(to)); }

}  // namespace long_loop_model
