// Every op along directions, at orders 1 to 3: forward mode is the transpose of reverse mode, Jacobians by rows are
// those by columns, Hessians are symmetric before they are made so, and each order is the difference of the one below.
#include "laws/directed.hpp"

using namespace laws;

TEST_CASE("<J v, w> is <v, J^T w> for every op") {
  auto const cases = all_cases();
  CHECK(cases.size() > 150);
  for (law_case const& c : cases) {
    CAPTURE(std::string(c.of.facts().name));
    CAPTURE(c.attributes);
    directed const f(c);
    values const x = f.sampled(c);
    graph forward = f.g, backward = f.g;
    at_run_time::take_derivatives_along(forward, f.y, f.xs, f.vs);
    sequence<int> seed;
    seed.push_back(f.w);
    at_run_time::take_adjoints(backward, f.y, seed, f.xs);
    values const jv = at_run_time::interpret(runnable(forward), x), jw = at_run_time::interpret(runnable(backward), x);
    double left = 0, right = 0, size = 0;
    for (std::size_t i = 0; i < jv[1].size(); ++i) {
      left += jv[1][i] * x.back()[i];
      size += std::abs(jv[1][i] * x.back()[i]);
    }
    for (std::size_t k = 0; k < f.xs.size(); ++k) {
      numbers const& v = x[static_cast<std::size_t>(f.g[f.vs[k]].attributes)];
      for (std::size_t i = 0; i < v.size(); ++i) right += jw[1 + k][i] * v[i];
    }
    CHECK(std::abs(left - right) <= 1e-13 * std::max(1.0, size));
    CHECK(jv[0] == jw[0]);
  }
}

TEST_CASE(
    "Jacobians by rows are those by columns, in loops and along diagonals, made of derivatives along directions, for "
    "every op") {
  int along_diagonals = 0;
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    directed const f(c);
    values const x = f.sampled(c);
    auto const jacobian = [&](at_run_time::jacobian_by way) {
      graph g = f.g;
      return at_run_time::take_jacobian(g, f.y, f.xs, way) ? at_run_time::interpret(runnable(g), x)[0] : numbers{};
    };
    graph along = f.g;
    at_run_time::take_derivatives_along(along, f.y, f.xs, f.vs);
    numbers const by_rows = jacobian(at_run_time::jacobian_by::rows),
                  by_diagonals = jacobian(at_run_time::jacobian_by::diagonals),
                  derivative = at_run_time::interpret(runnable(along), x)[1];
    auto const r = static_cast<std::size_t>(f.g[f.y[0]].extent.size()), n = by_rows.size() / r;
    values directions;
    for (std::size_t k = 0; k < f.xs.size(); ++k)
      directions.push_back(x[static_cast<std::size_t>(f.g[f.vs[k]].attributes)]);
    numbers const v = flat(directions);
    REQUIRE(v.size() == n);
    double worst = 0;
    auto const compare = [&](numbers const& other) {
      REQUIRE(other.size() == by_rows.size());
      for (std::size_t i = 0; i < by_rows.size(); ++i) worst = std::max(worst, distance(by_rows[i], other[i]));
    };
    compare(jacobian(at_run_time::jacobian_by::columns));
    compare(jacobian(at_run_time::jacobian_by::steps_of_rows));
    compare(jacobian(at_run_time::jacobian_by::steps_of_columns));
    if (!by_diagonals.empty()) ++along_diagonals, compare(by_diagonals);
    for (std::size_t i = 0; i < r; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += by_rows[i + j * r] * v[j];
      worst = std::max(worst, distance(sum, derivative[i]));
    }
    CHECK(worst < 1e-12);
  }
  CHECK(along_diagonals > 60);
}

TEST_CASE("Hessians of every op are symmetric, and products with them are theirs") {
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    directed f(c);
    values const x = f.sampled(c);
    term const y{&f.g, f.y[0]}, w{&f.g, f.w};
    int const loss = emit<op::sum>(op::reduction::whole, w * y * y).id;
    graph whole = f.g, product = f.g, gradient = f.g;
    at_run_time::take_hessian(whole, loss, f.xs);
    at_run_time::take_hessian_product(product, loss, f.xs, f.vs);
    sequence<int> ys;
    ys.push_back(loss);
    at_run_time::take_adjoints(gradient, ys, {}, f.xs);
    values const made = at_run_time::interpret(runnable(whole), x);
    numbers const& h = made[2];
    numbers const hv = flat(at_run_time::interpret(runnable(product), x));
    auto const n = made[1].size();
    values directions;
    for (std::size_t k = 0; k < f.xs.size(); ++k)
      directions.push_back(x[static_cast<std::size_t>(f.g[f.vs[k]].attributes)]);
    numbers const v = flat(directions);
    double worst = 0, size = 1;
    for (double each : h) size = std::max(size, std::abs(each));
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        CHECK(h[i + j * n] == h[j + i * n]);
        sum += h[i + j * n] * v[j];
      }
      worst = std::max(worst, std::abs(sum - hv[i]) / size);
    }
    CHECK(worst < 1e-12);
    CHECK(flat({made[1]}) == [&] {
      values parts = at_run_time::interpret(runnable(gradient), x);
      parts.erase(parts.begin());
      return flat(parts);
    }());
  }
}

TEST_CASE("derivatives of orders 1 to 3 along a direction are differences of the order below, for every op") {
  constexpr double h = 2e-3;
  for (law_case const& c : all_cases()) {
    CAPTURE(std::string(c.of.facts().name));
    CAPTURE(c.attributes);
    directed f(c);
    values const x = f.sampled(c);
    graph lower = f.g;
    lower.outputs = {emit<op::sum>(op::reduction::whole, term{&lower, f.w} * term{&lower, f.y[0]}).id};
    // Inputs keep their positions; nodes are found again by these.
    auto const node_at = [](graph const& g, attribute position) {
      for (int id = 0; id < g.size(); ++id)
        if (g[id].op == opcode_of<op::input> && g[id].attributes == position) return id;
      return -1;
    };
    for (int order = 1; order <= 3; ++order) {
      CAPTURE(order);
      graph upper = lower;
      sequence<int> y, xs, vs;
      y.push_back(lower.outputs[0]);
      upper.outputs.clear();
      for (std::size_t k = 0; k < f.xs.size(); ++k) {
        int const at = node_at(lower, f.g[f.xs[k]].attributes);
        if (at < 0) continue;  // nothing depends on it any more
        xs.push_back(at);
        int const v = node_at(lower, f.g[f.vs[k]].attributes);
        vs.push_back(
            v >= 0 ? v : input(upper, element::f64, f.g[f.vs[k]].extent, static_cast<int>(f.g[f.vs[k]].attributes)).id);
      }
      if (xs.empty()) break;
      at_run_time::take_derivatives_along(upper, y, xs, vs);
      upper.outputs = {upper.outputs[1]};
      graph const value = runnable(lower);
      auto const moved = [&](double by) {
        values at = x;
        for (std::size_t k = 0; k < f.xs.size(); ++k) {
          numbers const& v = x[static_cast<std::size_t>(f.g[f.vs[k]].attributes)];
          numbers& leaf = at[static_cast<std::size_t>(f.g[f.xs[k]].attributes)];
          for (std::size_t i = 0; i < leaf.size(); ++i) leaf[i] += by * v[i];
        }
        return at_run_time::interpret(value, at)[0][0];
      };
      auto const around = [&](double by) { return moved(by) - moved(-by); };
      double const difference = (45 * around(h) - 9 * around(2 * h) + around(3 * h)) / (60 * h);
      CHECK(distance(at_run_time::interpret(runnable(upper), x)[0][0], difference) < 1e-7);
      lower = upper;
    }
  }
}

TEST_CASE("a rule that is not the derivative is noticed") {
  directed f({subject_of<op::square>(), {vector_shape}, 0});
  term const y{&f.g, f.y[0]};
  int const half = emit<op::sum>(op::reduction::whole, y * stop_gradient(y)).id;
  sequence<int> ys;
  ys.push_back(half);
  graph along = f.g;
  at_run_time::take_derivatives_along(along, ys, f.xs, f.vs);
  values const x = f.sampled({subject_of<op::square>(), {vector_shape}, 0});
  double expected = 0;  // of y², and half of it was stopped
  for (std::size_t i = 0; i < 3; ++i) expected += 4 * x[0][i] * x[0][i] * x[0][i] * x[1][i];
  CHECK(at_run_time::interpret(runnable(along), x)[1][0] == doctest::Approx(expected / 2));
}
