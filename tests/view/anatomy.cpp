#include <etch/view/anatomy.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <memory>

using namespace etch;

namespace {

using matrix_type = tensor<float, 32, 32>;

template <class P>
anatomy anatomy_of_program() {
  return anatomy_of(*std::make_unique<P>());
}

/// Places of all values of op `Op`, in order.
template <class Op>
std::string places(anatomy const& a) {
  std::string text;
  for (int id = 0; id < a.graph.size(); ++id)
    if (a.graph[id].op == opcode_of<Op>)
      text += (text.empty() ? "" : "; ") + a.values[static_cast<std::size_t>(id)].place;
  return text;
}

/// The ops of all saved values, in order.
std::string saved(anatomy const& a) {
  std::string text;
  for (int id = 0; id < a.graph.size(); ++id)
    if (a.values[static_cast<std::size_t>(id)].saved) text += (text.empty() ? "" : " ") + operation_of(a.graph[id]);
  return text;
}

}  // namespace

TEST_CASE("arguments, outputs, views and constants are told apart") {
  auto const loss = [](auto w, auto x) { return sum(square(tanh(w * x))) * 0.5; };
  anatomy const a = anatomy_of_program<decltype(compile<wrt<0, 1>>(loss, matrix_type{}, matrix_type{}))>();
  CHECK(places<op::input>(a) == "argument 0; argument 1");
  CHECK(places<op::transpose>(a).find("view of %") == 0);
  CHECK(places<op::fill>(a).find("constant") == 0);
  CHECK(a.outputs == std::vector<std::string>{"value", "gradient 0", "gradient 1"});
  for (std::size_t slot = 0; slot < a.outputs.size(); ++slot)
    CHECK(a.values[static_cast<std::size_t>(a.graph.outputs[slot])].place == a.outputs[slot]);
}

TEST_CASE("gradients are named by the members that they belong to, integers left out") {
  auto const loss = [](auto pair, auto layer) { return sum(square(layer(std::get<0>(pair)))) * 1.0; };
  anatomy const a = anatomy_of_program<decltype(compile<wrt<1, 0>>(loss, std::tuple<matrix_type, int>{},
                                                                   nn::dense<float, 32, 8>{}))>();
  CHECK(a.outputs == std::vector<std::string>{"value", "gradient 1.weight", "gradient 1.bias", "gradient 0[0]"});
}

TEST_CASE("what the value needs is forward, and all the rest backward") {
  auto const loss = [](auto w, auto x) { return sum(square(tanh(w * x))); };
  anatomy const a = anatomy_of_program<decltype(compile(loss, matrix_type{}, matrix_type{}))>();
  std::string sides;
  for (int id = 0; id < a.graph.size(); ++id)
    if (a.graph[id].op == opcode_of<op::matmul> || a.graph[id].op == opcode_of<op::tanh> ||
        a.graph[id].op == opcode_of<op::sum>)
      sides += std::string(facts_of(a.graph[id]).name) +
               (a.values[static_cast<std::size_t>(id)].forward ? " forward " : " backward ");
  CHECK(sides == "matmul forward tanh forward sum forward matmul backward ");
}

TEST_CASE("a program without gradients has no way back, and saves nothing") {
  anatomy const a = anatomy_of_program<decltype(compile<wrt<>>([](auto w, auto x) { return w * tanh(w * x); },
                                                               matrix_type{}, matrix_type{}))>();
  CHECK(a.outputs == std::vector<std::string>{"value"});
  for (shown_value const& v : a.values) CHECK(v.forward);
  CHECK(saved(a) == "");
}

TEST_CASE("saved is what kernels of the way back read, not what stays in the forward half") {
  // exp(w x) lies in memory for the product with w, and its derivative is itself; tanh of
  // that product ends in registers.
  auto const loss = [](auto w, auto x) { return sum(tanh(w * exp(w * x))); };
  CHECK(saved(anatomy_of_program<decltype(compile(loss, matrix_type{}, matrix_type{}))>()).find("exp") == 0);
  // The product of constants with respect to y: nothing of w x is needed for d/dy but the product itself.
  auto const linear = [](auto y, auto w, auto x) { return sum(y * (w * (w * x))); };
  CHECK(saved(anatomy_of_program<decltype(compile(linear, matrix_type{}, matrix_type{}, matrix_type{}))>())
            .find("matmul matmul") == std::string::npos);
}

TEST_CASE("a concatenation that the way back reads is saved as a whole") {
  auto const loss = [](auto w, auto x) {
    return sum(square(w * etch::concat<0>(exp(slice<0, 0, 16>(x)), tanh(slice<0, 16, 16>(x)))));
  };
  std::string const kept = saved(anatomy_of_program<decltype(compile(loss, matrix_type{}, matrix_type{}))>());
  CHECK(kept.find("join") != std::string::npos);
  CHECK(kept.find("exp") == std::string::npos);
}

TEST_CASE("parts of a join lie in it") {
  auto const loss = [](auto x) {
    auto const [a, b] = etch::split<0, 2>(exp(x * x));
    return sum(a * tanh(transpose(b)));
  };
  anatomy const a = anatomy_of_program<decltype(compile(loss, matrix_type{}))>();
  CHECK(places<op::slice>(a).find("view of %") == 0);
  CHECK(places<op::embed>(a).find("part of %") == 0);
}

namespace {

constexpr auto recurrent = [](auto w, auto xs) {
  auto const last = scan([&](auto h, auto x) { return square(tanh(w * h + x)); }, ones<16>(), xs);
  return sum(square(last));
};
using recurrent_program = decltype(compile<wrt<0>>(recurrent, tensor<float, 16, 16>{}, tensor<float, 16, 8>{}));

}  // namespace

TEST_CASE("a loop lies nowhere, its kernel is named; what it leaves for the way back is forward and saved") {
  anatomy const a = anatomy_of_program<recurrent_program>();
  CHECK(places<op::loop>(a) == "kernel 1; kernel 3");
  CHECK(detail::loop_of_kernel(a, a.kernels[0]) == -1);
  std::string sides;
  for (int id = 0; id < a.graph.size(); ++id)
    if (facts_of(a.graph[id]).is_loop || facts_of(a.graph[id]).is_result)
      sides +=
          operation_of(a.graph[id]) + (a.values[static_cast<std::size_t>(id)].forward ? " forward; " : " backward; ");
  CHECK(sides ==
        "loop forward; stacked_steps<1> forward; stacked_steps<2> forward; loop backward; stacked_steps<1> backward; "
        "stacked_steps<2> backward; ");
  CHECK(saved(a) == "copy stacked_steps<1> stacked_steps<2>");
}

TEST_CASE("saved here is saved in the facts") {
  auto const agree = []<class P>(std::type_identity<P>) {
    anatomy const a = anatomy_of_program<P>();
    std::int64_t bytes = 0;
    int count = 0;
    for (int id = 0; id < a.graph.size(); ++id)
      if (a.values[static_cast<std::size_t>(id)].saved) bytes += pass::padded_bytes(a.graph[id]), ++count;
    CHECK(bytes == P::facts.saved_bytes);
    CHECK(count == P::facts.saved);
    CHECK(a.bounds.live == live_bytes(a.memory));
  };
  agree(std::type_identity<recurrent_program>{});
  agree(std::type_identity<decltype(compile([](auto w, auto x) { return sum(tanh(w * exp(w * x))); }, matrix_type{},
                                            matrix_type{}))>{});
}

TEST_CASE("a value may lie in the workspace, be an output, or lie in an output's storage until that is finished") {
  graph g;
  term const x = input(g, element::f32, make_shape(4), 0), y = exp(x), z = exp(y);
  g.outputs = {emit<op::sum>(op::reduction::whole, y).id, z.id};
  anatomy a;
  a.graph = g;
  a.outputs = {"value", "gradient 0"};
  using place = pass::location::place;
  CHECK(detail::place_in_memory(a, y.id, {place::workspace, 0, 128}) == "workspace + 128");
  CHECK(detail::place_in_memory(a, z.id, {place::output, 1, 0}) == "gradient 0");
  CHECK(detail::place_in_memory(a, y.id, {place::output, 1, 0}) == "in gradient 0");
  CHECK(detail::place_in_memory(a, y.id, {place::workspace, -1, 0}) == "in registers");
}

TEST_CASE("the results of a loop are places like any others") {
  auto const loss = [](auto x, auto z) { return sum(square(etch::repeat<3>([&](auto c) { return x * c; }, z))); };
  anatomy const a = anatomy_of_program<decltype(compile(loss, matrix_type{}, matrix_type{}))>();
  CHECK(places<op::stacked_steps>(a) == "workspace + 0");
  CHECK(places<op::summed_steps>(a) == "gradient 0");
  CHECK(saved(a) == "stacked_steps<1>");
}
