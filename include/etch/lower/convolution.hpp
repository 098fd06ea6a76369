// convolution: chooses, from shapes and strides alone, how a convolution or one of its adjoints is computed.
#pragma once

#include <etch/op/image/convolution.hpp>
#include <etch/lower/contraction.hpp>

#include <numeric>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// One axis along which something slides: position p of the result and tap t meet at entry e of the operand
/// that is slid over, where `of_entry e = of_position p + of_tap t + offset`. Taps that meet no entry are
/// left out, so that borders cost nothing.
struct sliding_axis {
  int positions = 1, taps = 1, entries = 1;
  int of_position = 0, of_tap = 0, of_entry = 1, offset = 0;
  friend constexpr bool operator==(sliding_axis const&, sliding_axis const&) = default;

  /// The taps that meet an entry at one position: `count` of them, each `tap_step` behind the one before
  /// and `entry_step` entries further.
  struct span {
    int first_tap = 0, count = 0, first_entry = 0;
    friend constexpr bool operator==(span const&, span const&) = default;
  };
  constexpr int tap_step() const { return of_entry / std::gcd(of_entry, of_tap); }
  constexpr int entry_step() const { return of_tap * tap_step() / of_entry; }
  constexpr span at(int position) const {
    span s;
    for (int t = 0; t < taps; ++t) {
      int const sum = of_position * position + of_tap * t + offset;
      if (sum < 0 || sum % of_entry != 0 || sum / of_entry >= entries) continue;
      if (s.count++ == 0) s.first_tap = t, s.first_entry = sum / of_entry;
    }
    return s;
  }
  /// How many taps meet an entry at every position, where none is left out between others (`of_entry` is 1).
  constexpr int common_taps() const {
    span const first = at(0), last = at(positions - 1);
    return std::max(0, std::min(first.first_tap + first.count, last.first_tap + last.count) -
                           std::max(first.first_tap, last.first_tap));
  }
};

/// A copy of the operand that is slid over, with zeros beside its entries along the first axis: a line after the other,
/// in which the images' entries are neighbours.
struct bordered_copy {
  int images = 0;                          ///< 0 where nothing is copied
  int before = 0, entries = 0, after = 0;  ///< along the first axis, of each image
  int lines = 0, channels = 0;             ///< along the second axis; of all groups
  fixed<std::int64_t, max_rank> step{};    ///< of what is copied: batch, both axes, channels
  friend constexpr bool operator==(bordered_copy const&, bordered_copy const&) = default;

  constexpr std::int64_t line() const { return std::int64_t{images} * (before + entries + after); }
  constexpr std::int64_t size() const { return line() * lines * channels; }
};

/// How a convolution is computed. `contracts_batch` false, for result and image: for every position, a product as in
/// `contraction`'s outer form, whose rows are the batch, whose columns are channels, and whose sum runs over taps and
/// channels. True, for the kernel: for every tap a product in inner form, whose rows are neighbouring taps or
/// channels of the image, whose columns are channels of the result, and whose sum runs over the batch and all
/// positions; blocks of these stay in the nearest cache while all taps are visited, and registers not yet summed up
/// wait in scratch memory from one block to the next. Where images are too few to fill a register, the positions along
/// the first axis are what is called the batch here (`along_positions`). A block of channels is, without the batch's
/// sum, as many as are added for all taps before the next ones; with it, as many as wait at the same time.
struct convolution {
  bool exists = false;
  bool contracts_batch = false, rows_are_channels = false;
  int batch = 1, channels = 1, columns = 1,
      groups = 1;  ///< channels of a group of the operand slid over; columns of a group
  fixed<sliding_axis, 2> axis{};
  fixed<std::int64_t, max_rank> a{};  ///< steps in the operand slid over: batch, both axes, channels
  fixed<std::int64_t, max_rank>
      b{};  ///< steps in the other one: batch or, where it has none, channels; both axes of taps; columns
  std::int64_t a_group = 0, b_group = 0;  ///< from one group to the next
  int rows_of_tile = 1, columns_of_tile = 1;
  int places_of_tile = 1;                        ///< neighbouring positions, where the batch alone has too few rows
  int taps_of_block = 1, channels_of_block = 1;  ///< taps along the second axis
  std::int64_t scratch_entries = 0;              ///< behind the copy
  bordered_copy copy{};
  friend constexpr bool operator==(convolution const&, convolution const&) = default;

  /// Products summed for one entry of the result, borders included.
  constexpr std::int64_t terms() const {
    return std::int64_t{axis[0].taps} * axis[1].taps * (contracts_batch ? batch : channels);
  }
};

namespace detail {

inline constexpr std::int64_t nearest_cache = 24 * 1024;  ///< bytes of it that a block may take

/// Chooses the tile for the lowest cost of all `rows` and `columns`: its accumulators have to fit into the registers
/// together with one column of rows and one entry, or with one row of columns and one entry.
constexpr void choose_tile(convolution& c, vectors set, int rows, int most_rows, int step = 1) {
  int const registers = registers_of(set);
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (int r = step; r <= most_rows && r <= rows; r += step) {
    int const widest =
        std::min({c.contracts_batch ? (registers - 1) / (r + 1) : (registers - 1 - r) / r, 14, c.columns});
    if (widest < 1) break;
    int const strips = (c.columns + widest - 1) / widest;
    for (int q : {widest, (c.columns + strips - 1) / strips})
      if (std::int64_t const cost = tiling_cost(rows, c.columns, r, q, 1);
          cost < best || (c.contracts_batch && cost == best)) {
        best = cost;
        c.rows_of_tile = r;
        c.columns_of_tile = q;
      }
  }
}

inline constexpr int most_rows = 6;  ///< of a tile of a convolution that contracts the batch

/// Whether such a convolution has too few neighbouring taps of the kernel for a tile's rows, or images so narrow that
/// only some of these have an entry under most positions, and as many channels of an image as rows stay near.
constexpr bool wants_channels_as_rows(convolution const& c, element type, vectors set) {
  sliding_axis const& across = c.axis[0];
  if (c.channels <= across.positions) return false;
  if (across.positions < 3) return true;
  std::int64_t const of_register = lane_count(type, c.batch, set) * bytes_of(type);
  return 4 * across.common_taps() < 3 * across.taps &&
         most_rows * std::int64_t{across.entries} * c.axis[1].entries * of_register <= nearest_cache;
}

/// Chooses the blocks of a convolution that contracts the batch.
constexpr void choose_blocks(convolution& c, element type, vectors set) {
  int const lanes = lane_count(type, c.batch, set);
  std::int64_t const bytes_of_register = lanes * bytes_of(type);
  sliding_axis const& down = c.axis[1];
  auto const bytes = [&](int taps) {
    int const rows = std::min(down.of_tap * (taps - 1) + down.of_position * (down.positions - 1) + 1, down.entries);
    return bytes_of_register * (std::int64_t{taps} * c.axis[0].taps * c.columns_of_tile +
                                std::int64_t{rows} * c.axis[0].entries * (c.rows_are_channels ? c.rows_of_tile : 1));
  };
  c.taps_of_block = down.taps;
  while (c.taps_of_block > 1 && bytes(c.taps_of_block) > nearest_cache) --c.taps_of_block;
  int const blocks = (down.taps + c.taps_of_block - 1) / c.taps_of_block;
  c.taps_of_block = (down.taps + blocks - 1) / blocks;
  std::int64_t const of_channel = std::int64_t{c.axis[0].positions} * down.positions * c.columns_of_tile * lanes;
  std::int64_t const room = c.batch > lanes || blocks > 1 ? 4 * nearest_cache : 0;  // nothing waits for a second block
  c.channels_of_block = static_cast<int>(std::clamp<std::int64_t>(room / (of_channel * bytes_of(type)), 1, c.channels));
  if (c.rows_are_channels && c.channels_of_block < c.channels)
    c.channels_of_block =
        std::min(c.channels, static_cast<int>(quotient_up(c.channels_of_block, c.rows_of_tile)) * c.rows_of_tile);
  c.scratch_entries = of_channel * c.channels_of_block;
}

/// Chooses how many channels of a convolution that does not contract the batch are added at once: all that a tile reads
/// of them should stay in the nearest cache until its last tap, where eight lines a multiple of a page apart have room;
/// fewer than eight are not worth a loop.
constexpr void choose_channels(convolution& c, element type, vectors set) {
  constexpr std::int64_t page = 4096, lines_at_a_place = 8, worth_a_loop = 8;
  int const lanes = lane_count(type, c.batch, set);
  std::int64_t const step = c.a[3] * bytes_of(type);
  std::int64_t const read = std::int64_t{c.axis[0].of_position * (c.places_of_tile - 1) + c.axis[0].taps} *
                            c.axis[1].taps * c.rows_of_tile * lanes * bytes_of(type);
  std::int64_t const most = std::min(nearest_cache / read, lines_at_a_place * (page / std::gcd(step, page)));
  int const blocks = static_cast<int>(quotient_up(c.channels, std::max(most, worth_a_loop)));
  c.channels_of_block = static_cast<int>(quotient_up(c.channels, blocks));
}

}  // namespace detail

/// `c` with the tiles that suit the registers of `set`.
constexpr convolution for_registers(convolution c, element type, vectors set) {
  c.rows_of_tile = c.columns_of_tile = c.places_of_tile = 1;
  if (c.contracts_batch) {
    c.rows_are_channels = detail::wants_channels_as_rows(c, type, set);
    detail::choose_tile(c, set, c.rows_are_channels ? c.channels : c.axis[0].positions, detail::most_rows);
    detail::choose_blocks(c, type, set);
  } else {
    int const packets = static_cast<int>(detail::quotient_up(c.batch, detail::lane_count(type, c.batch, set)));
    if (packets < 4 && c.axis[0].of_entry == 1) {
      detail::choose_tile(c, set, packets * c.axis[0].positions, 8, packets);
      c.places_of_tile = c.rows_of_tile / packets;
      c.rows_of_tile = packets;
    } else {
      detail::choose_tile(c, set, packets, 8);
    }
    detail::choose_channels(c, type, set);
  }
  return c;
}

/// Whether registers hold so many more of the result's neighbouring positions, or of those that a kernel's gradient
/// sums, than of images that it is worth a copy; only where nothing slides by more than one entry.
constexpr bool runs_along_positions(convolution const& c, element type) {
  sliding_axis const& across = c.axis[0];
  if (across.of_entry != 1 || (c.contracts_batch ? across.of_tap : across.of_position) != 1) return false;
  if (c.contracts_batch && !((c.batch == 1 || c.b[0] == 1) && c.b[1] == c.batch)) return false;
  std::int64_t const images = c.batch, all = images * (c.contracts_batch ? across.taps : across.positions);
  auto const registers = [&](std::int64_t n) { return detail::quotient_up(n, detail::lane_count(type, n)); };
  return 4 * all * registers(images) >= 5 * images * registers(all);
}

/// `c` with the images' entries along the first axis as its batch: position p of image n is entry n + images p of a
/// line, and a tap is so many entries further for all of them, since borders are zeros in a copy.
constexpr convolution along_positions(convolution c, element type) {
  sliding_axis& across = c.axis[0];
  int least = 0, most = across.entries - 1;  // the entries that are met
  for (int p : {0, across.positions - 1})
    for (int t : {0, across.taps - 1}) {
      int const entry = across.of_position * p + across.of_tap * t + across.offset;
      least = std::min(least, entry), most = std::max(most, entry);
    }
  int const images = c.batch, before = -least, after = most - (across.entries - 1);
  if (before > 0 || after > 0 || c.a[1] != images || (images > 1 && c.a[0] != 1)) {
    c.copy = {images, before, across.entries, after, c.axis[1].entries, c.channels * c.groups, c.a};
    c.a = {1, images, c.copy.line(), c.copy.line() * c.copy.lines};
    c.a_group = c.channels * c.a[3];
  }
  across.offset += before;
  across.entries += before + after;
  int& positions = c.contracts_batch ? across.taps : across.positions;
  c.batch *= positions;
  positions = 1;
  return for_registers(c, type, machine_vectors);
}

/// The convolution that gives `what` of shape `to` from operands of the shapes and strides given.
constexpr convolution convolution_of(element type, convolved what, sliding const& s, shape const& to, shape const& x,
                                     strides const& x_step, shape const& y, strides const& y_step) {
  convolution c;
  c.exists = true;
  c.groups = s.groups;
  c.contracts_batch = what == convolved::kernel;
  c.batch = x[0];
  c.a = x_step;
  for (int i : {0, 1}) {
    auto const along = static_cast<std::size_t>(i);
    sliding_axis& axis = c.axis[along];
    axis.positions = to[i + (what == convolved::kernel ? 0 : 1)];
    axis.taps = y[i + (what == convolved::kernel ? 1 : 0)];
    axis.entries = x[i + 1];
    if (what == convolved::result)
      axis.of_position = s.stride[along], axis.of_tap = s.dilation[along], axis.offset = -s.padding[along];
    if (what == convolved::kernel)
      axis.of_position = s.dilation[along], axis.of_tap = s.stride[along], axis.offset = -s.padding[along];
    if (what == convolved::image)
      axis.of_position = 1, axis.of_tap = -s.dilation[along], axis.of_entry = s.stride[along],
      axis.offset = s.padding[along];
  }
  c.channels = x[3] / s.groups;
  c.columns = what == convolved::image ? to[3] / s.groups : y[3] / s.groups;
  c.a_group = c.channels * x_step[3];
  if (what == convolved::result) c.b = {y_step[2], y_step[0], y_step[1], y_step[3]}, c.b_group = c.columns * y_step[3];
  if (what == convolved::image) c.b = {y_step[3], y_step[0], y_step[1], y_step[2]}, c.b_group = c.channels * y_step[3];
  if (what == convolved::kernel) c.b = y_step, c.b_group = c.columns * y_step[3];

  return for_registers(c, type, machine_vectors);
}

}  // namespace pass
ETCH_NAMESPACE_END
