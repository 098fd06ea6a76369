// Functions of one sample, mapped over the batch.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace per_sample {
namespace {

constexpr auto loss = [](auto net, auto x, auto y) { return etch::nn::softmax_cross_entropy(net(x), y); };
constexpr auto of_samples = [](auto net, auto xs) { return etch::vmap([&](auto x) { return net(x); })(xs); };
constexpr auto mean_loss = [](auto net, auto xs, auto ys) {
  return mean(etch::vmap([&](auto x, auto y) { return loss(net, x, y); })(xs, ys));
};
constexpr auto squared_norms = [](auto net, auto xs, auto ys) {
  auto const [a, b, c, d] = etch::vmap([&](auto x, auto y) {
    auto const g = etch::grad([&](auto w) { return loss(w, x, y); })(net);
    return std::tuple(g.first.weight, g.first.bias, g.second.weight, g.second.bias);
  })(xs, ys);
  return sum(square(a)) + sum(square(b)) + sum(square(c)) + sum(square(d));
};

data const like{};

bench::rival<results> const of_results("etch", [](data const& d, results::gradient& y) {
  static auto program = etch::compile<etch::wrt<>>(of_samples, like.net, like.x);
  y = program(d.net, d.x);
  return 0.0;
});
bench::rival<mean_gradient> const of_gradient("etch", [](data const& d, mean_gradient::gradient& g) {
  static auto step = etch::compile<etch::wrt<0>>(mean_loss, like.net, like.x, like.y);
  return step(d.net, d.x, d.y, etch::into(g));
});
bench::rival<norms> const of_norms("etch", [](data const& d, norms::gradient& g) {
  static auto program = etch::compile<etch::wrt<>>(squared_norms, like.net, like.x, like.y);
  return g(0) = program(d.net, d.x, d.y);
});

}  // namespace
}  // namespace per_sample
