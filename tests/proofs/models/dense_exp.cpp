// sum(exp(W x + b)) in double.
#include <etch/etch.hpp>

namespace dense_exp_model {

using weights = etch::tensor<double, 512, 256>;
using offsets = etch::tensor<double, 512>;
using inputs = etch::tensor<double, 256, 4096>;

constinit auto step = etch::compile<etch::wrt<0, 1>>([](auto w, auto b, auto x) { return sum(exp(w * x + b)); },
                                                     weights{}, offsets{}, inputs{});

double gradient(weights const& w, offsets const& b, inputs const& x, weights& to_w, offsets& to_b) {
  return step(w, b, x, etch::into(to_w, to_b));
}

}  // namespace dense_exp_model
