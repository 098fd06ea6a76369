#include <etch/rewrite/batch_maps.hpp>

#include <etch/etch.hpp>
#include <etch/rewrite/verify.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace etch;

namespace {

constexpr int width = 17;
using matrix_type = tensor<double, width, width>;
template <int Count>
using columns = tensor<double, width, Count>;
template <int Count>
using panels = tensor<double, width, 3, Count>;

sequence<int> inputs_of(graph_view g) {
  sequence<int> all;
  for (int id = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::input>) all.push_back(id);
  return all;
}
int loops_in(graph_view g) {
  int loops = 0;
  for (node const& n : g.nodes) loops += n.op == opcode_of<op::loop>;
  return loops;
}
template <class... A>
graph hoisted(auto f) {
  return pass::hoist(pass::simplify(pass::canonical(pass::trace<decltype(f), A...>(f))));
}

/// The outputs of `g`, and the gradients of the first by the inputs whose bit is set, where input i has entries that
/// follow from i, but those at which `changed` says otherwise.
std::vector<run::numbers> values_of(graph const& g, unsigned wrt, auto changed) {
  sequence<int> const leaves = inputs_of(g);
  sequence<int> wanted;
  std::vector<run::numbers> inputs;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if ((wrt >> i & 1) != 0) wanted.push_back(leaves[i]);
    inputs.emplace_back(static_cast<std::size_t>(g[leaves[i]].extent.size()));
    for (std::size_t k = 0; k < inputs[i].size(); ++k)
      inputs[i][k] = std::sin(1.7 * static_cast<double>(k + 1) * static_cast<double>(i + 2));
  }
  changed(inputs);
  graph const whole = pass::prune(pass::expand(wanted.empty() ? g : pass::differentiate(g, wanted)));
  CHECK(pass::find_fault(whole) == nullptr);
  return run::interpret(whole, inputs);
}
void nothing(std::vector<run::numbers>&) {}

/// Results and gradients are the same with and without the loops of `f`, which returns one number first.
template <class... A>
void check_same(auto f, auto changed) {
  graph const loops = hoisted<A...>(f), batched = pass::batch_maps(loops);
  CHECK(pass::has_batches(loops));
  CHECK(loops_in(pass::prune(batched)) == 0);
  for (unsigned wrt = 0; wrt < 1u << sizeof...(A); ++wrt) {
    auto const a = values_of(loops, wrt, changed), b = values_of(batched, wrt, changed);
    REQUIRE(a.size() == b.size());
    for (std::size_t r = 0; r < a.size(); ++r)
      for (std::size_t i = 0; i < a[r].size(); ++i) {
        CHECK(std::isfinite(a[r][i]));
        CHECK(a[r][i] == doctest::Approx(b[r][i]).epsilon(1e-11));
      }
  }
}
template <class... A>
void check_same(auto f) {
  check_same<A...>(f, nothing);
}
template <class... A>
void check_stays(auto f) {
  graph const loops = hoisted<A...>(f);
  CHECK(!pass::has_batches(loops));
  CHECK(loops_in(pass::prune(pass::batch_maps(loops))) == loops_in(pass::prune(loops)));
}

constexpr auto of_vectors = [](auto w, auto xs) {
  auto const [y, z] = map(
      [&](auto x) {
        auto const h = tanh(w * x + x(0));
        return std::tuple(h, sum(h) * x);
      },
      xs);
  return std::tuple(sum(square(y)) + sum(z), y, z);
};
constexpr auto sums = [](auto w, auto xs) {
  auto const [y, z] = sum_map([&](auto x) { return std::tuple(sin(transpose(w) * (w * x)), sum(w)); }, xs);
  return sum(square(y)) * z;
};
constexpr auto of_matrices = [](auto w, auto xs) {
  return sum(square(map([&](auto x) { return tanh(w * x) + transpose(transpose(x) * w); }, xs)));
};
constexpr auto views = [](auto w, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const y = w * x;  // [9, 3]
        auto const parts = concat<1>(slice<1, 1, 2>(y), broadcast<width, 2>(slice<1, 0, 1>(x)), slice<1, 0, 1>(w));
        auto const turned = permute<1, 0>(reverse<0>(parts));  // [5, 9]
        return sum(cwise_product(sin(turned), reshape<5, width>(parts))) + sum(square(flatten(x)));
      },
      xs);
};
constexpr auto composites = [](auto w, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const y = w * x;
        return logsumexp(y) + sum(square(softmax<0>(y))) + sum(log_softmax<1>(y)) + norm(y) + variance(x) + max(y) +
               min<1>(y)(2) + sum(norm<0>(y));
      },
      xs);
};
constexpr auto products = [](auto w, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const y = w * x;                                     // [9, 3]
        auto const u = slice<1, 0, 1>(y), v = slice<1, 1, 1>(x);  // columns
        auto const outer = u * transpose(v);
        auto const square_of_y = transpose(y) * x;
        return (transpose(u) * v)(0) + sum(sin(outer)) + sum(outer * u) + sum(transpose(v) * y) +
               sum(square(square_of_y)) + sum(square(y * transpose(x)));
      },
      xs);
};
constexpr auto derivatives = [](auto w, auto xs) {
  return sum(square(map(
      [&](auto x) {
        auto const f = [&](auto v) { return sum(square(tanh(w * v))); };
        return grad(f)(x) + hvp(f)(x, sin(x));
      },
      xs)));
};
constexpr auto per_sample = [](auto w, auto xs) {
  return sum(square(map([&](auto x) { return grad([&](auto v) { return sum(tanh(v * tanh(v * x))); })(w); }, xs)));
};
constexpr auto dots = [](auto v, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const z = dot(v, x), other = (transpose(x) * v)(0);
        return softplus(z) - 0.3 * z + sin(other) * sum(x) +
               sum(cwise_product(grad([&](auto u) { return sin(dot(u, x)); })(v), x));
      },
      xs);
};
constexpr auto dots_of_matrices = [](auto w, auto xs) {
  auto const ys = map([&](auto x) { return sum(cwise_product(w, tanh(x))); }, xs);
  return sum(square(ys));
};
constexpr auto chosen_dots = [](auto v, auto xs) {
  auto const roots = sqrt(xs);
  return sum_map([&](auto x) { return select(x(0) < 100.0, select(x(0) > 0.0, square(dot(x, v)), 0), 0); }, roots);
};
/// Points whose first entry is not finite, or behind an infinite slope, are not taken.
constexpr auto chosen = [](auto w, auto xs) {
  auto const roots = sqrt(xs);
  return sum_map(
      [&](auto x) {
        auto const y = sum(square(w * tanh(w * x))) + square(sum(slice<0, 0, 1>(w) * tanh(w * x)));
        return select(x(0) < 100.0, select(x(0) > 0.0, y, 0), 0);
      },
      roots);
};

}  // namespace

TEST_CASE_TEMPLATE("vectors", Count, std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                   std::integral_constant<int, 7>) {
  check_same<matrix_type, columns<Count::value>>(of_vectors);
  check_same<matrix_type, columns<Count::value>>(sums);
}

TEST_CASE_TEMPLATE("matrices, views, composites, products of what differs on both sides", Count,
                   std::integral_constant<int, 1>, std::integral_constant<int, 4>) {
  check_same<matrix_type, panels<Count::value>>(of_matrices);
  check_same<matrix_type, panels<Count::value>>(views);
  check_same<matrix_type, panels<Count::value>>(composites);
  check_same<matrix_type, panels<Count::value>>(products);
}

TEST_CASE_TEMPLATE("dot products", Count, std::integral_constant<int, 1>, std::integral_constant<int, 5>) {
  using vector = tensor<double, width>;
  check_same<vector, columns<Count::value>>(dots);
  check_same<tensor<double, width, 3>, panels<Count::value>>(dots_of_matrices);
  for (double there : {0.0, std::numeric_limits<double>::infinity()})
    check_same<vector, columns<Count::value>>(chosen_dots, [&](std::vector<run::numbers>& inputs) {
      for (double& each : inputs[1]) each = each * each + 0.1;
      if constexpr (Count::value > 1)
        for (std::size_t i = 0; i < width; ++i) inputs[1][2 * width + i] = there;
    });
  check_stays<tensor<double, 4>, tensor<double, 4, 5>>(dots);  // shorter ones are faster in lanes
}

TEST_CASE("derivatives within the body") {
  check_same<matrix_type, columns<5>>(derivatives);
  check_same<matrix_type, columns<5>>(per_sample);
}

TEST_CASE("what a select did not take never arrives") {
  for (double there : {0.0, std::numeric_limits<double>::infinity()})
    check_same<matrix_type, columns<5>>(chosen, [&](std::vector<run::numbers>& inputs) {
      for (double& each : inputs[1]) each = each * each + 0.1;
      for (std::size_t i = 0; i < width; ++i) inputs[1][2 * width + i] = there;
    });
}

TEST_CASE("integers among the slices") {
  constexpr auto f = [](auto w, auto xs, auto labels) {
    return sum_map([&](auto x, auto label) { return nn::softmax_cross_entropy(w * x, label); }, xs, labels);
  };
  graph const loops = hoisted<matrix_type, columns<4>, tensor<int, 4>>(f), batched = pass::batch_maps(loops);
  CHECK(loops_in(pass::prune(batched)) == 0);
  auto const labels = [](std::vector<run::numbers>& inputs) { inputs[2] = {3, 0, 8, 5}; };
  auto const a = values_of(loops, 3, labels), b = values_of(batched, 3, labels);
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t i = 0; i < a[r].size(); ++i) CHECK(a[r][i] == doctest::Approx(b[r][i]).epsilon(1e-11));
}

TEST_CASE("columns picked by indices") {
  constexpr int known = 6, points = 10;
  auto const picks = [](std::vector<run::numbers>& inputs) {
    inputs[2] = {3, 0, 3, 5, 1, 1, 1, 0, 4, 2};
    inputs[3] = {5, 5, 0, 1, 2, 3, 4, 5, 0, 1, 1, 1, 2, 0, 3, 3, 4, 2, 2, 5};
  };
  constexpr auto check = [](auto f, auto changed) {
    graph const loops = hoisted<columns<known>, panels<known>, tensor<int, points>, tensor<int, 2, points>>(f);
    graph const batched = pass::batch_maps(loops);
    CHECK(loops_in(loops) == 1);
    CHECK(loops_in(pass::prune(batched)) == 0);
    for (unsigned wrt = 0; wrt < 4; ++wrt) {
      auto const a = values_of(loops, wrt, changed), b = values_of(batched, wrt, changed);
      REQUIRE(a.size() == b.size());
      for (std::size_t r = 0; r < a.size(); ++r)
        for (std::size_t i = 0; i < a[r].size(); ++i) CHECK(a[r][i] == doctest::Approx(b[r][i]).epsilon(1e-11));
    }
  };
  check(
      [](auto u, auto v, auto one, auto two) {
        return sum_map(
            [&](auto i, auto j) {
              auto const pair = gather<1>(u, j);  // width x 2
              return square(dot(gather<1>(u, i), sum<1>(pair))) + sum(gather<2>(v, i)) * sum(exp(gather<1>(u, i)));
            },
            one, two);
      },
      picks);
  check(  // indices may be taken apart
      [](auto u, auto v, auto one, auto two) {
        return sum_map([&](auto i, auto j) { return square(dot(gather<1>(u, j(0)), sum<1>(gather<2>(v, j(1))))) * i; },
                       one, two);
      },
      picks);
  check(
      [](auto u, auto v, auto one, auto two) {
        return sum(
            square(map([&](auto i, auto j) { return gather<1>(u, i) + sum<1>(sum<1>(gather<2>(v, j))); }, one, two)));
      },
      picks);
  check(  // they may be picked before
      [](auto u, auto v, auto one, auto two) {
        return sum_map([](auto x, auto y, auto j) { return square(dot(x, sum<1>(y)) + j(0)) * sum(exp(x)); },
                       gather<1>(u, one), gather<2>(v, one), two);
      },
      picks);
  using picking = tensor<int, 5>;
  // Rows, short columns and those cut into numbers are picked by points in lanes.
  check_stays<tensor<double, 6, width>, picking>(
      [](auto u, auto is) { return sum_map([&](auto i) { return sum(square(gather<0>(u, i))); }, is); });
  check_stays<tensor<double, 3, 6>, picking>(
      [](auto u, auto is) { return sum_map([&](auto i) { return sum(square(gather<1>(u, i))); }, is); });
  check_stays<tensor<double, 3, 6>, picking>(
      [](auto u, auto is) { return sum_map([](auto x) { return sum(square(x)); }, gather<1>(u, is)); });
  check_stays<tensor<double, 6, 9>, picking>(
      [](auto u, auto is) { return sum_map([](auto x) { return sum(square(x)); }, gather<0>(u, is)); });
  check_stays<tensor<double, 9, 5, 6>, tensor<int, 4>>(
      [](auto u, auto is) { return sum_map([](auto x) { return sum(square(x)); }, gather<1>(u, is)); });
  check_stays<tensor<double, 2, 6>, tensor<int, 4, 5>>(
      [](auto u, auto is) { return sum_map([&](auto i) { return sum(square(gather<1>(u, i))); }, is); });
  check_stays<tensor<double, width, 6>, picking>([](auto u, auto is) {
    return sum_map([&](auto i) { return gather<1>(u, i)(0) * sin(gather<1>(u, i)(1)); }, is);
  });
}

TEST_CASE("a loop in a loop, and what stays a loop") {
  constexpr auto within = [](auto w, auto xs) {
    return sum(repeat<3>([&](auto y) { return map([&](auto x) { return tanh(w * x); }, y); }, xs));
  };
  graph const loops = hoisted<matrix_type, columns<4>>(within), batched = pass::prune(pass::batch_maps(loops));
  CHECK(loops_in(batched) == 1);
  for (int id = 0; id < batched.size(); ++id)
    if (batched[id].op == opcode_of<op::loop>) CHECK(loops_in(loop_at(batched, id).body) == 0);
  auto const a = values_of(loops, 3, nothing), b = values_of(pass::batch_maps(loops), 3, nothing);
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t i = 0; i < a[r].size(); ++i) CHECK(a[r][i] == doctest::Approx(b[r][i]).epsilon(1e-12));

  check_stays<tensor<double, 2, 2>, tensor<double, 2, 5>>(
      [](auto w, auto xs) { return sum_map([&](auto x) { return sum(tanh(w * x)); }, xs); });
  check_stays<matrix_type, columns<5>>(
      [](auto w, auto xs) { return sum_map([&](auto x) { return sum(tanh(w)) * sum(x); }, xs); });
  check_stays<matrix_type, columns<5>>(
      [](auto w, auto xs) { return sum_map([&](auto x) { return sum(cumsum<0>(w * x)); }, xs); });
  check_stays<matrix_type, columns<5>>([](auto w, auto xs) {
    return sum_map([&](auto x) { return sum(repeat<2>([&](auto y) { return tanh(w * y); }, x)); }, xs);
  });
  // So many points are cut into strips, unless their number is prime.
  constexpr auto many = [](auto w, auto xs) { return sum_map([&](auto x) { return sum(tanh(w * x)); }, xs); };
  check_stays<matrix_type, columns<1000003>>(many);
  CHECK(pass::has_batches(hoisted<matrix_type, columns<1000000>>(many)));
  // One condition decides on a matrix.
  check_stays<matrix_type, panels<5>>([](auto w, auto xs) {
    return sum_map([&](auto x) { return select(x(0, 0) > 0.0, sum(square(w * x)), 0); }, xs);
  });
}
