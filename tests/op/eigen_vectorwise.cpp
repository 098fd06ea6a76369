#include <etch/op/eigen/vectorwise.hpp>

#include "op/three_ways.hpp"

using namespace three_ways;
using Eigen::Array33d, Eigen::Vector3d, Eigen::Vector4d, Eigen::RowVector4d;
using matrix34 = Eigen::Matrix<double, 3, 4>;

TEST_CASE("softmax cross-entropy by hand, samples in columns") {
  on<matrix34, matrix34>::check([](auto logits, auto target) {
    auto shifted = (logits.rowwise() - logits.colwise().maxCoeff()).eval();
    auto e = shifted.array().exp().eval();
    auto p = (e.rowwise() / e.colwise().sum()).eval();
    return -(target.array() * p.log()).sum() / static_cast<double>(logits.cols());
  });
}

TEST_CASE("softmax by hand, samples in rows") {
  on<matrix34, matrix34>::check([](auto logits, auto target) {
    auto e = (logits.colwise() - logits.rowwise().maxCoeff()).array().exp().eval();
    auto p = (e.colwise() / e.rowwise().sum()).eval();
    return (p - target.array()).matrix().squaredNorm();
  });
}

TEST_CASE("layer normalisation") {
  on<matrix34, Vector3d, Vector3d>::check([](auto x, auto gain, auto bias) {
    auto centred = (x.rowwise() - x.colwise().mean()).eval();
    auto scale = (centred.colwise().squaredNorm().array() / static_cast<double>(x.rows()) + 1e-5).rsqrt().eval();
    auto y = (((centred.array().rowwise() * scale).colwise() * gain.array()).colwise() + bias.array()).eval();
    return (y.cube() + y).sum();
  });
}

TEST_CASE("batch normalisation") {
  on<matrix34, Vector3d>::check([](auto x, auto gain) {
    auto centred = (x.colwise() - x.rowwise().mean()).eval();
    auto deviation = (centred.rowwise().squaredNorm().array() / static_cast<double>(x.cols()) + 1e-5).sqrt().eval();
    auto y = (centred.array().colwise() / deviation).colwise() * gain.array();
    return (y.square() * y - y).sum();
  });
}

TEST_CASE("cosine distance") {
  on<Vector4d, Vector4d>::check([](auto x, auto y) { return 1 - x.dot(y) / (x.norm() * y.norm()); });
}

TEST_CASE("the density of a normal distribution with its parameters") {
  on<Array33d, double, double>::check([](auto x, auto mean, auto log_deviation) {
    using std::exp;
    auto z = ((x - mean) * exp(-log_deviation)).eval();
    return 0.5 * z.square().sum() + static_cast<double>(x.size()) * log_deviation;
  });
}

TEST_CASE("products of entries, extreme entries, means") {
  on<matrix34>::check(
      [](auto x) { return x.prod() * x.mean() + x.maxCoeff() / x.minCoeff() + x.norm() - x.array().mean(); });
}

TEST_CASE("every reduction of columns") {
  on<matrix34, Eigen::RowVector4d>::check([](auto x, auto w) {
    auto c = x.colwise();
    return (c.sum() + 2 * c.mean() - c.maxCoeff() + 3 * c.minCoeff() - c.prod() + 4 * c.norm() - c.squaredNorm())
               .dot(w) +
           (x.rowwise() + w).squaredNorm() + (x.array().rowwise() / w.array()).square().sum();
  });
}

TEST_CASE("every reduction of rows") {
  on<matrix34, Vector3d>::check([](auto x, auto w) {
    auto r = x.rowwise();
    return (r.sum() + 2 * r.mean() - r.maxCoeff() + 3 * r.minCoeff() - r.prod() + 4 * r.norm() - r.squaredNorm())
               .dot(w) +
           (x.colwise() + w).squaredNorm() + x.array().colwise().prod().sum();
  });
}

TEST_CASE("columns and rows of vectors") {
  on<Vector3d, RowVector4d>::check([](auto x, auto y) {
    return x.colwise().norm().sum() + x.rowwise().squaredNorm().dot(x) + y.colwise().squaredNorm().dot(y) +
           y.rowwise().prod().sum();
  });
}
