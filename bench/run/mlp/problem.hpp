// mlp: the digits network 784-32-10 with tanh, the sum of the squares of what comes out, float, batch 128; mlp_1 to
// mlp_1024: of other batches.
#pragma once

#include "../rival.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <tuple>

template <int Batch>
struct mlp_of {
  static_assert(Batch == 1 || Batch == 4 || Batch == 16 || Batch == 128 || Batch == 1024);
  static constexpr int in = 784, hidden = 32, out = 10, batch = Batch;
  static constexpr char const* name = Batch == 1     ? "mlp_1"
                                      : Batch == 4   ? "mlp_4"
                                      : Batch == 16  ? "mlp_16"
                                      : Batch == 128 ? "mlp"
                                                     : "mlp_1024";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-4;
  /// Two products on the way there; on the way back three, as x needs no gradient.
  static constexpr double flops = 2.0 * batch * (2 * hidden * in + 3 * out * hidden);

  struct parameters {
    etch::tensor<float, hidden, in> w1;
    etch::tensor<float, hidden> b1;
    etch::tensor<float, out, hidden> w2;
    etch::tensor<float, out> b2;
    ETCH_MEMBERS(parameters, w1, b1, w2, b2)
  };
  using gradient = parameters;

  struct inputs {
    parameters model;
    etch::tensor<float, in, batch> x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    auto const normal = [&](auto& t, double scale) {
      for (float& e : t) e = static_cast<float>(scale * random.normal());
    };
    normal(i.model.w1, 0.05), normal(i.model.b1, 0.1), normal(i.model.w2, 0.2), normal(i.model.b2, 0.1);
    for (float& e : i.x) e = static_cast<float>(random.uniform());
  }
};

using mlp = mlp_of<128>;

/// `F<problem>...` for every batch.
template <template <class...> class F>
using with_batches = F<mlp, mlp_of<1>, mlp_of<4>, mlp_of<16>, mlp_of<1024>>;

/// Enters `By<problem>::compute(inputs, gradient)` for every batch, with `By<problem>::workspace` if it states that.
template <template <class> class By>
class enter_all {
  template <class P>
  static bench::rival<P> one(char const* name) {
    double workspace = -1;
    if constexpr (requires { By<P>::workspace; }) workspace = By<P>::workspace;
    return {name, [](auto const& i, auto& g) { return By<P>::compute(i, g); }, workspace};
  }
  template <class... P>
  struct all {
    std::tuple<bench::rival<P>...> entered;
    explicit all(char const* name) : entered(one<P>(name)...) {}
  };
  with_batches<all> entered_;

 public:
  explicit enter_all(char const* name) : entered_(name) {}
};
