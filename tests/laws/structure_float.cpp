#include "laws/structure.hpp"

TEST_CASE("slices agree with their graphs, in float") {
  laws::slices<float, 1>();
  laws::slices<float, 17>();
}

TEST_CASE("joins agree with their graphs, in float") { laws::joins<etch::wrt<0, 1, 2>, float, 19>(); }

TEST_CASE("products and reductions written into joins agree with their graphs, in float") {
  laws::computed_parts<float, 17, 3>();
}

TEST_CASE("paddings agree with their graphs, in float") { laws::paddings<float, 5, 18>(); }

TEST_CASE("views of views into products agree with their graphs, in float") {
  laws::views_into_products<float, 17, 2>();
}

TEST_CASE("gathers, running sums and products of entries agree with their graphs, in float") {
  laws::gathers<float, 2, 19>();
}

TEST_CASE("factorisations agree with their graphs, in float") { laws::factors<float, 3>(); }

TEST_CASE("gradients that are views of each other agree with their graphs, in float") {
  laws::related_gradients<float, 17>();
}
