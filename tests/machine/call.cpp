#include <etch/machine/call.hpp>

#include <etch/compile/executable.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace etch;
using place = pass::location::place;

namespace {

template <class Graph>
struct packable {
  static constexpr auto frozen = freeze([] { return Graph::make(); });
  static constexpr graph_view value = frozen;
};
template <class Graph>
using program_of = run::executable_of<pack<packable<Graph>>()>;

/// The gradients of a program, or nothing.
template <class Program, bool Accumulate>
inline constexpr auto gradients = run::detail::all_gradients<Program::output_count, Accumulate, 1>();

template <class Graph, int K, bool Accumulate = false>
using call_of = run::call_of<program_of<Graph>, gradients<program_of<Graph>, Accumulate>, K>;

template <class Graph, int K = 0, bool Accumulate = false>
inline constexpr auto described = call_of<Graph, K, Accumulate>::d;

/// tanh(x) + 1 for x[N].
template <int N>
struct short_program {
  static constexpr graph make() {
    graph g;
    g.outputs = {(tanh(input(g, element::f32, make_shape(N), 0)) + 1).id};
    return g;
  }
};
/// The same, and another output after it from another argument.
struct longer_program {
  static constexpr graph make() {
    graph g;
    term const x = input(g, element::f32, make_shape(24), 0), y = input(g, element::f32, make_shape(7), 1);
    g.outputs = {(tanh(x) + 1).id, exp(y).id};
    return g;
  }
};
/// The same function of the second argument.
struct other_argument {
  static constexpr graph make() {
    graph g;
    input(g, element::f32, make_shape(24), 0);
    g.outputs = {(tanh(input(g, element::f32, make_shape(24), 1)) + 1).id};
    return g;
  }
};
/// tanh(w x) for w[8, 8], x[8, 4], and the sum of its entries, read row by row: a product
/// into the workspace, then a loop.
struct sum_of_product {
  static constexpr graph make() {
    graph g;
    term const w = input(g, element::f64, make_shape(8, 8), 0), x = input(g, element::f64, make_shape(8, 4), 1);
    g.outputs = {emit<op::sum>(op::reduction::whole, transpose(tanh(matmul(w, x)))).id};
    return g;
  }
};
/// x w for a row x[1, 8]: computed transposed.
struct row_times_matrix {
  static constexpr graph make() {
    graph g;
    term const x = input(g, element::f64, make_shape(1, 8), 0), w = input(g, element::f64, make_shape(8, 8), 1);
    g.outputs = {matmul(x, w).id};
    return g;
  }
};

/// The location of the only operand in memory of a kernel with one output; the output's is the last.
constexpr pass::location memory_input(auto const& d) {
  for (std::size_t i = 0; i < d.kernel.inputs; ++i)
    if (d.kernel.in[i].from == pass::source::memory) return d.at[i];
  return {place::workspace, -1, -1};
}
constexpr pass::location output(auto const& d) { return d.at[d.at.size() - 1]; }

}  // namespace

// A call is known by its kernel and its places, not by the program in which it stands.
static_assert(!std::is_same_v<program_of<short_program<24>>, program_of<longer_program>>);
static_assert(std::is_same_v<call_of<short_program<24>, 0>, call_of<longer_program, 0>>);
static_assert(!std::is_same_v<call_of<short_program<24>, 0>, call_of<short_program<25>, 0>>);
static_assert(!std::is_same_v<call_of<short_program<24>, 0>, call_of<other_argument, 0>>,
              "the same kernel in another place");
// The value is never accumulated, a gradient (any output after it) is.
static_assert(std::is_same_v<call_of<longer_program, 0, false>, call_of<longer_program, 0, true>>);
static_assert(!std::is_same_v<call_of<longer_program, 1, false>, call_of<longer_program, 1, true>>);

// Places: arguments, outputs, and the workspace between kernels.
static_assert(memory_input(described<short_program<24>>) == pass::location{place::argument, 0, 0});
static_assert(memory_input(described<other_argument>) == pass::location{place::argument, 1, 0});
static_assert(output(described<short_program<24>>) == pass::location{place::output, 0, 0});
static_assert(memory_input(described<longer_program, 1>) == pass::location{place::argument, 1, 0});
static_assert(output(described<longer_program, 1>) == pass::location{place::output, 1, 0});
static_assert(program_of<sum_of_product>::schedule.kernel_count == 2);
static_assert(program_of<sum_of_product>::schedule[0].computes == pass::form::product &&
              program_of<sum_of_product>::schedule[1].computes == pass::form::elementwise);
static_assert(described<sum_of_product>.a == pass::location{place::argument, 0, 0} &&
              described<sum_of_product>.b == pass::location{place::argument, 1, 0});
static_assert(output(described<sum_of_product>).in == place::workspace);
static_assert(memory_input(described<sum_of_product, 1>) == output(described<sum_of_product>),
              "read where it was written");
static_assert(output(described<sum_of_product>).offset + 8 * 4 * 8 <= program_of<sum_of_product>::plan.bytes);
static_assert(described<sum_of_product>.scratch.in == place::workspace);
static_assert(output(described<sum_of_product, 1>) == pass::location{place::output, 0, 0});
// Where the product is transposed, its operands change sides.
static_assert(described<row_times_matrix>.kernel.product.transposed);
static_assert(described<row_times_matrix>.a == pass::location{place::argument, 1, 0} &&
              described<row_times_matrix>.b == pass::location{place::argument, 0, 0});

// Work: entries, times the contracted extent of a product. Up to the limit a kernel is light.
static_assert(described<short_program<24>>.work == 24 && described<sum_of_product>.work == 8 * 4 * 8);
static_assert(described<sum_of_product, 1>.work == 8 * 4);
static_assert(described<short_program<256>>.work <= call_of<short_program<256>, 0>::heavy);
static_assert(described<short_program<257>>.work > call_of<short_program<257>, 0>::heavy);
static_assert(described<row_times_matrix>.work == 8 * 8);

TEST_CASE("a buffer is found by its place and its offset in bytes") {
  std::byte first{}, second{}, value[64]{}, gradient[64]{}, workspace[128]{};
  std::byte const* arguments[] = {&first, &second};
  std::byte* outputs[] = {value, gradient};
  status outcome{};
  run::buffers const where{arguments, outputs, workspace, &outcome};
  CHECK(where.find<pass::location{place::argument, 1, 0}>() == &second);
  CHECK(where.find<pass::location{place::output, 0, 16}>() == value + 16);
  CHECK(where.find<pass::location{place::output, 1, 0}>() == gradient);
  CHECK(where.find<pass::location{place::workspace, 0, 64}>() == workspace + 64);
}

namespace {

/// tanh(x) + 1 at entries of 0, by a call on its own.
template <int N>
void check_call() {
  CAPTURE(N);
  float x[N]{}, y[N]{};
  std::byte const* arguments[] = {reinterpret_cast<std::byte const*>(x)};
  std::byte* outputs[] = {reinterpret_cast<std::byte*>(y)};
  status outcome{};
  call_of<short_program<N>, 0>::run({arguments, outputs, nullptr, &outcome});
  int wrong = 0;
  for (float each : y) wrong += each != 1;
  CHECK(wrong == 0);
}

/// sum(tanh(w x)) for w = 30 I: every entry of the product saturates at 1 or -1.
void check_product() {
  double w[64]{}, x[32], sum = -1;
  for (int i = 0; i < 8; ++i) w[9 * i] = 30;
  for (int i = 0; i < 32; ++i) x[i] = i % 4 == 0 ? -1 : 1;
  alignas(64) std::byte workspace[program_of<sum_of_product>::plan.bytes];
  std::byte const* arguments[] = {reinterpret_cast<std::byte const*>(w), reinterpret_cast<std::byte const*>(x)};
  std::byte* outputs[] = {reinterpret_cast<std::byte*>(&sum)};
  status outcome{};
  run::buffers const where{arguments, outputs, workspace, &outcome};
  call_of<sum_of_product, 0>::run(where);
  call_of<sum_of_product, 1>::run(where);
  CHECK(sum == doctest::Approx(24 - 8));
}

}  // namespace

TEST_CASE("light and heavy calls compute the same function") {
  check_call<24>();
  check_call<256>();
  check_call<257>();
  check_call<1000>();
  check_product();
}
