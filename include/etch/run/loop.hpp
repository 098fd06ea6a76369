// loop: one pass over memory that evaluates a body everywhere, with several outputs and reductions in registers.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// Entries of the narrowest register that holds `n` numbers, or of the widest one; 1, which is no register, for fewer than `Least`.
template <class T, int Least>
constexpr int width_for(int n) {
  int width = widest<T>;
  while (width / 2 >= n && width * static_cast<int>(sizeof(T)) > 16) width /= 2;
  return n < Least ? 1 : width;
}

/// Runs the loop of signature `S`. Along the first axis entries go through registers; what they leave of a row goes through one more, which
/// is partly filled or narrower. A reduction along that axis stays in accumulators. The order of all additions is fixed by the signature
/// alone, never by an address.
template <auto S>
struct loop {
  static constexpr auto const& s = unpacked<S>;
  using T = scalar_of<s.type>;
  static constexpr int length = s.extent[0];
  static constexpr int width = width_for<T, 4>(length);
  static constexpr int registers = length / width, rest = length % width;
  using V = typename number_of_width<T, width>::type;                  // of a row's registers
  using R = typename number_of_width<T, width_for<T, 2>(rest)>::type;  // of its rest

  /// Cost of a body's evaluation, in additions.
  static constexpr int cost = [] {
    int sum = 1;
    for (step_signature const& step : s.code) sum += op_table.entry[step.op].cost;
    return sum;
  }();
  static constexpr int unroll = cost > 24 || registers == 0 ? 1 : std::min(registers, 4);
  static constexpr bool is_straight = registers * cost <= 64;  ///< whether a row is no loop but straight-line code
  static constexpr bool is_one_row = s.extent[1] * s.extent[2] * s.extent[3] == 1;

  /// Whether both registers of one row with a long body are evaluated abreast: one after the other, each would wait for its own results.
  /// (More than two would not fit into the machine's registers, and take long to compile.)
  static constexpr bool abreast = is_one_row && !is_straight && registers + (rest != 0) == 2 && (rest == 0 || std::is_same_v<R, V>);

  /// Whether output `o` is reduced along the first axis, hence kept in accumulators; and along all others too.
  static constexpr bool in_accumulators(std::size_t o) { return s.out[o].reduces && (s.out[o].step[0] == 0); }
  static constexpr bool is_total(std::size_t o) {
    bool total = in_accumulators(o);
    for (std::int64_t step : s.out[o].step) total = total && step == 0;
    return total;
  }

  /// Whether output `o` begins anew with every row: what is added first then needs no neutral element to be added to.
  static constexpr bool starts_with_row(std::size_t o) { return is_one_row || !is_total(o); }

  struct accumulators {
    V of[unroll][s.outputs];
    R of_rest[s.outputs];
  };

  [[gnu::always_inline]] static inline void run(std::byte* const* pointers) {
    accumulators sums;
    each_output([&](auto o) __attribute__((always_inline)) { reset<o>(sums); });
    std::byte* base[run::body<S, V>::pointer_count];
    outer_index i{};
    if constexpr (is_one_row) {
      run::body<S, V>::template advance<1>(pointers, i, base);
      row(base, i, sums);
    } else {
      for (i[3] = 0; i[3] < s.extent[3]; ++i[3])
        for (i[2] = 0; i[2] < s.extent[2]; ++i[2])
          for (i[1] = 0; i[1] < s.extent[1]; ++i[1]) {
            run::body<S, V>::template advance<1>(pointers, i, base);
            row(base, i, sums);
            each_output([&](auto o) __attribute__((always_inline)) {
              if constexpr (in_accumulators(o) && !is_total(o)) {
                flush<o>(base[s.inputs + o], sums, first_visit<o>(i));
                reset<o>(sums);
              }
            });
          }
    }
    each_output([&](auto o) __attribute__((always_inline)) {
      if constexpr (is_total(o) || (is_one_row && in_accumulators(o))) flush<o>(pointers[s.inputs + o], sums, !s.out[o].accumulates);
    });
  }

 private:
  [[gnu::always_inline]] static inline void each_output(auto f) {
    [&]<std::size_t... O>(std::index_sequence<O...>) __attribute__((always_inline)) { (f(std::integral_constant<std::size_t, O>{}), ...); }
    (std::make_index_sequence<s.outputs>{});
  }

  [[gnu::always_inline]] static inline void row(std::byte* const* base, outer_index const& i, accumulators& sums) {
    typename run::body<S, V>::values held;
    if constexpr (registers != 0) run::body<S, V>::hold(held, base, i);
    auto const whole = [&](std::ptrdiff_t first, auto r) __attribute__((always_inline)) {
      step<width, is_straight && (r < unroll)>(held, base, (first + r) * width, i, sums.of[r % unroll]);
    };
    std::ptrdiff_t first = 0;
    if constexpr (abreast) {
      typename run::body<S, V>::values v[2]{held, held};
      run::body<S, V>::template evaluate_abreast<2, rest == 0 ? width : rest>(base, i, v);
      unrolled<registers>([&](auto r) __attribute__((always_inline)) { leave<V, width, false>(v[r], base, r * width, i, sums.of[0]); });
      if constexpr (rest != 0) leave<R, rest, true>(v[registers], base, registers * width, i, sums.of_rest);
      return;
    }
    if constexpr (!is_straight)
      for (; first + unroll <= registers; first += unroll)
        unrolled<unroll>([&](auto r) __attribute__((always_inline)) { whole(first, r); });
    unrolled<is_straight ? registers : registers % unroll>([&](auto r) __attribute__((always_inline)) { whole(first, r); });
    if constexpr (rest != 0) {
      if constexpr (registers != 0 && std::is_same_v<R, V>) step<rest, true>(held, base, registers * width, i, sums.of_rest);
      else
        leave<R, rest, true>(run::body<S, R>::template evaluate<rest>(base, registers * width, i, R(T(0))), base, registers * width, i,
                             sums.of_rest);
    }
  }

  template <int Count, bool First>
  [[gnu::always_inline]] static inline void step(typename run::body<S, V>::values const& held, std::byte* const* base, std::ptrdiff_t at,
                                                 outer_index const& i, V* sums) {
    leave<V, Count, First>(run::body<S, V>::template evaluate_held<Count>(held, base, at, i), base, at, i, sums);
  }

  /// Stores or accumulates what a register's body has computed.
  template <class Number, int Count, bool First>
  [[gnu::always_inline]] static inline void leave(typename run::body<S, Number>::values const& v, std::byte* const* base, std::ptrdiff_t at,
                                                  outer_index const& i, Number* sums) {
    using body = run::body<S, Number>;
    each_output([&](auto o) __attribute__((always_inline)) {
      Number value = v.of[s.out[o].value];
      if constexpr (in_accumulators(o)) {
        if constexpr (Count != width_of<Number>) value = value.template first<Count>(start<o>());
        if constexpr (First && starts_with_row(o)) sums[o] = value;
        else sums[o] = body::template combined<o>(sums[o], value);
      } else {
        body::template store<o, Count>(base[s.inputs + o], at, value, s.out[o].reduces ? !first_visit<o>(i) : s.out[o].accumulates);
      }
    });
  }

  /// Whether no entry that output `O` combines has been visited before row `i`, and its storage holds nothing to be added to.
  template <std::size_t O>
  [[gnu::always_inline]] static inline bool first_visit(outer_index const& i) {
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
  [[gnu::always_inline]] static inline void reset(accumulators& sums) {
    if constexpr (in_accumulators(O) && !(is_straight && starts_with_row(O)))
      unrolled<unroll>([&](auto u) __attribute__((always_inline)) { sums.of[u][O] = V(start<O>()); });
    if constexpr (in_accumulators(O) && !starts_with_row(O)) sums.of_rest[O] = R(start<O>());
  }

  template <std::size_t O>
  [[gnu::always_inline]] static inline void flush(std::byte* storage, accumulators const& sums, bool assign) {
    auto const combine = [](auto a, auto b) __attribute__((always_inline)) { return run::body<S, V>::template combined<O>(a, b); };
    auto const across = [&](auto sum) __attribute__((always_inline)) {
      if constexpr (width_of<decltype(sum)> == 1) return sum;
      else return sum.across(combine);
    };
    T total;
    if constexpr (registers == 0) {
      total = across(sums.of_rest[O]);
    } else {
      V sum = sums.of[0][O];
      unrolled<unroll - 1>([&](auto u) __attribute__((always_inline)) { sum = combine(sum, sums.of[u + 1][O]); });
      if constexpr (rest == 0) total = across(sum);
      else if constexpr (std::is_same_v<R, V>) total = across(combine(sum, sums.of_rest[O]));
      else total = combine(across(sum), across(sums.of_rest[O]));
    }
    T& to = *reinterpret_cast<T*>(storage);
    to = assign ? total : combine(to, total);
  }
};

}  // namespace etch::inline ETCH_ABI::run
