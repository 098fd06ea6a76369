// The same gradient by hand, with fixed-size Eigen maps over static buffers.
#include "problem.hpp"

namespace mlp_problem {

rival eigen_rival() {
  return {"eigen by hand",
          [](data const& d, parameters& g) {
            static etch::tensor<float, hidden, batch> h_storage, dz_storage;
            static etch::tensor<float, out, batch> o_storage;
            auto const w1 = d.model.w1.matrix();
            auto const w2 = d.model.w2.matrix();
            auto const x = d.x.matrix();
            auto h = h_storage.matrix(), dz = dz_storage.matrix();
            auto o = o_storage.matrix();

            h.noalias() = w1 * x;
            h = (h.colwise() + d.model.b1.flat()).array().tanh();
            o.noalias() = w2 * h;
            o.colwise() += d.model.b2.flat();

            float value = 0;
            for (int j = 0; j < batch; ++j) {
              auto column = o.col(j);
              float const largest = column.maxCoeff();
              float const picked = column(d.labels(j)) - largest;
              column = (column.array() - largest).exp();
              float const total = column.sum();
              value += std::log(total) - picked;
              column *= 1.0f / (total * batch);
              column(d.labels(j)) -= 1.0f / batch;
            }

            g.w2.matrix().noalias() = o * h.transpose();
            g.b2.flat() = o.rowwise().sum();
            dz.noalias() = w2.transpose() * o;
            dz.array() *= 1 - h.array().square();
            g.w1.matrix().noalias() = dz * x.transpose();
            g.b1.flat() = dz.rowwise().sum();
            return value / batch;
          },
          etch_rival().flops};
}

}  // namespace mlp_problem
