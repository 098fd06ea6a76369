#include <etch/compile/lowering.hpp>

#include <etch/op/elementwise.hpp>

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

using namespace etch;
using place = pass::location::place;

namespace {

/// A program that is only scheduled and planned.
template <class Graph>
struct planned {
  static constexpr auto materialised = freeze([] { return pass::materialise(Graph::make()); });
  static constexpr fixed<pass::loop_room, 0> rooms{};
  static constexpr auto values = run::make_values<planned>();
  static constexpr auto groups = run::make_grouping<planned>();
  static constexpr auto plan = run::make_plan<planned>();
  static constexpr auto schedule = run::make_schedule<planned>();
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

/// A product of a matrix with itself transposed, both operands to be packed or not as the choice
/// says, whose result is read again.
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

/// Running sums of a slice of x[6, 4] beside a reversed one, in one output.
struct sums_and_slices {
  static constexpr graph make() {
    graph g;
    term const x = input(g, element::f32, make_shape(6, 4), 0);
    sequence<term> parts;
    parts.push_back(embed(emit<op::cumsum>(1, slice(x, region(0, 1, 2), 2)), make_shape(4, 4), region(0, 0)));
    parts.push_back(embed(exp(emit<op::reverse>(2, slice(x, region(0, 4), 2))), make_shape(4, 4), region(0, 2)));
    g.outputs = {sum_of(parts).id};
    return pass::assemble(g);
  }
};
using in_parts = planned<sums_and_slices>;

/// The plan of the same kernels when the planner is asked directly.
template <class Program>
bool plans_agree() {
  graph_view const g = Program::materialised;
  auto const kernels = lowered::kernels_of(g);
  pass::buffer_plan const p = lowered::plan(g, kernels);
  return p.bytes == Program::plan.bytes && p.live_bytes == Program::plan.live_bytes &&
         std::ranges::equal(p.offset, Program::plan.offset) && std::ranges::equal(p.slot, Program::plan.slot) &&
         std::ranges::equal(p.is_continued, Program::plan.is_continued) &&
         std::ranges::equal(p.scratch, Program::plan.scratch);
}

/// Whether the packed kernels are those that fusing gives, with the buffers of the plan, part for part.
template <class Program>
bool kernels_agree() {
  auto const same_step = [](pass::instruction const& x, pass::instruction const& y) {
    return x.op == y.op && x.operand == y.operand;
  };
  auto const kernels = lowered::kernels_of(Program::materialised);
  if (kernels.size() != static_cast<std::size_t>(Program::schedule.kernel_count)) return false;
  for (int i = 0; i < Program::schedule.kernel_count; ++i) {
    pass::scheduled_kernel const read = Program::schedule[i];
    pass::scheduled_kernel const k =
        pass::place_buffers(Program::materialised, Program::plan, Program::plan.scratch[static_cast<std::size_t>(i)],
                            kernels[static_cast<std::size_t>(i)]);
    if (read.computes != k.computes || !(read.space == k.space) || read.type != k.type ||
        !(read.product == k.product) || !(read.a == k.a) || !(read.b == k.b) || read.scratch != k.scratch)
      return false;
    if (!(read.inputs == k.inputs) || !std::ranges::equal(read.code, k.code, same_step) || !(read.results == k.results))
      return false;
  }
  return true;
}

}  // namespace

// The product with its epilogue, to which the sum belongs.
static_assert(example::schedule.kernel_count == 1);
static_assert(example::schedule[0].computes == pass::form::product && example::schedule[0].results.size() == 2);
static_assert(example::schedule[0].a.at == pass::location{place::argument, 0, 0} &&
              example::schedule[0].b.at == pass::location{place::argument, 1, 0});
static_assert(turned::schedule[0].product.transposed);
static_assert(turned::schedule[0].a.at == pass::location{place::argument, 1, 0} &&
                  turned::schedule[0].b.at == pass::location{place::argument, 0, 0},
              "operands are named as they are written; describe (machine/call.hpp) changes their sides");
static_assert(turned::plan.bytes == 0);
// A location is counted in bytes from the start of the buffer.
static_assert(pass::find_buffer(example::materialised, example::plan, 0, 5) ==
              pass::location{place::argument, 0, 5 * 4});
static_assert(pass::find_buffer(packing::materialised, packing::plan, 0, 5) ==
              pass::location{place::argument, 0, 5 * 8});
// Whatever is written to an output may be added to what is there; in a loop that is said of the value, too.
static_assert(example::schedule.accumulates[0] && turned::schedule.accumulates[0]);

// The block into the workspace; its copy and the other part, which have one shape, by one loop into the output.
static_assert(in_parts::schedule.kernel_count == 2 && in_parts::schedule[0].computes == pass::form::block);
static_assert(in_parts::schedule[0].inputs[0].at == pass::location{place::argument, 0, 1 * 4} &&
              in_parts::schedule[0].inputs[0].step[0] == 2 &&
              in_parts::schedule[0].inputs[0].extent == make_shape(2, 4) && in_parts::schedule[0].results[0].bits == 1);
static_assert(in_parts::schedule[1].results.size() == 2 &&
              in_parts::schedule[1].results[1].at == pass::location{place::output, 0, 0} &&
              in_parts::schedule[1].results[0].at == pass::location{place::output, 0, 2 * 4} &&
              in_parts::schedule[1].results[1].step[1] == 4);

TEST_CASE("every result lies where it says, inside the workspace or in an output") {
  bool written[2] = {};
  for (int k = 0; k < example::schedule.kernel_count; ++k)
    for (pass::placed const& r : example::schedule[k].results) {
      CHECK(r.at.in != place::argument);
      if (r.at.in == place::output) written[r.at.position] = true;
      else CHECK(r.at.offset + 32 * 4 <= example::plan.bytes);
    }
  CHECK(written[0]);
  CHECK(written[1]);
}

TEST_CASE("the literals hold the kernels and the plan that the passes give at run time") {
  CHECK(kernels_agree<example>());
  CHECK(kernels_agree<turned>());
  CHECK(kernels_agree<packing>());
  CHECK(kernels_agree<in_parts>());
  CHECK(plans_agree<example>());
  CHECK(plans_agree<turned>());
  CHECK(plans_agree<packing>());
  CHECK(plans_agree<in_parts>());
  CHECK(packing::plan.bytes >= 20 * 20 * 8);
}
