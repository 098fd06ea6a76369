#include <etch/view/text.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr auto regression = [](auto w, auto x, auto y) { return mean(square(tanh(w * x) - y)); };
using weights = tensor<float, 2, 3>;
using inputs = tensor<float, 3, 4>;
using targets = tensor<float, 2, 4>;

TEST_CASE("a traced loss reads as the statements that the user wrote") {
  CHECK(to_text(pass::trace<decltype(regression), weights, inputs, targets>(regression)) ==
        "%0 = input 0 : f32[2, 3]\n"
        "%1 = input 1 : f32[3, 4]\n"
        "%2 = input 2 : f32[2, 4]\n"
        "%3 = matmul(%0, %1) : f32[2, 4]\n"
        "%4 = tanh(%3) : f32[2, 4]\n"
        "%5 = sub(%4, %2) : f32[2, 4]\n"
        "%6 = square(%5) : f32[2, 4]\n"
        "%7 = sum(%6) : f32[]\n"
        "%8 = fill 8 : f32[]\n"
        "%9 = div(%7, %8) : f32[]\n"
        "return %9\n");
}

TEST_CASE("a differentiated loss reads as value and gradient, only what they need") {
  graph const traced = pass::trace<decltype(regression), weights, inputs, targets>(regression);
  std::array const leaf{0};
  CHECK(to_text(pass::prune(pass::expand(pass::differentiate(traced, leaf)))) ==
        "%0 = input 0 : f32[2, 3]\n"
        "%1 = input 1 : f32[3, 4]\n"
        "%2 = matmul(%0, %1) : f32[2, 4]\n"
        "%3 = tanh(%2) : f32[2, 4]\n"
        "%4 = input 2 : f32[2, 4]\n"
        "%5 = sub(%3, %4) : f32[2, 4]\n"
        "%6 = square(%5) : f32[2, 4]\n"
        "%7 = sum(%6) : f32[]\n"
        "%8 = fill 8 : f32[]\n"
        "%9 = div(%7, %8) : f32[]\n"
        "%10 = fill 0.125 : f32[]\n"
        "%11 = fill 2 : f32[]\n"
        "%12 = mul(%11, %5) : f32[2, 4]\n"
        "%13 = mul(%10, %12) : f32[2, 4]\n"
        "%14 = fill 1 : f32[]\n"
        "%15 = mul(%3, %3) : f32[2, 4]\n"
        "%16 = sub(%14, %15) : f32[2, 4]\n"
        "%17 = mul(%13, %16) : f32[2, 4]\n"
        "%18 = transpose(%1) : f32[4, 3]\n"
        "%19 = matmul(%17, %18) : f32[2, 3]\n"
        "return %9, %19\n");
}

TEST_CASE("element types, leaf positions and constants to the last digit are shown") {
  constexpr auto mixed = [](auto pair, auto labels) {  // one operation a statement: C++ does not order the operands of an operator
    auto const tenth = std::get<1>(pair) * 0.1;
    auto const numbers = cast<double>(labels);
    return sum(tenth + numbers) - std::get<0>(pair);
  };
  CHECK(to_text(pass::trace<decltype(mixed), std::tuple<double, tensor<double, 3>>, tensor<std::uint8_t, 3>>(mixed)) ==
        "%0 = input 0 : f64[]\n"
        "%1 = input 1 : f64[3]\n"
        "%2 = input 2 : u8[3]\n"
        "%3 = fill 0.10000000000000001 : f64[]\n"
        "%4 = mul(%1, %3) : f64[3]\n"
        "%5 = cast(%2) : f64[3]\n"
        "%6 = add(%4, %5) : f64[3]\n"
        "%7 = sum(%6) : f64[]\n"
        "%8 = sub(%7, %0) : f64[]\n"
        "return %8\n");
}

TEST_CASE("the text of a frozen graph is that of the live one") {
  static constexpr auto frozen = freeze([] { return pass::trace<decltype(regression), weights, inputs, targets>(regression); });
  CHECK(to_text(frozen) == to_text(pass::trace<decltype(regression), weights, inputs, targets>(regression)));
}

TEST_CASE("a graph without outputs returns nothing") {
  graph g;
  input(g, element::i32, make_shape(7), 4);
  CHECK(to_text(g) == "%0 = input 4 : i32[7]\nreturn\n");
}

}  // namespace
