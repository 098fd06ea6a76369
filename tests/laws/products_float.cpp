#include "laws/programs.hpp"

TEST_CASE("products of every shape and orientation agree with their graphs, in float") {
  using all = etch::wrt<0, 1, 2>;
  laws::products<all, float, 1, 1, 1>();
  laws::products<all, float, 1, 19, 4>();
  laws::products<all, float, 33, 2, 1>();
  laws::products<all, float, 17, 16, 15>();
}

TEST_CASE("products agree with their graphs whatever is differentiated, in float") {
  laws::products<etch::wrt<0>, float, 3, 5, 7>();
  laws::products<etch::wrt<2, 1>, float, 3, 5, 7>();
}
