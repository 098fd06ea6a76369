#include <etch/machine/strips.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// Loads all `Width` points, which are `Entries` numbers each, into entries that hold `Held`, and stores them again;
/// then every smaller number of points.
template <class T, std::int64_t Entries, int Width, int Held>
void check_strips() {
  std::vector<T> from(Width * Entries), strip(Entries * Held), back(Width * Entries);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i + 1);
  auto const entry = [&](int point, std::int64_t i) { return static_cast<std::size_t>(point * Entries + i); };
  auto const held = [](int point, std::int64_t i) { return static_cast<std::size_t>(i * Held + point); };

  run::load_points<Entries, Width, Held>(from.data(), strip.data());
  run::store_points<Entries, Width, false, Held>(back.data(), strip.data());
  CHECK(back == from);
  run::store_points<Entries, Width, true, Held>(back.data(), strip.data());
  for (std::size_t i = 0; i < from.size(); ++i) CHECK(back[i] == from[i] + from[i]);

  for (int points = 1; points <= Width; ++points) {
    run::load_some_points<Entries, Width, Held>(from.data(), strip.data(), points);
    for (int point = 0; point < Width; ++point)
      for (std::int64_t i = 0; i < Entries; ++i)
        CHECK(strip[held(point, i)] == from[entry(point < points ? point : points - 1, i)]);
    back.assign(back.size(), T(-1));
    run::store_some_points<Entries, Width, false, Held>(back.data(), strip.data(), points);
    for (int point = 0; point < Width; ++point)
      for (std::int64_t i = 0; i < Entries; ++i)
        CHECK(back[entry(point, i)] == (point < points ? from[entry(point, i)] : T(-1)));

    run::clear_sums<Entries, Held>(strip.data());
    run::load_points<Entries, Width, Held>(from.data(), strip.data());
    run::keep_sums_of<Entries, Width, Held>(strip.data(), points);
    std::vector<T> sums(Entries, T(1000));
    run::leave_sums<Entries, Width, true, Held>(sums.data(), strip.data());
    for (std::int64_t i = 0; i < Entries; ++i) {
      T total = 1000;
      for (int point = 0; point < points; ++point) total += from[entry(point, i)];
      CHECK(sums[static_cast<std::size_t>(i)] == total);
    }
  }
}
template <class T, int Width, int Held>
void check_all_extents() {
  check_strips<T, 1, Width, Held>(), check_strips<T, 2, Width, Held>(), check_strips<T, 3, Width, Held>();
  check_strips<T, Width, Width, Held>(), check_strips<T, Width + 3, Width, Held>();
  check_strips<T, 2 * Width + 1, Width, Held>();
}

}  // namespace

TEST_CASE("points go into strips and come back, all of a register and parts of it") {
  check_all_extents<double, lanes<double>::width, lanes<double>::width>();
  check_all_extents<float, lanes<float>::width, lanes<float>::width>();
}
TEST_CASE("strips may hold more points than are computed, and numbers that no register has") {
  check_all_extents<double, 2, 8>();
  check_all_extents<float, 4, 16>();
  check_all_extents<int, 8, 8>();
  check_all_extents<double, 1, 8>();
}
