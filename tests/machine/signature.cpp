#include <etch/compile/program.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

using run::detail::collapse;

/// A signature of one input and one output with the given extents and steps, collapsed.
constexpr auto collapsed(fixed<int, max_rank> extent, run::steps in, run::steps out) {
  run::signature<1, 0, 1> s;
  s.extent = extent;
  s.in[0].step = in;
  s.out[0].step = out;
  collapse(s);
  return s;
}

template <class F, class... A>
using program_of = typename decltype(compile<wrt<>>(F{}, std::declval<A>()...))::executable;

struct one {
  constexpr auto operator()(auto x) const { return tanh(x) + 1; }
};
/// The same kernel as part of a longer program, on a tensor of another shape but as many entries.
struct another {
  constexpr auto operator()(auto x) const { return transpose(x) * (tanh(x) + 1); }
};
using matrix_type = tensor<float, 4, 6>;
using flat = tensor<float, 24>;

}  // namespace

/// The signature of a program's first kernel.
template <class Program, bool Accumulate>
consteval auto signature_in() {
  constexpr auto outputs = run::detail::all_gradients<Program::output_count, Accumulate, 1>();
  return run::call_of<Program, outputs, 0>::signature;
}

// Contiguous axes are one loop; axes of extent 1 vanish.
static_assert(collapsed({4, 6, 1, 1}, {1, 4, 24, 24}, {1, 4, 24, 24}).extent == fixed{24, 1, 1, 1});
static_assert(collapsed({4, 6, 5, 2}, {1, 4, 24, 120}, {1, 4, 24, 120}).extent == fixed{240, 1, 1, 1});
static_assert(collapsed({1, 6, 1, 2}, {0, 1, 0, 6}, {0, 1, 0, 6}).extent == fixed{12, 1, 1, 1});
static_assert(collapsed({1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}).extent == fixed{1, 1, 1, 1});
// A column repeated, a transposed read, a reduction of one axis: two loops stay.
static_assert(collapsed({4, 6, 1, 1}, {1, 0, 0, 0}, {1, 4, 0, 0}).extent == fixed{4, 6, 1, 1});
static_assert(collapsed({4, 6, 1, 1}, {6, 1, 0, 0}, {1, 4, 0, 0}).extent == fixed{4, 6, 1, 1});
static_assert(collapsed({4, 6, 1, 1}, {1, 4, 0, 0}, {0, 1, 0, 0}).extent == fixed{4, 6, 1, 1});
// A total reduction is one loop, and so are the two outer axes of a reduction over the first.
static_assert(collapsed({4, 6, 1, 1}, {1, 4, 0, 0}, {0, 0, 0, 0}).extent == fixed{24, 1, 1, 1});
static_assert(collapsed({4, 6, 3, 1}, {1, 4, 24, 0}, {0, 1, 6, 0}).extent == fixed{4, 18, 1, 1});
static_assert(collapsed({4, 6, 3, 1}, {1, 4, 24, 0}, {0, 1, 6, 0}).in[0].step == run::steps{1, 4, 0, 0});

// Kernels of different programs and shapes are one instantiation where their machine code would be the same.
template <class Program, bool Accumulate>
inline constexpr auto signature_of_first = signature_in<Program, Accumulate>();
template <class Program, bool Accumulate = false>
using first_loop = run::elementwise_kernel<run::pack_signature<signature_of_first<Program, Accumulate>>()>;
using flat_loop = first_loop<program_of<one, flat>>;
static_assert(!std::is_same_v<program_of<one, flat>, program_of<another, matrix_type>>);
static_assert(std::is_same_v<flat_loop, first_loop<program_of<one, matrix_type>>>);
static_assert(std::is_same_v<flat_loop, first_loop<program_of<another, matrix_type>>>);
static_assert(!std::is_same_v<flat_loop, first_loop<program_of<one, tensor<float, 25>>>>);
static_assert(!std::is_same_v<flat_loop, first_loop<program_of<one, tensor<double, 24>>>>);
// Without a gradient among its outputs a kernel does not depend on accumulation.
static_assert(std::is_same_v<flat_loop, first_loop<program_of<one, flat>, true>>);

TEST_CASE("the last kernel of the longer program is its product") {
  using schedule = decltype(program_of<another, matrix_type>::schedule);
  CHECK(schedule::kernel_count == 2);
  CHECK(program_of<another, matrix_type>::schedule[1].computes == pass::form::product);
}

namespace {

[[gnu::noinline]] std::int64_t as_number(run::steps const& s) { return s[0] + 10 * s[1] + 100 * s[2] + 1000 * s[3]; }
template <run::input_signature In>
std::int64_t steps_of_input() {
  return as_number(In.step);
}
template <run::output_signature Out>
std::int64_t steps_of_output() {
  return as_number(Out.step);
}
template <run::operand_signature Of>
std::int64_t steps_of_operand() {
  return as_number(Of.step);
}

}  // namespace

TEST_CASE("parts of a signature that is a template argument are where compilers look for them") {
  constexpr run::steps step{{1, 2, 3, 4}};
  CHECK(steps_of_input<run::input_signature{pass::source::memory, element::f32, step, 7}>() == 4321);
  CHECK(steps_of_output<run::output_signature{.step = step, .value = 2, .reduces = true, .op = 83}>() == 4321);
  CHECK(steps_of_operand<run::operand_signature{element::f32, shape{2, {{4, 5, 1, 1}}}, step}>() == 4321);
}
