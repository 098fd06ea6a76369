#include <etch/lower/functions.hpp>

#include <etch/op/loop.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr opaque_function one{1, nullptr, nullptr, nullptr}, two{2, nullptr, nullptr, nullptr},
    three{3, nullptr, nullptr, nullptr};
constexpr function_list<3> all{{&one, &two, &three}};

constexpr int called(graph& g, opaque_function const& f, int x) {
  int const operands[] = {x};
  return detail::call_opaque(g, f, element::f64, make_shape(3), operands).id;
}

/// `two` in the body of a loop, then `one`; `three` nowhere.
constexpr graph with_body() {
  loop_body l;
  l.count = 2;
  l.in.push_back(loop_input::carry), l.out.push_back(loop_output::carry);
  l.body.outputs.push_back(called(l.body, two, input(l.body, element::f64, make_shape(3), 0).id));
  graph g;
  int const x[] = {input(g, element::f64, make_shape(3), 0).id};
  term const y = result_of(g, l, insert_loop(g, l, x), 0);
  g.outputs.push_back(called(g, one, y.id));
  return g;
}
constexpr graph without() {
  graph g;
  g.outputs.push_back(input(g, element::f64, make_shape(3), 0).id);
  return g;
}
struct calling_graph {
  static constexpr auto value = freeze([] { return with_body(); });
};
struct plain {
  static constexpr auto value = freeze([] { return without(); });
};

// A graph names those that it calls, in bodies too, and no others; without any it is its words alone.
constexpr auto const& named = *pass::naming<pack<calling_graph>(), all>();
static_assert(named.functions.size() == 2 && named.functions[0] == &two && named.functions[1] == &one);
static_assert(functions_of(&named) == named.functions && functions_of(pack<plain>()).size() == 0);
static_assert(std::is_same_v<decltype(pass::naming<pack<plain>(), all>()), decltype(pack<plain>())>);
static_assert(
    std::is_same_v<decltype(pass::naming<pack<calling_graph>(), no_functions>()), decltype(pack<calling_graph>())>);
static_assert(named.words == pack<calling_graph>().words);

TEST_CASE("a function is found by the key in a node's attribute") {
  CHECK(function_named(opaque_call(std::uint32_t{2}).by(1), all) == &two);
  CHECK(function_named(opaque_call(std::uint32_t{4}), all) == nullptr);
}

}  // namespace
