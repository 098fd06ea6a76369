#include <etch/view/memory_map.hpp>

#include <etch/etch.hpp>

#include "rewrite/random_graph.hpp"

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// A kernel that reads the buffers `reads` and writes the buffers `writes`.
pass::kernel one_step(std::initializer_list<int> reads, std::initializer_list<int> writes) {
  pass::kernel k;
  for (int node : reads) k.inputs.push_back({pass::source::memory, node});
  for (int node : writes) {
    pass::result r;
    r.node = r.root = node;
    k.results.push_back(r);
  }
  return k;
}

/// x and a chain of five values of 16 floats each.
graph chain() {
  graph g;
  term x = input(g, element::f32, make_shape(16), 0);
  for (int i = 0; i < 5; ++i) x = exp(x);
  g.outputs = {x.id};
  return g;
}

bool share_bytes(memory_box const& a, memory_box const& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}
bool share_kernels(memory_box const& a, memory_box const& b) { return a.first <= b.last && b.first <= a.last; }
bool hands_over(memory_box const& a, memory_box const& b) {
  return a.is_overwritten && b.takes_over && a.last == b.first && a.first < b.first;
}

/// The fault of a map, if any.
std::string fault_of(memory_map_view map) {
  for (memory_box const& b : map.boxes)
    if (b.offset < 0 || b.bytes <= 0 || b.offset + b.bytes > map.bytes || b.first > b.last || b.last >= map.kernels)
      return "a box lies outside";
  for (std::size_t i = 0; i < map.boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      memory_box const &a = map.boxes[j], &b = map.boxes[i];
      if (a.first > b.first) return "boxes are not in the order of their births";
      if (share_bytes(a, b) && share_kernels(a, b) && !hands_over(a, b)) return "live boxes overlap";
    }
  return "";
}

constexpr std::int64_t none[] = {-1, -1, -1, -1, -1, -1};

}  // namespace

TEST_CASE("a box lasts from the kernel that writes it to the last that reads it") {
  graph const g = chain();
  pass::kernel const kernels[] = {one_step({0}, {1, 2}), one_step({1}, {3}), one_step({2, 3}, {4}), one_step({4}, {5})};
  std::int64_t const offset[] = {-1, 0, 64, 128, 0, -1};
  memory_map const map = map_memory(g, kernels, offset, const_span(none).first(4), 192);
  CHECK(map.kernels == 4);
  CHECK(map.bytes == 192);
  CHECK(map.boxes == sequence<memory_box>{{1, 0, 64, 0, 1}, {2, 64, 64, 0, 2}, {3, 128, 64, 1, 2}, {4, 0, 64, 2, 3}});
  CHECK(fault_of(map) == "");
  CHECK(live_bytes(map) == 192);
}

TEST_CASE("a buffer written over another takes its place within one kernel, and counts once") {
  graph const g = chain();
  pass::kernel const kernels[] = {one_step({0}, {1}), one_step({1}, {2}), one_step({2}, {3})};
  std::int64_t const offset[] = {-1, 0, 0, -1, -1, -1};
  memory_map const map = map_memory(g, kernels, offset, const_span(none).first(3), 64);
  CHECK(map.boxes == sequence<memory_box>{{1, 0, 64, 0, 1, false, true}, {2, 0, 64, 1, 2, true, false}});
  CHECK(fault_of(map) == "");
  CHECK(live_bytes(map) == 64);
}

TEST_CASE("buffers at the same place at different times take nothing over") {
  graph const g = chain();
  pass::kernel const kernels[] = {one_step({0}, {1}), one_step({1}, {5}), one_step({0}, {2}), one_step({2}, {4})};
  std::int64_t const offset[] = {-1, 0, 0, -1, -1, -1};
  memory_map const map = map_memory(g, kernels, offset, const_span(none).first(4), 64);
  CHECK(map.boxes == sequence<memory_box>{{1, 0, 64, 0, 1}, {2, 0, 64, 2, 3}});
}

TEST_CASE("scratch memory lives for one kernel") {
  graph const g = chain();
  pass::kernel product = one_step({}, {1});
  product.head.computes = pass::form::product;
  product.head.a.root = product.head.b.root = 0;
  product.head.scratch = 128;
  pass::kernel const kernels[] = {product, one_step({1}, {5})};
  std::int64_t const offset[] = {-1, 0, -1, -1, -1, -1}, scratch[] = {64, -1};
  memory_map const map = map_memory(g, kernels, offset, scratch, 192);
  CHECK(map.boxes == sequence<memory_box>{{1, 0, 64, 0, 1}, {-1, 64, 128, 0, 0}});
  CHECK(live_bytes(map) == 192);
}

TEST_CASE("buffers count in whole cache lines") {
  memory_box const boxes[] = {{1, 0, 4, 0, 1}, {2, 64, 68, 1, 1}};
  CHECK(live_bytes({boxes, 2, 192}) == 192);
}

TEST_CASE("the check of maps notices what is wrong") {
  memory_box const overlap[] = {{1, 0, 128, 0, 1}, {2, 64, 64, 1, 2}}, outside[] = {{1, 64, 128, 0, 0}},
                   late[] = {{1, 0, 64, 0, 3}}, order[] = {{1, 0, 64, 1, 1}, {2, 64, 64, 0, 1}};
  CHECK(fault_of({overlap, 3, 128}) == "live boxes overlap");
  CHECK(fault_of({outside, 3, 128}) == "a box lies outside");
  CHECK(fault_of({late, 3, 128}) == "a box lies outside");
  CHECK(fault_of({order, 3, 128}) == "boxes are not in the order of their births");
}

TEST_CASE("on any graph every buffer of the plan is one box, live boxes are apart, and no plan goes below the bound") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    random_graphs::generator random(seed, seed % 2 ? random_graphs::style::exact : random_graphs::style::smooth,
                                    seed % 3 == 0);
    auto s = random.make(random.chance(10) ? 120 : 3 + random.below(30));
    for (int i = 0; i < 2; ++i) s.g.outputs.push_back(random.below(s.g.size()));
    graph const g = pass::materialise(pass::assemble(pass::prune(pass::expand(s.g))));
    auto const kernels = pass::fuse(g);
    pass::buffer_plan const p = lowered::plan(g, kernels);
    memory_map const map = map_memory(g, kernels, p.offset, p.scratch, p.bytes);
    CHECK(fault_of(map) == "");
    auto const planned = [](auto const& offsets) {
      return std::ranges::count_if(offsets, [](std::int64_t each) { return each >= 0; });
    };
    CHECK(static_cast<std::ptrdiff_t>(map.boxes.size()) == planned(p.offset) + planned(p.scratch));
    CHECK(live_bytes(map) <= p.bytes);
  }
}

namespace {

constexpr auto squares = [](auto w, auto x) { return sum(square(tanh(w * x))) + sum(square(w)); };
using program_of_squares = decltype(compile(squares, tensor<float, 32, 32>{}, tensor<float, 32, 32>{}));
constexpr auto const& squares_map = memory_map_of<program_of_squares::executable>;

// The map is a constant of the program, and the bound can be asked of the compiler.
static_assert(squares_map.bytes == program_of_squares::facts.workspace_bytes);
static_assert(squares_map.kernels == program_of_squares::executable::schedule.kernel_count);
static_assert(live_bytes(squares_map) <= squares_map.bytes && live_bytes(squares_map) >= 32 * 32 * 4);

}  // namespace
