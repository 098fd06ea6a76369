// Linear algebra, running sums, gathers and products of entries: finite differences at first and second
// order, for every set of operands.
#include "laws/agree.hpp"
#include "laws/differences.hpp"

#include <etch/etch.hpp>

using namespace laws;

namespace {

/// Entries of a leaf of type `A`: well-conditioned where it is a square matrix.
template <class A>
run::numbers entries_for(std::uint64_t seed) {
  run::numbers x = sample(A::count, -1, 1, seed);
  if (A::extent.rank == 2 && A::extent[0] == A::extent[1])
    for (int i = 0; i < A::extent[0]; ++i) x[static_cast<std::size_t>(i * (A::extent[0] + 1))] += 2.5;
  return x;
}

/// First and second derivatives of the scalar loss `f` of tensors of types `A` at the point `x`, for every set of them.
template <class... A, class F>
void check_at(values const& x, F f) {
  graph const g = pass::trace<F, A...>(f);
  for (unsigned mask = 1; mask < (1u << sizeof...(A)); ++mask) {
    CAPTURE(mask);
    std::vector<int> wrt;
    for (int i = 0; i < static_cast<int>(sizeof...(A)); ++i)
      if ((mask >> i) & 1u) wrt.push_back(i);
    CHECK(gradient_error(g, wrt, x, false) < 1e-8);
    graph const second = directional(g, wrt, false);
    values y = x;
    std::vector<int> again;
    std::uint64_t seed = 50;
    for (int leaf : wrt) {
      y.push_back(sample(x[static_cast<std::size_t>(leaf)].size(), 0.5, 1.5, seed++));
      for (int id = 0; id < second.size(); ++id)
        if (second[id].op == opcode_of<op::input> && static_cast<int>(second[id].attributes) == leaf)
          again.push_back(id);
    }
    CHECK(gradient_error(second, again, y, false) < 1e-7);
  }
}

template <class... A, class F>
void check(F f) {
  std::uint64_t seed = 1;
  check_at<A...>(values{entries_for<A>(seed++)...}, f);
}

using square_matrix = tensor<double, 3, 3>;
using vector_type = tensor<double, 3>;

/// A loss that no symmetry makes blind: the squares of all entries, each with a weight of its own.
constexpr auto weighted = [](auto const& x) {
  auto const flat = flatten(x);
  return sum(cwise_product(square(flat), cumsum<0>(0 * flat + 0.75)));
};

}  // namespace

TEST_CASE("solving agrees with finite differences") {
  check<square_matrix, vector_type>([](auto a, auto b) { return weighted(solve(a, b)); });
  check<square_matrix, tensor<double, 3, 2>>([](auto a, auto b) { return weighted(solve(transpose(a), b)); });
  check<square_matrix>([](auto a) { return weighted(solve(a, a * a)); });
  check<square_matrix, vector_type>([](auto a, auto b) { return weighted(triangular_solve(a, b)); });
  check<square_matrix, tensor<double, 3, 2>>([](auto a, auto b) { return weighted(triangular_solve<true>(a, b)); });
  check<square_matrix, tensor<double, 3, 2>>(
      [](auto a, auto b) { return weighted(triangular_solve(transpose(a), b)); });
}

TEST_CASE("inverses, determinants and factors agree with finite differences") {
  check<square_matrix>([](auto a) { return weighted(inverse(a)); });
  check<square_matrix>([](auto a) { return det(a) * det(a * a - 3); });
  check<square_matrix>([](auto a) { return logdet(a) * sum(a); });
  check<square_matrix>([](auto a) { return weighted(cholesky(a)); });
  check<square_matrix>([](auto a) { return weighted(cholesky(a * transpose(a))); });
  check<tensor<double, 1, 1>>([](auto a) { return weighted(inverse(a)) + det(a) + logdet(a) + weighted(cholesky(a)); });
}

TEST_CASE("outer products, forms, traces and triangles agree with finite differences") {
  check<vector_type, tensor<double, 2>>([](auto a, auto b) { return weighted(outer(a, b)); });
  check<vector_type, square_matrix>([](auto x, auto a) { return square(quadratic_form(x, a)); });
  check<tensor<double, 3, 4>>([](auto a) {
    return square(trace(a)) + weighted(tril(a)) + weighted(triu<1>(a)) + weighted(tril<-1>(a)) + weighted(triu<-2>(a));
  });
  check<tensor<double, 4, 2>>(
      [](auto a) { return square(trace(a)) + weighted(tril<1>(a)) + weighted(triu(a)) + weighted(diagonal(a)); });
}

TEST_CASE("running sums agree with finite differences along every axis") {
  check<tensor<double, 3, 4>>([](auto a) { return weighted(cumsum<0>(a)) + weighted(cumsum<1>(sin(a))); });
  check<tensor<double, 2, 2, 3>>([](auto a) { return weighted(cumsum<2>(cumsum<1>(a))); });
}

TEST_CASE("products of entries agree with finite differences, also where entries are zero") {
  using matrix = tensor<double, 3, 5>;
  auto const all = [](auto a) {
    return square(prod(a) + 1) + weighted(prod<0>(a)) + weighted(prod<1>(a)) + weighted(prod<0, 1>(a));
  };
  run::numbers x = sample(15, 0.5, 1.5, 1);
  check_at<matrix>({x}, all);
  for (std::size_t zero : {0u, 4u, 14u}) {
    x[zero] = 0;  // one zero, then two in one column, then three
    check_at<matrix>({x}, all);
  }
  std::fill(x.begin(), x.end(), 0.0);
  check_at<matrix>({x}, all);
}

TEST_CASE("gathers agree with finite differences, repeated indices too") {
  values const x{sample(12, -1, 1, 1), {2, 0, 2, 1}};
  graph const g = pass::trace<decltype([](auto m, auto j) {
                                return weighted(gather<0>(m, j)) + weighted(gather<1>(sin(m), slice<0, 0, 2>(j)));
                              }),
                              tensor<double, 3, 4>, tensor<int, 4>>({});
  std::vector<int> const wrt{0};
  CHECK(gradient_error(g, wrt, x, false) < 1e-8);
  values y = x;
  y.push_back(sample(12, 0.5, 1.5, 2));
  graph const second = directional(g, wrt, false);
  std::vector<int> again;
  for (int id = 0; id < second.size(); ++id)
    if (second[id].op == opcode_of<op::input> && second[id].attributes == 0) again.push_back(id);
  CHECK(gradient_error(second, again, y, false) < 1e-7);
}
