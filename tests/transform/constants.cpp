// Functions given to loops, maps and derivatives may return numbers and constants, and are given constants to begin with.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class T>
struct arguments {
  tensor<T, 3, 4> xs;
  tensor<T, 3> v{1, 2, 3};
  arguments() {
    for (std::size_t i = 0; i < 12; ++i) xs.data()[i] = static_cast<T>(i) / 8;
  }
};

/// `f` as a program and on a tape: its value is `value`, its gradient `slope` everywhere.
template <class T, class A>
void check(auto f, A const& x, double value, double slope) {
  auto const found = value_and_grad(f)(x);
  auto const taped = dynamic::value_and_grad(f)(x);
  static_assert(std::is_same_v<decltype(found.value), T> && std::is_same_v<decltype(taped.value), T>);
  CHECK(found.value == doctest::Approx(value));
  CHECK(taped.value == doctest::Approx(value));
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(found.grad.data()[i] == doctest::Approx(slope));
    CHECK(taped.grad.data()[i] == doctest::Approx(slope));
  }
  tape<T> t;
  auto const w = t.watch(x);
  var<T> const applied = t.apply(f, w);
  CHECK(t.backward(applied) == doctest::Approx(value));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(t.grad(w).data()[i] == doctest::Approx(slope));
}

}  // namespace

TEST_CASE_TEMPLATE("points may have results that are numbers or constants", T, float, double) {
  arguments<T> const a;
  check<T>([](auto w) { return sum(w) + sum(map([](auto) { return 1.5; }, w)); }, a.xs, 8.25 + 6, 1);
  check<T>([](auto w) { return sum(w) + sum(map([](auto) { return 2 * identity<3>() + 1.0; }, w)); }, a.xs, 8.25 + 60, 1);
  check<T>([](auto w) { return sum(w) + sum(map([](auto) { return stack<0>(1, 2, 0.5); }, w)); }, a.xs, 8.25 + 14, 1);
  check<T>(
      [](auto w) {
        auto const [p, q, r] = map([](auto c) { return std::tuple(sum(c), 1.5, ones<2>()); }, w);
        return sum(p) + sum(q) * sum(r);
      },
      a.xs, 8.25 + 48, 1);
  check<T>(
      [](auto w) {
        auto const [p, q] = sum_map([](auto c) { return std::tuple(c, 2); }, w);
        return sum(p) * q + sum_map([](auto) { return sum(full<3>(0.5)); }, w);
      },
      a.xs, 8 * 8.25 + 6, 8);
  check<T>(
      [](auto w) {
        auto const [value, jacobian] = jacobian_map([](auto) { return 2.5; }, w);
        return sum(w) + sum(value) + sum(jacobian);
      },
      a.xs, 8.25 + 10, 1);
  check<T>(
      [](auto w) {
        auto const [value, jacobian] = jacobian_map([](auto) { return ones<3>(); }, w);
        return sum(w) + sum(value) + sum(jacobian);
      },
      a.xs, 8.25 + 12, 1);
}

TEST_CASE_TEMPLATE("columns and slices may be constants", T, float, double) {
  arguments<T> const a;
  check<T>([](auto w) { return sum(map([](auto c, auto k) { return dot(c, k); }, w, full<3, 4>(2))); }, a.xs, 16.5, 2);
  check<T>([](auto w) { return sum_map([&](auto k) { return sum(w) * k; }, concat<0>(ones<3>(), 0.5)); }, a.v, 21, 3.5);
  check<T>([](auto w) { return sum(scan([](auto h, auto k) { return h + k; }, w, reverse(tile<1, 4>(reshape<3, 1>(stack<0>(1, 2, 3)))))); }, a.v, 30, 1);
}

TEST_CASE_TEMPLATE("loops may begin with constants, become constants and collect them", T, float, double) {
  arguments<T> const a;
  check<T>(
      [](auto w) {
        auto const [h, y] = scan([](auto carry, auto c) { return step{carry + c, 1.5}; }, zeros<3>(), w);
        return sum(h) + sum(y);
      },
      a.xs, 8.25 + 6, 1);
  check<T>(
      [](auto w) {
        auto const [h, y] = scan([](auto carry, auto c) { return step{carry + sum(c), std::tuple(ones<2>(), carry, 1)}; }, 0.0, w);
        return h + sum(std::get<0>(y)) + sum(std::get<2>(y));
      },
      a.xs, 8.25 + 12, 1);
  check<T>([](auto w) { return sum(w) + sum(scan([](auto, auto) { return 2 * ones<3>() - 1; }, concat<0>(ones<1>(), zeros<2>()), w)); }, a.xs, 8.25 + 3, 1);
  check<T>([](auto w) { return sum(w) + scan([](auto, auto) { return 4.0; }, 1, w); }, a.xs, 8.25 + 4, 1);
  check<T>([](auto w) { return sum(repeat<3>([&](auto h) { return cwise_product(h, h) / h + w; }, stack<0>(1.0, 2.0, 3.0))); }, a.v, 24, 3);
  check<T>([](auto w) { return sum(repeat<3>([&](auto h) { return h + sum(w) * identity<3>(); }, identity<3>() + 1)); }, a.v, 12 + 54, 9);
  check<T>(
      [](auto w) {
        auto const h = scan([](auto carry, auto c) { return std::tuple(std::get<0>(carry) + c, 1.5); }, std::tuple(zeros<3>(), 0), w, keep_carries);
        return sum(std::get<0>(h)) + std::get<1>(h);
      },
      a.xs, 8.25 + 1.5, 1);
  check<T>(
      [](auto w) {
        auto const r = scan([](auto carry, auto c) { return step{carry + c, 1.5}; }, concat<0>(zeros<2>(), 1), w, keep_every<2>);
        return sum(r.carry) + sum(r.y);
      },
      a.xs, 8.25 + 7, 1);
}

TEST_CASE_TEMPLATE("a checkpoint may return constants", T, float, double) {
  arguments<T> const a;
  check<T>([](auto w) { return sum(w) + checkpoint([](auto) { return 1.5; })(w); }, a.v, 7.5, 1);
  check<T>([](auto w) { return sum(w) + sum(checkpoint([](auto) { return 2 * identity<2>() + 1; })(w)); }, a.v, 14, 1);
  check<T>(
      [](auto w) {
        auto const [p, q, r] = checkpoint([](auto x, auto k) { return std::tuple(cwise_product(x, k), 1.5, ones<2>()); })(w, stack<0>(2, 2, 2));
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
        auto const [y, dy] = jvp([](auto x) { return std::tuple(sum(x), 1.5, ones<3>(), 2 * identity<2>() + 1); })(w, ones<3>());
        return std::get<0>(y) * std::get<0>(dy) + std::get<1>(y) + sum(std::get<2>(y)) + sum(std::get<3>(y)) + 100 * std::get<1>(dy) +
               100 * sum(std::get<2>(dy)) + 100 * sum(std::get<3>(dy));
      },
      a.v, 18 + 1.5 + 3 + 8, 3);
  check<T>([](auto w) { return std::get<1>(jvp([](auto x) { return sum(square(x)) / 2; })(w, stack<0>(1.0, 1.0, 1.0))); }, a.v, 6, 1);
}

TEST_CASE_TEMPLATE("a loss may be a constant in parts", T, float, double) {
  arguments<T> const a;
  auto const parts = [](auto w) { return std::tuple(sum(w), 1.5, ones<2>(), 2 * identity<2>() + 1); };
  auto const [value, gradient] = value_and_grad(parts)(a.v);
  auto const [taped, taped_gradient] = dynamic::value_and_grad(parts)(a.v);
  using results = std::tuple<T, T, tensor<T, 2>, tensor<T, 2, 2>>;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(value)>, results> && std::is_same_v<std::remove_cvref_t<decltype(taped)>, results>);
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
