// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace mlp_problem {

namespace {

constexpr auto loss = [](auto w1, auto b1, auto w2, auto b2, auto x, auto labels) {
  return etch::nn::softmax_cross_entropy(w2 * tanh(w1 * x + b1) + b2, labels);
};

auto& program() {
  static parameters p;
  static etch::tensor<float, in, batch> x;
  static etch::tensor<int, batch> labels;
  static auto step = etch::compile<etch::wrt<0, 1, 2, 3>>(loss, p.w1, p.b1, p.w2, p.b2, x, labels);
  return step;
}

}  // namespace

rival etch_rival() {
  return {"etch",
          [](data const& d, parameters& g) {
            return program()(d.model.w1, d.model.b1, d.model.w2, d.model.b2, d.x, d.labels, etch::into(g.w1, g.b1, g.w2, g.b2));
          },
          static_cast<double>(std::remove_reference_t<decltype(program())>::facts.flops)};
}

}  // namespace mlp_problem
