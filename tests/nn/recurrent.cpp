#include <etch/etch.hpp>

#include "golden/golden.hpp"
#include "nn/derivatives.hpp"

namespace {

using namespace etch;

constexpr auto lstm_loss = [](auto cell, auto xs, auto h, auto c) {
  return sum(square(std::get<0>(nn::unroll(cell, std::tuple(h, c), xs).carry)));
};
constexpr auto gru_loss = [](auto cell, auto xs, auto h) { return sum(square(nn::unroll(cell, h, xs).carry)); };

void check(double value, golden::file const& f, double tolerance) {
  CHECK(std::abs(value - f.value.at("loss")[0]) <= tolerance * std::abs(f.value.at("loss")[0]));
}

template <class T>
void lstm() {
  golden::file const f = golden::file::read("lstm");
  if (!f.present()) return;
  nn::lstm_cell<T, 4, 6> cell;
  tensor<T, 4, 3, 5> xs;
  tensor<T, 6, 3> h, c;
  golden::assign(cell.input_weight, f.input.at("Wi"));
  golden::assign(cell.hidden_weight, f.input.at("Wh"));
  golden::assign(cell.bias, f.input.at("b"));
  golden::assign(xs, f.input.at("x"));
  golden::assign(h, f.input.at("h0"));
  golden::assign(c, f.input.at("c0"));
  auto const [value, g] = value_and_grad<wrt<0, 1, 2, 3>>(lstm_loss)(cell, xs, h, c);
  constexpr double tolerance = golden::tolerance<T>;
  check(static_cast<double>(value), f, tolerance);
  golden::compare(std::get<0>(g).input_weight, f.grad.at("Wi"), tolerance);
  golden::compare(std::get<0>(g).hidden_weight, f.grad.at("Wh"), tolerance);
  golden::compare(std::get<0>(g).bias, f.grad.at("b"), tolerance);
  golden::compare(std::get<1>(g), f.grad.at("x"), tolerance);
  golden::compare(std::get<2>(g), f.grad.at("h0"), tolerance);
  golden::compare(std::get<3>(g), f.grad.at("c0"), tolerance);
}
TEST_CASE("an LSTM run by scan against PyTorch") {
  lstm<double>();
  lstm<float>();
}

template <class T>
void gru() {
  golden::file const f = golden::file::read("gru");
  if (!f.present()) return;
  nn::gru_cell<T, 4, 6> cell;
  tensor<T, 4, 3, 5> xs;
  tensor<T, 6, 3> h;
  golden::assign(cell.input_weight, f.input.at("Wi"));
  golden::assign(cell.hidden_weight, f.input.at("Wh"));
  golden::assign(cell.input_bias, f.input.at("bi"));
  golden::assign(cell.hidden_bias, f.input.at("bh"));
  golden::assign(xs, f.input.at("x"));
  golden::assign(h, f.input.at("h0"));
  auto const [value, g] = value_and_grad<wrt<0, 1, 2>>(gru_loss)(cell, xs, h);
  constexpr double tolerance = golden::tolerance<T>;
  check(static_cast<double>(value), f, tolerance);
  golden::compare(std::get<0>(g).input_weight, f.grad.at("Wi"), tolerance);
  golden::compare(std::get<0>(g).hidden_weight, f.grad.at("Wh"), tolerance);
  golden::compare(std::get<0>(g).input_bias, f.grad.at("bi"), tolerance);
  golden::compare(std::get<0>(g).hidden_bias, f.grad.at("bh"), tolerance);
  golden::compare(std::get<1>(g), f.grad.at("x"), tolerance);
  golden::compare(std::get<2>(g), f.grad.at("h0"), tolerance);
}
TEST_CASE("a GRU run by scan against PyTorch") {
  gru<double>();
  gru<float>();
}

TEST_CASE("a plain cell is what loops give, and its outputs lie side by side") {
  nn::rnn_cell<double, 2, 3> cell;
  tensor<double, 2, 4> xs;  // no batch
  tensor<double, 3> h;
  layers::fill(cell, 1);
  layers::fill(xs, 2);
  layers::fill(h, 3);
  auto step = compile<wrt<>>([](auto l, auto init, auto x) { return nn::unroll(l, init, x).y; }, cell, h, xs);
  auto const& y = step(cell, h, xs);
  static_assert(std::is_same_v<decltype(y), tensor<double, 3, 4> const&>);
  tensor<double, 3> at = h;
  for (int t = 0; t < 4; ++t) {
    tensor<double, 3> next;
    for (int i = 0; i < 3; ++i) {
      double z = cell.bias(i);
      for (int j = 0; j < 2; ++j) z += cell.input_weight(i, j) * xs(j, t);
      for (int j = 0; j < 3; ++j) z += cell.hidden_weight(i, j) * at(j);
      next(i) = std::tanh(z);
      CHECK(y(i, t) == doctest::Approx(next(i)).epsilon(1e-12));
    }
    at = next;
  }
  layers::check_derivatives(
      wrt<0, 1, 2>{}, [](auto l, auto init, auto x) { return sum(square(nn::unroll(l, init, x).y)); }, cell, h, xs);
}

TEST_CASE("both directions: the second cell begins at the end, and outputs stand at their own times") {
  nn::bidirectional<double, nn::gru_cell<double, 2, 3>> both;
  tensor<double, 2, 2, 4> xs;
  tensor<double, 3, 2> h;
  layers::fill(both, 4);
  layers::fill(xs, 5);
  layers::fill(h, 6);
  auto step = compile<wrt<>>([](auto l, auto init, auto x) { return l(init, x); }, both, h, xs);
  auto const& y = step(both, h, xs);
  static_assert(std::is_same_v<decltype(y), tensor<double, 6, 2, 4> const&>);
  auto one = compile<wrt<>>([](auto l, auto init, auto x) { return nn::unroll(l, init, x).y; }, both.forward, h, xs);
  tensor<double, 2, 2, 4> turned;
  for (int t = 0; t < 4; ++t)
    for (int n = 0; n < 2; ++n)
      for (int i = 0; i < 2; ++i) turned(i, n, t) = xs(i, n, 3 - t);
  auto const there = one(both.forward, h, xs), back = one(both.backward, h, turned);
  for (int t = 0; t < 4; ++t)
    for (int n = 0; n < 2; ++n)
      for (int i = 0; i < 3; ++i) {
        CHECK(y(i, n, t) == doctest::Approx(there(i, n, t)).epsilon(1e-12));
        CHECK(y(3 + i, n, t) == doctest::Approx(back(i, n, 3 - t)).epsilon(1e-12));
      }
  layers::check_derivatives(
      wrt<0, 1, 2>{}, [](auto l, auto init, auto x) { return sum(square(l(init, x))); }, both, h, xs);
}

TEST_CASE("an LSTM's forget gate begins with bias 1, the other gates with 0") {
  nn::lstm_cell<float, 3, 2> cell;
  nn::init::glorot_uniform(cell, 1);
  CHECK(cell.bias == tensor<float, 8>{0, 0, 1, 1, 0, 0, 0, 0});
  for (float w : cell.hidden_weight) CHECK(w != 0);
}

TEST_CASE("a step begins from constants too") {
  nn::lstm_cell<double, 4, 3> lstm;
  nn::gru_cell<double, 4, 3> gru;
  tensor<double, 4, 2> x;
  layers::fill(lstm, 1), layers::fill(gru, 2), layers::fill(x, 3);
  auto one = compile<wrt<>>(
      [](auto l, auto in) {
        auto const [h, c] = l(std::tuple(zeros<3, 2>(), zeros<3, 2>()), in);
        return h + 2 * c;
      },
      lstm, x);
  auto same = compile<wrt<>>(
      [](auto l, auto in) {
        auto const [h, c] = nn::unroll(l, std::tuple(zeros<3, 2>(), zeros<3, 2>()), reshape<4, 2, 1>(in)).carry;
        return h + 2 * c;
      },
      lstm, x);
  for (int i = 0; i < 6; ++i) CHECK(one(lstm, x).data()[i] == doctest::Approx(same(lstm, x).data()[i]));
  auto first = compile<wrt<>>([](auto l, auto in) { return l(zeros<3, 2>(), in); }, gru, x);
  auto unrolled =
      compile<wrt<>>([](auto l, auto in) { return nn::unroll(l, zeros<3, 2>(), reshape<4, 2, 1>(in)).carry; }, gru, x);
  for (int i = 0; i < 6; ++i) CHECK(first(gru, x).data()[i] == doctest::Approx(unrolled(gru, x).data()[i]));
}

}  // namespace
