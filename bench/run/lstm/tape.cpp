// A loop over the steps on the tape: each step is one entry, the compiled program of both layers' cells.
#include "loss.hpp"
#include "problem.hpp"

namespace {

constexpr auto both_layers = [](auto layers, auto x, auto h1, auto c1, auto h2, auto c2) {
  auto const [a, b] = lstm_loss::cell(layers[0], x, std::tuple{h1, c1});
  auto const [c, d] = lstm_loss::cell(layers[1], a, std::tuple{h2, c2});
  return std::tuple{a, b, c, d, sum(square(c))};
};

bench::rival<lstm> const here("etch tape", [](lstm::inputs const& i, lstm::gradient& g) {
  using state = etch::tensor<float, lstm::width, lstm::batch>;
  static etch::tape<float> tape;
  static state x, zeros;
  tape.reset();
  auto const layers = tape.watch(i.weights);
  etch::var<float, lstm::width, lstm::batch> h1 = tape.constant(zeros), c1 = h1, h2 = h1, c2 = h1;
  etch::var<float> total = 0;
  for (int t = 0; t < lstm::steps; ++t) {
    std::copy_n(i.x.data() + static_cast<std::size_t>(t) * x.size(), x.size(), x.data());
    auto const [a, b, c, d, squares] = tape.apply(both_layers, layers, x, h1, c1, h2, c2);
    h1 = a, c1 = b, h2 = c, c2 = d;
    total += squares;
  }
  float const value = tape.backward(total);
  g = tape.grad(layers);
  return double{value};
});

}  // namespace
