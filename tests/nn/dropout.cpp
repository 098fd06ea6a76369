#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

template <class T>
using regularised =
    nn::sequential<T, nn::dense<T, 3, 8>, nn::dropout<50>,
                   nn::residual<T, nn::sequential<T, nn::dense<T, 8, 8>, nn::dropout<25>>>, nn::dropout<50>>;

TEST_CASE("for training entries are left out, for inference none") {
  tensor<double, 4, 5> x;
  x.fill(2);
  auto train = compile<wrt<>>([](auto v, auto key) { return nn::dropout<50>{}(v, key); }, x, 1);
  int zeros = 0;
  for (double y : train(x, 1)) {
    CHECK((y == 0 || y == 4));
    zeros += y == 0;
  }
  CHECK(zeros > 0);
  CHECK(zeros < 20);
  auto use = compile<wrt<>>([](auto v) { return nn::dropout<50>{}(v); }, x);
  CHECK(use(x) == x);
}

TEST_CASE("layers of one sequence draw from folds of the key, in the order of their positions") {
  regularised<double> net;
  tensor<double, 3, 4> x;
  layers::fill(net, 1);
  layers::fill(x, 2);
  auto together = compile<wrt<>>([](auto n, auto in, auto key) { return n(in, key); }, net, x, 1);
  auto apart = compile<wrt<>>(
      [](auto n, auto in, auto key) {
        random_key const own(key);
        auto const hidden = etch::dropout(n.template get<0>()(in), own.fold(1), 0.5);
        auto const inner =
            etch::dropout(n.template get<2>().layer.template get<0>()(hidden), own.fold(2).fold(1), 0.25);
        return etch::dropout(hidden + inner, own.fold(3), 0.5);
      },
      net, x, 1);
  static_assert(same_program<decltype(together), decltype(apart)>);
  auto const first = std::remove_cvref_t<decltype(together(net, x, 7))>(together(net, x, 7));
  CHECK(first == together(net, x, 7));
  CHECK(first != together(net, x, 8));
  auto plain = compile<wrt<>>([](auto n, auto in) { return n(in); }, net, x);
  auto by_hand = compile<wrt<>>(
      [](auto n, auto in) {
        auto const hidden = n.template get<0>()(in);
        return hidden + n.template get<2>().layer.template get<0>()(hidden);
      },
      net, x);
  CHECK(plain(net, x) == by_hand(net, x));
}

TEST_CASE("the gradient is that of what was kept") {
  regularised<double> net;
  tensor<double, 3, 4> x;
  layers::fill(net, 1);
  layers::fill(x, 2);
  layers::check_derivatives(wrt<0, 1>{}, [](auto n, auto in, auto key) { return sum(square(n(in, key))); }, net, x, 3);
}

TEST_CASE("a transformer block leaves out what its two halves add, and passes a key on where it stands in a sequence") {
  nn::sequential<double, nn::transformer_block<double, 4, 2, 6, nn::looks::back, 50>, nn::dense<double, 4, 2>> net;
  tensor<double, 4, 3> x;
  layers::fill(net, 4);
  layers::fill(x, 5);
  auto together = compile<wrt<>>([](auto n, auto in, auto key) { return n(in, key); }, net, x, 1);
  auto apart = compile<wrt<>>(
      [](auto n, auto in, auto key) {
        auto const own = random_key(key).fold(0);
        auto const& block = n.template get<0>();
        auto const y = in + etch::dropout(block.attention(block.before_attention(in)), own.fold(0), 0.5);
        return n.template get<1>()(
            y + etch::dropout(block.narrow(gelu(block.wide(block.before_dense(y)))), own.fold(1), 0.5));
      },
      net, x, 1);
  static_assert(same_program<decltype(together), decltype(apart)>);
  CHECK(together(net, x, 7) == apart(net, x, 7));
}

template <class T>
struct user_model {
  nn::dense<T, 3, 8> hidden;
  nn::dropout<50> drop;
  nn::sequential<T, nn::dense<T, 8, 8>, nn::dropout<25>> body;
  ETCH_MEMBERS(user_model, hidden, drop, body)

  constexpr auto operator()(auto const& x, auto const& key) const {
    random_key const own(key);
    return body(drop(tanh(hidden(x)), own.fold(0)), own.fold(1));
  }
};
TEST_CASE("dropout is a member of a model like any other layer") {
  user_model<double> model;
  tensor<double, 3, 4> x;
  layers::fill(model, 6);
  layers::fill(x, 7);
  auto step = compile([](auto m, auto in, auto key) { return sum(square(m(in, key))); }, model, x, 1);
  CHECK(step(model, x, 1) > 0);
  CHECK(step(model, x, 1) != step(model, x, 2));
}

}  // namespace
