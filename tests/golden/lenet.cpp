#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
struct network {
  param<T, 5, 5, 1, 6> K1;
  param<T, 6> k1;
  param<T, 5, 5, 6, 16> K2;
  param<T, 16> k2;
  param<T, 120, 256> W1;
  param<T, 120, 1> b1;
  param<T, 84, 120> W2;
  param<T, 84, 1> b2;
  param<T, 10, 84> W3;
  param<T, 10, 1> b3;
  ETCH_MEMBERS(network, K1, k1, K2, k2, W1, b1, W2, b2, W3, b3)
};

template <class T>
void lenet() {
  file const f = file::read("lenet");
  if (!f.present()) return;
  auto const net = std::make_unique<network<T>>();
  auto const x = std::make_unique<tensor<T, 28, 28, 1, 2>>();
  assign(*x, f.input.at("x"));
  auto const each = [&](auto& of, auto visit) {
    visit(of.K1, "K1"), visit(of.k1, "k1"), visit(of.K2, "K2"), visit(of.k2, "k2"), visit(of.W1, "W1");
    visit(of.b1, "b1"), visit(of.W2, "W2"), visit(of.b2, "b2"), visit(of.W3, "W3"), visit(of.b3, "b3");
  };
  each(*net, [&](auto& member, char const* name) { assign(member, f.input.at(name)); });
  constexpr auto loss = [](auto n, auto images) {
    auto const a = max_pool<2>(relu(conv2d(images, n.K1) + reshape<1, 1, 6>(n.k1)));
    auto const b = max_pool<2>(relu(conv2d(a, n.K2) + reshape<1, 1, 16>(n.k2)));
    auto const c = relu(n.W1 * reshape<256, -1>(b) + n.b1);
    return sum(square(n.W3 * relu(n.W2 * c + n.b2) + n.b3));
  };
  auto const step = std::make_unique<decltype(compile(loss, *net, *x))>();
  CHECK(std::abs(static_cast<double>((*step)(*net, *x)) - f.value.at("loss")[0]) <=
        tolerance<T> * f.value.at("loss")[0]);
  each(step->template grad<0>(),
       [&](auto const& member, char const* name) { compare(member, f.grad.at(name), tolerance<T>); });
}

}  // namespace

TEST_CASE("lenet") {
  lenet<double>();
  lenet<float>();
}
