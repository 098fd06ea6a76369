// elementwise_kernel: one pass over memory that evaluates a body everywhere, with several
// outputs and reductions in registers.
#pragma once

#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// When the accumulators of an output go to memory: after each row or after all, where it is reduced along the first
/// axis; elsewhere it has none.
enum class sums_end { none, row, all };

/// When those of each output of signature `s` do.
template <class Signature>
constexpr auto sums_end_of(Signature const& s) {
  bool const is_one_row = s.extent.entry[1] == 1 && s.extent.entry[2] == 1 && s.extent.entry[3] == 1;
  fixed<sums_end, Signature::outputs> ends{};
  for (std::size_t o = 0; o < Signature::outputs; ++o)
    if (steps const& step = s.out.entry[o].step; s.out.entry[o].reduces && step.entry[0] == 0)
      ends.entry[o] = is_one_row || step == steps{} ? sums_end::all : sums_end::row;
  return ends;
}

/// The starts of the accumulators of each output.
template <class T, class Signature>
constexpr auto starts_of(Signature const& s) {
  fixed<T, Signature::outputs> starts{};
  for (std::size_t o = 0; o < Signature::outputs; ++o)
    starts.entry[o] = static_cast<T>(op_table.entry[s.out.entry[o].op].start);
  return starts;
}

/// The cost of a body's evaluation, in additions.
template <class Signature>
constexpr int cost_of(Signature const& s) {
  int sum = 1;
  for (step_signature const& step : s.code) sum += op_table.entry[step.op].cost;
  return sum;
}

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
  static constexpr int cost = cost_of(s);
  static constexpr int unroll = cost > 24 || registers == 0 ? 1 : std::min(registers, 4);
  static constexpr bool is_straight =
      !rows_are_counted && registers * cost <= 64;  ///< whether a row is no loop but straight-line code
  static constexpr bool is_one_row = s.extent[1] == 1 && s.extent[2] == 1 && s.extent[3] == 1;

  /// Whether both registers of one row with a long body are evaluated abreast: one after the other, each would wait for
  /// its own results. (More than two would not fit into the machine's registers, and take long to compile.)
  static constexpr bool abreast = is_one_row && !is_straight && !rows_are_counted && registers + (rest != 0) == 2 &&
                                  (rest == 0 || std::is_same_v<R, V>);

  static constexpr auto ends = sums_end_of(s);
  static constexpr bool any_end_with_row = std::find(ends.begin(), ends.end(), sums_end::row) != ends.end(),
                        any_end_with_all = std::find(ends.begin(), ends.end(), sums_end::all) != ends.end();

  /// Whether output `o` begins anew with every row: what is added first then needs no neutral element to be added to.
  static constexpr bool starts_with_row(std::size_t o) { return is_one_row || ends[o] == sums_end::row; }

  struct accumulators {
    V of[unroll][s.outputs];
    R of_rest[s.outputs];
  };

  [[gnu::always_inline]] static inline void run(std::byte* const* pointers) {
    if constexpr (is_one_entry(s)) {
      run_once(pointers, each_output{});
    } else {
      accumulators sums;
      if constexpr (any_end_with_row || any_end_with_all) reset(sums, true);
      [[maybe_unused]] std::ptrdiff_t counted = 0;
      if constexpr (s.counted != 0) {
        counted = counted_in(s, pointers);
        if (counted == 0) start_empty(pointers);
      }
      // Of a single row too: no store can change these copies, where compilers would read `pointers` again after each.
      std::byte* base[run::body<S, V>::pointer_count];
      outer_index i{};
      if constexpr (is_one_row) {
        run::body<S, V>::copy(pointers, base);
        row(base, i, sums, counted);
      } else {
        for (i[3] = 0; i[3] < (s.counted == 4 ? counted : s.extent[3]); ++i[3])
          for (i[2] = 0; i[2] < (s.counted == 3 ? counted : s.extent[2]); ++i[2])
            for (i[1] = 0; i[1] < (s.counted == 2 ? counted : s.extent[1]); ++i[1]) {
              run::body<S, V>::advance(pointers, i, base);
              row(base, i, sums, counted);
              if constexpr (any_end_with_row) {
                finish<sums_end::row>(base, i, sums, each_output{});
                reset(sums, false);
              }
            }
      }
      if constexpr (any_end_with_all) finish<sums_end::all>(pointers, {}, sums, each_output{});
    }
  }

 private:
  using each_output = std::make_index_sequence<s.outputs>;

  /// Runs the body for the only entry. Of programs on numbers every kernel is such, so it goes no way through rows.
  template <std::size_t... O>
  [[gnu::always_inline]] static inline void run_once(std::byte* const* pointers, std::index_sequence<O...>) {
    using body = run::body<S, T>;
    auto const v = body::evaluate(pointers, 0, {}, T(0), count_of<1>{});
    (store<0, typename body::template combination<O>>(v.of[s.out[O].value], pointers[s.inputs + O], 0,
                                                      s.out[O].accumulates, count_of<1>{}),
     ...);
  }

  /// Accumulators of each output start from these.
  static constexpr auto starts = starts_of<T>(s);
  /// Starts the accumulators, those of all rows too or not.
  [[gnu::always_inline]] static inline void reset(accumulators& sums, bool all) {
#pragma GCC unroll 64
    for (std::size_t o = 0; o < s.outputs; ++o) {
      if (ends[o] == sums_end::none || (ends[o] == sums_end::all && !all)) continue;
      if (!(is_straight && starts_with_row(o)))
#pragma GCC unroll 4
        for (int u = 0; u < unroll; ++u) sums.of[u][o] = V(starts[o]);
      if (rows_are_counted || !starts_with_row(o)) sums.of_rest[o] = R(starts[o]);
    }
  }
  /// Begins the outputs to which none of the rows that there are adds anything: reductions along them.
  static void start_empty(std::byte* const* pointers) {
    constexpr auto axis = static_cast<std::size_t>(s.counted - 1);
    for (std::size_t o = 0; o < s.outputs; ++o)
      if (axis != 0 && s.out[o].reduces && !s.out[o].accumulates && s.out[o].step[axis] == 0 &&
          ends[o] != sums_end::all)
        start_entries(pointers[s.inputs + o], s.extent, run::body<S, V>::strides.entry[s.inputs + o], starts[o]);
  }

  /// Writes the outputs whose accumulators end at `Where`, at row `i`.
  template <sums_end Where, std::size_t... O>
  [[gnu::always_inline]] static inline void finish(std::byte* const* base, outer_index const& i,
                                                   accumulators const& sums, std::index_sequence<O...>) {
    (finish_output<Where, O>(base[s.inputs + O], i, sums), ...);
  }
  template <sums_end Where, std::size_t O>
  [[gnu::always_inline]] static inline void finish_output([[maybe_unused]] std::byte* storage,
                                                          [[maybe_unused]] outer_index const& i,
                                                          [[maybe_unused]] accumulators const& sums) {
    if constexpr (ends[O] == Where) {
      constexpr typename run::body<S, V>::template combination<O> combine;
      T total;
      if constexpr (registers == 0) {
        total = across(sums.of_rest[O], combine);
      } else {
        V sum = sums.of[0][O];
#pragma GCC unroll 4
        for (int u = 1; u < unroll; ++u) sum = combine(sum, sums.of[u][O]);
        if constexpr (rest == 0) total = across(sum, combine);
        else if constexpr (std::is_same_v<R, V>) total = across(combine(sum, sums.of_rest[O]), combine);
        else total = combine(across(sum, combine), across(sums.of_rest[O], combine));
      }
      T& to = *reinterpret_cast<T*>(storage);
      to = is_first_visit(s.out[O], i) ? total : combine(to, total);
    }
  }

  [[gnu::always_inline]] static inline void row(std::byte* const* base, outer_index const& i, accumulators& sums,
                                                [[maybe_unused]] std::ptrdiff_t counted) {
    typename run::body<S, V>::values held;
    if constexpr (registers != 0 && run::body<S, V>::holds_any) run::body<S, V>::hold(held, base, i);
    std::ptrdiff_t first = 0;
    if constexpr (rows_are_counted) {
      int const whole = static_cast<int>(counted / width);  // extents are no larger
      int ahead = whole;
      for (; ahead >= unroll; ahead -= unroll, first += unroll) steps<unroll>(first, held, base, i, sums);
      for (; ahead > 0; --ahead, ++first) steps<1>(first, held, base, i, sums);
      if (int const left = static_cast<int>(counted % width); left != 0)
        leave<V, false>(run::body<S, V>::evaluate(base, whole * width, i, V(T(0)), left), left, base, whole * width, i,
                        sums.of_rest, each_output{});
      return;
    }
    if constexpr (abreast) {
      constexpr count_of<rest == 0 ? width : rest> last;
      typename run::body<S, V>::values v[2]{held, held};
      run::body<S, V>::evaluate_abreast(v, base, i, last);
      leave<V, false>(v[0], count_of<width>{}, base, 0, i, sums.of[0], each_output{});
      if constexpr (rest == 0) leave<V, false>(v[1], last, base, width, i, sums.of[0], each_output{});
      else leave<R, true>(v[1], last, base, width, i, sums.of_rest, each_output{});
      return;
    }
    if constexpr (is_straight) {
      constexpr int begun = std::min(registers, unroll);
      if constexpr (begun > 0) steps<begun, true>(0, held, base, i, sums);
      if constexpr (registers > begun) steps<registers - begun>(begun, held, base, i, sums);
    } else {
      for (; first + unroll <= registers; first += unroll) steps<unroll>(first, held, base, i, sums);
      if constexpr (registers % unroll != 0) steps<registers % unroll>(first, held, base, i, sums);
    }
    if constexpr (rest != 0) {
      if constexpr (registers != 0 && std::is_same_v<R, V>)
        step<rest, true>(held, base, registers * width, i, sums.of_rest);
      else
        leave<R, true>(run::body<S, R>::evaluate(base, registers * width, i, R(T(0)), count_of<rest>{}),
                       count_of<rest>{}, base, registers * width, i, sums.of_rest, each_output{});
    }
  }

  /// Runs `Count` full registers, from register `first` of the row on. It is a loop which compilers unroll after they
  /// have simplified its body: that costs them far less than a body written out as often.
  template <int Count, bool First = false>
  [[gnu::always_inline]] static inline void steps(std::ptrdiff_t first, typename run::body<S, V>::values const& held,
                                                  std::byte* const* base, outer_index const& i, accumulators& sums) {
    if constexpr (Count == 1) {
      step<width, First>(held, base, first * width, i, sums.of[0]);
    } else {
#pragma GCC unroll 64
      for (int r = 0; r < Count; ++r) step<width, First>(held, base, (first + r) * width, i, sums.of[r % unroll]);
    }
  }
  template <int Count, bool First>
  [[gnu::always_inline]] static inline void step(typename run::body<S, V>::values const& held, std::byte* const* base,
                                                 std::ptrdiff_t at, outer_index const& i, V* sums) {
    using body = run::body<S, V>;
    constexpr count_of<Count> count;
    if constexpr (body::holds_any)
      leave<V, First>(body::evaluate_held(held, base, at, i, count), count, base, at, i, sums, each_output{});
    else leave<V, First>(body::evaluate(base, at, i, V(T(0)), count), count, base, at, i, sums, each_output{});
  }

  /// Stores or accumulates what a register's body has computed: the first `count` entries.
  template <class Number, bool First, class Count, std::size_t... O>
  [[gnu::always_inline]] static inline void leave(typename run::body<S, Number>::values const& v, Count count,
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
    constexpr output_signature out = s.out[O];
    using combination = typename run::body<S, Number>::template combination<O>;
    if constexpr (ends[O] != sums_end::none) {
      if constexpr (width_of<Number> > 1 && !is_whole<Count, width_of<Number>>) value = value.first(count, starts[O]);
      if constexpr (First && starts_with_row(O)) sums[O] = value;
      else sums[O] = combination{}(sums[O], value);
    } else {
      store<out.step[0], combination>(value, base[s.inputs + O], at, !is_first_visit(out, i), count);
    }
  }
};

}  // namespace run
ETCH_NAMESPACE_END
