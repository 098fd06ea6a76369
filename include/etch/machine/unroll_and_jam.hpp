// unroll_and_jam: how many registers of points a step of a loop of points takes, so that products which are summed over
// the points load and store their sums once for all of them (D. Callahan, S. Carr, K. Kennedy, PLDI 1990).
#pragma once

#include <etch/machine/signature.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace run {

namespace detail {

/// Whether kernel `k` of a body in lanes does nothing but add a product to one of the outputs `sums`.
template <int Outputs>
constexpr bool only_adds_product(pass::scheduled_kernel const& k, output_set<Outputs> const& sums) {
  if (!leaves_product_in_lanes(k, k)) return false;
  pass::placed const& r = k.results.entry[0];
  return r.accumulates && r.at.in == pass::location::place::output && sums.contains(r.at.position);
}

/// The most registers of points, and the sums for which it pays: a kernel of fewer is part of its caller.
inline constexpr int most_registers_abreast = 4, least_jammed_sums = 33;

}  // namespace detail

/// Kernels of `Body` behind so many are products that are added to the outputs `sums`.
template <class Body>
consteval int kernels_before_jam(output_set<Body::output_count> const& sums) {
  int const all = Body::schedule.kernel_count, least = std::max(0, all - Body::chunk);
  int first = all;
  while (first > least && detail::only_adds_product(Body::schedule[first - 1], sums)) --first;
  return first;
}

namespace detail {

/// Where the entries end that the product `c` reads of the operand at `p`, whose rows and columns are `rows` and
/// `columns` entries; 0 where that is not in the workspace.
constexpr std::int64_t end_in_workspace(pass::placed const& p, fixed<std::int64_t, 2> const& step, int rows,
                                        int columns, fixed<std::int64_t, 2> const& batch_step,
                                        fixed<int, 2> const& batch) {
  if (p.at.in != pass::location::place::workspace) return 0;
  auto const reach = [](std::int64_t by, int count) { return by > 0 ? by * (count - 1) : 0; };
  std::int64_t const last = reach(step.entry[0], rows) + reach(step.entry[1], columns) +
                            reach(batch_step.entry[0], batch.entry[0]) + reach(batch_step.entry[1], batch.entry[1]);
  return pass::padded(p.at.offset + (last + 1) * bytes_of(p.type));
}

}  // namespace detail

/// The memory for the body of a loop of points: for as many registers as the first cache holds beside their sums, where
/// products add enough of them.
template <class Body>
consteval pass::loop_room find_room_of_points() {
  pass::loop_room room{Body::plan.bytes};
  output_set<Body::output_count> all;
  for (int o = 0; o < Body::output_count; ++o) all.insert(o);
  std::int64_t sums = 0, bytes = 0;
  for (int i = kernels_before_jam<Body>(all); i < Body::schedule.kernel_count; ++i) {
    pass::scheduled_kernel const k = Body::schedule[i];
    pass::contraction const& c = k.product;
    sums += k.space.size(), bytes += k.space.size() * bytes_of(k.type);
    room.kept =
        std::max({room.kept, detail::end_in_workspace(c.transposed ? k.b : k.a, c.a, c.m, c.k, c.a_batch, c.batch),
                  detail::end_in_workspace(c.transposed ? k.a : k.b, c.b, c.k, c.n, c.b_batch, c.batch)});
  }
  if (sums < detail::least_jammed_sums) return {Body::plan.bytes};
  room.kept = std::max(room.kept, pass::buffer_alignment);
  std::int64_t const more = (first_cache_bytes - bytes - room.bytes) / room.kept;
  room.abreast = 1 + static_cast<int>(std::clamp<std::int64_t>(more, 0, detail::most_registers_abreast - 1));
  return room;
}
template <class Body>
inline constexpr pass::loop_room room_of_points = find_room_of_points<Body>();

}  // namespace run
ETCH_NAMESPACE_END
