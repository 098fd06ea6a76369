// minors: determinants of up to three rows, entry by entry.
#pragma once

#include <etch/op/linalg/factor.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The tensor cross product of matrices of three rows, Y_iI = sum of e_ijk e_IJK A_jJ B_kK: the cofactors of A + B less
/// those of A and of B  (J. Bonet, A. J. Gil, R. Ortigosa, A computational framework for polyconvex large strain
/// elasticity, 2015). Attribute: 1 for half of it, which are the cofactors where A is B.
struct tensor_cross : block_kind {
  static constexpr auto name = "tensor_cross";
  static constexpr auto part_of = "the gradient of det";
  static constexpr auto formula = "cof(A + B) - cof(A) - cof(B) of three rows";
  static constexpr int arity = 2;
  static constexpr bool in_lanes = true;

  static constexpr shape infer(attribute, shapes<2> const& x) { return x[0]; }
  template <class T>
  static constexpr status run(attribute half, block<T> y, block<T const> a, block<T const> b) {
    write(half, y, a, b);
    return status::ok;
  }
  template <class V, class A, class B>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute half, block<V> y, block<A const> a, block<B const> b) {
    write(half, y, a, b);
    return status::ok;
  }
  static std::string describe(node const& n) { return n.attributes == 0 ? "" : "<half>"; }
  /// The sum of Y ∘ Y' is the same whichever two of A, B and Y' Y is made of.
  static constexpr auto pullback(auto g, auto, auto a, auto b, attribute half) {
    return operands{emit<tensor_cross>(half, b, g), emit<tensor_cross>(half, a, g)};
  }

 private:
  template <class V, class A, class B>
  [[gnu::always_inline]] static constexpr void write(attribute half, block<V> y, block<A const> a, block<B const> b) {
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        // Signs are those of cyclic indices.
        int const i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        V const sum = (V(a(i1, j1)) * V(b(i2, j2)) - V(a(i1, j2)) * V(b(i2, j1))) +
                      (V(b(i1, j1)) * V(a(i2, j2)) - V(b(i1, j2)) * V(a(i2, j1)));
        y(i, j) = half ? V(math::scalar_in<V>(0.5)) * sum : sum;
      }
  }
};

/// Whether the determinant of `a` and its derivatives are made of products of entries: of matrices of every rank.
constexpr bool is_small(term a) { return a.extent()[0] <= 3; }

/// The cofactors of a small matrix.
constexpr term minors(term a) {
  graph& to = *a.owner;
  switch (a.extent()[0]) {
    case 1:
      return fit(constant(to, a->type, 1), a.extent());
    case 2: {
      term const apart = etch::iota(to, a->type, 0, 2) - etch::iota(to, a->type, 1, 2);
      return (1 - 2 * (apart * apart)) * emit<reverse>(3, a);
    }
    default:
      return emit<tensor_cross>(1, a, a);
  }
}

/// The determinant of a small matrix, by its first row.
struct small_det : factorisation {
  static constexpr auto name = "small_det";
  static constexpr auto part_of = "det";
  static constexpr auto formula = "det A of up to three rows, from products of entries";
  static constexpr bool differentiable = false, in_lanes = true;

  static constexpr shape infer(attribute, shapes<1> const& x) {
    factorisation::infer(0, x);
    return {};
  }
  template <class T>
  static constexpr status run(attribute, block<T> y, block<T const> a) {
    y(0) = value<T>(a);
    return y(0) == 0 ? status::singular : status::ok;
  }
  template <class V, class Matrix>
  ETCH_DETAIL_INLINED static status run_in_lanes(attribute, block<V> y, block<Matrix const> a) {
    y(0) = value<V>(a);
    return outcome_in_lanes<V>(y(0) == V(0), status::singular);
  }

 private:
  template <class V, class Entry>
  [[gnu::always_inline]] static constexpr V value(block<Entry const> a) {
    int const n = a.extent[0];
    auto const at = [&](int i, int j) { return V(a(i, j)); };
    if (n == 1) return at(0, 0);
    if (n == 2) return at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
    return at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) +
           at(0, 1) * (at(1, 2) * at(2, 0) - at(1, 0) * at(2, 2)) +
           at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
  }
};

}  // namespace op
ETCH_NAMESPACE_END
