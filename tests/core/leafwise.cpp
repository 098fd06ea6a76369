#include <etch/core/leafwise.hpp>

#include <etch/compile/gradient.hpp>
#include <etch/tape/dynamic.hpp>

#include <doctest/doctest.h>

#include <string>

// Structs of a user, outside the library's namespace and without a `using` for it:
// operators are found by their operands.
namespace user {

template <class T>
struct inner {
  etch::param<T, 2> v;
  T s;
  ETCH_MEMBERS(inner, v, s)
};
template <class T>
struct model {
  etch::param<T, 3> w;
  inner<T> in;
  std::array<T, 2> pair;
  std::tuple<etch::param<T, 1>, inner<T>> rest;
  ETCH_MEMBERS(model, w, in, pair, rest)
};
struct concrete {  // of several element types, with labels
  Eigen::Vector3f e;
  Eigen::Matrix<double, 2, 2, Eigen::RowMajor> m;
  double d;
  etch::tensor<int, 2> labels;
  int count;
  ETCH_MEMBERS(concrete, e, m, d, labels, count)
};

struct own_members {
  double d;
  ETCH_MEMBERS(own_members, d)
  constexpr own_members operator+(own_members const& o) const { return {d + o.d + 100}; }
  constexpr own_members& operator+=(own_members const& o) { return d += o.d + 100, *this; }
  constexpr own_members operator*(double s) const { return {d * s + 100}; }
  friend constexpr own_members operator*(double s, own_members const& o) { return {s * o.d + 100}; }
};
template <class T>
struct own_templates {
  T d;
  ETCH_MEMBERS(own_templates, d)
  template <class X>
  constexpr own_templates operator-(X const& x) const {
    return {d - x.d + 7};
  }
};
template <class T>
constexpr own_templates<T> operator+(own_templates<T> const& a, own_templates<T> const& b) {
  return {a.d + b.d + 7};
}
struct number {  // converts to one, whose arithmetic it has
  double d;
  ETCH_MEMBERS(number, d)
  constexpr operator double() const { return d; }
};
template <class T>
struct etch_self_named {  // names that the operators' own could be taken for
  T a, b, s, Self;
  ETCH_MEMBERS(etch_self_named, a, b, s, Self)
};

template <class T = double>
constexpr model<T> counting(double factor = 1) {
  model<T> m{};
  double next = 1;
  etch::argument<model<T>>::visit(m, [&]<class E>(E* data, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<E>(factor * next++);
  });
  return m;
}
constexpr double squares = 12 * 13 * 25 / 6;  // of 1 ... 12

static_assert((counting() + 2 * counting(3)).pair[1] == 7 * 8);
static_assert((counting() - counting() / 2).w(2) == 1.5 && (-counting()).in.s == -6 && (counting() * 3).in.v(1) == 15);
static_assert(etch::dot(counting(), counting(2)) == 2 * squares && etch::squared_norm(counting()) == squares);
static_assert(etch::norm(counting(0)) == 0);

static_assert((own_members{1} + own_members{1}).d == 102 && (2 * own_members{1}).d == 102 &&
              (2.0f * own_members{1}).d == 102 && (own_members{1} * 2).d == 102 &&
              (own_members{3} - own_members{1}).d == 2);
static_assert((own_templates<double>{1} + own_templates<double>{1}).d == 9 &&
              (own_templates<double>{1} - own_templates<double>{1}).d == 7 && (2 * own_templates<double>{1}).d == 2);
static_assert(number{3} + number{4} == 7 && 2 * number{3} == 6 &&
              std::is_same_v<decltype(number{3} * number{4}), double>);

// Only structs with ETCH_MEMBERS have them, and only with their own kind.
struct bare {
  double d;
};
template <class A, class B>
concept addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept multiplicable = requires(A a, B b) { a* b; };
static_assert(addable<model<double>, model<double>> && !addable<model<double>, model<float>> &&
              !addable<model<double>, double> && !addable<bare, bare> && !addable<model<double>, inner<double>>);
static_assert(multiplicable<model<double>, int> && !multiplicable<model<double>, model<double>> &&
              !multiplicable<bare, double> && !multiplicable<model<double>, std::string>);

struct derived : inner<double> {
  double more;
};
static_assert(!addable<derived, derived>);  // whose member `more` would be lost

TEST_CASE("arithmetic of structs of every kind of leaf") {
  auto a = counting<float>();
  auto const b = a + 0.5 * a;
  static_assert(std::is_same_v<decltype(b), model<float> const>);
  CHECK(b.w == etch::tensor<float, 3>{1.5f, 3, 4.5f});
  CHECK(std::get<1>(b.rest).s == 18);
  a += b, a -= b, a *= 4, a /= 2;
  CHECK(a.pair[0] == 14);
  CHECK(etch::norm(counting<float>()) == doctest::Approx(std::sqrt(squares)));
  static_assert(std::is_same_v<decltype(etch::norm(a)), float>);

  concrete c{{1, 2, 3}, {}, 4, {1, 2}, 5};
  c.m << 1, 2, 3, 4;
  concrete const d = c + 2 * c;
  CHECK(d.e == Eigen::Vector3f(3, 6, 9));
  CHECK(d.m(1, 0) == 9);
  CHECK(d.d == 12);
  CHECK(d.labels == etch::tensor<int, 2>{1, 2});  // integers are labels and stay
  CHECK(d.count == 5);
  CHECK(etch::dot(c, c) == 14 + 30 + 16);
  concrete huge{};
  huge.d = 1e200;
  CHECK(etch::norm(huge) == 1e200);

  etch_self_named<double> const odd{1, 2, 3, 4};
  CHECK((odd + 2 * odd).Self == 12);
}

TEST_CASE("leaves are visited in order, several structs side by side") {
  auto m = counting();
  auto const other = counting(10);
  std::size_t leaves = 0, entries = 0;
  etch::visit_leaves(
      [&]<class X>(X& x, X const& y) {
        ++leaves;
        if constexpr (std::is_same_v<X, double>) x += y, ++entries;
        else entries += x.size();
      },
      m, other);
  CHECK(leaves == 8);
  CHECK(entries == 12);
  CHECK(m.in.s == 66);
  CHECK(m.w(0) == 1);
}

constexpr auto loss = [](auto m, auto k) {
  auto z = m + 2 * m - k * m / 4;
  z += m;
  z = -z * k;
  return dot(z, m) + norm(z - m);
};

TEST_CASE("traced structs have the same arithmetic, as do those on a tape") {
  auto const m = counting();
  double const k = 2, scale = -k * (4 - k / 4), value = scale * squares + (1 - scale) * std::sqrt(squares);
  // d/dm: 2 scale m + (1 - scale) m / norm(m)
  double const of_each = 2 * scale + (1 - scale) / std::sqrt(squares);
  auto const check = [&](double v, model<double> const& g) {
    CHECK(v == doctest::Approx(value));
    CHECK(g.w(2) == doctest::Approx(3 * of_each));
    CHECK(g.pair[1] == doctest::Approx(8 * of_each));
    CHECK(std::get<1>(g.rest).s == doctest::Approx(12 * of_each));
  };
  auto const [v, g] = etch::value_and_grad(loss)(m, k);
  check(v, g);
  auto const [tape_v, tape_g] = etch::dynamic::value_and_grad(loss)(m, k);
  check(tape_v, tape_g);
  constexpr auto at_compile_time = etch::value_and_grad(loss)(counting(), 2.0);
  check(at_compile_time.value, at_compile_time.grad);
}

TEST_CASE("the norm of zeros has gradient zero") {
  auto const of = [](auto m) { return norm(m); };
  model<double> const zero{};
  CHECK(etch::norm(etch::grad(of)(zero)) == 0);
  CHECK(etch::norm(etch::dynamic::grad(of)(zero)) == 0);
}

}  // namespace user
