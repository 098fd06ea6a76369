#include <etch/rewrite/reassociate.hpp>

#include <etch/rewrite/flops.hpp>
#include <etch/rewrite/prune.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

using namespace etch;
using at_run_time::numbers;

namespace {

/// Multiplications and additions of what `build` makes of inputs of the given shapes, before and
/// after; the values must be the same.
std::pair<std::int64_t, std::int64_t> flops_of(std::vector<shape> const& shapes, auto build) {
  graph g;
  std::vector<term> x;
  std::vector<numbers> values;
  int n = 0;
  for (shape const& s : shapes) {
    x.push_back(input(g, element::f64, s, static_cast<int>(x.size())));
    values.emplace_back();
    for (std::int64_t i = 0; i < s.size(); ++i) values.back().push_back((n += 5) % 11 - 4.5);
  }
  for (term each : build(x)) g.outputs.push_back(each.id);
  graph const after = pass::prune(pass::reassociate(g));
  auto const expected = random_graphs::values_of(g, values);
  CHECK(random_graphs::distance(expected, random_graphs::values_of(after, values), random_graphs::largest(expected)) <
        1e-13);
  return {pass::count_flops(pass::prune(g)), pass::count_flops(after)};
}

using terms = std::vector<term>;

}  // namespace

TEST_CASE("a product with a vector comes first") {
  auto const [before, after] = flops_of({make_shape(9, 9), make_shape(9, 9), make_shape(9)},
                                        [](terms x) { return terms{matmul(matmul(x[0], x[1]), x[2])}; });
  CHECK(before == 2 * (9 * 9 * 9 + 9 * 9));
  CHECK(after == 2 * 2 * 9 * 9);
}

TEST_CASE("the textbook's chain of six matrices") {
  // Cormen et al.: 15,125 multiplications.
  std::vector<shape> const shapes{make_shape(30, 35), make_shape(35, 15), make_shape(15, 5),
                                  make_shape(5, 10),  make_shape(10, 20), make_shape(20, 25)};
  auto const [before, after] = flops_of(shapes, [](terms x) {
    term y = x[5];
    for (int i = 4; i >= 0; --i) y = matmul(x[static_cast<std::size_t>(i)], y);
    return terms{y};
  });
  CHECK(before >= 2 * after);
  CHECK(after == 2 * 15125);
}

TEST_CASE("what is used elsewhere, and what gains less than half, stays") {
  auto const stays = [](std::vector<shape> const& shapes, auto build) {
    auto const [before, after] = flops_of(shapes, build);
    CHECK(after == before);
  };
  stays({make_shape(9, 9), make_shape(9, 9), make_shape(9)}, [](terms x) {
    term const p = matmul(x[0], x[1]);
    return terms{matmul(p, x[2]), p};
  });
  stays({make_shape(9, 9), make_shape(9, 9), make_shape(9)}, [](terms x) {
    term const p = matmul(x[0], x[1]);
    return terms{matmul(p, x[2]) + matmul(exp(p), x[2])};
  });
  stays({make_shape(9, 9), make_shape(9, 9), make_shape(9, 7)},
        [](terms x) { return terms{matmul(matmul(x[0], x[1]), x[2])}; });
}

TEST_CASE("chains longer than can be ordered at once") {
  std::vector<shape> shapes(60, make_shape(4, 4));
  shapes.push_back(make_shape(4));
  auto const [before, after] = flops_of(shapes, [](terms x) {
    term y = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) y = matmul(y, x[i]);
    return terms{y / 1e30};
  });
  CHECK(after < before);
}
