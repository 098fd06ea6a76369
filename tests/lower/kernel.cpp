#include <etch/lower/kernel.hpp>

#include <doctest/doctest.h>

using namespace etch;
using pass::source;

// Accesses are compared by all they say: a kernel loads what is equal only once.
static_assert(pass::access{source::memory, 3, {0, {1, 4, 0, 0}}, element::f32, 0} ==
              pass::access{source::memory, 3, {0, {1, 4, 0, 0}}, element::f32, 0});
static_assert(!(pass::access{source::memory, 3, {0, {1, 4, 0, 0}}, element::f32, 0} ==
                pass::access{source::memory, 3, {0, {4, 1, 0, 0}}, element::f32, 0}));
static_assert(!(pass::access{source::memory, 3, {0, {1, 4, 0, 0}}, element::f32, 0} ==
                pass::access{source::memory, 3, {8, {1, 4, 0, 0}}, element::f32, 0}));
static_assert(!(pass::access{source::memory, 3, {}, element::f32, 0} ==
                pass::access{source::memory, 4, {}, element::f32, 0}));
static_assert(!(pass::access{source::constant, -1, {}, element::f64, attribute_of(1)} ==
                pass::access{source::constant, -1, {}, element::f64, attribute_of(2)}));
static_assert(!(pass::access{source::tile, -1, {}, element::f64, 0} ==
                pass::access{source::index, -1, {}, element::f64, 0}));

TEST_CASE("an empty kernel computes nothing") {
  pass::kernel const k;
  CHECK(k.head.computes == pass::form::elementwise);
  CHECK(k.inputs.empty());
  CHECK(k.results.empty());
}
