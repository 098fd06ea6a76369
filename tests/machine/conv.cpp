#include "machine/conv.hpp"

using namespace etch;

TEST_CASE("a convolution and its adjoints are what plain loops give, in double") { convolutions::check_all<double>(); }

TEST_CASE("what follows a convolution entry by entry is part of its kernel") {
  tensor<float, 6, 6, 3, 40> x;
  tensor<float, 3, 3, 3, 8> w;
  tensor<float, 8> b;
  constexpr auto f = [](auto image, auto kernel, auto bias) {
    return relu(conv2d<1, 1>(image, kernel) + reshape<1, 1, 8>(bias));
  };
  auto const step = std::make_unique<decltype(compile<wrt<>>(f, x, w, b))>();
  using executable = typename std::remove_cvref_t<decltype(*step)>::executable;
  int convolutions = 0, loops_of_arithmetic = 0;
  for (int k = 0; k < executable::schedule.kernel_count; ++k) {
    pass::scheduled_kernel const kernel = executable::schedule[k];
    convolutions += kernel.sliding.exists;
    loops_of_arithmetic += kernel.computes == pass::form::elementwise && kernel.code.size() > 1;
  }
  CHECK(convolutions == 1);
  CHECK(loops_of_arithmetic == 0);
}
