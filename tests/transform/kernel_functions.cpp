// Facts that follow from a kernel's struct: keys, which derivatives there are, and how programs and tapes use memory.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace named {

struct scaled {  // by a number
  static void forward(std::span<double const> x, std::span<double const> s, std::span<double> y) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = s[0] * x[i];
  }
  static void backward(std::span<double const> u, std::span<double const>, std::span<double const> x,
                       std::span<double const> s, std::span<double> gx, std::span<double> gs) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = s[0] * u[i];
    if (gs.empty()) return;
    gs[0] = 0;
    for (std::size_t i = 0; i < x.size(); ++i) gs[0] += u[i] * x[i];
  }
};
struct first_only {
  static void forward(std::span<double const> x, std::span<double> y) { y[0] = x[0]; }
};
struct by_structs {  // adjoints as functions of their own, of which the second has none of its own
  struct by_x {
    static void forward(std::span<double const> u, std::span<double const>, std::span<double const>,
                        std::span<double const> s, std::span<double> gx) {
      for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = s[0] * u[i];
    }
    static void backward(std::span<double const> w, std::span<double const>, std::span<double const> u,
                         std::span<double const>, std::span<double const> x, std::span<double const> s,
                         std::span<double> gu, std::span<double> gy, std::span<double> gx, std::span<double> gs) {
      for (std::size_t i = 0; i < gu.size(); ++i) gu[i] = s[0] * w[i];
      for (double& each : gy) each = 0;
      for (double& each : gx) each = 0;
      for (double& each : gs) each = 0;
      for (std::size_t i = 0; i < x.size() && !gs.empty(); ++i) gs[0] += u[i] * w[i];
    }
  };
  struct by_s {
    static void forward(std::span<double const> u, std::span<double const>, std::span<double const> x,
                        std::span<double const>, std::span<double> gs) {
      gs[0] = 0;
      for (std::size_t i = 0; i < x.size(); ++i) gs[0] += u[i] * x[i];
    }
  };
  using adjoint = std::tuple<by_x, by_s>;
  static void forward(std::span<double const> x, std::span<double const> s, std::span<double> y) {
    scaled::forward(x, s, y);
  }
};

}  // namespace named

namespace {

using vector3 = detail::opaque::entries<double, 3>;
using number = detail::opaque::entries<double, 1>;
using functions = detail::opaque::kernel_functions<named::scaled, vector3, vector3, number>;
using structs = detail::opaque::kernel_functions<named::by_structs, vector3, vector3, number>;
constexpr opaque_call f(functions::described.key), s(structs::described.key);

// The same key from every compiler, another one for another struct or other operands.
static_assert(functions::described.key == 0x77a0f83);
static_assert(functions::described.key != structs::described.key);
static_assert(functions::described.key !=
              detail::opaque::kernel_functions<named::scaled, vector3, vector3, vector3>::described.key);

// `backward` gives all first derivatives, and nothing else.
static_assert(functions::has(f) && functions::has(f.by(0)) && functions::has(f.by(1)));
static_assert(!functions::has(f.by(0).transposed()) && !functions::has(f.by(0).by(0)) && !functions::has(f.by(2)));
// Of structs one gives the derivative in a direction and second derivatives, the other the first one alone.
static_assert(structs::has(s.by(0)) && structs::has(s.by(1)));
static_assert(structs::has(s.by(0).transposed()) && !structs::has(s.by(1).transposed()));
static_assert(structs::has(s.by(0).by(3)) && !structs::has(s.by(1).by(0)));
static_assert(!detail::opaque::kernel_functions<named::first_only, vector3, vector3>::has(f.by(0)));
static_assert(!detail::opaque::kernel_functions<named::first_only, vector3, vector3, vector3>::has_value);

constexpr auto loss = [](auto x, auto a) { return sum(square(kernel<named::scaled>(x, a))); };
constexpr tensor<double, 3> at{1, 2, 3};

}  // namespace

TEST_CASE("structs for each adjoint, without backward") {
  auto const by_struct = [](auto x, auto a) { return sum(square(kernel<named::by_structs>(x, a))); };
  CHECK(grad<wrt<0, 1>>(by_struct)(at, 2.0) == grad<wrt<0, 1>>(loss)(at, 2.0));
  CHECK(grad<wrt<0, 1>>(loss)(at, 2.0) == std::tuple(tensor<double, 3>{8, 16, 24}, 56.0));
  // by x, then by s: x appears in the adjoint of s as well, whose derivative nobody asks for here
  auto const mixed = [](auto x, auto a) {
    return sum(grad([&](auto z) { return sum(kernel<named::by_structs>(z, a)); })(x));
  };
  CHECK(grad<wrt<1>>(mixed)(at, 2.0) == 3);
  CHECK(dynamic::value_and_grad<wrt<1>>(mixed)(at, 2.0).grad == 3);
}

TEST_CASE("in a loop that captures, and in one that learns late where it lies") {
  auto const captures = [](auto x, auto a) {
    return sum(repeat<3>([&](auto c) { return kernel<named::scaled>(c, a); }, x));
  };
  CHECK(grad<wrt<0, 1>>(captures)(at, 2.0) == std::tuple(tensor<double, 3>{8, 8, 8}, 72.0));
  CHECK(dynamic::value_and_grad<wrt<0, 1>>(captures)(at, 2.0).grad == std::tuple(tensor<double, 3>{8, 8, 8}, 72.0));
  auto const late = [](auto x) {
    return repeat<2>([&](auto c) { return kernel<named::scaled>(c, 3.0) + x; }, 0.0);  // 3 x + x
  };
  CHECK(value_and_grad(late)(5.0).value == 20);
  CHECK(grad(late)(5.0) == 4);
  CHECK(dynamic::value_and_grad(late)(5.0).grad == 4);
}

TEST_CASE("gradients into and added to the caller's storage, which may be an argument") {
  auto step = compile<wrt<0>>([](auto x) { return sum(kernel<named::scaled>(x, 3.0)); }, at);
  tensor<double, 3> mine{1, 1, 1};
  CHECK(step(mine, into(mine)) == 9);
  CHECK(mine == tensor<double, 3>{3, 3, 3});
  step(at, add_to(mine));
  CHECK(mine == tensor<double, 3>{6, 6, 6});
}

TEST_CASE("memory is planned, also within a budget") {
  auto const deep = [](auto x, auto a) {
    auto y = x;
    for (int i = 0; i < 4; ++i) y = kernel<named::scaled>(tanh(y), a);
    return sum(y);
  };
  using large = tensor<double, 100>;
  auto free = compile<wrt<0, 1>>(deep, large{}, 1.0);
  constexpr auto needed = decltype(free)::facts.workspace_bytes;
  CHECK(decltype(free)::facts.allocations == 0);
  auto tight = compile<wrt<0, 1>, budget<needed - 800>>(deep, large{}, 1.0);
  static_assert(decltype(tight)::facts.workspace_bytes <= needed - 800);
  large x;
  x.fill(0.5);
  CHECK(free(x, 1.5) == tight(x, 1.5));
  CHECK(free.grad<0>() == tight.grad<0>());
  CHECK(free.grad<1>() == tight.grad<1>());
  CHECK(dynamic::value_and_grad<wrt<1>>(deep)(x, 1.5).grad == doctest::Approx(free.grad<1>()));
}

TEST_CASE("on a tape: scalars, a tape used again, blocks, checkpoints, control flow by values") {
  tape<double> t;
  for (int round = 0; round < 3; ++round) {
    t.reset();
    auto const a = t.watch(2.0);
    auto const x = t.watch(at);
    auto y = x;
    while (value(sum(y)) < 40) y = kernel<named::scaled>(y, a);  // 6, 12, 24, 48
    auto const z = t.apply(loss, y, 1.0) + t.checkpoint([](auto w, auto b) { return loss(w, b); }, x, a);
    CHECK(t.backward(z) == 14 * 64 + 14 * 4);
    CHECK(t.grad(a) == 2 * 14 * 8 * 12 + 56);
    CHECK(t.grad(x)(1) == 2 * 16 * 8 + 16);
  }
  t.reset();
  auto const b = t.watch(3.0);
  CHECK(t.backward(kernel<named::scaled>(b, b) * 2.0) == 18);  // of numbers a number
  CHECK(t.grad(b) == 12);
}
