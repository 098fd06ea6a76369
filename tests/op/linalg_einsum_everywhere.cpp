// Einsum in a program, on a tape, as a block and in constant evaluation, to second order.
#include "op/everywhere.hpp"

using namespace everywhere;

TEST_CASE("products of matrices, of each matrix in a batch, and diagonals") {
  check([] { return std::tuple{sample<3, 2>(1), sample<2, 5>(2)}; },
        [](auto a, auto b) {
          return sum(tanh(einsum<"ij,jk->ki">(a, b))) + sum(exp(einsum<"ij,jk->j">(a, b))) +
                 sum(square(einsum<"ij,kl->jl">(a, b)));
        });
  check([] { return std::tuple{sample<2, 3, 2>(3), sample<2, 3, 2>(4)}; },
        [](auto a, auto b) {
          return sum(square(einsum<"bij,bkj->bik">(a, sin(b)))) + sum(exp(einsum<"iji->j">(a))) +
                 einsum<"ijk,kji->">(a, b);
        });
}

TEST_CASE("three operands, repeated letters among them") {
  check([] { return std::tuple{sample<3, 3>(5), sample<3, 2>(6), sample<2>(7)}; },
        [](auto a, auto b, auto v) {
          return sum(tanh(einsum<"ii,ij,j->i">(a, b, v))) + einsum<"ij,ik,k->">(a, b, square(v));
        });
}
