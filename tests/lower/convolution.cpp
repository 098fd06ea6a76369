#include <etch/lower/convolution.hpp>

#include <doctest/doctest.h>

using namespace etch;
using pass::convolution;
using pass::sliding_axis;

namespace {

constexpr convolution choice(convolved what, sliding const& s, shape const& x, shape const& w,
                             element type = element::f32) {
  shape const y = s.result(x, w);
  strides const of_x = contiguous_strides(x), of_w = contiguous_strides(w), of_y = contiguous_strides(y);
  if (what == convolved::result) return pass::convolution_of(type, what, s, y, x, of_x, w, of_w);
  if (what == convolved::image) return pass::convolution_of(type, what, s, x, y, of_y, w, of_w);
  return pass::convolution_of(type, what, s, w, x, of_x, y, of_y);
}

constexpr sliding plain({1, 1}, {0, 0}, {1, 1}, 1);
constexpr shape digits = make_shape(128, 28, 28, 1), first_kernel = make_shape(5, 5, 1, 6);

// Without padding every position has all taps, and they follow each other.
constexpr sliding_axis across = choice(convolved::result, plain, digits, first_kernel).axis[0];
static_assert(across.positions == 24 && across.taps == 5 && across.at(0) == sliding_axis::span{0, 5, 0} &&
              across.at(23) == sliding_axis::span{0, 5, 23} && across.tap_step() == 1 && across.entry_step() == 1);
// The image's gradient: the first entry was met by the first tap only, and later taps by earlier entries.
constexpr sliding_axis back = choice(convolved::image, plain, digits, first_kernel).axis[0];
static_assert(back.positions == 28 && back.at(0) == sliding_axis::span{0, 1, 0} &&
              back.at(10) == sliding_axis::span{0, 5, 10} && back.at(27) == sliding_axis::span{4, 1, 23} &&
              back.entry_step() == -1);

// The rows of a tile are channels where an image is so narrow that most positions miss a tap, and small enough.
constexpr bool rows_are_channels(int side, int channels, int taps, int stride, int padding) {
  sliding const s({stride, stride}, {padding, padding}, {1, 1}, 1);
  return choice(convolved::kernel, s, make_shape(16, side, side, channels), make_shape(taps, taps, channels, 32))
      .rows_are_channels;
}
static_assert(rows_are_channels(4, 32, 3, 1, 1) && rows_are_channels(7, 32, 3, 1, 1) &&
              !rows_are_channels(8, 32, 3, 1, 1) && !rows_are_channels(4, 3, 3, 1, 1));
static_assert(rows_are_channels(8, 32, 5, 1, 2) && !rows_are_channels(12, 32, 5, 1, 2) &&
              !rows_are_channels(8, 32, 5, 1, 0) && rows_are_channels(12, 32, 2, 1, 0));

static_assert(choice(convolved::result, plain, digits, first_kernel).terms() == 25);
static_assert(choice(convolved::kernel, plain, digits, first_kernel).terms() == 24 * 24 * 128);

}  // namespace

TEST_CASE("the taps that meet an entry are those and in that order, whatever stride, padding and dilation") {
  int met = 0;
  for (int stride : {1, 2, 3, 4})
    for (int padding : {0, 1, 2, 5})
      for (int dilation : {1, 2, 3, 4})
        for (int entries : {1, 2, 5, 12})
          for (int taps : {1, 2, 5})
            for (convolved what : {convolved::result, convolved::image, convolved::kernel}) {
              sliding const s({stride, 1}, {padding, 0}, {dilation, 1}, 1);
              shape const x = make_shape(1, entries, 1, 1), w = make_shape(taps, 1, 1, 1);
              if (!s.fits(x, w)) continue;
              sliding_axis const axis = choice(what, s, x, w).axis[0];
              int const positions = s.positions(0, entries, taps);
              CHECK(axis.positions == (what == convolved::result  ? positions
                                       : what == convolved::image ? entries
                                                                  : taps));
              for (int here = 0; here < axis.positions; ++here) {
                sliding_axis::span const span = axis.at(here);
                int count = 0;
                for (int tap = 0; tap < axis.taps; ++tap)
                  for (int entry = 0; entry < axis.entries; ++entry) {
                    int const of_result = what == convolved::result ? here : what == convolved::image ? entry : tap;
                    int const of_image = what == convolved::image ? here : entry;
                    int const of_kernel = what == convolved::kernel ? here : tap;
                    if (of_image != stride * of_result + dilation * of_kernel - padding) continue;
                    CHECK(tap == span.first_tap + count * axis.tap_step());
                    CHECK(entry == span.first_entry + count * axis.entry_step());
                    ++count, ++met;
                  }
                CHECK(count == span.count);
              }
            }
  CHECK(met > 1000);
}

TEST_CASE("tiles fit into the registers, and blocks into the nearest cache where one row of them does") {
  for (element type : {element::f32, element::f64})
    for (int batch : {1, 2, 17, 128})
      for (int channels : {1, 3, 64})
        for (int columns : {1, 2, 16, 100})
          for (int taps : {1, 3, 5, 11})
            for (convolved what : {convolved::result, convolved::image, convolved::kernel}) {
              convolution const c = choice(what, plain, make_shape(batch, 16, 16, channels),
                                           make_shape(taps, taps, channels, columns), type);
              int const rows = c.rows_of_tile * c.places_of_tile, across_tile = c.columns_of_tile;
              CHECK(rows * across_tile + (c.contracts_batch ? across_tile : rows) + 1 <= registers_of(machine_vectors));
              CHECK(across_tile <= c.columns);
              CHECK(rows >= 1);
              if (!c.contracts_batch) continue;
              CHECK(c.channels_of_block >= 1);
              CHECK(c.channels_of_block <= c.channels);
              CHECK(c.taps_of_block >= 1);
              CHECK(c.taps_of_block <= c.axis[1].taps);
              CHECK(c.scratch_entries == std::int64_t{taps} * taps * c.channels_of_block * across_tile *
                                             pass::detail::lane_count(type, batch));
            }
}
