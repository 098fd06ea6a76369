#include <etch/compile/origin.hpp>

#include <etch/core/members.hpp>
#include <etch/transform/map.hpp>
#include <etch/transform/scan.hpp>
#include <etch/view/why_not_finite.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("a statement of the forward part, with the ranges of its operands") {
  tensor<double, 3> x{2, -1, 0};
  auto step = compile([](auto v) { return sum(log(v - 1)); }, x);
  CHECK(why_not_finite(step, x) ==
        "value is not finite, since the forward part computes\n"
        "    %3 = log(%2) : f64[3], entry [1] is nan\n"
        "of\n"
        "    %2 = sub(%0, %1) : f64[3], from -2 to 1");
  CHECK(why_not_finite(step, tensor<double, 3>{2, 3, 1}) ==
        "value is not finite, since the forward part computes\n"
        "    %3 = log(%2) : f64[3], entry [2] is -inf\n"
        "of\n"
        "    %2 = sub(%0, %1) : f64[3], from 0 to 2");
  CHECK(why_not_finite(step, tensor<double, 3>{2, 3, 4}) == "");
}

TEST_CASE("a statement of the backward part, with what it is computed from in the forward part") {
  tensor<double, 2> x{4, 0};
  auto step = compile([](auto v) { return sum(sqrt(v)); }, x);
  CHECK(why_not_finite(step, x) ==
        "gradient 0 is not finite, since the backward part computes\n"
        "    %8 = div(%3, %7) : f64[2], entry [1] is inf\n"
        "of\n"
        "    %3 = fill 1 : f64[], from 1 to 1\n"
        "    %7 = mul(%4, %6) : f64[2], from 0 to 4\n"
        "        %4 = fill 2 : f64[], from 2 to 2\n"
        "        %6 = add(%1, %5) : f64[2], from 0 to 2\n"
        "            %1 = sqrt(%0) : f64[2], from 0 to 2\n"
        "            %5 = less(%1, %1) : f64[2], from 0 to 0");
}

TEST_CASE("what reaches the result is named, not what select leaves out") {
  auto masked = compile<wrt<0, 1>>([](auto a, auto b) { return sum(select(a > 0, log(a), b)) + sum(log(b)); },
                                   tensor<double, 3>{}, tensor<double, 3>{});
  tensor<double, 3> const a{1, 0, 3};
  CHECK(why_not_finite(masked, a, tensor<double, 3>{1, 2, 3}) == "");
  std::string const sentence = why_not_finite(masked, a, tensor<double, 3>{0, 1, 3});
  CHECK(sentence.find("log(%4) : f64[3], entry [0] is -inf") != std::string::npos);
  CHECK(sentence.find("%4 = argument 1 : f64[3], from 0 to 3") != std::string::npos);
  // Both branches are infinite or NaN at one entry, and the one that is not taken is computed first.
  auto branches = compile<wrt<>>([](auto p, auto q) { return sum(select(p > 0, log(q), log(p))); }, tensor<double, 2>{},
                                 tensor<double, 2>{});
  CHECK(why_not_finite(branches, tensor<double, 2>{0, 1}, tensor<double, 2>{-1, 1}).find("= argument 0 : ") !=
        std::string::npos);
  auto entries = compile<wrt<>>([](auto v) { return cumsum<0>(exp(v))(1); }, tensor<double, 3>{});
  CHECK(why_not_finite(entries, tensor<double, 3>{1, 2, infinity}) == "");
  CHECK(why_not_finite(entries, tensor<double, 3>{1, 1000, infinity}).find("exp(%0) : f64[3], entry [1] is inf") !=
        std::string::npos);
}

TEST_CASE("the first statement is named, of several that reach the result") {
  auto step = compile<wrt<>>([](auto v) { return sum(exp(square(v))) + sum(log(v)); }, tensor<double, 3>{});
  std::string const sentence = why_not_finite(step, tensor<double, 3>{1e200, 30, 0});
  CHECK(sentence.find("square(%0) : f64[3], entry [0] is inf\n") != std::string::npos);
}

TEST_CASE("of what an op reads as a whole, what makes the entry what it is") {
  auto picked = compile<wrt<>>([](auto table, auto i) { return sum(square(gather<1>(table, i))); },
                               tensor<double, 2, 4>{}, tensor<int, 2>{});
  tensor<double, 2, 4> table{};
  table(0, 0) = table(1, 2) = table(0, 3) = infinity;
  CHECK(why_not_finite(picked, table, tensor<int, 2>{1, 1}) == "");
  CHECK(why_not_finite(picked, table, tensor<int, 2>{1, 2}) ==
        "value is not finite, since argument 0 is not, entry [1, 2] is inf");
  auto inverse = compile<wrt<>>([](auto a) { return sum(log(etch::inverse(a))); }, tensor<double, 2, 2>{});
  CHECK(why_not_finite(inverse, tensor<double, 2, 2>{1, 2, 2, 4}).find("entry [0, 0] is ") != std::string::npos);
}

TEST_CASE("of arguments those are named that arrive, by the index that the caller uses") {
  Eigen::Matrix<double, 2, 3, Eigen::RowMajor> x;
  x << 1, 2, 3, 4, 5, infinity;
  auto step = compile<wrt<1>>([](auto t, auto m) { return sum(square(std::get<1>(t) * m)) + std::get<0>(t); },
                              std::tuple(2.0, 1.0, 3), x);
  CHECK(why_not_finite(step, std::tuple(2.0, 1.0, 3), x) ==
        "value is not finite, since argument 1 is not, entry [1, 2] is inf");
  x(1, 2) = 6;
  CHECK(why_not_finite(step, std::tuple(-infinity, 1.0, 3), x) ==
        "value is not finite, since argument 0[0] is not, which is -inf");
}

TEST_CASE("infinite constants are meant: named is what makes NaN of them") {
  auto attention = compile<wrt<0>>(
      [](auto v) {
        auto const scores = select(v > 0, v, -std::numeric_limits<double>::infinity());
        return sum(exp(scores - max(scores)));
      },
      tensor<double, 2>{});
  CHECK(why_not_finite(attention, tensor<double, 2>{1, -2}) == "");
  CHECK(why_not_finite(attention, tensor<double, 2>{-1, -2}) ==
        "value is not finite, since the forward part computes\n"
        "    %6 = sub(%4, %5) : f64[2], entry [0] is nan\n"
        "of\n"
        "    %4 = select(%2, %1, %3) : f64[2], from -inf to -inf\n"
        "    %5 = max(%4) : f64[], from -inf to -inf");
}

TEST_CASE("numbers of float are rounded to it: products and sums that exceed it") {
  auto product =
      compile<wrt<0>>([](auto a, auto b) { return sum(log(a * b)); }, tensor<float, 2, 2>{}, tensor<float, 2, 2>{});
  tensor<float, 2, 2> a{1, 2, 3, 1e20f}, b{1, 2, 3, 1e20f};
  CHECK(why_not_finite(product, a, b) ==
        "value is not finite, since the forward part computes\n"
        "    %2 = matmul(%0, %1) : f32[2, 2], entry [1, 1] is inf\n"
        "of\n"
        "    %0 = argument 0 : f32[2, 2], from 1 to 1e+20\n"
        "    %1 = argument 1 : f32[2, 2], from 1 to 1e+20");
}

constexpr auto running_product = [](auto v) {
  return scan(
             [](auto c, auto x) {
               auto const next = c * exp(x);
               return step{next, next};
             },
             v(0), v.template segment<4>(1))
      .carry;
};

TEST_CASE("a statement of the body of a loop, and its position") {
  auto scanned = compile(running_product, tensor<double, 5>{});
  CHECK(why_not_finite(scanned, tensor<double, 5>{1, 1, 1, 1, 1}) == "");
  CHECK(why_not_finite(scanned, tensor<double, 5>{1, 100, 100, 1000, 1}) ==
        "value is not finite, since the forward part computes, at position 2 of %6 = loop(%2, %5) : 4 steps,\n"
        "    %2 = exp(%1) : f64[], which is inf\n"
        "of\n"
        "    %1 = slice 2 of argument 0 : f64[], from 1000 to 1000");
  // No single factor is infinite, and the carry leads back from the last step.
  CHECK(why_not_finite(scanned, tensor<double, 5>{1, 500, 500, 1, 1}) ==
        "value is not finite, since the forward part computes, at position 1 of %6 = loop(%2, %5) : 4 steps,\n"
        "    %3 = mul(%0, %2) : f64[], which is inf\n"
        "of\n"
        "    %0 = carry of position 0 : f64[], from 1.403592e+217 to 1.403592e+217\n"
        "    %2 = exp(%1) : f64[], from 1.403592e+217 to 1.403592e+217");
  // Through all steps to what they began with.
  CHECK(why_not_finite(scanned, tensor<double, 5>{infinity, 1, 1, 1, 1}) ==
        "value is not finite, since argument 0 is not, entry [0] is inf");
  CHECK(why_not_finite(scanned, tensor<double, 5>{1, 1, 1, infinity, 1}) ==
        "value is not finite, since argument 0 is not, entry [3] is inf");
}

TEST_CASE("of a loop that goes back, and of one whose steps are independent") {
  auto back = compile(
      [](auto v) {
        return scan(
                   [](auto c, auto x) {
                     auto const next = c + sqrt(x);
                     return step{next, next};
                   },
                   0.0, v)
            .carry;
      },
      tensor<double, 4>{});
  std::string const sentence = why_not_finite(back, tensor<double, 4>{1, 4, 0, 9});
  CHECK(sentence.starts_with("gradient 0 is not finite, since the backward part computes, at position 2 of %"));
  CHECK(sentence.find("4 steps, last to first,\n") != std::string::npos);

  tensor<double, 3, 5> x;
  for (int i = 0; i < 15; ++i) x.data()[i] = i + 1;
  auto logs = compile([](auto m) { return sum(map([](auto v) { return sum(log(v)); }, m)); }, x);
  x(1, 3) = -1;
  CHECK(
      why_not_finite(logs, x).starts_with("value is not finite, since the forward part computes, at position 3 of %"));
  CHECK(why_not_finite(logs, x).find(
            "log(%0) : f64[3], entry [1] is nan\nof\n    %0 = slice 3 of argument 0 : f64[3]") != std::string::npos);
  // One loop computes both parts.
  auto roots = compile([](auto m) { return sum(map([](auto v) { return sum(sqrt(v)); }, m)); }, x);
  x(1, 3) = 0;
  CHECK(why_not_finite(roots, x).starts_with(
      "gradient 0 is not finite, since the backward part computes, at position 3 of %"));
}

TEST_CASE("the sum over the steps of a loop, and a loop in a loop") {
  auto summed = compile(
      [](auto v) {
        return repeat<3>([&](auto c) { return sum(map([&](auto x) { return exp(c * x); }, v)) + c; }, v(0));
      },
      tensor<double, 2>{});
  CHECK(why_not_finite(summed, tensor<double, 2>{0.1, 0.2}) == "");
  std::string const sentence = why_not_finite(summed, tensor<double, 2>{1, 2});
  CHECK(sentence.starts_with("value is not finite, since the forward part computes, at position 2 of %"));
  CHECK(sentence.find("exp(") != std::string::npos);
}

TEST_CASE("where a loop begins with an infinite constant, and where its sum exceeds the type") {
  auto largest = compile<wrt<>>(
      [](auto v) {
        return scan(
                   [](auto c, auto x) {
                     auto const next = max(c, x) * 2;
                     return step{next, next};
                   },
                   -std::numeric_limits<double>::infinity(), v)
            .carry;
      },
      tensor<double, 3>{});
  CHECK(why_not_finite(largest, tensor<double, 3>{1, 2, 3}) == "");
  std::string const sentence = why_not_finite(largest, tensor<double, 3>{-infinity, -infinity, -infinity});
  CHECK(sentence == "value is not finite, since argument 0 is not, entry [0] is -inf");
  auto scaled = compile<wrt<>>(
      [](auto v) {
        return scan(
                   [](auto c, auto x) {
                     auto const next = c * x;
                     return step{next, next};
                   },
                   std::numeric_limits<double>::infinity(), v)
            .carry;
      },
      tensor<double, 3>{});
  CHECK(why_not_finite(scaled, tensor<double, 3>{1, 2, 3})
            .starts_with("value is not finite, since the forward part computes, at position 0 of %"));
  CHECK(why_not_finite(scaled, tensor<double, 3>{1, 0, 3})
            .starts_with("value is not finite, since the forward part computes, at position 1 of %"));
  auto added = compile<wrt<0>>([](auto m, auto a) { return sum(map([&](auto v) { return sum(a * v) * 1e300; }, m)); },
                               tensor<double, 2, 3>{}, 1.0);
  CHECK(why_not_finite(added, tensor<double, 2, 3>{6e7, 0, 6e7, 0, 6e7, 0}, 1.0)
            .starts_with("value is not finite, since the forward part computes\n"));
}

TEST_CASE("several results are those of the forward part") {
  auto step = compile([](auto v) { return std::tuple(sum(v), log(v(0))); }, tensor<double, 2>{});
  CHECK(why_not_finite(step, tensor<double, 2>{-1, 0})
            .starts_with("result 1 is not finite, since the forward part computes\n"));
}

}  // namespace
