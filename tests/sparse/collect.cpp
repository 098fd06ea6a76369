#include <etch/sparse/collect.hpp>

#include <doctest/doctest.h>

#include <array>

using namespace etch;

namespace {

constexpr fixed<int, 14> two_in_turn{{9, 0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105, 7}};
constexpr fixed<int, 6> backwards{{5, 4, 3, 2, 1, 0}};
constexpr fixed<int, 5> scattered{{3, 0, 4, 1, 7}};
constexpr fixed<int, 1> alone{{2}};

template <auto const& Places>
void check_collected() {
  std::array<double, 128> from;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i);
  std::array<double, Places.size()> to{};
  detail::collect<Places>(from.data(), to.data());
  for (std::size_t k = 0; k < to.size(); ++k) CHECK(to[k] == Places[k]);
}

}  // namespace

TEST_CASE("places that repeat") {
  constexpr auto same = detail::find_places_that_repeat(two_in_turn);
  CHECK(same.first == 1);
  CHECK(same.width == 2);
  CHECK(same.count == 6);
  CHECK(same.step == 1);
  CHECK(detail::find_places_that_repeat(backwards).step == -1);
  CHECK(detail::find_places_that_repeat(scattered).count == 0);
  check_collected<two_in_turn>();
  check_collected<backwards>();
  check_collected<scattered>();
  check_collected<alone>();
}
