#include <etch/pass/schedule.hpp>

#include <etch/op/elementwise.hpp>

#include <doctest/doctest.h>

using namespace etch;
using place = pass::location::place;

namespace {

/// A program that is only scheduled and planned.
template <class Graph>
struct planned {
  static constexpr auto materialised = freeze([] { return pass::materialise(Graph::make()); });
  static constexpr auto schedule = pass::make_schedule<planned>();
  static constexpr auto plan = pass::make_plan<planned>();
};

/// tanh(w x) and the sum of its squares, with w[32, 32] and x[32].
struct tanh_and_squares {
  static constexpr graph make() {
    graph g;
    term const w = input(g, element::f32, make_shape(32, 32), 0), x = input(g, element::f32, make_shape(32), 1);
    term const y = tanh(matmul(w, x));
    g.outputs = {emit<op::sum>(op::reduction::whole, square(y)).id, y.id};
    return g;
  }
};
using example = planned<tanh_and_squares>;

/// A product of one row, which is computed transposed.
struct row_times_matrix {
  static constexpr graph make() {
    graph g;
    term const w = input(g, element::f32, make_shape(32, 32), 0), x = input(g, element::f32, make_shape(1, 32), 1);
    g.outputs = {matmul(x, w).id};
    return g;
  }
};
using turned = planned<row_times_matrix>;

/// A product of a matrix with itself transposed, both operands to be packed or not as the choice says, whose result is read again.
struct gram_of_gram {
  static constexpr graph make() {
    graph g;
    term const w = input(g, element::f64, make_shape(20, 20), 0);
    term const y = exp(matmul(transpose(w), w));
    g.outputs = {matmul(transpose(y), transpose(y)).id};
    return g;
  }
};
using packing = planned<gram_of_gram>;

/// The location of an operand.
template <class Program>
constexpr pass::location location_of(pass::access const& a) {
  return pass::find_buffer<Program>(a.root, a.where.offset);
}

/// What the planner says of the same kernels when it is asked directly.
template <class Program>
bool plans_agree() {
  graph_view const g = Program::materialised;
  auto const kernels = pass::fuse(g);
  pass::buffer_plan const p = pass::plan(g, kernels);
  return p.bytes == Program::plan.bytes && std::ranges::equal(p.offset, Program::plan.offset) &&
         std::ranges::equal(p.scratch, Program::plan.scratch);
}

/// Whether the kernels in the arrays are those that fusing gives, part for part.
template <class Program>
bool kernels_agree() {
  auto const same_access = [](pass::access const& x, pass::access const& y) { return x == y; };
  auto const same_step = [](pass::instruction const& x, pass::instruction const& y) {
    return x.op == y.op && x.bits == y.bits && x.operand == y.operand;
  };
  auto const same_result = [](pass::result const& x, pass::result const& y) {
    return x.value == y.value && x.node == y.node && x.where == y.where && x.type == y.type && x.reduces == y.reduces && x.op == y.op &&
           x.axes == y.axes;
  };
  auto const kernels = pass::fuse(Program::materialised);
  if (kernels.size() != static_cast<std::size_t>(Program::schedule.kernel_count)) return false;
  for (int i = 0; i < Program::schedule.kernel_count; ++i) {
    pass::kernel const& k = kernels[static_cast<std::size_t>(i)];
    pass::kernel_view const v = Program::schedule[i];
    if (v.head.computes != k.head.computes || !(v.head.space == k.head.space) || v.head.type != k.head.type ||
        !(v.head.product == k.head.product) || !(v.head.a == k.head.a) || !(v.head.b == k.head.b))
      return false;
    if (!std::ranges::equal(v.inputs, k.inputs, same_access) || !std::ranges::equal(v.code, k.code, same_step) ||
        !std::ranges::equal(v.results, k.results, same_result))
      return false;
  }
  return true;
}

}  // namespace

// The product with its epilogue, then one loop over what it left: the output is a copy, for y is read again.
static_assert(example::schedule.kernel_count == 2);
static_assert(example::schedule[0].head.computes == pass::form::product && example::schedule[1].head.computes == pass::form::loop);
static_assert(location_of<example>(example::schedule[0].head.a) == pass::location{place::argument, 0, 0} &&
              location_of<example>(example::schedule[0].head.b) == pass::location{place::argument, 1, 0});
static_assert(turned::schedule[0].head.product.transposed);
static_assert(location_of<turned>(turned::schedule[0].head.a) == pass::location{place::argument, 1, 0} &&
                  location_of<turned>(turned::schedule[0].head.b) == pass::location{place::argument, 0, 0},
              "a head names the operands as they are written; describe (run/call.hpp) changes their sides");
static_assert(turned::plan.bytes == 0);
// A location is counted in bytes from the start of the buffer.
static_assert(pass::find_buffer<example>(0, 5) == pass::location{place::argument, 0, 5 * 4});
static_assert(pass::find_buffer<packing>(0, 5) == pass::location{place::argument, 0, 5 * 8});

TEST_CASE("parts of kernels are consecutive ranges, and every location lies where it says") {
  int inputs = 0, instructions = 0, results = 0;
  for (auto const& k : example::schedule.kernels) {
    CHECK(k.first_input == inputs);
    CHECK(k.first_instruction == instructions);
    CHECK(k.first_result == results);
    inputs += k.inputs, instructions += k.instructions, results += k.results;
  }
  CHECK(static_cast<std::size_t>(inputs) == example::schedule.inputs.size());
  CHECK(static_cast<std::size_t>(instructions) == example::schedule.code.size());
  CHECK(static_cast<std::size_t>(results) == example::schedule.results.size());
  bool written[2] = {};
  for (pass::result const& r : example::schedule.results) {
    pass::location const at = pass::find_buffer<example>(r.node, 0);
    CHECK(at.in != place::argument);
    if (at.in == place::output) written[at.position] = true;
    else CHECK(at.offset + 32 * 4 <= example::plan.bytes);
  }
  CHECK(written[0]);
  CHECK(written[1]);
}

TEST_CASE("the literals hold the kernels and the plan that the passes give at run time") {
  CHECK(kernels_agree<example>());
  CHECK(kernels_agree<turned>());
  CHECK(kernels_agree<packing>());
  CHECK(plans_agree<example>());
  CHECK(plans_agree<turned>());
  CHECK(plans_agree<packing>());
  CHECK(packing::plan.bytes >= 20 * 20 * 8);
}
