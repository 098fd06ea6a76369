// The convolutional network of the benchmarks.
#include "../../../bench/run/lenet/loss.hpp"

namespace lenet_model {

template <class T>
struct parameters {
  etch::param<T, 5, 5, 1, 6> k1;
  etch::param<T, 6> c1;
  etch::param<T, 5, 5, 6, 16> k2;
  etch::param<T, 16> c2;
  etch::param<T, 120, 256> w1;
  etch::param<T, 120> b1;
  etch::param<T, 84, 120> w2;
  etch::param<T, 84> b2;
  etch::param<T, 10, 84> w3;
  etch::param<T, 10> b3;
  ETCH_MEMBERS(parameters, k1, c1, k2, c2, w1, b1, w2, b2, w3, b3)
};
using images = etch::tensor<float, 28, 28, 1, 128>;

constexpr auto loss = [](auto p, auto x) {
  return lenet_loss(p.k1, p.c1, p.k2, p.c2, p.w1, p.b1, p.w2, p.b2, p.w3, p.b3, x);
};

constinit auto step = etch::compile(loss, parameters<float>{}, images{});
constinit auto value = etch::compile<etch::wrt<>>(loss, parameters<float>{}, images{});

float gradient(parameters<float> const& p, images const& x, parameters<float>& to) {
  return step(p, x, etch::into(to));
}
float primal(parameters<float> const& p, images const& x) { return value(p, x); }

}  // namespace lenet_model
