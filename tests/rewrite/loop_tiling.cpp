#include <etch/rewrite/loop_tiling.hpp>

#include <etch/rewrite/differentiate.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/rewrite/simplify.hpp>
#include <etch/rewrite/verify.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

using namespace etch;
using at_run_time::numbers;

namespace {

/// A graph of inputs of the given shapes, and values for them.
struct subject_of {
  graph g;
  std::vector<term> x;
  std::vector<numbers> values;

  explicit subject_of(std::vector<shape> const& shapes) {
    int n = 0;
    for (shape const& s : shapes) {
      x.push_back(input(g, element::f64, s, static_cast<int>(x.size())));
      values.emplace_back();
      for (std::int64_t i = 0; i < s.size(); ++i) values.back().push_back(((n += 5) % 11 - 4.5) / 8);
    }
  }
  /// Value and gradients of `loss` with respect to the inputs in `leaves`.
  void differentiate(term loss, std::vector<int> leaves) {
    g.outputs = {loss.id};
    sequence<int> nodes;
    for (int each : leaves) nodes.push_back(x[static_cast<std::size_t>(each)].id);
    g = pass::prune(pass::expand(pass::differentiate(pass::simplify(g), nodes)));
  }
};

/// The number of strips that `p` becomes if they are to be as narrow as `narrowest`; 1 if
/// none. The values must be the same.
int tiles_of_loop(subject_of const& p, int narrowest) {
  graph const after = pass::prune(pass::strips(p.g, std::int64_t{1} << 40, {0, 0, narrowest}));
  char const* const fault = pass::find_fault(after);
  CHECK_MESSAGE(fault == nullptr, fault);
  auto const expected = random_graphs::values_of(p.g, p.values);
  CHECK(random_graphs::distance(expected, random_graphs::values_of(after, p.values), random_graphs::largest(expected)) <
        1e-13);
  int strips = 1;
  for (int id = 0; id < after.size(); ++id)
    if (facts_of(after[id]).is_loop) strips = loop_at(after, id).count;
  return strips;
}

constexpr attribute everything = op::reduction::whole;

}  // namespace

TEST_CASE("a dense layer is cut along its batch") {
  subject_of p({make_shape(5, 3), make_shape(5), make_shape(3, 24)});
  p.differentiate(emit<op::sum>(everything, exp(matmul(p.x[0], p.x[2]) + p.x[1])), {0, 1});
  CHECK(tiles_of_loop(p, 1) == 24);
  CHECK(tiles_of_loop(p, 2) == 12);
  CHECK(tiles_of_loop(p, 7) == 3);  // 24 entries have no strips of 7
  CHECK(tiles_of_loop(p, 13) == 1);
}

TEST_CASE("what only picks, adds up and goes entry by entry is cut for the first cache, unless its sums are large") {
  auto const strips_of = [](int rows, auto loss) {
    subject_of p({make_shape(rows, 9), make_shape(960), make_shape(rows, 960), make_shape(rows, rows)});
    for (std::size_t i = 0; i < p.values[1].size(); ++i) p.values[1][i] = static_cast<double>(i * 5 % 9);
    p.differentiate(emit<op::sum>(everything, loss(p.x)), {0, 3});
    std::int64_t const live = 100'000;
    graph const after = pass::prune(pass::strips(p.g, live, {.at_once = live / 2, .nearest = live / 40}));
    auto const expected = random_graphs::values_of(p.g, p.values);
    CHECK(random_graphs::distance(expected, random_graphs::values_of(after, p.values),
                                  random_graphs::largest(expected)) < 1e-13);
    int strips = 1;
    for (int id = 0; id < after.size(); ++id)
      if (facts_of(after[id]).is_loop) strips = loop_at(after, id).count;
    return strips;
  };
  using terms = std::vector<term>;
  op::index_axis const last(1, 1);
  auto const picked = [=](terms const& x) { return exp(emit<op::gather>(last, x[0], x[1])) * x[2]; };
  CHECK(strips_of(4, picked) == 40);
  CHECK(strips_of(4, [=](terms const& x) { return picked(x) * slice(x[3], region(1, 0), 1); }) == 40);
  CHECK_MESSAGE(strips_of(4, [=](terms const& x) { return matmul(x[3], picked(x)); }) == 2, "all read a matrix");
  CHECK_MESSAGE(strips_of(40, [=](terms const& x) { return picked(x) * slice(x[3], region(1, 0), 1); }) == 2,
                "40 numbers are a good part of what is near");
}

TEST_CASE("strips of a batch that fills registers fill them too") {
  subject_of p({make_shape(5, 3), make_shape(3, 160)});
  p.differentiate(emit<op::sum>(everything, exp(matmul(p.x[0], p.x[1]))), {0});
  std::int64_t const enough = 8'000;  // an eighth of it fits, so eight strips of 20 would do
  graph const after = pass::prune(pass::strips(p.g, enough, {0, enough / 8, 0}));
  int strips = 1;
  for (int id = 0; id < after.size(); ++id)
    if (facts_of(after[id]).is_loop) strips = loop_at(after, id).count;
  CHECK(strips == 10);
}

TEST_CASE("gradients of what is cut lie side by side; what is done to the sums comes afterwards") {
  subject_of p({make_shape(5, 3), make_shape(3, 24), make_shape(5, 24)});
  term const error = tanh(matmul(p.x[0], p.x[1])) - p.x[2];
  p.differentiate(log(emit<op::sum>(everything, error * error) / 24.0 + emit<op::sum>(everything, p.x[0] * p.x[0])),
                  {0});
  CHECK_MESSAGE(tiles_of_loop(p, 4) == 1, "the gradient depends on the sum over all: no strip can be finished");

  subject_of q({make_shape(5, 3), make_shape(3, 24), make_shape(5, 24)});
  term const e = tanh(matmul(q.x[0], q.x[1])) - q.x[2];
  q.differentiate(emit<op::sum>(everything, e * e) / 24.0 + log(emit<op::sum>(everything, q.x[0] * q.x[0])), {0, 1, 2});
  CHECK(tiles_of_loop(q, 4) == 6);
}

TEST_CASE("per-column softmax is cut, softmax across the batch is not") {
  for (bool const across : {false, true}) {
    subject_of p({make_shape(6, 3), make_shape(3, 20), make_shape(6, 20)});
    term const z = matmul(p.x[0], p.x[1]);
    p.differentiate(emit<op::sum>(everything, emit<op::softmax>(across ? 2u : 1u, z) * p.x[2]), {0});
    CHECK(tiles_of_loop(p, 5) == (across ? 1 : 4));
  }
}

TEST_CASE("through views that keep the axis") {
  subject_of p({make_shape(3, 2, 4, 16), make_shape(7, 24)});
  term const flat = emit_to<op::reshape>(make_shape(24, 16), tanh(p.x[0]));
  term const turned = transpose(matmul(p.x[1], flat));  // [16, 7]
  p.differentiate(emit<op::sum>(everything, exp(slice(turned, region(1, 2), 3))), {0, 1});
  CHECK(tiles_of_loop(p, 4) == 4);
}

TEST_CASE("arguments are cut along any axis whose strips have stretches of memory") {
  subject_of p({make_shape(40, 9), make_shape(9), make_shape(40)});
  term const miss = tanh(matmul(p.x[0], p.x[1])) - p.x[2];
  p.differentiate(emit<op::sum>(everything, miss * miss), {1});
  CHECK(tiles_of_loop(p, 8) == 5);
  CHECK(tiles_of_loop(p, 1) == 40);

  subject_of middle({make_shape(8, 24, 3), make_shape(8)});
  middle.differentiate(emit<op::sum>(everything, exp(middle.x[0] * middle.x[1])), {1});
  CHECK(tiles_of_loop(middle, 8) == 3);
  subject_of narrow({make_shape(7, 24, 3), make_shape(7)});
  narrow.differentiate(emit<op::sum>(everything, exp(narrow.x[0] * narrow.x[1])), {1});
  CHECK_MESSAGE(tiles_of_loop(narrow, 8) == 1, "seven numbers adjoin");
}

TEST_CASE("arguments that thin products read twice are read again, others are not") {
  auto const read_again = [](int columns, auto loss) {
    subject_of p({make_shape(40, 9), make_shape(9, columns)});
    p.differentiate(loss(p.x[0], p.x[1]), {1});
    return pass::bytes_read_again(p.g, 2'000);
  };
  auto const squares = [](term x, term w) { return emit<op::sum>(everything, square(tanh(matmul(x, w)))); };
  CHECK(read_again(1, squares) == 40 * 9 * 8);
  CHECK(read_again(15, squares) == 40 * 9 * 8);
  CHECK(read_again(16, squares) == 0);
  CHECK(read_again(1, [](term x, term w) { return emit<op::sum>(everything, tanh(w)) * x.owner->size(); }) == 0);
  CHECK_MESSAGE(
      read_again(1, [](term x, term w) { return emit<op::sum>(everything, matmul(transpose(x), x)) + w; }) == 0,
      "one product");
  CHECK_MESSAGE(read_again(1, [&](term x, term w) { return squares(slice(x, region(0, 0), 20), w); }) == 0, "a part");
  subject_of small({make_shape(30, 8), make_shape(8)});
  small.differentiate(squares(small.x[0], small.x[1]), {1});
  CHECK(pass::bytes_read_again(small.g, 2'000) == 0);
}

TEST_CASE("strips for the sake of arguments fit into the cache with what they share, and are worth their overhead") {
  auto const loops = [](int rows, std::int64_t bytes, std::int64_t at_once) {
    subject_of p({make_shape(rows, 9), make_shape(9)});
    p.differentiate(emit<op::sum>(everything, square(tanh(matmul(p.x[0], p.x[1])))), {1});
    graph const after = pass::prune(pass::strips(p.g, bytes, {0, at_once, 2, true}));
    int count = 0;
    for (node const& n : after.nodes) count += facts_of(n).is_loop;
    return count;
  };
  CHECK(loops(40, 3'000, 1'000) == 1);
  CHECK_MESSAGE(loops(40, 3'000, 100) == 0, "the narrowest strips are too large");
  CHECK_MESSAGE(loops(40, 600, 144) == 0, "nine weights, as many slopes and the value are 152 bytes");
  CHECK(loops(40, 600, 160) == 1);
  CHECK(loops(46, 2'500, 800) == 1);
  CHECK_MESSAGE(loops(46, 2'500, 1'000) == 0, "two strips are too large, and 23 too small");
}

TEST_CASE("of two axes that save the same, the larger argument's is cut") {
  for (bool const turned : {false, true}) {
    subject_of p({turned ? make_shape(40, 9) : make_shape(80, 9), turned ? make_shape(9, 80) : make_shape(9, 40)});
    p.differentiate(emit<op::sum>(everything, tanh(matmul(p.x[0], p.x[1]))), {});
    CHECK(tiles_of_loop(p, 20) == 4);
  }
}

TEST_CASE(
    "what indices pick is cut along the indices, and along what is picked with each; what is added there is a sum") {
  auto const strips_of = [](shape const& table, shape const& indices, int axis) {
    op::index_axis const at(axis, indices.rank);
    subject_of p({table, indices, at.result(table, indices)});
    for (std::size_t i = 0; i < p.values[1].size(); ++i) p.values[1][i] = static_cast<double>(i * 5 % 9);
    p.differentiate(emit<op::sum>(everything, exp(emit<op::gather>(at, p.x[0], p.x[1])) * p.x[2]), {0, 2});
    return tiles_of_loop(p, 1);
  };
  CHECK(strips_of(make_shape(4, 9), make_shape(24), 1) == 24);
  CHECK(strips_of(make_shape(9, 4), make_shape(24), 0) ==
        4);  // the gradient of what is cut adjoins along the last axis
  CHECK(strips_of(make_shape(4, 9), make_shape(3, 8), 1) == 8);
  CHECK(strips_of(make_shape(9), make_shape(24), 0) == 24);
  CHECK(strips_of(make_shape(2, 9, 16), make_shape(5), 1) == 16);
  CHECK(strips_of(make_shape(2, 3, 9), make_shape(5), 2) == 5);
  CHECK(strips_of(make_shape(9, 2), make_shape(), 0) == 2);
}

TEST_CASE("an axis along which entries meet, move or are told apart stays whole") {
  auto const whole = [](std::vector<shape> const& shapes, auto loss) {
    subject_of p(shapes);
    p.g.outputs = {loss(p.x).id};
    CHECK(tiles_of_loop(p, 2) == 1);
  };
  using terms = std::vector<term>;
  shape const v = make_shape(12);
  whole({v}, [](terms x) { return emit<op::max>(everything, exp(x[0])); });
  whole({v}, [](terms x) { return emit<op::sum>(everything, emit<op::reverse>(1, exp(x[0])) * x[0]); });
  whole({v}, [](terms x) {
    return emit<op::sum>(everything, slice(exp(x[0]), region(0, 1), 11) * slice(x[0], region(0, 0), 11));
  });
  whole({v},
        [](terms x) { return emit<op::sum>(everything, exp(x[0]) * etch::iota(*x[0].owner, element::f64, 0, 12)); });
  whole({v}, [](terms x) { return emit<op::sum>(everything, emit<op::cumsum>(0, exp(x[0]))); });
  whole({make_shape(12, 12)}, [](terms x) { return emit<op::sum>(everything, exp(matmul(x[0], x[0]))); });
  whole({make_shape(12, 12)}, [](terms x) { return emit<op::sum>(everything, x[0] * transpose(exp(x[0]))); });
  // The output's strips would not be contiguous.
  whole({make_shape(12, 3)}, [](terms x) { return exp(x[0]) + 1; });
}
