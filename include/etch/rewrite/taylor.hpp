// taylor: derivatives along curves, of every order in one pass forward: Taylor mode. Second derivatives along several
// curves are added up before they are propagated.
#pragma once

#include <etch/rewrite/adjoint.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The derivatives of nodes of a graph along curves t -> x(t), at t = 0.
///
/// A value y = f(x...) of an element-wise op has y' = sum of f_i x_i'. The f_i, pullbacks of 1, are nodes like others,
/// with derivatives of their own, so that by Leibniz's rule the k-th derivative is the sum over i and j of
/// C(k - 1, j - 1) x_i^(j) f_i^(k - j), which are the recurrences of Taylor mode (A. Griewank, A. Walther, Evaluating
/// Derivatives, 2008, chapter 13). Derivatives are carried, not coefficients: their weights are integers.
/// The highest derivative enters linearly. Where only its sum over several curves is wanted, that sum is propagated
/// (F. Dangel et al., Collapsing Taylor mode automatic differentiation, 2025).
/// As an adjoint does, a derivative knows where it arrived: it is 0 at entries that depend on no variable and in the
/// branch that a `select` did not take, and stays 0 behind infinite slopes.
class taylor_mode {
 public:
  /// Derivatives up to the order given along `curves` curves; along more than one, to order 2 at most.
  constexpr taylor_mode(graph& b, int order, int curves = 1) : b_(b), order_(order), curves_(curves) {}

  /// Along curve number `curve` the variable `x` changes by `direction`.
  constexpr void move(int curve, int x, int direction) { moves_.push_back({curve, x, direction}); }

  /// Computes the derivatives of `ys`. False where an op on the way is neither linear nor element-wise.
  constexpr bool run(const_span<int> ys) {
    sequence<int> variables;
    for (auto const& each : moves_) variables.push_back(each.variable);
    active_ = influenced(b_, variables);
    if (!find_orders(ys)) return false;
    count_ = b_.size();
    derivatives_ = filled(static_cast<std::size_t>(count_ * (curves_ + order_ - 1)), arrival{});
    for (auto const& each : moves_)
      derivatives_.entry[position(each.variable, 1, each.curve)] = {{&b_, each.direction}, {}};
    for (int k = 1; k <= order_; ++k)
      for (int curve = 0; curve < (k == 1 ? curves_ : 1); ++curve)
        for (int id = 0; id < count_; ++id)
          if (orders_.entry[id] >= k && b_[id].arity > 0)
            derivatives_.entry[position(id, k, curve)] = next(id, k, curve);
    return true;
  }

  /// The derivative of order `order` of node `y`, the sum over all curves where there are several; -1 where it is 0.
  constexpr int derivative(int y) const { return y < count_ ? of(y, order_, 0).adjoint.id : -1; }

 private:
  struct movement {
    int curve, variable, direction;
  };

  graph& b_;
  int order_, curves_;
  sequence<movement> moves_;
  sequence<char> active_;               // whether a node depends on a variable
  sequence<int> orders_;                // to which order its derivatives are needed
  sequence<int> first_slope_, slopes_;  // its partial derivatives by its operands
  sequence<arrival> derivatives_;
  int count_ = 0;         // nodes that have derivatives: those of the function and the slopes
  sequence<char> asked_;  // by op: 1 if its rule does not choose, 2 if it does
  sequence<term> x_, contribution_;

  constexpr std::size_t position(int id, int k, int curve) const {
    return static_cast<std::size_t>((k == 1 ? curve : curves_ + k - 2) * count_ + id);
  }
  constexpr arrival const& of(int id, int k, int curve) const { return derivatives_.entry[position(id, k, curve)]; }
  constexpr int operand(int id, int i) const { return b_.edges.entry[b_[id].first_operand + i]; }
  constexpr bool is_active(int id, int i) const {
    return i < facts_of(b_[id]).active_operands && active_.entry[operand(id, i)] != 0;
  }

  /// Notes which derivatives `ys` need, and makes the slopes that these need. False where a node has no rule.
  constexpr bool find_orders(const_span<int> ys) {
    sequence<int> waiting;
    extend();
    auto const require = [&](int id, int order) {
      if (!active_.entry[id] || orders_.entry[id] >= order) return;
      orders_.entry[id] = order;
      waiting.push_back(id);
    };
    for (int y : ys) require(y, order_);
    for (std::size_t next = 0; next < waiting.size(); ++next) {
      int const id = waiting.entry[next], order = orders_.entry[id];
      node const n = b_[id];
      op_facts const& op = facts_of(n);
      if (n.arity == 0) continue;
      bool const is_linear = op.linear != linearity::none;
      if (!is_linear && !op.is_elementwise) return false;
      for (int i = 0; i < n.arity; ++i)
        if (is_active(id, i)) require(operand(id, i), order);
      if (is_linear || order < 2) continue;
      if (first_slope_.entry[id] < 0) make_slopes(id);
      for (int i = 0; i < n.arity; ++i)
        if (int const slope = slopes_.entry[first_slope_.entry[id] + i]; slope >= 0) require(slope, order - 1);
    }
    return true;
  }

  /// The entries at which element-wise node `id` chose its operand `i`; none where it does not choose. An op that
  /// chooses by itself, such as `relu`, has the slope 0 elsewhere.
  constexpr term taken(int id, int i) {
    node const n = b_[id];
    if (n.op == opcode_of<op::select>) return detail::indicator({&b_, operand(id, 0)}, i == 1, n.type);
    if (!chooses_by_itself(id)) return {};
    return detail::indicator(through(id, i, fit(constant(b_, n.type, 1), n.extent)), true, n.type);
  }
  /// Whether the rule of an element-wise op sends an adjoint into one branch of a `select` alone.
  constexpr bool chooses_by_itself(int id) {
    node const n = b_[id];
    if (asked_.empty()) asked_ = sequence<char>::zeros(op::list::size);
    char& known = asked_.entry[n.op];
    if (known != 0) return known == 2;
    graph rule;
    rule.simplifying = true;
    sequence<int> operands;
    x_.clear();
    for (int i = 0; i < n.arity; ++i) {
      x_.push_back(input(rule, b_[operand(id, i)].type, shape{}, i));
      operands.push_back(x_.back().id);
    }
    term const y = same_node(rule, n, operands), g = input(rule, n.type, shape{}, n.arity);
    rules_of(n).pullback(n, g, y, x_, contribution_);
    sequence<char> follows = sequence<char>::zeros(static_cast<std::size_t>(rule.size()));
    known = 1;
    for (int each = 0; each < rule.size(); ++each) {
      follows.entry[each] = each == g.id;
      const_span<int> const from = rule.operands(each);
      for (int operand : from) follows.entry[each] |= follows.entry[operand];
      if (rule[each].op == opcode_of<op::select> && follows.entry[from[1]] != follows.entry[from[2]]) known = 2;
    }
    return known == 2;
  }

  /// The partial derivatives of an element-wise node by its active operands.
  constexpr void make_slopes(int id) {
    node const n = b_[id];
    first_slope_.entry[id] = static_cast<int>(slopes_.size());
    term const one = fit(constant(b_, n.type, 1), n.extent);
    for (int i = 0; i < n.arity; ++i) slopes_.push_back(is_active(id, i) ? through(id, i, one).id : -1);
    extend();
  }

  /// Room for what is noted of nodes that are new.
  constexpr void extend() {
    for (int id = static_cast<int>(active_.size()); id < b_.size(); ++id) {
      char active = 0;
      for (int i = 0; i < b_[id].arity && i < facts_of(b_[id]).active_operands; ++i)
        active |= active_.entry[operand(id, i)];
      active_.push_back(active);
    }
    for (int id = static_cast<int>(orders_.size()); id < b_.size(); ++id)
      orders_.push_back(0), first_slope_.push_back(-1);
  }

  /// The slope of node `id` by its operand `i`, times `g`: entry by entry a pullback is its own transpose.
  constexpr term through(int id, int i, term g) {
    node const n = b_[id];
    x_.clear();
    for (int k = 0; k < n.arity; ++k) x_.push_back({&b_, operand(id, k)});
    rules_of(n).pullback(n, fit(g, n.extent), {&b_, id}, x_, contribution_);
    return fit(contribution_.entry[i], n.extent);
  }

  constexpr arrival next(int id, int k, int curve) {
    switch (facts_of(b_[id]).linear) {
      case linearity::joint:
        return of_derivatives(id, k, curve);
      case linearity::separate:
        return of_product(id, k, curve);
      case linearity::none:
        break;
    }
    return of_function(id, k, curve);
  }

  /// The op of its operands' derivatives.
  constexpr arrival of_derivatives(int id, int k, int curve) {
    node const n = b_[id];
    op_facts const& op = facts_of(n);
    sequence<int> values, masks;
    sequence<term> parts, parts_of_mask;
    bool is_masked = op.is_assembly;  // what it leaves free depends on nothing
    for (int i = 0; i < n.arity; ++i) {
      int const x = operand(id, i);
      arrival const moved = is_active(id, i) ? of(x, k, curve) : arrival{};
      if (moved.exists()) {
        parts.push_back(moved.adjoint);
        parts_of_mask.push_back(moved.mask.exists() ? moved.mask : like(x, 1));
        is_masked = is_masked || moved.mask.exists();
      }
      int const otherwise = i < op.active_operands ? like(x, 0).id : x;  // indices stay what they are
      values.push_back(moved.exists() ? parts.back().id : otherwise);
      masks.push_back(moved.exists() ? parts_of_mask.back().id : otherwise);
    }
    if (parts.empty()) return {};
    auto const made = [&](sequence<int> const& of_all, sequence<term> const& of_some) {
      return op.arity == any_number ? sum_of(of_some) : same_node(b_, n, of_all);
    };
    term const value = made(values, parts), mask = is_masked ? made(masks, parts_of_mask) : term{};
    return {value, !mask.exists() || detail::is_everything(mask) ? term{} : detail::not_zero(mask)};
  }
  constexpr term like(int x, double value) { return fit(constant(b_, b_[x].type, value), b_[x].extent); }

  /// Leibniz's rule for an op that is linear in each of two operands.
  constexpr arrival of_product(int id, int k, int curve) {
    node const n = b_[id];
    bool const is_elementwise = facts_of(n).is_elementwise;
    detail::contributions all(1);
    for (int j = 0; j <= k; ++j)
      for (int along = first_curve(k, j, curve); along <= last_curve(k, j, curve); ++along) {
        arrival const a = of_operand(id, 0, j, along), b = of_operand(id, 1, k - j, along);
        if (!a.exists() || !b.exists()) continue;
        int const operands[] = {a.adjoint.id, b.adjoint.id};
        term const value = weighted(binomial(k, j), same_node(b_, n, operands)),
                   m = is_elementwise ? spread(a.mask, b.mask, n.extent)
                                      : detail::both(uniform(a.mask, n.extent), uniform(b.mask, n.extent));
        all.add(0, {detail::gated(m, value), m});
      }
    return sum_of_all(all);
  }
  constexpr arrival of_operand(int id, int i, int k, int curve) {
    if (k == 0) return {{&b_, operand(id, i)}, {}};
    return is_active(id, i) ? of(operand(id, i), k, curve) : arrival{};
  }

  /// The rule for an element-wise op.
  constexpr arrival of_function(int id, int k, int curve) {
    node const n = b_[id];
    detail::contributions all(1);
    for (int i = 0; i < n.arity; ++i) {
      if (!is_active(id, i)) continue;
      int const x = operand(id, i);
      if (arrival const highest = of(x, k, curve); highest.exists()) {
        term const value = through(id, i, highest.adjoint);
        term const m = spread(highest.mask, taken(id, i), n.extent);
        if (!is_constant(etch::detail::unbroadcast(value), 0)) all.add(0, {detail::gated(m, value), m});
      }
      for (int j = 1; j < k; ++j)
        for (int along = first_curve(k, j, curve); along <= last_curve(k, j, curve); ++along) {
          int const slope = slopes_.entry[first_slope_.entry[id] + i];
          arrival const moved = of(x, j, along), turned = of(slope, k - j, along);
          if (!moved.exists() || !turned.exists()) continue;
          term const value = fit(weighted(binomial(k - 1, j - 1), moved.adjoint * turned.adjoint), n.extent),
                     m = spread(moved.mask, turned.mask, n.extent);
          all.add(0, {detail::gated(m, value), m});
        }
    }
    return sum_of_all(all);
  }

  /// The sum of derivatives; nothing where there are none.
  static constexpr arrival sum_of_all(detail::contributions& all) { return all.any(0) ? all.total(0) : arrival{}; }

  /// Where both masks are, entry by entry of `s`.
  static constexpr term spread(term a, term b, shape const& s) {
    term const m = detail::both(a, b);
    return m.exists() ? fit(m, s) : m;
  }
  /// A mask that is the same for all entries, for those of `s`; that of single entries is lost in a sum of products.
  static constexpr term uniform(term m, shape const& s) {
    if (!m.exists() || etch::detail::unbroadcast(m).extent().size() != 1) return {};
    return fit(fit(etch::detail::unbroadcast(m), shape{}), s);
  }
  /// The curves whose derivatives of the orders j and k - j meet: the one in hand; all, where their sum is made.
  constexpr bool all_meet(int k, int j) const { return k > 1 && j > 0 && j < k; }
  constexpr int first_curve(int k, int j, int curve) const { return all_meet(k, j) ? 0 : curve; }
  constexpr int last_curve(int k, int j, int curve) const { return all_meet(k, j) ? curves_ - 1 : curve; }
  static constexpr term weighted(double by, term x) { return by == 1 ? x : x * by; }
  static constexpr double binomial(int n, int k) {
    double b = 1;
    for (int i = 1; i <= k; ++i) b = b * (n - k + i) / i;
    return b;
  }
};

}  // namespace pass
ETCH_NAMESPACE_END
