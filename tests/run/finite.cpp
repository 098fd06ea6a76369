#include <etch/run/finite.hpp>

#include <etch/core/members.hpp>
#include <etch/op/table.hpp>
#include <etch/run/wrt_members.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace {

using namespace etch;

// Made from bits, and read as such: under -ffast-math a compiler takes no number for a NaN.
double nan_of_double() { return std::bit_cast<double>(std::uint64_t{0x7ff8000000000001}); }
double infinity_of_double() { return std::bit_cast<double>(std::uint64_t{0xfff0000000000000}); }
float nan_of_float() { return std::bit_cast<float>(std::uint32_t{0x7f800001}); }

TEST_CASE("every entry is looked at, in registers and behind them") {
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<float> x(n, 3.4e38f);
    std::vector<double> y(n, -1.79e308);
    CHECK(run::all_finite(x.data(), n));
    CHECK(run::all_finite(y.data(), n));
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = nan_of_float(), y[i] = infinity_of_double();
      CHECK(!run::all_finite(x.data(), n));
      CHECK(!run::all_finite(y.data(), n));
      x[i] = 1e-45f, y[i] = 5e-324;
    }
    CHECK(run::all_finite(x.data(), n));
    CHECK(run::all_finite(y.data(), n));
  }
}

template <class T>
struct layer {
  param<T, 2, 3> weight;
  param<T, 2> bias;
  ETCH_MEMBERS(layer, weight, bias)
};
template <class T>
struct model {
  std::array<layer<T>, 2> body;
  param<T> scale;
  ETCH_MEMBERS(model, body, scale)
};

// The square root has an infinite derivative at 0, and the logarithm none below.
constexpr auto loss = [](auto m, auto x, auto) {
  auto const y = m.body[0].weight * x + m.body[0].bias + m.body[1].weight * x + m.body[1].bias;
  return std::tuple(sum(square(y)) + sqrt(m.scale), log(m.scale + 1));
};

TEST_CASE("status is not ok where an argument, a result or a gradient is not finite, and its place is named") {
  model<float> m{};
  m.scale = 1;
  tensor<float, 3> x{1, 2, 3};
  auto step = compile<wrt<0>, check_finite>(loss, m, x, 7);
  static_assert(decltype(step)::facts.object_bytes == sizeof(step));
  step(m, x, 7);
  CHECK(step.status() == status::ok);
  CHECK(step.not_finite() == "");

  x(1) = nan_of_float();
  step(m, x, 7);
  CHECK((step.status() & status::not_finite));
  CHECK(step.not_finite() == "argument 1");
  m.body[1].bias(1) = nan_of_float();  // the first is named
  step(m, x, 7);
  CHECK(step.not_finite() == "argument 0.body[1].bias");
  m.body[1].bias(1) = 0, x(1) = 2;

  m.scale = -1;  // the value is NaN, and the second result too
  step(m, x, 7);
  CHECK(step.not_finite() == "value");
  m.scale = 0;
  step(m, x, 7);
  CHECK(step.not_finite() == "gradient 0.scale");
  model<float> target{};
  step(m, x, 7, into(target));
  CHECK(step.not_finite() == "gradient 0.scale");
  m.scale = 1;
  step(m, x, 7, add_to(target));  // to what is infinite already
  CHECK(step.not_finite() == "gradient 0.scale");
  step(m, x, 7, into(target));
  CHECK(step.status() == status::ok);
}

TEST_CASE("of members, and without gradients") {
  constexpr auto of_scale = [](auto m, auto x) { return std::tuple(m.scale * sum(x), sqrt(m.scale)); };
  model<double> m{};
  m.scale = 1;
  tensor<double, 5> x{};
  auto part = compile<wrt_members<0, "scale">, check_finite>(of_scale, m, x);
  part(m, x);
  CHECK(part.status() == status::ok);
  CHECK(part.grad<"scale">() == 0);
  x(4) = nan_of_double();
  part(m, x);
  CHECK(part.not_finite() == "argument 1");
  x(4) = 1.7e308, x(3) = 1.7e308;
  part(m, x);
  CHECK(part.not_finite() == "value");
  m.scale = 0.1;  // the sum itself is infinite: so is the derivative
  part(m, x);
  CHECK(part.not_finite() == "value");

  auto value = compile<wrt<>, check_finite>(of_scale, m, x);
  m.scale = infinity_of_double();
  value(m, x);
  CHECK(value.not_finite() == "argument 0.scale");
  CHECK((value.status() & status::not_finite));
  auto& kept = compile<wrt<0>, check_finite, in_static_storage>(of_scale, m, x);
  kept(m, x);
  CHECK(kept.not_finite() == "argument 0.scale");
}

// The option is about the object: the program is the same.
using with = decltype(compile<wrt<0>, check_finite>(loss, model<float>{}, tensor<float, 3>{}, 1));
using without = decltype(compile<wrt<0>>(loss, model<float>{}, tensor<float, 3>{}, 1));
static_assert(std::is_same_v<with::executable, without::executable>);

}  // namespace
