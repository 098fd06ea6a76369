// Programs of a unit with ETCH_CHECK_FINITE: a call that ends in infinities or NaN is a mistake, and names the
// statement.
#define ETCH_CHECK_FINITE
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace {

using namespace etch;

/// The sentence of the mistake that a call is; empty where it is none.
std::string sentence_of(auto call) {
  on_mistake = [](char const* sentence) { throw exception(sentence); };
  try {
    static_cast<void>(call());
  } catch (exception const& mistake) {
    return mistake.what();
  }
  return "";
}

// Written as bits where they are looked at: under -ffast-math even a function that returns a NaN returns anything.
template <class T>
void make_nan(T& x) {
  auto const bits = [] {
    if constexpr (sizeof(T) == 4) return std::uint32_t{0x7fc00000};
    else return std::uint64_t{0x7ff8000000000000};
  }();
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

constexpr auto loss = [](auto m, auto x, auto) {
  auto const y = m.body[0].weight * x + m.body[0].bias + m.body[1].weight * x + m.body[1].bias;
  return std::tuple(sum(square(y)) + m.scale, sum(y) * 2);
};

TEST_CASE("an argument that is not finite is named with its member and entry, by every function") {
  model<float> m{};
  tensor<float, 3> const x{1, 2, 3};
  auto step = compile(loss, m, x, 7);
  auto& kept = compile<wrt<1, 0>, in_static_storage>(loss, m, x, 7);
  auto part = compile<wrt_members<0, "body.1", "scale">>(loss, m, x, 7);
  auto value = compile<wrt<>>(loss, m, x, 7);
  CHECK(sentence_of([&] { return step(m, x, 7); }) == "");
  CHECK(sentence_of([&] { return kept(m, x, 7); }) == "");
  CHECK(sentence_of([&] { return part(m, x, 7); }) == "");
  make_nan(m.body[1].weight(1, 2));
  std::string const sentence = "etch: value is not finite, since argument 0.body[1].weight is not, entry [1, 2] is nan";
  CHECK(sentence_of([&] { return step(m, x, 7); }) == sentence);
  CHECK(sentence_of([&] { return kept(m, x, 7); }) == sentence);
  CHECK(sentence_of([&] { return part(m, x, 7); }) == sentence);
  CHECK(sentence_of([&] { return value(m, x, 7); }) == sentence);
  CHECK(sentence_of([&] { return value_and_grad(loss)(m, x, 7); }) == sentence);
  CHECK(sentence_of([&] { return grad<wrt<0, 1>>(loss)(m, x, 7); }) == sentence);
  CHECK(sentence_of([&] { return grad<wrt_members<0, "body">>(loss)(m, x, 7); }) == sentence);
}

TEST_CASE("programs with the option check_finite answer by their status") {
  model<float> m{};
  tensor<float, 3> x{1, 2, 3};
  auto step = compile<wrt<0>, check_finite>(loss, m, x, 7);
  auto part = compile<wrt_members<0, "scale">, check_finite>(loss, m, x, 7);
  make_nan(x(1));
  CHECK(sentence_of([&] { return step(m, x, 7); }) == "");
  CHECK(step.not_finite() == "argument 1");
  CHECK(why_not_finite(step, m, x, 7) == "value is not finite, since argument 1 is not, entry [1] is nan");
  CHECK(sentence_of([&] { return part(m, x, 7); }) == "");
  CHECK(part.not_finite() == "argument 1");
}

TEST_CASE("arguments are those of the call, also where a destination overlaps them") {
  auto step = compile([](auto v) { return sum(square(v)); }, tensor<double, 3>{});
  tensor<double, 3> x{1, 2, 3}, target{1, 1, 1};
  CHECK(sentence_of([&] { return step(x, add_to(target)); }) == "");
  CHECK(target(2) == 7);
  CHECK(sentence_of([&] { return step(x, into(x)); }) == "");
  CHECK(x(2) == 6);
  make_nan(x(1));
  std::string const sentence = "etch: value is not finite, since argument 0 is not, entry [1] is nan";
  CHECK(sentence_of([&] { return step(x, into(x)); }) == sentence);
  CHECK(x(2) == 6);  // not written yet
  CHECK(sentence_of([&] { return step(x, into(target)); }) == sentence);
  int told = 0;
  CHECK(sentence_of([&] { return step(x, into(target).as_ready([&](int) { ++told; })); }) == sentence);
  CHECK(told == 0);  // not before all has been looked at
  x(1) = 2;
  CHECK(sentence_of([&] { return step(x, into(target).as_ready([&](int) { ++told; })); }) == "");
  CHECK(told == 1);
  make_nan(target(0));
  CHECK(sentence_of([&] { return step(x, add_to(target)); }) ==
        "etch: gradient 0 is not finite, though what this call adds to it is: it was not before, or the sum is too "
        "large");
}

// With -ffast-math what arithmetic makes of infinities and NaN is not known.
#if !defined(__FAST_MATH__)
TEST_CASE("the statement, with its part of the program and the ranges of its operands") {
  tensor<double, 3> x{2, -1, 0};
  auto step = compile([](auto v) { return sum(log(v - 1)); }, x);
  std::string const of_log =
      "etch: value is not finite, since the forward part computes\n"
      "    %3 = log(%2) : f64[3], entry [1] is nan\n"
      "of\n"
      "    %2 = sub(%0, %1) : f64[3], from -2 to 1";
  CHECK(sentence_of([&] { return step(x); }) == of_log);
  CHECK(sentence_of([&] { return value_and_grad([](auto v) { return sum(log(v - 1)); })(x); }) == of_log);
  CHECK(to_text(step).find("  %3 = log(%2) : f64[3]") != std::string::npos);

  constexpr auto roots = [](auto m, auto v) { return sum(m.body[0].weight * v) + sqrt(m.scale); };
  std::string const of_root = sentence_of([&] { return grad(roots)(model<float>{}, tensor<float, 3>{1, 2, 3}); });
  CHECK(of_root.starts_with("etch: gradient 0.scale is not finite, since the backward part computes\n"));
  CHECK(of_root.find("div(") < of_root.find(", which is inf\nof\n"));
  CHECK(of_root.find(" = sqrt(") != std::string::npos);
}

TEST_CASE("infinities that a result does not hold are no mistake") {
  constexpr auto guarded = [](auto v) { return sum(select(v > 0, log(v) + 1 / v, v)); };
  CHECK(sentence_of([&] { return value_and_grad(guarded)(tensor<float, 4>{1, 0, -1, 2}); }) == "");
  auto bounded = compile<wrt<>>([](auto v) { return sum(exp(-exp(v * 1000))); }, tensor<float, 2>{});
  CHECK(sentence_of([&] { return bounded(tensor<float, 2>{1, -1}); }) == "");
  std::string const sentence = sentence_of([&] {
    return value_and_grad([](auto v, auto w) { return sum(select(v > 0, log(v), v)) + sum(log(w)); })(
        tensor<float, 2>{1, 0}, tensor<float, 2>{0, 1});
  });
  CHECK(sentence.find("argument 1 : f32[2], from 0 to 1") != std::string::npos);
}

TEST_CASE("the position in a loop, in programs with a budget too") {
  constexpr auto running = [](auto v) {
    return scan(
               [](auto c, auto x) {
                 auto const next = c * exp(x);
                 return step{next, next};
               },
               1.0, v)
        .carry;
  };
  tensor<double, 40> x{};
  x(17) = 1000;
  std::string const sentence = ", since the forward part computes, at position 17 of %";
  auto bounded = compile<wrt<0>, budget<1024>>(running, x);
  CHECK(sentence_of([&] { return bounded(x); }).find(sentence) != std::string::npos);
  CHECK(sentence_of([&] { return value_and_grad(running)(x); }).find(sentence) != std::string::npos);
}

TEST_CASE("the position in a loop whose slices do not adjoin") {
  constexpr auto running = [](auto v) {
    return sum(scan([](auto c, auto x) { return cwise_product(c, log(x)); }, ones<8, 2>(), permute<0, 2, 1>(v)));
  };
  tensor<double, 8, 3, 2> x{};
  for (double& each : x) each = 2;
  x(5, 2, 0) = -1;
  auto step = compile(running, x);
  std::string const sentence = sentence_of([&] { return step(x); });
  CHECK(sentence.find(", at position 2 of %") != std::string::npos);
  CHECK(sentence.find("log(") != std::string::npos);
}

TEST_CASE("transformations are programs") {
  constexpr auto f = [](auto v) { return sum(log(v)); };
  CHECK(sentence_of([&] { return hessian(f)(tensor<double, 2>{1, 2}); }) == "");
  CHECK(
      sentence_of([&] { return hessian(f)(tensor<double, 2>{1, 0}); }).starts_with("etch: value is not finite, since"));
}
#endif

// Constants are computed without a program.
static_assert(value_and_grad([](auto x) { return x * x; })(3.0).grad == 6);

}  // namespace
