#include "transform/returned_constants.hpp"

using namespace returned_constants;

TEST_CASE_TEMPLATE("a checkpoint may return constants", T, float, double) {
  arguments<T> const a;
  check<T>([](auto w) { return sum(w) + checkpoint([](auto) { return 1.5; })(w); }, a.v, 7.5, 1);
  check<T>([](auto w) { return sum(w) + sum(checkpoint([](auto) { return 2 * identity<2>() + 1; })(w)); }, a.v, 14, 1);
  check<T>(
      [](auto w) {
        auto const [p, q, r] = checkpoint(
            [](auto x, auto k) { return std::tuple(cwise_product(x, k), 1.5, ones<2>()); })(w, stack<0>(2, 2, 2));
        return sum(p) + q * sum(r);
      },
      a.v, 15, 2);
}

TEST_CASE_TEMPLATE("constants have the derivative 0 along any direction, and may be one", T, float, double) {
  arguments<T> const a;
  check<T>(
      [](auto w) {
        auto const [y, dy] = jvp([](auto) { return 1.5; })(w, w);
        return sum(w) + y + dy;
      },
      a.v, 7.5, 1);
  check<T>(
      [](auto w) {
        auto const [y, dy] =
            jvp([](auto x) { return std::tuple(sum(x), 1.5, ones<3>(), 2 * identity<2>() + 1); })(w, ones<3>());
        return std::get<0>(y) * std::get<0>(dy) + std::get<1>(y) + sum(std::get<2>(y)) + sum(std::get<3>(y)) +
               100 * std::get<1>(dy) + 100 * sum(std::get<2>(dy)) + 100 * sum(std::get<3>(dy));
      },
      a.v, 18 + 1.5 + 3 + 8, 3);
  check<T>(
      [](auto w) { return std::get<1>(jvp([](auto x) { return sum(square(x)) / 2; })(w, stack<0>(1.0, 1.0, 1.0))); },
      a.v, 6, 1);
}

TEST_CASE_TEMPLATE("a loss may be a constant in parts", T, float, double) {
  arguments<T> const a;
  auto const parts = [](auto w) { return std::tuple(sum(w), 1.5, ones<2>(), 2 * identity<2>() + 1); };
  auto const [value, gradient] = value_and_grad(parts)(a.v);
  auto const [taped, taped_gradient] = dynamic::value_and_grad(parts)(a.v);
  using results = std::tuple<T, T, tensor<T, 2>, tensor<T, 2, 2>>;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(value)>, results> &&
                std::is_same_v<std::remove_cvref_t<decltype(taped)>, results>);
  results const wanted{T(6), T(1.5), {1, 1}, {3, 1, 1, 3}};
  CHECK(value == wanted);
  CHECK(taped == wanted);
  CHECK(gradient == tensor<T, 3>{1, 1, 1});
  CHECK(taped_gradient == gradient);

  tape<T> t;
  auto const v = t.watch(a.v);
  auto const [total, number, vector, matrix] = t.apply(parts, v);
  CHECK(t.backward(total * number + sum(vector) * matrix(0, 0)) == 9 + 6);
  CHECK(t.grad(v) == tensor<T, 3>{1.5, 1.5, 1.5});
}
