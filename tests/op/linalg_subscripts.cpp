#include <etch/op/linalg/subscripts.hpp>

#include <doctest/doctest.h>

using namespace etch;
using namespace etch::detail;

namespace {

constexpr bool well_formed(std::string_view text) { return einsum_form(text).well_formed; }
constexpr bool is(letters const& l, std::string_view text) {
  if (l.count != static_cast<int>(text.size())) return false;
  for (int i = 0; i < l.count; ++i)
    if (l.each.entry[i] != text[static_cast<std::size_t>(i)]) return false;
  return true;
}
template <class... Shape>
constexpr einsum_mistake mistake(std::string_view text, Shape... s) {
  return mistake_in(einsum_form(text), fixed{s...});
}
template <class... Shape>
constexpr einsum_plan plan(std::string_view text, Shape... s) {
  return plan_of(einsum_form(text), fixed{s...});
}

}  // namespace

TEST_CASE("subscripts are letters in groups; what is no letter, or a result that no operand has, is malformed") {
  static_assert(well_formed("ij,jk->ik") && well_formed("i") && well_formed("") && well_formed(",") &&
                well_formed(" i J -> J i "));
  static_assert(!well_formed("i1") && !well_formed("i-j") && !well_formed("i->i->i") && !well_formed("i->,i") &&
                !well_formed("i>i"));
  static_assert(!well_formed("i->j") && !well_formed("ij->ii") && !well_formed("...i->i") &&
                !well_formed("a,b,c,d,e,f,g,h,i->a"));
  static_assert(!well_formed("abc,de->abcde"), "five axes");
  static_assert(einsum_form("ij,jk->ik").operands == 2 && is(einsum_form("ij,jk->ik").of[1], "jk"));
  static_assert(is(einsum_form("ba,bZ").result, "Za") && is(einsum_form("ii").result, "") &&
                is(einsum_form("i->").result, ""));
}

TEST_CASE("operands must have the axes that are named, and letters one extent") {
  using enum einsum_mistake;
  static_assert(mistake("ij,jk->ik", make_shape(2, 3), make_shape(3, 4)) == none);
  static_assert(mistake("ij,jk->ik", make_shape(2, 3), make_shape(4, 4)) == two_extents);
  static_assert(mistake("ii", make_shape(2, 3)) == two_extents && mistake("ii", make_shape(1, 3)) == two_extents);
  static_assert(mistake("ij,jk->ik", make_shape(2, 3)) == does_not_fit && mistake("ij", make_shape(2)) == does_not_fit);
  static_assert(mistake("i", make_shape(2), make_shape(2)) == does_not_fit &&
                mistake("i->j", make_shape(2)) == malformed);
}

TEST_CASE("the plan takes the cheapest pair first, and only pairs whose result is a tensor") {
  constexpr auto chain = plan("ij,jk,kl->il", make_shape(9, 2), make_shape(2, 9), make_shape(9, 2));
  static_assert(chain.exists && chain.steps == 2 && chain.step[0].first == 1 && chain.step[0].second == 2 &&
                is(chain.step[0].keep, "jl"));
  static_assert(chain.result == make_shape(9, 2));
  // The first two together would have six axes.
  constexpr auto narrow = plan("abc,def,adbe->cf", make_shape(2, 2, 2), make_shape(2, 2, 2), make_shape(2, 2, 2, 2));
  static_assert(narrow.exists && narrow.step[0].first == 0 && narrow.step[0].second == 2 &&
                is(narrow.step[0].keep, "cde"));
  // The corners of a tetrahedron, each with a letter of its own: any two together have six axes.
  constexpr shape corner = make_shape(2, 2, 2, 2);
  static_assert(!plan("abci,adej,bdfk,cefl->ijkl", corner, corner, corner, corner).exists);
  static_assert(plan("abci,adej,bdfk,cefl->il", corner, corner, corner, corner).exists);
}
