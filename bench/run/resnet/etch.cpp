// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

template <int Stride, int Padding>
constexpr auto convolved(auto const& x, auto const& by) {
  return by.norm.train(etch::conv2d<Stride, Padding>(x, by.kernel));
}
constexpr auto block(auto const& x, auto const& by) {
  if constexpr (requires { by.shortcut; }) {
    auto const inner = relu(convolved<2, 1>(x, by.first));
    return relu(convolved<1, 1>(inner, by.second) + convolved<2, 0>(x, by.shortcut));
  } else {
    auto const inner = relu(convolved<1, 1>(x, by.first));
    return relu(convolved<1, 1>(inner, by.second) + x);
  }
}

constexpr auto loss = [](auto const& m, auto images, auto labels) {
  auto const through = [](auto const& self, auto x, auto const& first, auto const&... more) {
    auto const y = block(x, first);
    if constexpr (sizeof...(more) == 0) return y;
    else return self(self, y, more...);
  };
  auto const h = through(through, relu(convolved<1, 1>(images, m.stem)), m.block1, m.block2, m.block3, m.block4,
                         m.block5, m.block6, m.block7, m.block8);
  return etch::nn::softmax_cross_entropy(m.head(etch::nn::global_avg_pool{}(h)), labels);
};

constinit auto program = etch::compile<etch::wrt<0>>(loss, resnet::gradient{}, decltype(resnet::inputs::images){},
                                                     decltype(resnet::inputs::labels){});

bench::rival<resnet> const here(
    "etch",
    [](resnet::inputs const& i, resnet::gradient& g) { return program(i.model, i.images, i.labels, etch::into(g)); },
    decltype(program)::facts.workspace_bytes);

}  // namespace
