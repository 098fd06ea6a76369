// instances: the inputs of some problems and what etch makes of them, as JSON: for rivals in other languages, which
// compare with it before they are timed.
#include "hessian/problem.hpp"
#include "laplacian/problem.hpp"
#include "quadrotor/problem.hpp"
#include "race.hpp"

#include <cstdio>

namespace {

void say(char const* name, auto const& numbers, std::size_t n, char const* after) {
  std::printf("  \"%s\": [", name);
  for (std::size_t i = 0; i < n; ++i) std::printf("%s%.17g", i == 0 ? "" : ", ", static_cast<double>(numbers[i]));
  std::printf("]%s\n", after);
}
void say(char const* name, auto const& tensor) { say(name, tensor.data(), tensor.size(), ","); }

/// One problem: what `inputs(data)` says, then etch's result.
template <class Problem>
void problem(auto inputs, bool last = false) {
  static bench::course<Problem> course;
  std::printf("\"%s\": {\n", Problem::name);
  inputs(course.inputs);
  course.rivals[0].compute(course.inputs, course.gradient);
  bench::visit_leaves<Problem>(course.gradient,
                               [](auto const* entries, std::size_t n) { say("result", entries, n, ""); });
  std::printf(last ? "}\n" : "},\n");
}

}  // namespace

int main() {
  auto const network = [](laplacian_problem::data const& d) {
    say("w1", d.u.first.weight), say("b1", d.u.first.bias), say("w2", d.u.second.weight), say("b2", d.u.second.bias);
    say("w3", d.u.last.weight), say("b3", d.u.last.bias), say("x", d.x);
  };
  auto const mixture = [](helmholtz::data const& d) { say("x", d.x), say("b", d.b), say("a", d.a), say("v", d.v); };
  std::printf("{\n");
  problem<laplacian_problem::problem>(network);
  problem<laplacian_problem::gradient_problem>(network);
  problem<quadrotor::problem>([](quadrotor::data const& d) {
    auto const& of_last_call = d[(quadrotor::calls - 1) % d.size()];
    say("x", of_last_call.x), say("u", of_last_call.u);
  });
  problem<helmholtz::hessian_problem>(mixture);
  problem<helmholtz::product_problem>(mixture, true);
  std::printf("}\n");
}
