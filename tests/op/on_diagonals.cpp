// Matrices of diagonals: numbers below and above the diagonal, repeated ones, mirror images, shapes that are not
// square; the adjoint is the transpose.
#include <etch/op/on_diagonals.hpp>

#include "rewrite/at_run_time.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

struct on_numbers {
  shape whole;
  op::diagonal_numbers numbers;

  on_numbers(int rows, int columns, bool mirrored, std::vector<int> const& each)
      : whole(make_shape(rows, columns)), numbers(mirrored) {
    for (int number : each) numbers.push_back(number);
  }
  int size() const { return whole[1] * numbers.size(); }

  /// The matrix by its definition.
  std::vector<double> matrix(std::vector<double> const& x) const {
    std::vector<double> y(static_cast<std::size_t>(whole.size()));
    for (int k = 0; k < numbers.size(); ++k)
      for (int j = 0; j < whole[1]; ++j) {
        int const i = j + numbers[k];
        if (i < 0 || i >= whole[0]) continue;
        double const entry = x[static_cast<std::size_t>(j + whole[1] * k)];
        y[static_cast<std::size_t>(i + whole[0] * j)] += entry;
        if (numbers.mirrored() && i != j) y[static_cast<std::size_t>(j + whole[0] * i)] += entry;
      }
    return y;
  }
};

void check(on_numbers const& of) {
  graph g;
  term const x = input(g, element::f64, make_shape(of.size()), 0);
  term const y = emit_shaped<op::on_diagonals>(of.whole, of.numbers, x);
  term const w = input(g, element::f64, of.whole, 1);
  g.outputs.push_back(y.id);
  g.outputs.push_back(emit<op::sum>(op::reduction::whole, w * y).id);
  std::vector<double> entries, weights;
  for (int i = 0; i < of.size(); ++i) entries.push_back(1 + i);
  for (std::int64_t i = 0; i < of.whole.size(); ++i) weights.push_back(0.5 + static_cast<double>(i * i % 11));
  CHECK(at_run_time::interpret(g, {entries, weights})[0] == of.matrix(entries));

  graph adjoint = g;
  adjoint.outputs.clear();
  sequence<int> ys, xs;
  ys.push_back(g.outputs[1]), xs.push_back(x.id);
  at_run_time::take_adjoints(adjoint, ys, {}, xs);
  std::vector<double> const back = at_run_time::interpret(adjoint, {entries, weights})[1];
  for (int i = 0; i < of.size(); ++i) {  // <w, y(unit vector)>
    std::vector<double> unit(static_cast<std::size_t>(of.size()));
    unit[static_cast<std::size_t>(i)] = 1;
    double expected = 0;
    std::vector<double> const column = of.matrix(unit);
    for (std::size_t p = 0; p < column.size(); ++p) expected += weights[p] * column[p];
    CHECK(back[static_cast<std::size_t>(i)] == expected);
  }
}

}  // namespace

TEST_CASE("entries stand where their numbers say, and the adjoint is picked from there") {
  check({4, 4, false, {0}}), check({4, 4, false, {-3, -1, 0, 2}}), check({5, 5, true, {0, 1, 4}});
  check({3, 7, false, {0, -4, 2}}), check({7, 3, false, {4, 0, -2}}), check({1, 5, false, {-3}});
  check({5, 1, false, {3}}), check({6, 6, false, {1, 1, -1, 1}}), check({6, 6, true, {0, 2, 0, 2}});
}

TEST_CASE("numbers that are the largest and the smallest are kept") {
  for (int number : {-8192, -1, 0, 1, 8191}) {
    op::diagonal_numbers d(true);
    d.push_back(number), d.push_back(0), d.push_back(number), d.push_back(-number / 2);
    op::diagonal_numbers const read{attribute(d.over_zeros())};
    CHECK(op::diagonal_numbers::has_room_for(number));
    CHECK(read.is_over_zeros());
    CHECK(!op::diagonal_numbers{attribute(d)}.is_over_zeros());
    CHECK(read.mirrored());
    CHECK(read.size() == 4);
    CHECK(read[0] == number);
    CHECK(read[2] == number);
    CHECK(read[3] == -number / 2);
    CHECK(read.repeats(2));
  }
  CHECK(!op::diagonal_numbers::has_room_for(8192));
  CHECK(!op::diagonal_numbers::has_room_for(-8193));
}
