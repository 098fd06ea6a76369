// by_products: the network on somebody else's matrix product, Eigen for what is between.
#pragma once

#include "problem.hpp"

namespace mlp_by_products {

/// `product(m, n, k, a, transpose a, b, transpose b, beta, c)`: c = beta c + op(a) op(b), all column by column.
template <class P>
float compute(typename P::inputs const& i, typename P::gradient& g, auto product) {
  constexpr int in = P::in, hidden = P::hidden, out = P::out, batch = P::batch;
  static etch::tensor<float, hidden, batch> h, dz;
  static etch::tensor<float, out, batch> o;

  product(hidden, batch, in, i.model.w1.data(), false, i.x.data(), false, 0, h.data());
  h.matrix() = (h.matrix().colwise() + i.model.b1.flat()).array().tanh();
  product(out, batch, hidden, i.model.w2.data(), false, h.data(), false, 0, o.data());
  o.matrix().colwise() += i.model.b2.flat();
  float const value = o.flat().squaredNorm();
  o.flat() *= 2;

  product(out, hidden, batch, o.data(), false, h.data(), true, 0, g.w2.data());
  g.b2.flat() = o.matrix().rowwise().sum();
  product(hidden, batch, out, i.model.w2.data(), true, o.data(), false, 0, dz.data());
  dz.array() *= 1 - h.array().square();
  product(hidden, in, batch, dz.data(), false, i.x.data(), true, 0, g.w1.data());
  g.b1.flat() = dz.matrix().rowwise().sum();
  return value;
}

/// The network on the products of `Product`.
template <class Product>
struct on {
  template <class P>
  struct network {
    static float compute(typename P::inputs const& i, typename P::gradient& g) {
      return mlp_by_products::compute<P>(i, g, Product{});
    }
  };
};

}  // namespace mlp_by_products
