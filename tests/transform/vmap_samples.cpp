// Derivatives of each sample, and further ones of them, through products of whole batches.
#include "transform/network.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace etch;
using networks::column;
using networks::entries;
using networks::network;
using values::filled_with;

namespace {

constexpr int width = 19, count = 7;
using net_type = network<double, width>;
using inputs_type = tensor<double, networks::inputs, count>;
using targets_type = tensor<double, networks::outputs, count>;

net_type const net = networks::filled<net_type>();
inputs_type const xs = filled_with<inputs_type>(2);
targets_type const ys = filled_with<targets_type>(3);

networks::sample<width> sample_of(net_type const& of, int n) { return {of, column(xs, n), column(ys, n)}; }

/// `net` with `h` times the entries of `along` added.
net_type moved(net_type to, net_type along, double h) {
  std::vector<double> const by = entries(along);
  std::size_t at = 0;
  optim::for_each_leaf(to, [&](std::size_t n, double* w) {
    for (std::size_t i = 0; i < n; ++i) w[i] += h * by[at++];
  });
  return to;
}
double dot_of(net_type const& a, net_type const& b) {
  std::vector<double> const x = entries(a), y = entries(b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
/// The derivative of `f` by central differences, extrapolated.
double slope_of(auto f) {
  double const h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

constexpr auto gradients = [](auto m, auto points, auto targets) {
  return vmap([&](auto x, auto y) {
    auto const g = grad([&](auto w) { return networks::error(w, x, y); })(m);
    return std::tuple(g.second.weight, g.first.bias, g.last.weight);
  })(points, targets);
};
constexpr auto squared_norms = [](auto m, auto points, auto targets) {
  auto const [a, b, c] = gradients(m, points, targets);
  return sum(square(a)) + sum(square(b)) + sum(square(c));
};
double expected_norms(net_type const& of) {
  double total = 0;
  for (int n = 0; n < count; ++n) {
    auto const g = sample_of(of, n).gradient;
    for (double each : g.second.weight) total += each * each;
    for (double each : g.first.bias) total += each * each;
    for (double each : g.last.weight) total += each * each;
  }
  return total;
}
constexpr auto error_of_all = [](auto m, auto points, auto targets) {
  return sum(vmap([&](auto x, auto y) { return networks::error(m, x, y); })(points, targets));
};

/// Whether a program still has loops over samples.
template <class Program>
bool has_steps(Program const& program) {
  return to_text(program).find("_steps") != std::string::npos;
}

}  // namespace

TEST_CASE("gradients of every sample") {
  auto program = compile<wrt<>>(gradients, net, xs, ys);
  CHECK(!has_steps(program));
  auto const& second = program(net, xs, ys);
  for (int n = 0; n < count; ++n) {
    auto const g = sample_of(net, n).gradient;
    for (int i = 0; i < width; ++i) {
      for (int j = 0; j < width; ++j) CHECK(second(i, j, n) == doctest::Approx(g.second.weight(i, j)).epsilon(1e-12));
      CHECK(program.result<1>()(i, n) == doctest::Approx(g.first.bias(i)).epsilon(1e-12));
      for (int j = 0; j < networks::outputs; ++j)
        CHECK(program.result<2>()(j, i, n) == doctest::Approx(g.last.weight(j, i)).epsilon(1e-12));
    }
  }
}

TEST_CASE("the sum of their squared norms, without their entries") {
  auto program = compile<wrt<0>>(squared_norms, net, xs, ys);
  CHECK(!has_steps(program));
  CHECK(program(net, xs, ys) == doctest::Approx(expected_norms(net)).epsilon(1e-12));
  static_assert(decltype(program)::facts.workspace_bytes < std::int64_t{8} * width * width * count);
  auto along = net;
  for (int seed : {1, 2}) {
    optim::for_each_leaf(along, [&](std::size_t n, double* w) {
      for (std::size_t i = 0; i < n; ++i) w[i] = std::sin(2.9 * static_cast<double>(i + 1) * seed);
    });
    double const expected = slope_of([&](double h) { return expected_norms(moved(net, along, h)); });
    CHECK(dot_of(program.grad<0>(), along) == doctest::Approx(expected).epsilon(1e-7));
  }
}

TEST_CASE("their sum is the gradient of the sum") {
  constexpr auto summed = [](auto m, auto points, auto targets) {
    return std::tuple(
        sum<2>(std::get<0>(gradients(m, points, targets))),
        sum_map([&](auto x, auto y) { return grad([&](auto w) { return networks::error(w, x, y); })(m).second.weight; },
                points, targets));
  };
  auto program = compile<wrt<>>(summed, net, xs, ys);
  CHECK(!has_steps(program));
  auto const& total = program(net, xs, ys);
  tensor<double, width, width> expected{};
  for (int n = 0; n < count; ++n) {
    auto const g = sample_of(net, n).gradient;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += g.second.weight[i];
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(total[i] == doctest::Approx(expected[i]).epsilon(1e-12));
    CHECK(program.result<1>()[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
  static_assert(decltype(program)::facts.workspace_bytes < std::int64_t{8} * width * width * count);
}

TEST_CASE("derivatives along a direction, of first and second order") {
  net_type const along = moved(net_type{}, networks::filled<net_type>(), 2.5);
  auto const error_at = [&](double h) {
    net_type const there = moved(net, along, h);
    double total = 0;
    for (int n = 0; n < count; ++n) total += sample_of(there, n).value;
    return total;
  };
  auto const of_net = [](auto m, auto points, auto targets, auto v) {
    auto const f = [&](auto w) { return error_of_all(w, points, targets); };
    return std::tuple(std::get<1>(jvp(f)(m, v)), hvp(f)(m, v).second.weight);
  };
  auto program = compile<wrt<>>(of_net, net, xs, ys, along);
  CHECK(!has_steps(program));
  CHECK(program(net, xs, ys, along) == doctest::Approx(slope_of(error_at)).epsilon(1e-8));
  for (int k : {0, 5, width * width - 1}) {
    double const expected = slope_of([&](double h) {
      net_type const there = moved(net, along, h);
      double total = 0;
      for (int n = 0; n < count; ++n) total += sample_of(there, n).gradient.second.weight.data()[k];
      return total;
    });
    CHECK(program.result<1>()[static_cast<std::size_t>(k)] == doctest::Approx(expected).epsilon(1e-7));
  }
}

TEST_CASE("Laplacians and second derivatives of every sample") {
  constexpr auto residuals = [](auto m, auto points) {
    return sum_map([&](auto x) { return square(laplacian([&](auto v) { return sum(m(v)); })(x)); }, points);
  };
  constexpr auto curvatures = [](auto m, auto times) {
    return sum_map(
        [&](auto t) {
          return derivative<2>([&](auto s) { return sum(m(concat<0>(reshape<1>(s), reshape<1>(s * s), ones<1>()))); })(
              t);
        },
        times);
  };
  auto const f = [](auto x, auto m) { return sum(m(x)); };
  double expected = 0;
  for (int n = 0; n < count; ++n) {
    double const each = laplacian(f)(column(xs, n), net);
    expected += each * each;
  }
  auto program = compile<wrt<0>>(residuals, net, xs);
  CHECK(!has_steps(program));
  CHECK(program(net, xs) == doctest::Approx(expected).epsilon(1e-11));
  auto const value_at = [&](double h) {
    net_type const there = moved(net, net, h);
    double total = 0;
    for (int n = 0; n < count; ++n) total += std::pow(laplacian(f)(column(xs, n), there), 2);
    return total;
  };
  CHECK(dot_of(program.grad<0>(), net) == doctest::Approx(slope_of(value_at)).epsilon(1e-7));

  tensor<double, count> const times = filled_with<tensor<double, count>>(4);
  double total = 0;
  for (double t : times) {
    auto const at = [&](double s) {
      auto const y = networks::sample<width>(net, {s, s * s, 1.0}, {}).result;
      return y(0) + y(1);
    };
    double const h = 1e-3;
    total += (16 * (at(t + h) + at(t - h)) - at(t + 2 * h) - at(t - 2 * h) - 30 * at(t)) / (12 * h * h);
  }
  auto second = compile<wrt<>>(curvatures, net, times);
  CHECK(!has_steps(second));
  CHECK(second(net, times) == doctest::Approx(total).epsilon(1e-7));
}

TEST_CASE("a block of a tape, and a constant") {
  tape<double> t;
  auto const m = t.watch(net);
  auto const value = t.apply(error_of_all, m, t.constant(xs), t.constant(ys));
  double total = 0;
  net_type expected{};
  for (int n = 0; n < count; ++n) {
    auto const sample = sample_of(net, n);
    total += sample.value;
    expected = moved(expected, sample.gradient, 1);
  }
  CHECK(t.backward(value) == doctest::Approx(total).epsilon(1e-12));
  auto const& g = t.grad(m);
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j)
      CHECK(g.second.weight(i, j) == doctest::Approx(expected.second.weight(i, j)).epsilon(1e-11));

  constexpr auto squares = [](auto w, auto points) {
    return sum(vmap([&](auto x) { return sum(square(w * x)); })(points));
  };
  constexpr auto ones_of = [](auto w) {
    for (double& each : w) each = 1;
    return w;
  };
  constexpr auto known = value_and_grad(squares)(ones_of(tensor<double, 16, 16>{}), ones_of(tensor<double, 16, 2>{}));
  static_assert(known.value == 16 * 16 * 16 * 2 && known.grad(3, 4) == 2 * 16 * 2);
}

TEST_CASE("samples that are not taken") {
  constexpr auto chosen = [](auto m, auto points) {
    auto const roots = sqrt(points);
    return sum_map([&](auto x) { return select(x(0) < 1000.0, select(x(0) > 0.0, sum(square(m(x))), 0), 0); }, roots);
  };
  auto program = compile<wrt<0, 1>>(chosen, net, xs);
  CHECK(!has_steps(program));
  inputs_type good = xs;
  for (double& each : good) each = each * each + 0.5;
  double const infinity = std::numeric_limits<double>::infinity();
  for (double left_out : {0.0, infinity}) {
    inputs_type points = good;
    for (int i = 0; i < networks::inputs; ++i) points(i, 2) = points(i, count - 1) = left_out;
    double const value = program(net, points);
    double total = 0;
    net_type expected{};
    for (int n = 0; n < count; ++n) {
      if (n == 2 || n == count - 1) continue;
      auto x = column(points, n);
      for (double& each : x) each = std::sqrt(each);
      networks::sample<width> const sample(net, x, {});
      total += sample.value;
      expected = moved(expected, sample.gradient, 1);
      for (int i = 0; i < networks::inputs; ++i)
        CHECK(program.grad<1>()(i, n) == doctest::Approx(sample.of_x(i) / (2 * x(i))).epsilon(1e-11));
    }
    CHECK(value == doctest::Approx(total).epsilon(1e-12));
    for (int i = 0; i < networks::inputs; ++i) CHECK(program.grad<1>()(i, 2) == 0);
    std::vector<double> const a = entries(program.grad<0>()), b = entries(expected);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-11));
  }
}

TEST_CASE("gradients of every sample by a struct are a tuple of its members; their sum is a struct") {
  using net = networks::network<double, 4>;
  net const model = networks::filled<net>();
  tensor<double, 3, 5> points;
  tensor<double, 2, 5> targets;
  for (int n = 0; n < 5; ++n) {
    for (int i = 0; i < 3; ++i) points(i, n) = std::sin(1.0 + i + 3 * n);
    for (int i = 0; i < 2; ++i) targets(i, n) = std::cos(2.0 * i + n);
  }
  constexpr auto norms = [](auto m, auto x, auto y) {
    auto const slopes =
        vmap([&](auto a, auto b) { return grad([&](auto w) { return networks::error(w, a, b); })(m); })(x, y);
    auto const& [first, second, last] = slopes;
    return reshape<5>(sum<0, 1>(square(std::get<0>(first)))) + reshape<5>(sum<0>(square(std::get<1>(last))));
  };
  auto const found = compile<wrt<>>(norms, model, points, targets)(model, points, targets);
  constexpr auto total = [](auto m, auto x, auto y) {
    auto const all =
        sum_map([&](auto a, auto b) { return grad([&](auto w) { return networks::error(w, a, b); })(m); }, x, y);
    return squared_norm(all);
  };
  double expected_total = 0;
  net sums{};
  for (int n = 0; n < 5; ++n) {
    networks::sample<4> const one(model, networks::column(points, n), networks::column(targets, n));
    double expected = 0;
    for (std::size_t i = 0; i < one.gradient.first.weight.size(); ++i)
      expected += one.gradient.first.weight.data()[i] * one.gradient.first.weight.data()[i];
    for (int i = 0; i < 2; ++i) expected += one.gradient.last.bias(i) * one.gradient.last.bias(i);
    CHECK(found.data()[n] == doctest::Approx(expected));
    sums += one.gradient;
  }
  for (double each : networks::entries(sums)) expected_total += each * each;
  CHECK(compile<wrt<>>(total, model, points, targets)(model, points, targets) == doctest::Approx(expected_total));
  auto const [values, slopes] = vmap(value_and_grad([](auto x, auto y) { return x * x * y; }))(
      tensor<double, 3>{1, 2, 3}, tensor<double, 3>{2, 1, 1});
  CHECK(values == tensor<double, 3>{2, 4, 9});
  CHECK(slopes == tensor<double, 3>{4, 4, 6});
}
