// Taylor mode of every op: derivatives of orders 1 to 4 in one pass forward are those by reverse mode, sums over curves
// are sums; and what a directional derivative costs beside one that is written by hand.
#include "laws/directed.hpp"

#include <set>

using namespace laws;

namespace {

/// The square of an op's result, so that higher derivatives of linear ops do not vanish, as the node y.
directed squared(law_case const& c) {
  directed f(c);
  f.y[0] = (term{&f.g, f.y[0]} * term{&f.g, f.y[0]}).id;
  return f;
}

/// Other directions, between the inputs of `f`, as constants.
std::vector<sequence<int>> more_directions(directed& f, int count) {
  std::vector<sequence<int>> all;
  for (int k = 0; k < count; ++k) {
    sequence<int> vs;
    for (int v : f.vs) vs.push_back((term{&f.g, v} * (k - 0.75) + 0.25 * (k + 1)).id);
    all.push_back(vs);
  }
  return all;
}

/// The derivative of order `order` of f.y along f.vs, by reverse mode again and again.
values by_reverse_mode(directed const& f, int order, values const& x) {
  graph g = f.g;
  sequence<int> y = f.y;
  for (int k = 0; k < order; ++k) {
    sequence<int> xs, vs;
    for (std::size_t i = 0; i < f.xs.size(); ++i) {
      node const &at = f.g[f.xs[i]], along = f.g[f.vs[i]];
      xs.push_back(input(g, at.type, at.extent, static_cast<int>(at.attributes)).id);
      vs.push_back(input(g, along.type, along.extent, static_cast<int>(along.attributes)).id);
    }
    g.outputs.clear();
    at_run_time::take_derivatives_along(g, y, xs, vs);
    y[0] = g.outputs[1];
  }
  g.outputs = y;
  return at_run_time::interpret(runnable(g), x);
}

}  // namespace

TEST_CASE("derivatives of orders 1 to 4 in one pass forward are those by reverse mode") {
  std::set<std::string> without_rule;
  int compared = 0;
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    CAPTURE(c.attributes);
    directed const f = squared(c);
    values const x = f.sampled(c);
    for (int order = 1; order <= 4; ++order) {
      CAPTURE(order);
      graph forward = f.g;
      if (!at_run_time::take_taylor(forward, f.y, f.xs, {f.vs}, order)) {
        without_rule.insert(c.of.facts().name);
        break;
      }
      values const expected = by_reverse_mode(f, order, x), found = at_run_time::interpret(runnable(forward), x);
      double scale = 1, worst = 0;
      for (double each : expected[0]) scale = std::max(scale, std::abs(each));
      for (std::size_t i = 0; i < expected[0].size(); ++i)
        worst = std::max(worst, std::abs(found[0][i] - expected[0][i]));
      CHECK(worst <= 1e-11 * scale);
      ++compared;
    }
  }
  CHECK(compared > 400);
  std::string names;  // of those whose rule is one for all entries together
  for (std::string const& each : without_rule) names += each + ' ';
  CHECK(names == "centred deviation log_softmax logsumexp max min norm softmax squared_deviation ");
}

TEST_CASE("second derivatives along several curves, added up before they are propagated, are their sum") {
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    directed f = squared(c);
    values const x = f.sampled(c);
    std::vector<sequence<int>> const curves = more_directions(f, 3);
    graph together = f.g;
    if (!at_run_time::take_taylor(together, f.y, f.xs, curves, 2)) continue;
    numbers const found = at_run_time::interpret(runnable(together), x)[0];
    numbers expected(found.size(), 0.0);
    double scale = 1;
    for (auto const& vs : curves) {
      graph one = f.g;
      REQUIRE(at_run_time::take_taylor(one, f.y, f.xs, {vs}, 2));
      numbers const part = at_run_time::interpret(runnable(one), x)[0];
      for (std::size_t i = 0; i < part.size(); ++i) expected[i] += part[i], scale = std::max(scale, std::abs(part[i]));
    }
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - expected[i]));
    CHECK(worst <= 1e-12 * scale);
  }
}
namespace {

/// The directional derivative of the ops that are not element-wise, as one would write it.
term by_hand(law_case const& c, term y, term x, term v) {
  attribute const axes = c.attributes;
  auto const total = [&](term each) { return emit<op::sum>(axes, each); };
  std::string const name = c.of.facts().name;
  if (name == "softmax") return y * (v - total(y * v));
  if (name == "log_softmax") return v - total(etch::exp(y) * v);
  if (name == "logsumexp") return total(emit<op::softmax>(axes, x) * v);
  if (name == "centred") return emit<op::centred>(axes, v);
  if (name == "norm") return total(x * v) / y;
  if (name == "squared_deviation") return 2 * total(emit<op::centred>(axes, x) * v);
  if (name == "deviation") return total(emit<op::centred>(axes, x) * v) / y;
  term const hit = emit<op::equal>(0, x, y);
  return total(hit * v) / total(hit);  // max and min
}

}  // namespace

TEST_CASE("a directional derivative takes at most 1.2 times the operations of one by hand, for every op") {
  int by_formula = 0;
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    CAPTURE(c.attributes);
    directed const f(c);
    values const x = f.sampled(c);
    graph made = f.g, hand = f.g;
    at_run_time::take_derivatives_along(made, f.y, f.xs, f.vs);
    hand.outputs = f.y;
    if (!at_run_time::take_taylor(hand, f.y, f.xs, {f.vs}, 1)) {  // element by element one takes the op's slopes
      hand.simplifying = true;
      REQUIRE(f.xs.size() == 1);
      term const dy = by_hand(c, {&hand, f.y[0]}, {&hand, f.xs[0]}, {&hand, f.vs[0]});
      hand.outputs.push_back(dy.id);
      ++by_formula;
    }
    graph const one = runnable(made), other = runnable(hand);
    CHECK(static_cast<double>(at_run_time::count_flops(one)) <=
          1.2 * static_cast<double>(at_run_time::count_flops(other)));
    values const found = at_run_time::interpret(one, x), expected = at_run_time::interpret(other, x);
    double worst = 0;
    for (std::size_t i = 0; i < found[1].size(); ++i) worst = std::max(worst, distance(found[1][i], expected[1][i]));
    CHECK(worst < 1e-12);
  }
  CHECK(by_formula == 9 * 3);
}

TEST_CASE("what a Taylor polynomial of degree 3 leaves shrinks by 16 where the step is halved") {
  int looked_at = 0;
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    directed const f = squared(c);
    values const x = f.sampled(c);
    std::vector<numbers> derivatives;
    for (int order = 1; order <= 3; ++order) {
      graph forward = f.g;
      if (at_run_time::take_taylor(forward, f.y, f.xs, {f.vs}, order))
        derivatives.push_back(at_run_time::interpret(runnable(forward), x)[0]);
    }
    if (derivatives.empty()) continue;
    graph value = f.g;
    value.outputs = f.y;
    graph const whole = runnable(value);
    auto const remainder = [&](double h) {
      values at = x;
      for (std::size_t k = 0; k < f.xs.size(); ++k) {
        numbers const& v = x[static_cast<std::size_t>(f.g[f.vs[k]].attributes)];
        numbers& leaf = at[static_cast<std::size_t>(f.g[f.xs[k]].attributes)];
        for (std::size_t i = 0; i < leaf.size(); ++i) leaf[i] += h * v[i];
      }
      numbers left = at_run_time::interpret(whole, at)[0];
      numbers const start = at_run_time::interpret(whole, x)[0];
      for (std::size_t i = 0; i < left.size(); ++i)
        left[i] -= start[i] + h * (derivatives[0][i] + h / 2 * (derivatives[1][i] + h / 3 * derivatives[2][i]));
      return left;
    };
    numbers const start = at_run_time::interpret(whole, x)[0], far = remainder(0.01), near = remainder(0.005);
    for (std::size_t i = 0; i < far.size(); ++i) {
      double const noise = 1e-14 * std::max(1.0, std::abs(start[i]));
      if (std::abs(near[i]) < 1e4 * noise) continue;  // a polynomial, or nearly
      CHECK(far[i] / near[i] == doctest::Approx(16).epsilon(0.15));
      ++looked_at;
    }
  }
  CHECK(looked_at > 100);
}
