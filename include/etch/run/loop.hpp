// loop: one pass over memory that evaluates a body everywhere, with several outputs and reductions in registers.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// Runs the loop of signature `S`. Along the first axis entries go through registers, the last register partly filled; a reduction along it
/// stays in `unroll` accumulators. The order of all additions is fixed by the signature alone, never by an address.
template <auto S>
struct loop {
  static constexpr auto s = S;  // a copy, for the reason given in body.hpp
  using T = scalar_of<s.type>;
  static constexpr int length = s.extent[0];
  static constexpr int width = pass::detail::lane_count(s.type, length);
  using V = typename number_of_width<T, width>::type;
  using body = run::body<S, V>;
  static constexpr int unroll = s.steps_count > 16 ? 1 : length >= 4 * width ? 4 : length >= 2 * width ? 2 : 1;
  static constexpr int rest = length % width;

  /// Whether output `o` is reduced along the first axis, hence kept in accumulators; and along all others too.
  static constexpr bool in_accumulators(std::size_t o) { return s.out[o].reduces && (s.out[o].step[0] == 0); }
  static constexpr bool is_total(std::size_t o) {
    bool total = in_accumulators(o);
    for (std::int64_t step : s.out[o].step) total = total && step == 0;
    return total;
  }

  struct accumulators {
    V of[s.outputs][unroll];
  };

  static void run(std::byte* const* pointers) {
    accumulators sums;
    each_output([&](auto o) { reset<o>(sums); });
    outer_index i{};
    for (i[3] = 0; i[3] < s.extent[3]; ++i[3])
      for (i[2] = 0; i[2] < s.extent[2]; ++i[2])
        for (i[1] = 0; i[1] < s.extent[1]; ++i[1]) {
          std::byte* base[body::pointer_count];
          body::template advance<1>(pointers, i, base);
          row(base, i, sums);
          each_output([&](auto o) {
            if constexpr (in_accumulators(o) && !is_total(o)) {
              flush<o>(base[s.inputs + o], sums, first_visit<o>(i));
              reset<o>(sums);
            }
          });
        }
    each_output([&](auto o) {
      if constexpr (is_total(o)) flush<o>(pointers[s.inputs + o], sums, !s.out[o].accumulates);
    });
  }

 private:
  static void each_output(auto f) {
    [&]<std::size_t... O>(std::index_sequence<O...>) { (f(std::integral_constant<std::size_t, O>{}), ...); }
    (std::make_index_sequence<s.outputs>{});
  }

  static void row(std::byte* const* base, outer_index const& i, accumulators& sums) {
    std::ptrdiff_t at = 0;
    for (; at + unroll * width <= length; at += unroll * width)
      unrolled<unroll>([&](auto u) __attribute__((always_inline)) { step<width>(base, at + u * width, i, sums, u); });
    if constexpr (unroll > 1)
      for (; at + width <= length; at += width) step<width>(base, at, i, sums, 0);
    if constexpr (rest != 0) step<rest>(base, at, i, sums, 0);
  }

  template <int Count>
  static void step(std::byte* const* base, std::ptrdiff_t at, outer_index const& i, accumulators& sums, int slot) {
    auto const v = body::template evaluate<Count>(base, at, i, V(T(0)));
    each_output([&](auto o) {
      V value = v.of[s.out[o].value];
      if constexpr (in_accumulators(o)) {
        if constexpr (Count != width) value = value.template first<Count>(start<o>());
        sums.of[o][slot] = body::template combined<o>(sums.of[o][slot], value);
      } else {
        body::template store<o, Count>(base[s.inputs + o], at, value, s.out[o].reduces ? !first_visit<o>(i) : s.out[o].accumulates);
      }
    });
  }

  /// Whether no entry that output `O` combines has been visited before row `i`, and its storage holds nothing to be added to.
  template <std::size_t O>
  static bool first_visit(outer_index const& i) {
    if (s.out[O].accumulates) return false;
    for (std::size_t axis = 1; axis < max_rank; ++axis)
      if (s.out[O].step[axis] == 0 && i[axis] != 0) return false;
    return true;
  }

  template <std::size_t O>
  static constexpr T start() {
    return static_cast<T>(op_at<s.out[O].op>::start);
  }

  template <std::size_t O>
  static void reset(accumulators& sums) {
    if constexpr (in_accumulators(O))
      for (V& sum : sums.of[O]) sum = V(start<O>());
  }

  template <std::size_t O>
  static void flush(std::byte* storage, accumulators const& sums, bool assign) {
    auto const combine = [](auto a, auto b) { return body::template combined<O>(a, b); };
    V sum = sums.of[O][0];
    for (int u = 1; u < unroll; ++u) sum = combine(sum, sums.of[O][u]);
    T total;
    if constexpr (width == 1) total = sum;
    else total = sum.across(combine);
    T& to = *reinterpret_cast<T*>(storage);
    to = assign ? total : combine(to, total);
  }
};

}  // namespace etch::inline ETCH_ABI::run
