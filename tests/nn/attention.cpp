#include <etch/etch.hpp>

#include "golden/golden.hpp"
#include "nn/derivatives.hpp"

namespace {

using namespace etch;

/// By loops: column j of the result is the mean of the values, weighted by softmax of the
/// scores of the keys that `may(i, j)`.
template <int D, int E, int M, int N>
tensor<double, E, N> by_loops(tensor<double, D, N> const& q, tensor<double, D, M> const& k,
                              tensor<double, E, M> const& v, auto may) {
  tensor<double, E, N> y;
  for (int j = 0; j < N; ++j) {
    double weight[M], total = 0;
    for (int i = 0; i < M; ++i) {
      double s = 0;
      for (int d = 0; d < D; ++d) s += k(d, i) * q(d, j);
      total += weight[i] = may(i, j) ? std::exp(s / std::sqrt(double{D})) : 0;
    }
    for (int i = 0; i < M; ++i)
      for (int e = 0; e < E; ++e) y(e, j) += weight[i] / total * v(e, i);
  }
  return y;
}
template <int... Dims>
void same(tensor<double, Dims...> const& a, tensor<double, Dims...> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a.data()[i] == doctest::Approx(b.data()[i]).epsilon(1e-12));
}

struct {
  tensor<double, 4, 5> q;
  tensor<double, 4, 5> k;
  tensor<double, 3, 5> v;
} some;

TEST_CASE("attention looks everywhere, back, or where a mask says") {
  layers::fill(some.q, 1);
  layers::fill(some.k, 2);
  layers::fill(some.v, 3);
  auto const value = [&](auto f, auto const&... more) {
    auto step = compile<wrt<>>(f, some.q, some.k, some.v, more...);
    return tensor<double, 3, 5>(step(some.q, some.k, some.v, more...));
  };
  auto const everywhere = [](auto q, auto k, auto v) { return nn::attention(q, k, v); };
  auto const back = [](auto q, auto k, auto v) { return nn::attention<nn::looks::back>(q, k, v); };
  auto const masked = [](auto q, auto k, auto v, auto m) { return nn::attention(q, k, v, m); };
  same(value(everywhere), by_loops(some.q, some.k, some.v, [](int, int) { return true; }));
  same(value(back), by_loops(some.q, some.k, some.v, [](int i, int j) { return i <= j; }));
  tensor<double, 5> mask{1, 0, 1, 1, 0};
  same(value(masked, mask), by_loops(some.q, some.k, some.v, [&](int i, int) { return mask(i) != 0; }));
  auto const masked_back = [](auto q, auto k, auto v, auto m) { return nn::attention<nn::looks::back>(q, k, v, m); };
  same(value(masked_back, mask),
       by_loops(some.q, some.k, some.v, [&](int i, int j) { return i <= j && mask(i) != 0; }));
  tensor<double, 5> const nothing{};
  CHECK(value(masked, nothing)(0, 0) ==
        doctest::Approx((some.v(0, 0) + some.v(0, 1) + some.v(0, 2) + some.v(0, 3) + some.v(0, 4)) / 5));
  auto const loss = [](auto q, auto k, auto v) { return sum(square(nn::attention<nn::looks::back>(q, k, v))); };
  layers::check_derivatives(wrt<0, 1, 2>{}, loss, some.q, some.k, some.v);
}

template <class T>
void against_pytorch() {
  golden::file const f = golden::file::read("attention");
  if (!f.present()) return;
  tensor<T, 4, 6> q, k;
  tensor<T, 3, 6> v;
  golden::assign(q, f.input.at("Q"));
  golden::assign(k, f.input.at("K"));
  golden::assign(v, f.input.at("V"));
  auto const [value, g] =
      value_and_grad<wrt<0, 1, 2>>([](auto a, auto b, auto c) { return sum(square(nn::attention(a, b, c))); })(q, k, v);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <=
        golden::tolerance<T> * std::abs(f.value.at("loss")[0]));
  golden::compare(std::get<0>(g), f.grad.at("Q"), golden::tolerance<T>);
  golden::compare(std::get<1>(g), f.grad.at("K"), golden::tolerance<T>);
  golden::compare(std::get<2>(g), f.grad.at("V"), golden::tolerance<T>);
}
TEST_CASE("attention against PyTorch") {
  against_pytorch<double>();
  against_pytorch<float>();
}

TEST_CASE("every head of every sample attends to its own rows") {
  nn::multi_head_attention<double, 4, 2> layer;
  tensor<double, 4, 3, 2> x;
  layers::fill(layer, 4);
  layers::fill(x, 5);
  auto step = compile<wrt<>>([](auto l, auto in) { return l(in); }, layer, x);
  auto const y = step(layer, x);
  auto const mapped = [&](auto const& of, int n) {
    tensor<double, 4, 3> z;
    for (int t = 0; t < 3; ++t)
      for (int i = 0; i < 4; ++i) {
        z(i, t) = of.bias(i);
        for (int j = 0; j < 4; ++j) z(i, t) += of.weight(i, j) * x(j, t, n);
      }
    return z;
  };
  auto const rows = [](tensor<double, 4, 3> const& z, int head) {
    tensor<double, 2, 3> part;
    for (int t = 0; t < 3; ++t)
      for (int i = 0; i < 2; ++i) part(i, t) = z(2 * head + i, t);
    return part;
  };
  for (int n = 0; n < 2; ++n) {
    tensor<double, 4, 3> together;
    for (int head = 0; head < 2; ++head) {
      auto const part = by_loops(rows(mapped(layer.query, n), head), rows(mapped(layer.key, n), head),
                                 rows(mapped(layer.value, n), head), [](int, int) { return true; });
      for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 2; ++i) together(2 * head + i, t) = part(i, t);
    }
    for (int t = 0; t < 3; ++t)
      for (int i = 0; i < 4; ++i) {
        double expected = layer.output.bias(i);
        for (int j = 0; j < 4; ++j) expected += layer.output.weight(i, j) * together(j, t);
        CHECK(y(i, t, n) == doctest::Approx(expected).epsilon(1e-12));
      }
  }
}

TEST_CASE("the derivatives of a transformer's block are right; what is behind a place does not change it") {
  nn::transformer_block<double, 4, 2, 6, nn::looks::back> block;
  tensor<double, 4, 3, 2> x;
  layers::fill(block, 6, 0.5);
  layers::fill(x, 7);
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l(in))); }, block, x);
  auto step = compile<wrt<>>([](auto l, auto in) { return l(in); }, block, x);
  auto const before = step(block, x);
  for (int i = 0; i < 4; ++i) x(i, 2, 0) += 1;
  auto const after = step(block, x);
  for (int i = 0; i < 4; ++i) {
    CHECK(after(i, 1, 0) == before(i, 1, 0));
    CHECK(after(i, 2, 0) != before(i, 2, 0));
    CHECK(after(i, 2, 1) == before(i, 2, 1));
  }
}

}  // namespace
