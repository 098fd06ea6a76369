#include <etch/view/why_not_finite.hpp>

#include <etch/core/members.hpp>
#include <etch/transform/kernel.hpp>
#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

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

constexpr auto loss = [](auto labels, auto m, auto x) {
  return sum(exp(m.body[1].weight * x) + m.body[0].bias * cast<float>(labels(0))) + sqrt(m.scale);
};

TEST_CASE("arguments and gradients are called by the names of their members") {
  tensor<int, 2> const labels{1, 2};
  tensor<float, 3> const x{1, 2, 3};
  model<float> m{};
  auto step = compile<wrt<2, 1>, allow_unused>(loss, labels, m, x);
  auto part = compile<wrt_members<1, "scale", "body.1">, allow_unused>(loss, labels, m, x);
  std::string const of_scale = "gradient 1.scale is not finite, since the backward part computes\n";
  CHECK(why_not_finite(step, labels, m, x).starts_with(of_scale));
  CHECK(why_not_finite(part, labels, m, x).starts_with(of_scale));
  m.scale = 1;
  CHECK(why_not_finite(step, labels, m, x) == "");
  CHECK(why_not_finite(part, labels, m, x) == "");
  m.body[1].weight(1, 2) = 100;
  for (std::string const& sentence : {why_not_finite(step, labels, m, x), why_not_finite(part, labels, m, x)}) {
    CHECK(sentence.starts_with("value is not finite, since the forward part computes\n"));
    CHECK(sentence.find(" = exp(") != std::string::npos);
    CHECK(sentence.find(", entry [1] is inf\n") != std::string::npos);
  }
  m.body[1].weight(1, 2) = std::numeric_limits<float>::infinity();
  std::string const of_weight = "value is not finite, since argument 1.body[1].weight is not, entry [1, 2] is inf";
  CHECK(why_not_finite(step, labels, m, x) == of_weight);
  CHECK(why_not_finite(part, labels, m, x) == of_weight);
}

/// 1 / (x - 1), by a function on memory.
struct pole {
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 1 / (x[i] - 1);
  }
  static void backward(std::span<double const> u, std::span<double const> y, std::span<double const>,
                       std::span<double> gx) {
    for (std::size_t i = 0; i < y.size(); ++i) gx[i] = -u[i] * y[i] * y[i];
  }
};

TEST_CASE("a function of the user's on memory is called again, within a loop too") {
  auto step = compile([](auto x) { return sum(etch::kernel<pole>(x + 1)); }, tensor<double, 2>{});
  CHECK(why_not_finite(step, {1, 2}) == "");
  std::string const sentence = why_not_finite(step, {1, 0});
  CHECK(sentence.starts_with("value is not finite, since the forward part computes\n"));
  CHECK(sentence.find(" = kernel") != std::string::npos);
  CHECK(sentence.find(", entry [1] is inf\n") != std::string::npos);
  auto loop =
      compile([](auto x) { return scan([](auto h, auto at) { return etch::kernel<pole>(h + at); }, 0.0 * x(0), x); },
              tensor<double, 3>{});
  CHECK(why_not_finite(loop, {3, 0.5, 1}) ==
        "gradient 0 is not finite, since the forward part computes, at position 1 of %5 = loop(%4, %1) : 3 steps,\n"
        "    %3 = kernel(%2) : f64[], which is inf\nof\n    %2 = add(%0, %1) : f64[], from 1 to 1");
}

TEST_CASE("with the option check_finite, which names the place alone") {
  auto& step =
      compile<wrt<0>, check_finite, in_static_storage>([](auto v) { return sum(log(v)); }, tensor<double, 2>{});
  tensor<double, 2> const x{-1, 1};
  step(x);
  CHECK(step.not_finite() == "value");
  CHECK(why_not_finite(step, x).starts_with("value is not finite, since the forward part computes\n    %1 = log(%0)"));
}

}  // namespace
