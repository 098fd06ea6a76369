// Grids beside themselves, shifted: computed by regions, with the values of before.
#include <etch/rewrite/split_at_joins.hpp>

#include <etch/compile/program.hpp>
#include <etch/op/roll.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/tape/tape.hpp>
#include <etch/transform/scan.hpp>
#include <etch/transform/jacobian.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace etch;
using at_run_time::numbers;

namespace {

/// `x` moved by one along `axis`, forwards or backwards, around its end.
term moved(term x, int axis, bool forwards) {
  int const n = x.extent()[axis], most = n - 1;
  sequence<term> parts;
  parts.push_back(embed(slice(x, region(axis, forwards ? most : 0), 1), x.extent(), region(axis, forwards ? 0 : most)));
  parts.push_back(embed(slice(x, region(axis, forwards ? 0 : 1), most), x.extent(), region(axis, forwards ? 1 : 0)));
  return sum_of(parts);
}
term shifted_by_zeros(term x, int axis, int by) {
  return embed(slice(x, region(axis, 0), x.extent()[axis] - by), x.extent(), region(axis, by));
}

/// How many values that are put together are read entry by entry.
int parts_read(graph_view g) {
  int count = 0;
  for (int id = 0; id < g.size(); ++id)
    if (facts_of(g[id]).is_elementwise)
      for (int each : g.operands(id)) count += g[each].op == opcode_of<op::embed> || g[each].op == opcode_of<op::join>;
  return count;
}

/// How many values of shape `s` are computed entry by entry.
int computed_whole(graph_view g, shape const& s) {
  int count = 0;
  for (int id = 0; id < g.size(); ++id) count += facts_of(g[id]).is_elementwise && same_extents(g[id].extent, s);
  return count;
}

struct outcome {
  bool splits;
  int before, after;  ///< `parts_read`
  int whole;          ///< `computed_whole`, after
};
/// What the pass makes of a value computed from leaves of shape `s`; values must be those of before, bit for bit, or
/// within `rounding` of themselves, where sums are added in another order.
outcome split(shape const& s, std::function<void(graph&, std::vector<term> const&)> build, double rounding = 0,
              int leaves = 2) {
  graph g;
  std::vector<numbers> inputs;
  std::vector<term> x;
  for (int i = 0; i < leaves; ++i) {
    x.push_back(input(g, element::f64, s, i));
    numbers entries;
    for (std::int64_t k = 0; k < s.size(); ++k) entries.push_back(std::sin(1.0 + i + 3.0 * static_cast<double>(k)));
    entries[entries.size() / 2] = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < entries.size(); k += 3) entries[k] = k % 2 == 0 ? 0.0 : -0.0;
    inputs.push_back(entries);
  }
  build(g, x);
  graph const before = at_run_time::prune(g), after = at_run_time::prune(pass::split_at_joins(before));
  CHECK(at_run_time::find_fault(after) == nullptr);
  auto const expected = at_run_time::interpret(before, inputs), got = at_run_time::interpret(after, inputs);
  for (std::size_t o = 0; o < expected.size(); ++o)
    for (std::size_t i = 0; i < expected[o].size(); ++i)
      CHECK((std::isnan(expected[o][i])
                 ? std::isnan(got[o][i])
                 : (got[o][i] == expected[o][i] && std::signbit(got[o][i]) == std::signbit(expected[o][i])) ||
                       (rounding > 0 &&
                        std::abs(got[o][i] - expected[o][i]) <= rounding * (1 + std::abs(expected[o][i])))));
  CHECK(pass::has_regions(before) == (after.size() != before.size()));
  return {pass::has_regions(before), parts_read(before), parts_read(after), computed_whole(after, s)};
}
outcome split_sum(shape const& s, std::function<term(std::vector<term> const&)> f, double rounding = 0) {
  return split(s, [&](graph& g, std::vector<term> const& x) { g.outputs = {f(x).id}; }, rounding);
}

}  // namespace

TEST_CASE("neighbours are read where they lie") {
  auto const neighbours = [](std::vector<term> const& x) {
    term const u = x[0];
    return u + x[1] * (moved(u, 0, true) + moved(u, 0, false) + moved(u, 1, true) + moved(u, 1, false) - 4 * u);
  };
  for (shape const& s : {make_shape(27, 27), make_shape(31, 37), make_shape(8, 101), make_shape(128, 7)}) {
    outcome const all = split_sum(s, neighbours);
    CHECK(all.splits);
    CHECK(all.before == 4);
    CHECK(all.after == 0);
  }
  for (shape const& s :
       {make_shape(3, 301), make_shape(500, 2), make_shape(26, 27)})  // no inside to speak of, or small
    CHECK(!split_sum(s, neighbours).splits);
  outcome const in_one_axis = split_sum(make_shape(1000), [](std::vector<term> const& x) {
    return x[1] * moved(x[0], 0, true) - square(moved(x[0], 0, false));
  });
  CHECK(in_one_axis.before == 2);
  CHECK(in_one_axis.after == 0);
}

TEST_CASE("contributions to regions of an adjoint, and parts of parts") {
  outcome const adjoint = split_sum(make_shape(30, 30), [](std::vector<term> const& x) {
    return x[0] + shifted_by_zeros(x[1], 0, 1) + shifted_by_zeros(exp(x[1]), 1, 2);
  });
  CHECK(adjoint.before == 2);
  CHECK(adjoint.after == 0);
  outcome const nested = split_sum(make_shape(30, 30), [](std::vector<term> const& x) {
    return shifted_by_zeros(shifted_by_zeros(x[1], 0, 1), 1, 3) / x[0] + shifted_by_zeros(x[0], 1, 3);
  });
  CHECK(nested.splits);
  CHECK(nested.after == 0);
}

TEST_CASE("what is read as a whole too is put together again; what broadcasts is cut or left as it is") {
  outcome const all = split(
      make_shape(30, 30),
      [](graph& g, std::vector<term> const& x) {
        term const y = square(moved(x[0], 0, true) + moved(x[1], 0, false)) + slice(x[1], region(0, 3), 1) +
                       slice(x[1], region(1, 4), 1);
        term const z = y + moved(y, 1, true) * moved(x[0], 1, false);  // reads neighbours of what is split itself
        g.outputs = {sum(z).id, z.id, matmul(y, x[1]).id, square(y).id};
      },
      1e-12);
  CHECK(all.splits);
}

TEST_CASE("sums of all entries are sums of the regions', and what only they read is computed there") {
  auto const neighbours = [](term u) { return moved(u, 0, true) + moved(u, 1, false) - 2 * u; };
  outcome const one =
      split_sum(make_shape(30, 30), [&](std::vector<term> const& x) { return sum(x[1] * neighbours(x[0])); }, 1e-12);
  CHECK(one.splits);
  CHECK(one.after == 0);
  CHECK(one.whole == 0);
  outcome const several = split(
      make_shape(30, 30),
      [&](graph& g, std::vector<term> const& x) {
        term const y = x[1] * (1 - x[0]), z = y + exp(neighbours(x[0]));
        g.outputs = {z.id, sum(x[0] * y).id, sum(square(x[0] * y)).id, emit<op::sum>(1, z).id};
      },
      1e-12);
  CHECK(several.splits);
  CHECK(several.after == 0);
  CHECK(several.whole == 0);
}

TEST_CASE("what is scaled, shifted, or both, and read in parts only, is so in each part") {
  auto const read_in_parts = [](term u) { return moved(u, 0, true) + moved(u, 0, false) + moved(u, 1, true) - 3 * u; };
  for (auto scaled : {+[](term a) { return 2 * a; }, +[](term a) { return 1 - a; }, +[](term a) { return -a; }}) {
    outcome const all =
        split_sum(make_shape(30, 30), [&](std::vector<term> const& x) { return x[1] + read_in_parts(scaled(x[0])); });
    CHECK(all.after == 0);
    CHECK(all.whole == 0);
  }
  // What is scaled back is the value of before, which another op has made.
  auto const check_scaled_back = [](shape const& s, auto made) {
    outcome const all = split(
        s,
        [&](graph& g, std::vector<term> const& x) {
          int const most = s[0] - 1;
          auto const padded = [&](term part) { return embed(part, s, region(0, 1)); };
          term const a = -padded(made(x, most)), b = -slice(a, region(0, 1), most);
          term const z = a + padded(slice(x[1], region(0, 0), most)) + padded(slice(x[1], region(0, 1), most));
          g.outputs = {sum(square(moved(b, 0, true) + moved(b, 0, false))).id, sum(square(z)).id};
        },
        1e-12);
    CHECK(all.splits);
  };
  for (shape const& s : {make_shape(300), make_shape(31, 30)}) {
    check_scaled_back(
        s, [](std::vector<term> const& x, int most) { return emit<op::cumsum>(0, slice(x[0], region(0, 0), most)); });
    check_scaled_back(s, [](std::vector<term> const& x, int most) {
      return slice(x[1], region(0, 0), 1) * slice(x[0], region(0, 0), most);
    });
    check_scaled_back(s, [](std::vector<term> const& x, int most) { return exp(slice(x[0], region(0, 0), most)); });
  }
  // Not what costs more, what has two grids for operands, nor what is read as a whole too.
  CHECK(split_sum(make_shape(30, 30), [&](std::vector<term> const& x) {
          return x[1] + read_in_parts(exp(x[0]));
        }).whole == 1);
  CHECK(split_sum(make_shape(30, 30), [&](std::vector<term> const& x) {
          return x[1] + read_in_parts(x[0] * x[1]);
        }).whole == 1);
  CHECK(split(make_shape(30, 30), [&](graph& g, std::vector<term> const& x) {
          g.outputs = {(x[1] + read_in_parts(2 * x[0])).id, (2 * x[0]).id};
        }).whole == 1);
  CHECK(split_sum(make_shape(30, 30), [&](std::vector<term> const& x) {
          return x[1] + read_in_parts(2 * x[0]) + matmul(2 * x[0], x[1]);
        }).whole == 1);
}

TEST_CASE("zeros around a part are zeros that are computed with") {
  auto const beside = [](term (*f)(term, term)) {
    outcome const all = split_sum(make_shape(30, 30), [f](std::vector<term> const& x) {
      return f(shifted_by_zeros(x[0], 0, 1), x[1]) + f(x[1], shifted_by_zeros(x[0], 1, 1));
    });
    CHECK(all.splits);
  };
  CHECK(split_sum(make_shape(31, 30),
                  [](std::vector<term> const& x) {  // of what is scaled, too
                    term const s = 2 * embed(slice(x[0], region(0, 0), 30), make_shape(31, 30), region(0, 1));
                    auto const half = [](term y) { return slice(y, region(0, 0), 30); };
                    auto const around = [](term y) { return moved(y, 0, true) + moved(y, 1, true); };
                    return 1 / (half(x[1]) + half(s) + 0 * around(half(x[0])));
                  })
            .splits);
  beside([](term a, term b) { return 1 / (a - b); });
  beside([](term a, term b) { return 1 / (a + b); });
  beside([](term a, term b) { return a * b; });
  beside([](term a, term b) { return a / b; });
}

TEST_CASE("a state is its numbers, where few of them are stored for it") {
  auto const slope = [](term u) {
    auto const at = [&](int i) { return slice(u, region(0, i), 1); };
    sequence<term> parts;
    for (term each : {at(2), at(3), at(0) * at(1), exp(at(2)) - at(0)})
      parts.push_back(embed(each, u.extent(), region(0, static_cast<int>(parts.size()))));
    return sum_of(parts);
  };
  outcome const all = split_sum(
      make_shape(4), [&](std::vector<term> const& x) { return x[0] + x[1] * slope(x[0] + x[1] * slope(x[0])); });
  CHECK(all.before == 2);
  CHECK(all.after == 0);
  CHECK(!split_sum(make_shape(4), [&](std::vector<term> const& x) { return sum(square(slope(x[0]))); }).splits);
  CHECK(!split_sum(make_shape(4), [&](std::vector<term> const& x) { return x[0] + x[1] * slope(x[0]); }).splits);
}

TEST_CASE("what would not gain is left alone") {
  auto const in_one_axis = [](std::vector<term> const& x) { return moved(x[0], 0, true) * moved(x[1], 0, false); };
  CHECK(!split_sum(make_shape(239), in_one_axis).splits);
  CHECK(split_sum(make_shape(240), in_one_axis).splits);
  // Computed parts are written in place, and what is only added up needs no memory.
  CHECK(!split_sum(make_shape(1000), [](std::vector<term> const& x) {
           term const slope = exp(slice(x[0], region(0, 1), 999) - slice(x[0], region(0, 0), 999));
           return x[1] + embed(slope, x[1].extent(), region(0, 1)) + embed(-slope, x[1].extent(), region(0, 0));
         }).splits);
  CHECK(!split_sum(make_shape(30, 30), [](std::vector<term> const& x) {
           term const u = moved(x[0], 0, true), v = moved(x[0], 1, true);
           return x[1] + emit<op::sum>(1, u - v) + emit<op::sum>(1, u * v) + emit<op::sum>(1, square(u) * v);
         }).splits);
  CHECK(split_sum(
            make_shape(30, 30),
            [](std::vector<term> const& x) {
              term const y = moved(x[0], 0, true) - moved(x[0], 1, true);
              return sum(y) + matmul(y, x[1]);
            },
            1e-12)
            .splits);
  // Read by a product, put together of every other entry, of halves, cut too often.
  CHECK(!split_sum(make_shape(20, 20), [](std::vector<term> const& x) {
           term const u = moved(x[0], 0, true), v = moved(x[0], 1, true);
           return matmul(u, x[1]) + u + matmul(v, x[1]) * v;
         }).splits);
  CHECK(!split_sum(make_shape(300), [](std::vector<term> const& x) {
           return x[0] + embed(slice(x[1], region(0, 0), 150), x[1].extent(), region(0, 0, 2)) + moved(x[0], 0, true) +
                  moved(x[1], 0, true);
         }).splits);
  CHECK(!split_sum(make_shape(300), [](std::vector<term> const& x) {
           return x[0] + embed(slice(x[1], region(0, 0), 150), x[1].extent(), region(0, 0)) +
                  embed(slice(x[1], region(0, 0), 150), x[1].extent(), region(0, 150));
         }).splits);
  CHECK(!split_sum(make_shape(300), [](std::vector<term> const& x) {
           term y = x[0];
           for (int by = 1; by < 10; ++by) y = y + shifted_by_zeros(x[1], 0, by);
           return y;
         }).splits);
}

namespace {

constexpr int rows = 31, columns = 26, steps = 3;
using field = tensor<double, rows, columns>;

constexpr auto heat = [](auto u, auto k, auto target) {
  auto const last = repeat<steps>(
      [&](auto v) {
        auto const around = roll<0, 1>(v) + roll<0, -1>(v) + roll<1, 1>(v) + roll<1, -1>(v);
        return v + cwise_product(k, around - 4.0 * v);
      },
      u);
  return sum(square(last - target));
};

/// The same loss and its gradient by plain loops.
struct by_loops {
  double value = 0;
  field by_u{}, by_k{};

  by_loops(field const& u, field const& k, field const& target) {
    auto const around = [](field const& v, int i, int j) {
      return v((i + 1) % rows, j) + v((i + rows - 1) % rows, j) + v(i, (j + 1) % columns) +
             v(i, (j + columns - 1) % columns) - 4 * v(i, j);
    };
    auto const each = [](auto f) {
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) f(i, j);
    };
    field at[steps + 1]{u};
    for (int t = 0; t < steps; ++t)
      each([&](int i, int j) { at[t + 1](i, j) = at[t](i, j) + k(i, j) * around(at[t], i, j); });
    each([&](int i, int j) {
      double const off = at[steps](i, j) - target(i, j);
      value += off * off;
      by_u(i, j) = 2 * off;
    });
    for (int t = steps; t-- > 0;) {
      field scaled{}, before{};
      each([&](int i, int j) {
        scaled(i, j) = k(i, j) * by_u(i, j);
        by_k(i, j) += by_u(i, j) * around(at[t], i, j);
      });
      each([&](int i, int j) { before(i, j) = by_u(i, j) + around(scaled, i, j); });
      by_u = before;
    }
  }
};

field some(double seed) {
  field f;
  for (int i = 0; i < rows * columns; ++i) f.data()[i] = std::sin(seed + 1.7 * i) / (1 + seed);
  return f;
}

}  // namespace

TEST_CASE("a program and a tape: the gradient of plain loops, and a Hessian's product as its difference") {
  field const u = some(1), k = some(4), target = some(2), along = some(3);
  by_loops const expected(u, k, target);
  auto step = compile<wrt<0, 1>>(heat, u, k, target);
  CHECK(step(u, k, target) == doctest::Approx(expected.value).epsilon(1e-13));
  tape<double> t;
  auto const on_tape_u = t.watch(u), on_tape_k = t.watch(k);
  t.backward(heat(on_tape_u, on_tape_k, t.constant(target)));
  auto product =
      compile<wrt<>>([](auto x, auto v, auto c, auto d) { return hvp([&](auto y) { return heat(y, c, d); })(x, v); }, u,
                     along, k, target);
  field const second = product(u, along, k, target);
  double const h = 1e-3;
  field ahead = u, behind = u;
  for (int i = 0; i < rows * columns; ++i)
    ahead.data()[i] += h * along.data()[i], behind.data()[i] -= h * along.data()[i];
  by_loops const above(ahead, k, target), below(behind, k, target);  // exact: the loss is quadratic in u
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      CHECK(step.grad<0>()(i, j) == doctest::Approx(expected.by_u(i, j)).epsilon(1e-12));
      CHECK(step.grad<1>()(i, j) == doctest::Approx(expected.by_k(i, j)).epsilon(1e-12));
      CHECK(t.grad(on_tape_u)(i, j) == doctest::Approx(expected.by_u(i, j)).epsilon(1e-12));
      CHECK(t.grad(on_tape_k)(i, j) == doctest::Approx(expected.by_k(i, j)).epsilon(1e-12));
      CHECK(second(i, j) == doctest::Approx((above.by_u(i, j) - below.by_u(i, j)) / (2 * h)).epsilon(1e-8));
    }
}
