// The obvious Eigen: maps of fixed size, static buffers, no temporaries.
#include "problem.hpp"

namespace {

template <class P>
struct by_maps {
  static float compute(typename P::inputs const& i, typename P::gradient& g) {
    static etch::tensor<float, P::hidden, P::batch> h_storage, dz_storage;
    static etch::tensor<float, P::out, P::batch> o_storage;
    auto const w1 = i.model.w1.matrix();
    auto const w2 = i.model.w2.matrix();
    auto const x = i.x.matrix();
    auto h = h_storage.matrix(), dz = dz_storage.matrix();
    auto o = o_storage.matrix();

    h.noalias() = w1 * x;
    h = (h.colwise() + i.model.b1.flat()).array().tanh();
    o.noalias() = w2 * h;
    o.colwise() += i.model.b2.flat();
    float const value = o.squaredNorm();
    o *= 2;

    g.w2.matrix().noalias() = o * h.transpose();
    g.b2.flat() = o.rowwise().sum();
    dz.noalias() = w2.transpose() * o;
    dz.array() *= 1 - h.array().square();
    g.w1.matrix().noalias() = dz * x.transpose();
    g.b1.flat() = dz.rowwise().sum();
    return value;
  }
};
enter_all<by_maps> const here("eigen");

}  // namespace
