// elementwise_kernel: one pass over memory that evaluates a body everywhere, with several
// outputs and reductions in registers.
#pragma once

#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Runs the loop of signature `S`. Along the first axis entries go through registers; what they leave of a row goes
/// through one more, which is partly filled or narrower. A reduction along that axis stays in accumulators. The order
/// of all additions is fixed by the signature alone, never by an address.
template <auto S, vectors Set = machine_vectors>
struct elementwise_kernel {
  static constexpr auto const& s = unpacked<S>;
  using T = scalar_of<s.type>;
  static constexpr int length = s.extent[0];
  /// Two or three entries are worth a register where one would cost as much.
  static constexpr int width =
      width_for<T, std::any_of(s.code.begin(), s.code.end(), is_worth_a_register) ? 2 : 4, Set>(length);
  /// Whether the length of rows is known at run time only, and is at most `length`.
  static constexpr bool rows_are_counted = s.counted == 1;
  static constexpr int registers = rows_are_counted ? std::max(1, length / width) : length / width,
                       rest = rows_are_counted ? width : length % width;
  using V = typename number_of_width<T, width>::type;  // of a row's registers
  using R = std::conditional_t<rows_are_counted, V,
                               typename number_of_width<T, width_for<T, 2, Set>(rest)>::type>;  // of its rest

  /// Cost of a body's evaluation, in additions.
  static constexpr int cost = [] {
    int sum = 1;
    for (step_signature const& step : s.code) sum += op_table.entry[step.op].cost;
    return sum;
  }();
  static constexpr int unroll = cost > 24 || registers == 0 ? 1 : std::min(registers, 4);
  static constexpr bool is_straight =
      !rows_are_counted && registers * cost <= 64;  ///< whether a row is no loop but straight-line code
  static constexpr bool is_one_row = s.extent[1] == 1 && s.extent[2] == 1 && s.extent[3] == 1;

  /// Whether both registers of one row with a long body are evaluated abreast: one after the other, each would wait for
  /// its own results. (More than two would not fit into the machine's registers, and take long to compile.)
  static constexpr bool abreast = is_one_row && !is_straight && !rows_are_counted && registers + (rest != 0) == 2 &&
                                  (rest == 0 || std::is_same_v<R, V>);

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
    if constexpr (is_one_entry(s)) {
      run_once(pointers, each_output{});
    } else {
      accumulators sums;
      reset_all(sums, each_output{});
      [[maybe_unused]] std::ptrdiff_t counted = 0;
      if constexpr (s.counted != 0) {
        counted = counted_in(s, pointers);
        if (counted == 0) start_empty_all(pointers, each_output{});
      }
      // Of a single row too: no store can change these copies, where compilers would read `pointers` again after each.
      std::byte* base[run::body<S, V>::pointer_count];
      outer_index i{};
      if constexpr (is_one_row) {
        run::body<S, V>::copy(pointers, base);
        row(base, i, sums, counted);
      } else {
        for (i[3] = 0; i[3] < extent<3>(counted); ++i[3])
          for (i[2] = 0; i[2] < extent<2>(counted); ++i[2])
            for (i[1] = 0; i[1] < extent<1>(counted); ++i[1]) {
              run::body<S, V>::advance(pointers, i, base);
              row(base, i, sums, counted);
              finish_row(base, i, sums, each_output{});
            }
      }
      finish(pointers, sums, each_output{});
    }
  }

 private:
  using each_output = std::make_index_sequence<s.outputs>;

  /// Runs the body for the only entry. Of programs on numbers every kernel is such, so it goes no way through rows.
  template <std::size_t... O>
  [[gnu::always_inline]] static inline void run_once(std::byte* const* pointers, std::index_sequence<O...>) {
    using body = run::body<S, T>;
    auto const v = body::evaluate(pointers, 0, {}, T(0), count_of<1>{});
    (body::template store<O>(pointers[s.inputs + O], 0, v.of[s.out[O].value], s.out[O].accumulates, count_of<1>{}),
     ...);
  }

  template <std::size_t... O>
  [[gnu::always_inline]] static inline void reset_all(accumulators& sums, std::index_sequence<O...>) {
    (reset<O>(sums), ...);
  }
  template <std::size_t... O>
  static void start_empty_all(std::byte* const* pointers, std::index_sequence<O...>) {
    (start_empty<O>(pointers), ...);
  }
  template <std::size_t... O>
  [[gnu::always_inline]] static inline void finish_row(std::byte* const* base, outer_index const& i, accumulators& sums,
                                                       std::index_sequence<O...>) {
    (finish_row<O>(base, i, sums), ...);
  }
  template <std::size_t... O>
  [[gnu::always_inline]] static inline void finish(std::byte* const* pointers, accumulators const& sums,
                                                   std::index_sequence<O...>) {
    (finish<O>(pointers, sums), ...);
  }

  template <std::size_t Axis>
  static constexpr std::ptrdiff_t extent([[maybe_unused]] std::ptrdiff_t counted) {
    if constexpr (s.counted == Axis + 1) return counted;
    else return s.extent[Axis];
  }
  /// Begins output `O`, to which none of the rows that there are adds anything, where it is a reduction along them.
  template <std::size_t O>
  static void start_empty([[maybe_unused]] std::byte* const* pointers) {
    constexpr output_signature out = s.out[O];
    constexpr auto axis = static_cast<std::size_t>(s.counted - 1);
    if constexpr (out.reduces && !out.accumulates && !is_total(O) && axis != 0 && out.step[axis] == 0)
      start_entries(pointers[s.inputs + O], s.extent, run::body<S, V>::strides.entry[s.inputs + O], start<O>());
  }

  /// Writes output `O` where its accumulators belong to row `i` alone.
  template <std::size_t O>
  [[gnu::always_inline]] static inline void finish_row([[maybe_unused]] std::byte* const* base,
                                                       [[maybe_unused]] outer_index const& i,
                                                       [[maybe_unused]] accumulators& sums) {
    if constexpr (in_accumulators(O) && !is_total(O)) {
      flush<O>(base[s.inputs + O], sums, first_visit<O>(i));
      reset<O>(sums);
    }
  }
  /// Writes output `O` where its accumulators have added up all rows.
  template <std::size_t O>
  [[gnu::always_inline]] static inline void finish([[maybe_unused]] std::byte* const* pointers,
                                                   [[maybe_unused]] accumulators const& sums) {
    if constexpr (is_total(O) || (is_one_row && in_accumulators(O)))
      flush<O>(pointers[s.inputs + O], sums, !s.out[O].accumulates);
  }

  [[gnu::always_inline]] static inline void row(std::byte* const* base, outer_index const& i, accumulators& sums,
                                                [[maybe_unused]] std::ptrdiff_t counted) {
    typename run::body<S, V>::values held;
    if constexpr (registers != 0 && run::body<S, V>::holds_any()) run::body<S, V>::hold(held, base, i);
    std::ptrdiff_t first = 0;
    if constexpr (rows_are_counted) {
      int const whole = static_cast<int>(counted / width);  // extents are no larger
      int ahead = whole;
      for (; ahead >= unroll; ahead -= unroll, first += unroll) steps<unroll>(first, held, base, i, sums);
      for (; ahead > 0; --ahead, ++first) steps<1>(first, held, base, i, sums);
      if (int const left = static_cast<int>(counted % width); left != 0)
        leave<V, false>(run::body<S, V>::evaluate(base, whole * width, i, V(T(0)), left), left, base, whole * width, i,
                        sums.of_rest);
      return;
    }
    if constexpr (abreast) {
      typename run::body<S, V>::values v[2]{held, held};
      run::body<S, V>::template evaluate_abreast<2, rest == 0 ? width : rest>(base, i, v);
      unrolled<registers>([&](auto r) __attribute__((always_inline)) {
        leave<V, false>(v[r], count_of<width>{}, base, r * width, i, sums.of[0]);
      });
      if constexpr (rest != 0) leave<R, true>(v[registers], count_of<rest>{}, base, registers * width, i, sums.of_rest);
      return;
    }
    if constexpr (is_straight) {
      constexpr int begun = std::min(registers, unroll);
      steps<begun, true>(0, held, base, i, sums);
      steps<registers - begun>(begun, held, base, i, sums);
    } else {
      for (; first + unroll <= registers; first += unroll) steps<unroll>(first, held, base, i, sums);
      steps<registers % unroll>(first, held, base, i, sums);
    }
    if constexpr (rest != 0) {
      if constexpr (registers != 0 && std::is_same_v<R, V>)
        step<rest, true>(held, base, registers * width, i, sums.of_rest);
      else
        leave<R, true>(run::body<S, R>::evaluate(base, registers * width, i, R(T(0)), count_of<rest>{}),
                       count_of<rest>{}, base, registers * width, i, sums.of_rest);
    }
  }

  /// Runs `Count` full registers, from register `first` of the row on. It is a loop which compilers unroll after they
  /// have simplified its body: that costs them far less than a body written out as often.
  template <int Count, bool First = false>
  [[gnu::always_inline]] static inline void steps([[maybe_unused]] std::ptrdiff_t first,
                                                  [[maybe_unused]] typename run::body<S, V>::values const& held,
                                                  [[maybe_unused]] std::byte* const* base,
                                                  [[maybe_unused]] outer_index const& i,
                                                  [[maybe_unused]] accumulators& sums) {
    if constexpr (Count == 1) {
      step<width, First>(held, base, first * width, i, sums.of[0]);
    } else if constexpr (Count > 1) {
#pragma GCC unroll 64
      for (int r = 0; r < Count; ++r) step<width, First>(held, base, (first + r) * width, i, sums.of[r % unroll]);
    }
  }
  template <int Count, bool First>
  [[gnu::always_inline]] static inline void step(typename run::body<S, V>::values const& held, std::byte* const* base,
                                                 std::ptrdiff_t at, outer_index const& i, V* sums) {
    using body = run::body<S, V>;
    constexpr count_of<Count> count;
    if constexpr (body::holds_any())
      leave<V, First>(body::template evaluate_held<Count>(held, base, at, i), count, base, at, i, sums);
    else leave<V, First>(body::evaluate(base, at, i, V(T(0)), count), count, base, at, i, sums);
  }

  /// Stores or accumulates what a register's body has computed: the first `count` entries.
  template <class Number, bool First, class Count>
  [[gnu::always_inline]] static inline void leave(typename run::body<S, Number>::values const& v, Count count,
                                                  std::byte* const* base, std::ptrdiff_t at, outer_index const& i,
                                                  Number* sums) {
    leave_all<Number, First>(v, count, base, at, i, sums, each_output{});
  }
  template <class Number, bool First, class Count, std::size_t... O>
  [[gnu::always_inline]] static inline void leave_all(typename run::body<S, Number>::values const& v, Count count,
                                                      std::byte* const* base, std::ptrdiff_t at, outer_index const& i,
                                                      Number* sums, std::index_sequence<O...>) {
    (leave_output<O, Number, First>(v.of[s.out[O].value], count, base, at, i, sums), ...);
  }
  template <std::size_t O, class Number, bool First, class Count>
  [[gnu::always_inline]] static inline void leave_output(Number value, [[maybe_unused]] Count count,
                                                         [[maybe_unused]] std::byte* const* base,
                                                         [[maybe_unused]] std::ptrdiff_t at,
                                                         [[maybe_unused]] outer_index const& i,
                                                         [[maybe_unused]] Number* sums) {
    using body = run::body<S, Number>;
    if constexpr (in_accumulators(O)) {
      if constexpr (width_of<Number> > 1 && !is_whole<Count, width_of<Number>>) value = value.first(count, start<O>());
      if constexpr (First && starts_with_row(O)) sums[O] = value;
      else sums[O] = typename body::template combination<O>{}(sums[O], value);
    } else {
      body::template store<O>(base[s.inputs + O], at, value,
                              s.out[O].reduces ? !first_visit<O>(i) : s.out[O].accumulates, count);
    }
  }

  /// Whether no entry that output `O` combines has been visited before row `i`, and its
  /// storage holds nothing to be added to.
  template <std::size_t O>
  [[gnu::always_inline]] static inline bool first_visit(outer_index const& i) {
    constexpr output_signature out = s.out[O];
    return !out.accumulates && (out.step[1] != 0 || i[1] == 0) && (out.step[2] != 0 || i[2] == 0) &&
           (out.step[3] != 0 || i[3] == 0);
  }

  template <std::size_t O>
  static constexpr T start() {
    return static_cast<T>(op_at<s.out[O].op>::start);
  }

  template <std::size_t O>
  [[gnu::always_inline]] static inline void reset(accumulators& sums) {
    if constexpr (in_accumulators(O) && !(is_straight && starts_with_row(O)))
      unrolled<unroll>([&](auto u) __attribute__((always_inline)) { sums.of[u][O] = V(start<O>()); });
    if constexpr (in_accumulators(O) && (rows_are_counted || !starts_with_row(O))) sums.of_rest[O] = R(start<O>());
  }

  template <std::size_t O>
  [[gnu::always_inline]] static inline void flush(std::byte* storage, accumulators const& sums, bool assign) {
    constexpr typename run::body<S, V>::template combination<O> combine;
    T total;
    if constexpr (registers == 0) {
      total = across(sums.of_rest[O], combine);
    } else {
      V sum = sums.of[0][O];
      if constexpr (unroll > 1)
        unrolled<unroll - 1>([&](auto u) __attribute__((always_inline)) { sum = combine(sum, sums.of[u + 1][O]); });
      if constexpr (rest == 0) total = across(sum, combine);
      else if constexpr (std::is_same_v<R, V>) total = across(combine(sum, sums.of_rest[O]), combine);
      else total = combine(across(sum, combine), across(sums.of_rest[O], combine));
    }
    T& to = *reinterpret_cast<T*>(storage);
    to = assign ? total : combine(to, total);
  }
};

}  // namespace run
ETCH_NAMESPACE_END
