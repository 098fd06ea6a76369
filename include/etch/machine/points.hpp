// points: runs the steps of a loop of points several at a time, one in each lane of a register.
#pragma once

#include <etch/machine/dispatch.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/machine/signature.hpp>
#include <etch/machine/unroll_and_jam.hpp>

#include <algorithm>
#include <cstring>

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

/// Registers as the rows of a square, whose columns they become.
template <class T, int Width>
[[gnu::always_inline]] inline void transpose_square(lanes<T, Width>* row) {
  constexpr int width = Width;
  using packet = typename lanes<T, Width>::packet;
  auto const stage = [row]<int Distance>(std::integral_constant<int, Distance>) __attribute__((always_inline)) {
    for (int i = 0; i < width; ++i) {
      if ((i & Distance) != 0) continue;
      packet const a = row[i].p, b = row[i + Distance].p;
      [&]<int... L>(std::integer_sequence<int, L...>) __attribute__((always_inline)) {
        row[i].p = __builtin_shufflevector(a, b, ((L & Distance) == 0 ? L : L - Distance + width)...);
        row[i + Distance].p = __builtin_shufflevector(a, b, ((L & Distance) == 0 ? L + Distance : L + width)...);
      }(std::make_integer_sequence<int, width>{});
    }
  };
  [&]<int... Stage>(std::integer_sequence<int, Stage...>) __attribute__((always_inline)) {
    (stage(std::integral_constant<int, 1 << Stage>{}), ...);
  }(std::make_integer_sequence<int, std::bit_width(static_cast<unsigned>(width)) - 1>{});
}

/// Calls `f(first, count)` for stretches of at most a register's entries out of `Entries`, with
/// the count as an integral constant.
template <int Width, std::int64_t Entries>
[[gnu::always_inline]] inline void each_stretch(auto f) {
  std::ptrdiff_t at = 0;
  for (; at + Width <= Entries; at += Width) f(at, std::integral_constant<int, Width>{});
  if constexpr (Entries % Width != 0) f(at, std::integral_constant<int, static_cast<int>(Entries % Width)>{});
}

/// Whether `Width` numbers of type `T` are a register.
template <class T, int Width>
inline constexpr bool is_register = std::is_floating_point_v<T> && sizeof(T) * Width >= 16;

// An entry of a strip holds `Held` points, of which the first `Width` are computed.

/// Does `load_points` for the first `points` lanes only; the others repeat the last of these points.
template <std::int64_t Entries, int Width, int Held = Width, class T>
void load_some_points(T const* from, T* strip, int points) {
  for (std::ptrdiff_t i = 0; i < Entries; ++i)
    for (int point = 0; point < Width; ++point)
      strip[i * Held + point] = from[std::min(point, points - 1) * Entries + i];
}
/// A register for each of `Entries` entries, from the entries of `Width` points one after the other.
template <std::int64_t Entries, int Width, int Held = Width, class T>
[[gnu::always_inline]] inline void load_points(T const* from, T* strip) {
  if constexpr (Entries == 1) std::memcpy(strip, from, Width * sizeof(T));
  else if constexpr (is_register<T, Width>)
    each_stretch<Width, Entries>([&](std::ptrdiff_t at, auto count) __attribute__((always_inline)) {
      lanes<T, Width> square[Width];
      for (int point = 0; point < Width; ++point)
        square[point] = lanes<T, Width>::template load<count>(from + point * Entries + at);
      transpose_square(square);
      for (int i = 0; i < count; ++i) square[i].store(strip + (at + i) * Held);
    });
  else load_some_points<Entries, Width, Held>(from, strip, Width);
}
/// The way back: entries of the first `points` points, from registers.
template <std::int64_t Entries, int Width, bool Add, int Held = Width, class T>
void store_some_points(T* to, T const* strip, int points) {
  for (int point = 0; point < points; ++point)
    for (std::ptrdiff_t i = 0; i < Entries; ++i) {
      T& entry = to[point * Entries + i];
      entry = static_cast<T>((Add ? entry : T(0)) + strip[i * Held + point]);
    }
}
/// Those of all.
template <std::int64_t Entries, int Width, bool Add, int Held = Width, class T>
[[gnu::always_inline]] inline void store_points(T* to, T const* strip) {
  if constexpr (Entries == 1 && !Add) std::memcpy(to, strip, Width * sizeof(T));
  else if constexpr (is_register<T, Width>)
    each_stretch<Width, Entries>([&](std::ptrdiff_t at, auto count) __attribute__((always_inline)) {
      using V = lanes<T, Width>;
      V square[Width];
      for (int i = 0; i < Width; ++i) square[i] = i < count ? V::load(strip + (at + i) * Held) : V(T(0));
      transpose_square(square);
      for (int point = 0; point < Width; ++point) {
        T* const place = to + point * Entries + at;
        if constexpr (Add) square[point] = V::template load<count>(place) + square[point];
        square[point].template store<count>(place);
      }
    });
  else store_some_points<Entries, Width, Add, Held>(to, strip, Width);
}

/// Sums over points: a register for each entry while the loop runs, added up across its lanes at the end.
template <std::int64_t Entries, int Held, class T>
void clear_sums(T* strip) {
  for (std::ptrdiff_t i = 0; i < Entries * Held; ++i) strip[i] = T(0);
}
/// Zeroes the lanes from `points` on, whatever they have added. (A register that is read after its lanes were written
/// one by one waits for all of them.)
template <std::int64_t Entries, int Width, int Held, class T>
[[gnu::always_inline]] inline void keep_sums_of(T* strip, int points) {
  for (std::ptrdiff_t i = 0; i < Entries; ++i) {
    T* const each = strip + i * Held;
    if constexpr (is_register<T, Width>) lanes<T, Width>::load(each).first(points, T(0)).store(each);
    else
      for (int point = points; point < Width; ++point) each[point] = T(0);
  }
}
template <int Width, class T>
[[gnu::always_inline]] inline T sum_of_lanes(T const* lane) {
  if constexpr (is_register<T, Width>) {
    return lanes<T, Width>::load(lane).across([](auto a, auto b) { return a + b; });
  } else {
    T total = lane[0];
    for (int i = 1; i < Width; ++i) total = static_cast<T>(total + lane[i]);
    return total;
  }
}
template <std::int64_t Entries, int Width, bool Add, int Held = Width, class T>
ETCH_DETAIL_INLINED void leave_sums(T* to, T const* strip) {
  for (std::ptrdiff_t i = 0; i < Entries; ++i) {
    T const total = sum_of_lanes<Width>(strip + i * Held);
    to[i] = Add ? static_cast<T>(to[i] + total) : total;
  }
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
