#include <etch/compile/finite.hpp>

#include <etch/core/members.hpp>
#include <etch/op/table.hpp>
#include <etch/compile/wrt_members.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace {

using namespace etch;

// Written as bits where they are looked at: under -ffast-math even a function that returns a NaN returns anything.
void make_nan(double& x) {
  constexpr std::uint64_t bits = 0x7ff8000000000001;
  std::memcpy(&x, &bits, sizeof x);
}
void make_nan(float& x) {
  constexpr std::uint32_t bits = 0x7f800001;
  std::memcpy(&x, &bits, sizeof x);
}
void make_infinite(double& x) {
  constexpr std::uint64_t bits = 0xfff0000000000000;
  std::memcpy(&x, &bits, sizeof x);
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

  make_nan(x(1));
  step(m, x, 7);
  CHECK((step.status() & status::not_finite));
  CHECK(step.not_finite() == "argument 1");
  make_nan(m.body[1].bias(1));  // the first is named
  step(m, x, 7);
  CHECK(step.not_finite() == "argument 0.body[1].bias");
  m.body[1].bias(1) = 0, x(1) = 2;

#if !defined(__FAST_MATH__)  // with it, what arithmetic makes of infinities and NaN is not known
  m.scale = -1;              // the value is NaN, and the second result too
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
#endif
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
  make_nan(x(4));
  part(m, x);
  CHECK(part.not_finite() == "argument 1");
#if !defined(__FAST_MATH__)
  x(4) = 1.7e308, x(3) = 1.7e308;
  part(m, x);
  CHECK(part.not_finite() == "value");
  m.scale = 0.1;  // the sum itself is infinite: so is the derivative
  part(m, x);
  CHECK(part.not_finite() == "value");
#endif

  auto value = compile<wrt<>, check_finite>(of_scale, m, x);
  make_infinite(m.scale.data()[0]);
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
