#include "laws/structure.hpp"

TEST_CASE("slices agree with their graphs, in double") { laws::slices<double, 11>(); }

TEST_CASE("paddings agree with their graphs, in double") { laws::paddings<double, 1, 1>(); }

TEST_CASE("views of views into products agree with their graphs, in double") {
  laws::views_into_products<double, 5, 9>();
}

TEST_CASE("gathers, running sums and products of entries agree with their graphs, in double") {
  laws::gathers<double, 3, 5>();
}

TEST_CASE("factorisations agree with their graphs, in double") { laws::factors<double, 5>(); }

TEST_CASE("gradients that are views of each other agree with their graphs, in double") {
  laws::related_gradients<double, 1>();
}
