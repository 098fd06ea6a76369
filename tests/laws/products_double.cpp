#include "laws/programs.hpp"

TEST_CASE("products of every shape and orientation agree with their graphs, in double") {
  using all = etch::wrt<0, 1, 2>;
  laws::products<all, double, 1, 1, 1>();
  laws::products<all, double, 1, 19, 4>();
  laws::products<all, double, 33, 2, 1>();
  laws::products<all, double, 17, 16, 15>();
}

TEST_CASE("products agree with their graphs whatever is differentiated, in double") {
  laws::products<etch::wrt<0>, double, 3, 5, 7>();
  laws::products<etch::wrt<2, 1>, double, 3, 5, 7>();
}
