// einsum gives these programs: those of the functions with names of their own.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class F, class G, class... X>
constexpr bool same(F f, G g, X const&... x) {
  return same_program<decltype(compile<wrt<>>(f, x...)), decltype(compile<wrt<>>(g, x...))>;
}

}  // namespace

TEST_CASE("a product of matrices stays one, transposed or not; so do the others that have a name") {
  tensor<double, 3, 4> const a;
  tensor<double, 4, 2> const b;
  tensor<double, 4> const v, w;
  CHECK(same([](auto x, auto y) { return einsum<"ij,jk->ik">(x, y); }, [](auto x, auto y) { return x * y; }, a, b));
  CHECK(same([](auto x, auto y) { return einsum<"ij,jk->ki">(x, y); }, [](auto x, auto y) { return transpose(x * y); },
             a, b));
  CHECK(same([](auto x, auto y) { return einsum<"ji,kj->ki">(x, y); }, [](auto x, auto y) { return y * x; }, b, a));
  CHECK(same([](auto x, auto y) { return einsum<"ij,kj->ik">(x, y); }, [](auto x, auto y) { return x * transpose(y); },
             a, a));
  CHECK(same([](auto x, auto y) { return einsum<" ij , j -> i ">(x, y); }, [](auto x, auto y) { return x * y; }, a, v));
  CHECK(same([](auto x, auto y) { return einsum<"j,ij">(x, y); }, [](auto x, auto y) { return y * x; }, v, a));
  CHECK(same([](auto x, auto y) { return einsum<"i,i">(x, y); }, [](auto x, auto y) { return dot(x, y); }, v, w));
  CHECK(same([](auto x, auto y) { return einsum<"i,i->i">(x, y); }, [](auto x, auto y) { return cwise_product(x, y); },
             v, w));
  CHECK(same([](auto x) { return einsum<"ij->ji">(x); }, [](auto x) { return transpose(x); }, a));
  CHECK(same([](auto x) { return einsum<"ij->">(x); }, [](auto x) { return sum(x); }, a));
  CHECK(same([](auto x) { return einsum<"ii">(x); }, [](auto x) { return trace(x); }, tensor<double, 3, 3>{}));
  CHECK(same([](auto x) { return einsum<"ii->i">(x); }, [](auto x) { return diagonal(x); }, tensor<double, 3, 3>{}));
}

TEST_CASE("of three operands the cheapest pair is multiplied first") {
  tensor<double, 50, 2> a;
  tensor<double, 2, 50> b;
  tensor<double, 50> v;
  using left = decltype(compile<wrt<>>([](auto x, auto y, auto z) { return einsum<"ij,jk,k->i">(x, y, z); }, a, b, v));
  static_assert(left::facts.flops <= 2 * 2 * 50 * 2, "two products of a matrix and a vector, none of two matrices");
}
