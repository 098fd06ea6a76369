// The same written for a batch; of the norms, each sample's is the product of two that no one adds up over the batch
// before (I. Goodfellow, arXiv:1510.01799).
#include <etch/etch.hpp>

#include "problem.hpp"

namespace per_sample {
namespace {

constexpr auto of_batch = [](auto net, auto xs) { return net(xs); };
constexpr auto mean_loss = [](auto net, auto xs, auto ys) { return etch::nn::softmax_cross_entropy(net(xs), ys); };
constexpr auto squared_norms = [](auto net, auto xs, auto ys) {
  auto const h = tanh(net.first(xs));
  auto const of_logits = etch::softmax<0>(net.second(h)) - ys;
  auto const of_hidden = cwise_product(transpose(net.second.weight) * of_logits, 1 - square(h));
  auto const norm_of = [](auto g, auto x) { return sum(cwise_product(sum<0>(square(g)), 1 + sum<0>(square(x)))); };
  return norm_of(of_logits, h) + norm_of(of_hidden, xs);
};

data const like{};

bench::rival<results> const of_results("hand", [](data const& d, results::gradient& y) {
  static auto program = etch::compile<etch::wrt<>>(of_batch, like.net, like.x);
  y = program(d.net, d.x);
  return 0.0;
});
bench::rival<mean_gradient> const of_gradient("hand", [](data const& d, mean_gradient::gradient& g) {
  static auto step = etch::compile<etch::wrt<0>>(mean_loss, like.net, like.x, like.y);
  return step(d.net, d.x, d.y, etch::into(g));
});
bench::rival<norms> const of_norms("hand", [](data const& d, norms::gradient& g) {
  static auto program = etch::compile<etch::wrt<>>(squared_norms, like.net, like.x, like.y);
  return g(0) = program(d.net, d.x, d.y);
});

}  // namespace
}  // namespace per_sample
