#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

constexpr int steps = 20, snapshots = 3;
using matrix_type = tensor<double, 3, 3>;
using series = tensor<double, 3, steps>;
constexpr auto few = keep_recursive<snapshots * 3 * 8>;

/// The graph of value and gradients by both arguments.
template <class Loss>
graph with_gradients(Loss loss) {
  graph const g = pass::canonical(pass::trace<Loss, matrix_type, series>(loss));
  std::vector<int> leaves;
  for (int id = 0; id < g.size(); ++id)
    if (pass::is_input(g[id])) leaves.push_back(id);
  return pass::prune(pass::expand(pass::differentiate(g, leaves)));
}
/// What is sampled of the only loop of which anything is.
pass::sampled_carries sampled_in(graph_view g) {
  pass::sampled_carries found;
  for (int id = 0; id < g.size(); ++id)
    if (facts_of(g[id]).is_loop)
      if (pass::sampled_carries const s = pass::sampled_by(g, id); s.exists()) {
        CHECK(!found.exists());
        found = s;
      }
  return found;
}

constexpr auto rnn = [](auto w, auto xs) {
  return sum(square(scan([&](auto h, auto x) { return tanh(w * h + x); }, ones<3>(), xs, few)));
};

}  // namespace

TEST_CASE("the stack of a carry that only the way back reads holds snapshots") {
  graph const g = with_gradients(rnn);
  pass::sampled_carries const s = sampled_in(g);
  REQUIRE(s.exists());
  CHECK(s.snapshots == snapshots);
  REQUIRE(s.stacks.size() == 1);
  CHECK(g[s.stacks[0]].extent == make_shape(3, steps));
  CHECK(pass::bytes_in_memory(g, s.stacks[0]) == snapshots * 3 * 8);
  CHECK(pass::buffer_bytes(g, s.stacks[0]) == 128);
  loop_body const back = loop_at(g, s.backward);
  CHECK(back.backward);
  CHECK(back.in[static_cast<std::size_t>(s.inputs[0])] == loop_input::before);
  CHECK(!pass::sampled_by(g, s.backward).exists());
}

TEST_CASE("the way back runs the forward body, for its carries") {
  graph const g = with_gradients(rnn);
  pass::sampled_carries const s = sampled_in(g);
  pass::steps_again const again = pass::steps_again_in(g, s.backward);
  REQUIRE(again.of.forward == s.forward);
  CHECK(again.body.outputs.size() == 1);
  REQUIRE(again.in.size() == 3);
  int carries = 0;
  for (pass::input_again const& each : again.in) {
    carries += each.kind == loop_input::carry;
    CHECK((each.kind == loop_input::carry) == (each.sampled == 0));
  }
  CHECK(carries == 1);
  CHECK(!pass::steps_again_in(g, s.forward).of.exists());
  // Each step again is a product of 18, a sum and a tanh of 3.
  loop_body const forward = loop_at(g, s.forward), back = loop_at(g, s.backward);
  CHECK(pass::flops_as_run(g, s.backward) ==
        steps * pass::count_flops(back.body) + etch::detail::steps_run_again(steps, snapshots) * 24);
  CHECK(pass::flops_as_run(g, s.forward) == steps * pass::count_flops(forward.body));
}

TEST_CASE("a stack that anything else reads is whole") {
  graph const outputs = with_gradients([](auto w, auto xs) {
    auto const r = scan(
        [&](auto h, auto x) {
          auto const next = tanh(w * h + x);
          return step{next, next};
        },
        ones<3>(), xs, few);
    return sum(square(r.y));
  });
  CHECK(!sampled_in(outputs).exists());
  graph const twice = with_gradients([](auto w, auto xs) {
    return squared_norm(grad([&](auto v) {
      return sum(square(scan([&](auto h, auto x) { return tanh(v * h + x); }, ones<3>(), xs, few)));
    })(w));
  });
  CHECK(!sampled_in(twice).exists());
  for (int id = 0; id < twice.size(); ++id)
    CHECK(pass::bytes_in_memory(twice, id) == twice[id].extent.size() * bytes_of(twice[id].type));
}

TEST_CASE("as many snapshots as steps are a stack") {
  graph const g = with_gradients([](auto w, auto xs) {
    return sum(square(
        scan([&](auto h, auto x) { return tanh(w * h + exp(x)); }, ones<3>(), xs, keep_recursive<steps * 3 * 8>)));
  });
  CHECK(!sampled_in(g).exists());
}
