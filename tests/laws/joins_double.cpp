#include "laws/structure.hpp"

TEST_CASE("joins agree with their graphs whatever is differentiated, in double") {
  laws::joins<etch::wrt<0>, double, 1>();
  laws::joins<etch::wrt<1>, double, 5>();
  laws::joins<etch::wrt<2>, double, 5>();
  laws::joins<etch::wrt<1, 0>, double, 5>();
  laws::joins<etch::wrt<0, 2>, double, 5>();
  laws::joins<etch::wrt<2, 1>, double, 5>();
  laws::joins<etch::wrt<0, 1, 2>, double, 9>();
}

TEST_CASE("products and reductions written into joins agree with their graphs, in double") {
  laws::computed_parts<double, 3, 11>();
}
