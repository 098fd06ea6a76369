// Epochs of a tape: which variables still exist after more rewinds than a variable can count.
#include <etch/op/elementwise.hpp>
#include <etch/tape/generations.hpp>
#include <etch/tape/tape.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 31;  ///< generations that a variable tells apart

}  // namespace

TEST_CASE("the order of generations is that of time, also where their numbers begin again") {
  dynamic::generations e(most - 3);
  std::uint32_t before = e.now();
  for (int i = 0; i < 8; ++i) {
    e.advance();
    CHECK(!dynamic::generations::is_confined(e.now()));
    CHECK(e.order(before) + 1 == e.order(e.now()));
    before = e.now();
  }
  e.confine();
  CHECK(dynamic::generations::is_confined(e.now()));
  CHECK(e.order(before) < e.order(e.now()));
  std::uint32_t const within = e.now();
  e.advance();
  CHECK(dynamic::generations::is_confined(e.now()));
  CHECK(e.order(within) + 1 == e.order(e.now()));
  e.restore(before);
  CHECK(e.now() == before);
  CHECK(e.order(within) > e.order(before));
}

TEST_CASE("a tape goes on where the numbers of its generations begin again, and knows what exists") {
  dynamic::tape_state<double> l;
  l.generations = dynamic::generations(most - 4);
  var<double> const kept = l.leaf(3.0);
  auto const after = l.here();
  var<double> gone;
  for (int i = 0; i < 10; ++i) {
    var<double> const x = l.leaf(2.0);
    var<double> const y = x * x * kept;
    CHECK(l.go_back_from(y, false) == 12);
    CHECK(l.adjoint(x) == 12);
    CHECK(l.adjoint(kept) == 4);
    if (i > 0) CHECK_THROWS_WITH(var<double>(gone + kept), doctest::Contains("no longer exists"));
    gone = x;
    l.rewind(after);
  }
  l.rewind({});
  CHECK_THROWS_WITH(var<double>(kept * 2), doctest::Contains("no longer exists"));
}
