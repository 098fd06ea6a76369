#include <etch/view/text.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <memory>

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
        "%10 = fill 0.25 : f32[]\n"
        "%11 = mul(%10, %5) : f32[2, 4]\n"
        "%12 = fill 1 : f32[]\n"
        "%13 = mul(%3, %3) : f32[2, 4]\n"
        "%14 = sub(%12, %13) : f32[2, 4]\n"
        "%15 = mul(%11, %14) : f32[2, 4]\n"
        "%16 = transpose(%1) : f32[4, 3]\n"
        "%17 = matmul(%15, %16) : f32[2, 3]\n"
        "return %9, %17\n");
}

TEST_CASE("element types, leaf positions and constants to the last digit are shown") {
  constexpr auto mixed = [](auto pair,
                            auto labels) {  // one operation a statement: C++ does not order the operands of an operator
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
  static constexpr auto frozen =
      freeze([] { return pass::trace<decltype(regression), weights, inputs, targets>(regression); });
  CHECK(to_text(frozen) == to_text(pass::trace<decltype(regression), weights, inputs, targets>(regression)));
}

TEST_CASE("a graph without outputs returns nothing") {
  graph g;
  input(g, element::i32, make_shape(7), 4);
  CHECK(to_text(g) == "%0 = input 4 : i32[7]\nreturn\n");
}

TEST_CASE("every line of a graph stands behind the indentation") {
  graph g;
  g.outputs = {input(g, element::f32, make_shape(2), 0).id};
  CHECK(to_text(g, "    ") == "    %0 = input 0 : f32[2]\n    return %0\n");
}

template <class T>
struct network {
  nn::dense<T, 16, 16> first, second;
  ETCH_MEMBERS(network, first, second)
  constexpr auto operator()(auto x) const { return sum<0>(exp(second(exp(first(x))))); }
};
constexpr auto network_loss = [](auto model, auto x) { return sum(square(model(x))); };
using program_of_network = decltype(compile(network_loss, network<float>{}, tensor<float, 16, 16>{}));

/// The section about the compiler's options, which are those of this unit.
template <class P>
std::string compiled() {
  static_assert(P::facts.object_bytes == sizeof(P));
#if defined(__OPTIMIZE__)
  std::string const optimisation = "with optimisation";
#else
  std::string const optimisation = "without optimisation: use -O2";
#endif
#if defined(EIGEN_DONT_VECTORIZE)
  int const bytes = 0;
#else
  int const bytes = static_cast<int>(sizeof(Eigen::internal::packet_traits<float>::type));
#endif
  return "compiled\n  " + optimisation + ", for registers of " + std::to_string(bytes) + " bytes; an object of " +
         std::to_string(sizeof(P)) + " bytes\n";
}

TEST_CASE(
    "a program reads as arguments, forward, backward, what is saved, kernels and facts, with the place of each value") {
  CHECK(to_text(*std::make_unique<program_of_network>()) == R"(arguments
  %0 = input 2 : f32[16, 16]  argument 0.second.weight
  %1 = input 0 : f32[16, 16]  argument 0.first.weight
  %2 = input 4 : f32[16, 16]  argument 1
  %4 = input 1 : f32[16]      argument 0.first.bias
  %8 = input 3 : f32[16]      argument 0.second.bias
forward
  %3 = matmul(%1, %2) : f32[16, 16]  in registers
  %5 = add(%3, %4) : f32[16, 16]     in registers
  %6 = exp(%5) : f32[16, 16]         workspace + 0, saved
  %7 = matmul(%0, %6) : f32[16, 16]  in registers
  %9 = add(%7, %8) : f32[16, 16]     in registers
  %10 = exp(%9) : f32[16, 16]        workspace + 1024, saved
  %11 = sum<0>(%10) : f32[1, 16]     workspace + 2048, saved
  %12 = square(%11) : f32[1, 16]     in registers
  %13 = sum(%12) : f32[]             value
backward
  %14 = transpose(%0) : f32[16, 16]     view of %0
  %15 = fill 2 : f32[]                  constant
  %16 = mul(%15, %11) : f32[1, 16]      workspace + 2048
  %17 = mul(%16, %10) : f32[16, 16]     workspace + 1024
  %18 = matmul(%14, %17) : f32[16, 16]  in registers
  %19 = mul(%18, %6) : f32[16, 16]      workspace + 0
  %20 = transpose(%2) : f32[16, 16]     view of %2
  %21 = matmul(%19, %20) : f32[16, 16]  gradient 0.first.weight
  %22 = sum<1>(%19) : f32[16, 1]        gradient 0.first.bias
  %23 = reshape(%22) : f32[16]          view of %22
  %24 = transpose(%6) : f32[16, 16]     view of %6
  %25 = matmul(%17, %24) : f32[16, 16]  gradient 0.second.weight
  %26 = sum<1>(%17) : f32[16, 1]        gradient 0.second.bias
  %27 = reshape(%26) : f32[16]          view of %26
return %13, %21, %22, %25, %26
saved
  %6, %10, %11: 2112 bytes
kernels
  0  product f32[16, 16] over 16: add exp; reads %4, %1, %2; writes %6
  1  product f32[16, 16] over 16: add exp; reads %8, %0, %6; writes %10, %11
  2  loop f32[1, 16]: square mul; reads %11; writes %13, %16
  3  loop f32[16, 16]: mul; reads %16, %10; writes %17, %26
  4  product f32[16, 16] over 16; reads %17, %6; writes %25
  5  product f32[16, 16] over 16: mul; reads %6, %0, %17; writes %19, %22; packs into workspace + 2048, 1024 bytes
  6  product f32[16, 16] over 16; reads %19, %2; writes %21
facts
  values 28, kernels 7, flops 43312, workspace 3072 bytes; alive at once 3072, unplanned 9408
)" + compiled<program_of_network>());
}

TEST_CASE("a program without gradients has no backward part") {
  using program = decltype(compile<wrt<>>([](auto x) { return sum(exp(x)); }, tensor<double, 4>{}));
  CHECK(to_text(program{}) == R"(arguments
  %0 = input 0 : f64[4]  argument 0
forward
  %1 = exp(%0) : f64[4]  in registers
  %2 = sum(%1) : f64[]   value
return %2
saved
  nothing
kernels
  0  loop f64[4]: exp; reads %0; writes %2
facts
  values 3, kernels 1, flops 8, workspace 0 bytes; alive at once 0, unplanned 64
)" + compiled<program>());
}

TEST_CASE("a loop reads as its steps, in a graph and in a program") {
  constexpr auto recurrent = [](auto w, auto xs) {
    return sum(square(scan([&](auto h, auto x) { return tanh(w * h + x); }, zeros<16>(), xs)));
  };
  CHECK(to_text(pass::trace<decltype(recurrent), tensor<float, 16, 16>, tensor<float, 16, 8>>(recurrent), "  ") ==
        "  %0 = input 0 : f32[16, 16]\n"
        "  %1 = input 1 : f32[16, 8]\n"
        "  %2 = fill 0 : f32[]\n"
        "  %3 = broadcast(%2) : f32[16]\n"
        "  %4 = loop(%3, %1, %0) : 8 steps\n"
        "      %0 = input 0 : f32[16]      carry, first %3\n"
        "      %1 = input 1 : f32[16]      slice of %1\n"
        "      %2 = input 2 : f32[16, 16]  %0 at every step\n"
        "      %3 = matmul(%2, %0) : f32[16]\n"
        "      %4 = add(%3, %1) : f32[16]\n"
        "      %5 = tanh(%4) : f32[16]\n"
        "      yield %5  carry, last %5\n"
        "  %5 = last_carry<0>(%4) : f32[16]\n"
        "  %6 = square(%5) : f32[16]\n"
        "  %7 = sum(%6) : f32[]\n"
        "  return %7\n");
  using program = decltype(compile<wrt<0>>(recurrent, tensor<float, 16, 16>{}, tensor<float, 16, 8>{}));
  CHECK(to_text(*std::make_unique<program>()) == R"(arguments
  %2 = input 0 : f32[16, 16]  argument 0
  %3 = input 1 : f32[16, 8]   argument 1
forward
  %0 = fill 0 : f32[]                     constant
  %1 = broadcast(%0) : f32[16]            view of %0
  %4 = copy(%1) : f32[16]                 workspace + 0, saved
  %5 = loop(%4, %2, %3) : 8 steps         kernel 1
      %0 = input 1 : f32[16, 16]  %2 at every step
      %1 = input 0 : f32[16]      carry, first %4
      %2 = matmul(%0, %1) : f32[16]
      %3 = input 2 : f32[16]      slice of %3
      %4 = add(%2, %3) : f32[16]
      %5 = tanh(%4) : f32[16]
      yield %5  carry
      yield %5  stacked in %6
  %6 = stacked_steps<1>(%5) : f32[16, 8]  workspace + 64, saved
  %7 = slice<1, 7, 1>(%6) : f32[16, 1]    view of %6
  %8 = reshape(%7) : f32[16]              view of %6
  %9 = square(%8) : f32[16]               in registers
  %10 = sum(%9) : f32[]                   value
backward
  %11 = fill 2 : f32[]                                      constant
  %12 = mul(%11, %8) : f32[16]                              workspace + 576
  %13 = loop(%12, %2, %6, %6, %4) : 8 steps, last to first  kernel 3
      %0 = input 1 : f32[16, 16]  %2 at every step
      %1 = transpose(%0) : f32[16, 16]
      %2 = input 0 : f32[16]      carry, first %12
      %3 = fill 1 : f32[]
      %4 = input 2 : f32[16]      slice of %6
      %5 = mul(%4, %4) : f32[16]
      %6 = sub(%3, %5) : f32[16]
      %7 = mul(%2, %6) : f32[16]
      %8 = matmul(%1, %7) : f32[16]
      %9 = input 3 : f32[16]      slice before, of %6, first %4
      yield %8  carry
      yield %7  stacked in %14
      yield %9  stacked in %15
  %14 = stacked_steps<1>(%13) : f32[16, 8]                  workspace + 640
  %15 = stacked_steps<2>(%13) : f32[16, 8]                  workspace + 1152
  %16 = transpose(%15) : f32[8, 16]                         view of %15
  %17 = matmul(%14, %16) : f32[16, 16]                      gradient 0
return %10, %17
saved
  %4, %6: 576 bytes
kernels
  0  loop f32[16]: copy; writes %4
  1  steps of %5, 8 steps; reads %4, %2, %3; writes %6
  2  loop f32[16]: square mul; reads %6; writes %10, %12
  3  steps of %13, 8 steps, last to first; reads %12, %2, %6, %4; writes %14, %15; runs in workspace + 1664, 128 bytes
  4  product f32[16, 16] over 8; reads %14, %15; writes %17
facts
  values 17, kernels 5, flops 12976, workspace 1792 bytes; alive at once 1792, unplanned 3776
)" + compiled<program>());
}

}  // namespace
