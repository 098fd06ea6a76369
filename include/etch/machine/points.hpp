// points: runs the steps of a loop of points several at a time, one in each lane of a register.
#pragma once

#include <etch/machine/dispatch.hpp>
#include <etch/machine/signature.hpp>
#include <etch/machine/strips.hpp>
#include <etch/machine/unroll_and_jam.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace run {

/// One operand of a loop of points, or one result.
struct point_operand {
  element type{};
  bool by_point = false;  ///< an entry of the last axis for each point; else the same at all points, or a sum over them
  std::int64_t entries = 0;  ///< of one point
  std::int64_t strip = 0;    ///< offset of the registers that hold them in their points' memory; of sums, in all of it
};

/// How a loop of points runs.
template <int Inputs, int Outputs>
struct points_signature {
  static constexpr int inputs = Inputs, outputs = Outputs;
  int width = 1;  ///< points that run at a time
  int count = 0;
  bool counted = false;    ///< whether `count` is a bound of the number of points, which stands before the operands
  bool counts = false;     ///< whether the steps' arguments are to have it before them
  bool jams = false;       ///< whether products that are sums are added behind all else
  int abreast = 1;         ///< registers of points that a step takes
  std::int64_t apart = 0;  ///< bytes from the memory of one register to the next's: what products read is kept
  std::int64_t body = 0;   ///< offset of the body's workspace in it
  std::int64_t scratch_bytes = 0;
  fixed<point_operand, Inputs> in{};
  fixed<point_operand, Outputs> out{};
};

template <int Inputs, int Outputs>
constexpr points_signature<Inputs, Outputs> points_signature_of(pass::scheduled_kernel const& k, pass::loop_room room) {
  element const points = k.results[0].type;
  points_signature<Inputs, Outputs> s{points_in(points),    k.count,       k.space.counted == 1,
                                      k.space.counted != 0, room.kept > 0, room.abreast};
  std::int64_t at = 0;
  auto const add = [&](point_operand& p, element type, bool by_point, std::int64_t entries, bool has_strip) {
    p = {entry_of(type), by_point, entries, at};
    if (has_strip) at += pass::strip_bytes(entries, lanes_like(points, type));
  };
  for (std::size_t i = 0; i < Inputs; ++i) {
    bool const by_point = static_cast<loop_input>(k.inputs[i].role) == loop_input::slice;
    add(s.in[i], k.inputs[i].type, by_point, k.inputs[i].extent.size() / (by_point ? k.count : 1), by_point);
  }
  for (bool by_point : {true, false}) {
    for (std::size_t i = 0; i < Outputs; ++i)
      if ((static_cast<loop_output>(k.results[i].role) == loop_output::stack) == by_point)
        add(s.out[i], k.results[i].type, by_point, k.results[i].extent.size(), true);
    if (!by_point) break;
    s.body = at, s.apart = at + room.kept;
    at += pass::padded(room.bytes) + (room.abreast - 1) * s.apart;
  }
  s.scratch_bytes = at;
  return s;
}

/// The outputs of a group that are added to what is there.
template <auto S>
consteval output_set<S.outputs> sums_in_group() {
  output_set<S.outputs> added;
  for (int o = 0; o < static_cast<int>(S.outputs); ++o)
    if (!S.out.entry[o].by_point) added.insert(o);
  return added;
}

/// Runs the loop of points `S`, whose body over registers is `Body`. The first group has what is left over when
/// all others are full, so that nothing is read beyond the operands, and whatever its other lanes compute is
/// dropped before anything is added to it.
template <auto S, class Body, auto Accumulated, vectors Set = machine_vectors>
struct points {
  static constexpr auto s = S;
  static constexpr int held = s.width, width = held * bytes_of_register(Set) / register_bytes,
                       rest = s.counted ? 1 : s.count % width;
  static constexpr std::int64_t largest_on_stack = 8 * 1024;
  static constexpr auto sums = sums_in_group<S>();
  static constexpr int kernels = s.jams ? kernels_before_jam<Body>(sums) : Body::schedule.kernel_count;
  static constexpr bool jams = kernels < Body::schedule.kernel_count;

  ETCH_DETAIL_INLINED static status run(std::byte const* const* operands, std::byte* const* results,
                                        std::byte* scratch) {
    if constexpr (s.scratch_bytes <= largest_on_stack) {
      alignas(64) std::byte near[s.scratch_bytes];  // what never leaves this function may stay in registers
      return groups(operands, results, near);
    } else {
      return groups(operands, results, scratch);
    }
  }

 private:
  template <std::size_t O>
  static constexpr bool adds = [] {
    if constexpr (decltype(Accumulated)::size() == 0) return false;
    else return Accumulated[O];
  }();
  ETCH_DETAIL_INLINED static void each_input(auto f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<s.inputs>{});
  }
  ETCH_DETAIL_INLINED static void each_output(auto f) {
    [&]<std::size_t... O>(std::index_sequence<O...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, O>{}), ...);
    }(std::make_index_sequence<s.outputs>{});
  }

  [[gnu::always_inline]] static status groups(std::byte const* const* operands, std::byte* const* results,
                                              std::byte* scratch) {
    status outcome = status::ok;
    each_output([&](auto o) __attribute__((always_inline)) {
      if constexpr (!s.out[o].by_point)
        clear_sums<s.out[o].entries, held>(reinterpret_cast<scalar_of<s.out[o].type>*>(scratch + s.out[o].strip));
    });
    int points = s.count, first = rest;
    if constexpr (s.counted) {
      points = *reinterpret_cast<int const*>(operands[-1]);
      first = points % width;
    }
    for (int p = 0, count = first != 0 ? first : width; p < points; count = width) {
      int const registers = jams && count == width ? std::min(s.abreast, (points - p) / width) : 1;
      for (int r = 0; r < registers; ++r)
        outcome |= group(operands, results, scratch + r * s.apart, scratch, p + r * width, count);
      if constexpr (jams) jam(operands, scratch, registers);
      if (rest != 0 && count < width)
        each_output([&](auto o) __attribute__((always_inline)) {
          constexpr point_operand out = s.out[o];
          if constexpr (!out.by_point)
            keep_sums_of<out.entries, width, held>(reinterpret_cast<scalar_of<out.type>*>(scratch + out.strip), count);
        });
      p += registers * count;
    }
    each_output([&](auto o) __attribute__((always_inline)) {
      using T = scalar_of<s.out[o].type>;
      if constexpr (!s.out[o].by_point)
        leave_sums<s.out[o].entries, width, adds<o>, held>(reinterpret_cast<T*>(results[o]),
                                                           reinterpret_cast<T const*>(scratch + s.out[o].strip));
    });
    return outcome;
  }

  /// Whether an operand or result of one entry is a register in memory as it is.
  static constexpr bool is_read_in_place = held == width && !jams;

  /// `count` points from `p` on, in memory of their own at `scratch`; the sums are those of `all_scratch`.
  [[gnu::always_inline]] static status group(std::byte const* const* operands, std::byte* const* results,
                                             std::byte* scratch, std::byte* all_scratch, int p, int count) {
    bool const full = rest == 0 || count == width;
    std::byte const* all[1 + s.inputs];
    std::byte const** const arguments = all + 1;
    if constexpr (s.counts) arguments[-1] = operands[-1];
    std::byte* outputs[s.outputs];
    each_input([&](auto i) __attribute__((always_inline)) {
      constexpr point_operand in = s.in[i];
      using T = scalar_of<in.type>;
      arguments[i] = operands[i];
      if constexpr (in.by_point) {
        T const* const from = reinterpret_cast<T const*>(operands[i]) + p * in.entries;
        T* const strip = reinterpret_cast<T*>(scratch + in.strip);
        arguments[i] = reinterpret_cast<std::byte const*>(full && in.entries == 1 && is_read_in_place ? from : strip);
        if (!full) load_some_points<in.entries, width, held>(from, strip, count);
        else if constexpr (in.entries != 1 || !is_read_in_place) load_points<in.entries, width, held>(from, strip);
      }
    });
    each_output([&](auto o) __attribute__((always_inline)) {
      constexpr point_operand out = s.out[o];
      using T = scalar_of<out.type>;
      outputs[o] = (out.by_point ? scratch : all_scratch) + out.strip;
      if constexpr (out.by_point && out.entries == 1 && !adds<o> && is_read_in_place)
        if (full) outputs[o] = results[o] + p * static_cast<std::ptrdiff_t>(sizeof(T));
    });
    status const outcome = run_body<Body, sums, Set, kernels>(arguments, outputs, scratch + s.body);
    each_output([&](auto o) __attribute__((always_inline)) {
      constexpr point_operand out = s.out[o];
      using T = scalar_of<out.type>;
      T* const to = reinterpret_cast<T*>(results[o]) + (out.by_point ? p * out.entries : 0);
      T* const strip = reinterpret_cast<T*>(scratch + out.strip);
      if constexpr (out.by_point) {
        if (!full) store_some_points<out.entries, width, adds<o>, held>(to, strip, count);
        else if constexpr (out.entries != 1 || adds<o> || !is_read_in_place)
          store_points<out.entries, width, adds<o>, held>(to, strip);
      }
    });
    return outcome;
  }

  /// Adds the products of so many registers of points.
  [[gnu::always_inline]] static void jam(std::byte const* const* operands, std::byte* scratch, int registers) {
    std::byte const* all[1 + s.inputs];
    std::byte const** const arguments = all + 1;
    if constexpr (s.counts) arguments[-1] = operands[-1];
    std::byte* outputs[s.outputs];
    each_input([&](auto i) __attribute__((always_inline)) {
      arguments[i] = s.in[i].by_point ? scratch + s.in[i].strip : operands[i];
    });
    each_output([&](auto o) __attribute__((always_inline)) { outputs[o] = scratch + s.out[o].strip; });
    Body::template jam<sums, Set, kernels>(arguments, outputs, scratch + s.body, registers, s.apart);
  }
};

}  // namespace run
ETCH_NAMESPACE_END
