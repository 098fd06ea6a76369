// random_graph: graphs nobody would write, for the properties that must hold of every graph.
#pragma once

#include "rewrite/at_run_time.hpp"

#include <etch/op/ops.hpp>
#include <etch/rewrite/replay.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace random_graphs {

using namespace etch;
using at_run_time::numbers;

/// The ops that a graph is made of.
enum class style {
  exact,  ///< whole numbers and ops that keep them: every value is exact, so kinks and ties fall alike however sums are
          ///< ordered
  smooth,  ///< differentiable functions of values of size 1: gradients may be compared with differences
};

/// A graph with a scalar loss as its only output, and entries for its leaves. Node i is leaf i for
/// the first leaves; more come later.
struct subject {
  graph g;
  std::vector<numbers> inputs;  ///< by position of the leaf
  std::vector<int> leaves;      ///< nodes of floating-point leaves
  int loss = -1;
};

class generator {
 public:
  generator(unsigned seed, style kind, bool mixed) : random_(seed), kind_(kind), mixed_(mixed) {}

  subject make(int steps) {
    main_ = chance(4) ? element::f32 : element::f64;
    for (int i = 0; i < 2; ++i) new_leaf(any_shape(), main_);
    for (int i = 0; i < steps; ++i) step();
    s_.loss = loss().id;
    s_.g.outputs = {s_.loss};
    return std::move(s_);
  }

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int one_in) { return below(one_in) == 0; }

 private:
  std::mt19937 random_;
  style kind_;
  bool mixed_;
  element main_{};
  subject s_;
  std::vector<term> values_;

  term any() {
    // Recent values more often, so that graphs grow deep as well as wide.
    std::size_t const n = values_.size();
    return chance(2) ? values_[n - 1 - static_cast<std::size_t>(below(static_cast<int>(std::min<std::size_t>(n, 4))))]
                     : values_[static_cast<std::size_t>(below(static_cast<int>(n)))];
  }
  term of_type(element type) {
    for (int tries = 0; tries < 20; ++tries)
      if (term const x = any(); x->type == type) return x;
    return new_leaf(any_shape(), type);
  }
  /// Of rank 2 or less.
  term any_matrix() {
    for (int tries = 0; tries < 20; ++tries)
      if (term const x = any(); x->extent.rank <= 2) return x;
    return new_leaf(make_shape(2, 3), main_);
  }

  shape any_shape() {
    shape s;
    s.rank = chance(12) ? 4 : below(4);
    for (int axis = 0; axis < s.rank; ++axis) s[axis] = 1 + below(s.rank == 4 ? 3 : 4);
    return s;
  }

  term new_leaf(shape extent, element type) {
    int const position = static_cast<int>(s_.inputs.size());
    term const x = input(s_.g, type, extent, position);
    numbers entries;
    for (std::int64_t i = 0; i < extent.size(); ++i) {
      double const e = kind_ == style::exact || !is_floating(type) ? below(7) - 3 : below(4001) / 2000.0 - 1;
      entries.push_back(type == element::f32 ? static_cast<double>(static_cast<float>(e)) : e);
    }
    s_.inputs.push_back(entries);
    if (is_floating(type)) s_.leaves.push_back(x.id), values_.push_back(x);
    return x;
  }

  void keep(term x) { values_.push_back(x); }

  term number(element type, double value) { return constant(s_.g, type, value); }

  void step() {
    switch (below(17)) {
      case 13:
        return keep(picked(any()));
      case 14:
        return keep(part_of_more(any()));
      case 15:
        return keep(put_together());
      case 16:
        return keep(block(any()));
      case 0:
        return keep(unary(any()));
      case 1:
      case 2:
      case 3:
        return keep(binary());
      case 4:
        return keep(reshaped(any()));
      case 5:
        return keep(broadcasted(any()));
      case 6:
        return keep(emit<op::transpose>(0, any_matrix()));
      case 7:
        return keep(product());
      case 8:
        return keep(reduced(any()));
      case 9:
        return keep(rare());
      case 10:
        return keep(chosen());
      case 11:
        return keep(kind_ == style::smooth ? composite(any()) : unary(any()));
      default:
        return keep(unary(binary()));
    }
  }

  term unary(term x) {
    if (kind_ == style::exact) {
      switch (below(4)) {
        case 0:
          return emit<op::neg>(0, x);
        case 1:
          return emit<op::relu>(0, x);
        case 2:
          return emit<op::square>(0, x);
        default:
          return x - number(x->type, 1);
      }
    }
    switch (below(9)) {
      case 0:
        return emit<op::neg>(0, x);
      case 1:
        return emit<op::tanh>(0, x);
      case 2:
        return emit<op::sin>(0, x);
      case 3:
        return emit<op::cos>(0, x);
      case 4:
        return emit<op::sigmoid>(0, x);
      case 5:
        return emit<op::exp>(0, emit<op::sin>(0, x));
      case 6:
        return emit<op::log>(0, emit<op::square>(0, x) + 1);
      case 7:
        return emit<op::sqrt>(0, 1 + emit<op::square>(0, x));
      default:
        return emit<op::square>(0, emit<op::tanh>(0, x));
    }
  }

  /// An operand that broadcasts with `x`: a value that happens to, or a new leaf that repeats along some axes.
  term partner(term x) {
    for (int tries = 0; tries < 8; ++tries)
      if (term const y = any();
          y->type == x->type && broadcasts(y->extent, x->extent) && broadcast_shape(y->extent, x->extent).size() <= 64)
        return y;
    if (chance(4)) return number(x->type, kind_ == style::exact ? below(5) - 2 : below(9) / 4.0 - 1);
    shape s = x->extent;
    for (int axis = 0; axis < s.rank; ++axis)
      if (chance(3)) s[axis] = 1;
    while (s.rank > 0 && s[s.rank - 1] == 1 && chance(2)) --s.rank;
    return new_leaf(s, x->type);
  }

  term binary() {
    term const x = any(), y = partner(x);
    switch (below(kind_ == style::exact ? 4 : 5)) {
      case 0:
        return x + y;
      case 1:
        return y - x;
      case 2:
        return x - y;
      case 3:
        return x * y;
      default:
        return y / (1 + emit<op::square>(0, x));
    }
  }

  term reshaped(term x) {
    int rest = static_cast<int>(x->extent.size());
    shape s;
    s.rank = 1 + below(max_rank);
    for (int axis = 0; axis < s.rank; ++axis) {
      int factor = 1;
      for (int f : {2, 3, 2, 5, 7})
        if (rest % f == 0 && chance(2)) factor *= f, rest /= f;
      s[axis] = axis + 1 == s.rank ? factor * rest : factor;
    }
    return emit_to<op::reshape>(s, x);
  }

  term broadcasted(term x) {
    shape s = x->extent;
    if (s.rank < max_rank && chance(2)) ++s.rank;
    for (int axis = 0; axis < s.rank; ++axis)
      if (s[axis] == 1 && s.size() <= 24 && chance(2)) s[axis] = 2 + below(3);
    return fit(x, s);
  }

  term product() {
    term const a = any_matrix();
    if (chance(3)) return emit<op::matmul>(0, a, emit<op::transpose>(0, a));
    if (chance(3)) return emit<op::matmul>(0, emit<op::transpose>(0, a), a);
    for (int tries = 0; tries < 8; ++tries)
      if (term const b = any_matrix(); b->type == a->type && b->extent[0] == a->extent[1])
        return emit<op::matmul>(0, a, b);
    if (chance(2))
      return emit<op::matmul>(
          0, a, new_leaf(chance(3) ? make_shape(a->extent[1]) : make_shape(a->extent[1], 1 + below(4)), a->type));
    return emit<op::matmul>(0, new_leaf(make_shape(1 + below(4), a->extent[0]), a->type), a);
  }

  int any_axis(term x) { return below(std::max(x->extent.rank, 1)); }

  /// A region of an axis of extent `n`, of one or several entries, neighbours or not.
  struct stretch {
    int begin, count, step;
  };
  stretch any_stretch(int n) {
    int const begin = below(n), step = 1 + below(3);
    return {begin, 1 + below((n - 1 - begin) / step + 1), step};
  }

  /// A view that picks or reorders entries.
  term picked(term x) {
    int const axis = any_axis(x);
    switch (below(5)) {
      case 0:
      case 1: {
        stretch const s = any_stretch(x->extent[axis]);
        return slice(x, region(axis, s.begin, s.step), s.count);
      }
      case 2:
        return emit<op::reverse>(static_cast<attribute>(below(1 << std::max(x->extent.rank, 1))), x);
      case 3: {
        std::array<int, max_rank> axes{0, 1, 2, 3};
        std::shuffle(axes.begin(), axes.begin() + x->extent.rank, random_);
        attribute order = 0;
        for (int i = 0; i < max_rank; ++i)
          order |= static_cast<attribute>(axes[static_cast<std::size_t>(i)]) << (2 * i);
        return emit<op::permute>(order, x);
      }
      default:
        return emit<op::diagonal>(0, any_matrix());
    }
  }

  /// `x` somewhere in a larger value, zero elsewhere: one node, which is read as it is or becomes a part of joins.
  term part_of_more(term x) {
    int const axis = below(std::min(x->extent.rank + 1, max_rank)), step = chance(3) ? 2 : 1, begin = below(4);
    shape s = x->extent;
    s.rank = std::max(s.rank, axis + 1);
    s[axis] = begin + (x->extent[axis] - 1) * step + 1 + below(3);
    return s.size() > 64 ? x : embed(x, s, region(axis, begin, step));
  }

  /// The sum of parts of one shape, some of them disjoint, some overlapping, some shared with
  /// earlier sums, some no parts at all.
  term put_together() {
    term const first = any();
    int const axis = below(std::min(first->extent.rank + 1, max_rank));
    shape s = first->extent;
    s.rank = std::max(s.rank, axis + 1);
    s[axis] = 2 + below(6);
    if (s.size() > 64) return first;
    sequence<term> parts;
    if (chance(2)) {  // neighbours, as a concatenation has them, or every k-th entry
      int const step = chance(3) ? 2 : 1;
      for (int begin = 0, width = 1; begin < s[axis]; begin += width) {
        width = step == 2 ? 1 : std::min(1 + below(3), s[axis] - begin);
        if (step == 2 && begin >= 2) break;
        shape part = s;
        part[axis] = step == 2 ? (s[axis] - begin + 1) / 2 : width;
        if (!chance(4)) parts.push_back(embed(of_shape(part, first->type), s, region(axis, begin, step)));
      }
    } else {
      for (int i = 1 + below(3); i > 0; --i) {
        stretch const r = any_stretch(s[axis]);
        shape part = s;
        part[axis] = r.count;
        parts.push_back(embed(of_shape(part, first->type), s, region(axis, r.begin, r.step)));
      }
    }
    for (term x : values_)
      if (x->type == first->type && x->extent == s && chance(3) && (is<op::embed>(x) || is<op::join>(x)))
        parts.push_back(x);
    if (chance(6)) parts.push_back(of_shape(s, first->type));
    if (parts.empty()) return first;
    for (term x : parts)
      if (is<op::embed>(x) && chance(3)) keep(x);
    return sum_of(parts);
  }

  /// A value of the shape wanted: one there is, if possible a computed one, or a view of one, or a new leaf.
  term of_shape(shape const& s, element type) {
    for (int tries = 0; tries < 10; ++tries) {
      term x = any();
      if (x->type != type) continue;
      if (same_extents(x->extent, s)) return fit(x, s);
      if (x->extent.size() == s.size() && chance(2)) return emit_to<op::reshape>(s, x);
      if (x->extent.rank > s.rank) continue;
      bool fits = true;
      for (int axis = 0; axis < max_rank; ++axis) fits = fits && x->extent[axis] >= s[axis];
      for (int axis = 0; fits && axis < max_rank; ++axis)
        if (x->extent[axis] != s[axis]) x = slice(x, region(axis, below(x->extent[axis] - s[axis] + 1)), s[axis]);
      if (fits) return chance(2) ? fit(x, s) : unary(fit(x, s));
    }
    if (chance(5)) return fit(number(type, 2), s);
    if (s.size() == 1 && chance(2)) return fit(emit<op::sum>(op::reduction::whole, of_type(type)), s);
    return new_leaf(s, type);
  }

  /// Indices below `n`, of integer type or converted to one that is computed.
  term indices(shape const& s, int n, element type) {
    term const x = input(s_.g, element::i32, s, static_cast<int>(s_.inputs.size()));
    numbers entries;
    for (std::int64_t i = 0; i < s.size(); ++i) entries.push_back(below(n));
    s_.inputs.push_back(entries);
    return chance(3) ? emit<op::cast>(static_cast<attribute>(type), x) : x;
  }
  shape index_shape(int most) {
    shape s;
    s.rank = below(std::min(most, 2) + 1);
    for (int axis = 0; axis < s.rank; ++axis) s[axis] = 1 + below(4);
    return s;
  }

  /// An op with a kernel of its own.
  term block(term x) {
    int const axis = any_axis(x);
    switch (below(4)) {
      case 0:
        return emit<op::cumsum>(static_cast<attribute>(axis), x);
      case 1: {
        if (x->extent.rank == 0) x = fit(x, make_shape(1));
        shape const j = index_shape(max_rank + 1 - x->extent.rank);
        if (x->extent.size() / x->extent[axis] * j.size() > 64) return x;
        return emit<op::gather>(op::index_axis(axis, j.rank), x, indices(j, x->extent[axis], x->type));
      }
      case 2: {
        if (x->extent.rank == 0) x = fit(x, make_shape(1));
        shape whole = x->extent;  // one index for each entry along the axis
        whole[axis] = 1 + below(5);
        if (whole.size() > 64) return x;
        return emit_shaped<op::scatter_add>(whole, op::index_axis(axis, 1), x,
                                            indices(make_shape(x->extent[axis]), whole[axis], x->type));
      }
      default: {
        term const b = any_matrix();
        int const n = b->extent[0];
        bool const upper = chance(2);
        term t = of_shape(make_shape(n, n), b->type);
        term const row = iota(s_.g, b->type, 0, n), column = iota(s_.g, b->type, 1, n),
                   diagonal = emit<op::equal>(0, row, column);
        // Ones on the diagonal keep whole numbers whole; a sine keeps inverses small.
        if (kind_ == style::exact) t = emit<op::select>(0, diagonal, number(b->type, 1), t);
        else t = diagonal + 0.25 * emit<op::sin>(0, t);
        return emit<op::triangular_solve>(upper, t, b);
      }
    }
  }

  attribute some_axes(term x) {
    attribute axes = 0;
    for (int axis = 0; axis < x->extent.rank; ++axis)
      if (chance(2)) axes |= attribute{1} << axis;
    return axes == 0 || chance(5) ? op::reduction::whole : axes;
  }
  term reduced(term x) {
    if (kind_ == style::exact && chance(2)) return emit<op::max>(some_axes(x), x);
    term const y = emit<op::sum>(some_axes(x), x);
    return kind_ == style::exact ? y : y / static_cast<double>(x->extent.size());
  }
  term composite(term x) {
    switch (below(3)) {
      case 0:
        return emit<op::softmax>(some_axes(x), x);
      case 1:
        return emit<op::log_softmax>(some_axes(x), x);
      default:
        return emit<op::logsumexp>(some_axes(x), x);
    }
  }

  /// A choice by comparison of leaves alone, whose entries are given exactly.
  term chosen() {
    term const a = any(), b = partner(a);
    shape const s = broadcast_shape(a->extent, b->extent);
    term const c = chance(2) ? emit<op::less>(0, new_leaf(s, a->type), number(a->type, 0))
                             : emit<op::equal>(0, new_leaf(s, a->type), new_leaf(make_shape(), a->type));
    return emit<op::select>(0, c, a, b);
  }

  term rare() {
    term const x = any();
    switch (below(5)) {
      case 0:
        return emit<op::stop_gradient>(0, x);
      case 1: {
        int const axis = below(2);
        return iota(s_.g, main_, axis, 2 + below(3)) * number(main_, 0.5);
      }
      case 2:
        return emit<op::cast>(static_cast<attribute>(x->type), new_leaf(x->extent, element::i32));
      case 3:
        if (mixed_)
          return emit<op::cast>(static_cast<attribute>(x->type == element::f32 ? element::f64 : element::f32), x);
        return x;
      default:
        return number(main_, kind_ == style::exact ? 2 : 0.75);
    }
  }

  /// The sum of everything that nothing else reads.
  term loss() {
    std::vector<char> read(static_cast<std::size_t>(s_.g.size()), 0);
    for (int id = 0; id < s_.g.size(); ++id)
      for (int operand : s_.g.operands(id)) read[static_cast<std::size_t>(operand)] = 1;
    term total = number(main_, 0);
    for (term x : values_)
      if (!read[static_cast<std::size_t>(x.id)]) {
        term part = emit<op::sum>(op::reduction::whole, x * x);
        if (part->type != main_) part = emit<op::cast>(static_cast<attribute>(main_), part);
        total = total + part;
      }
    return total;
  }
};

using at_run_time::plain;

inline std::vector<numbers> values_of(graph_view g, std::vector<numbers> const& inputs) {
  return at_run_time::interpret(plain(g), inputs);
}

/// Whether every entry is finite and of a size at which rounding cannot hide a mistake.
inline bool moderate(std::vector<numbers> const& values, double limit) {
  for (numbers const& v : values)
    for (double e : v)
      if (!(std::abs(e) < limit)) return false;
  return true;
}

/// |a - b| relative to `scale`; NaN equals NaN.
inline double distance(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  double const d = std::abs(a - b) / std::max(scale, 1.0);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}
inline double distance(std::vector<numbers> const& a, std::vector<numbers> const& b, double scale) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < a[k].size(); ++i) worst = std::max(worst, distance(a[k][i], b[k][i], scale));
  }
  return worst;
}
inline double largest(std::vector<numbers> const& values) {
  double most = 0;
  for (numbers const& v : values)
    for (double e : v) most = std::max(most, std::abs(e));
  return most;
}

}  // namespace random_graphs
