// scan, repeat: loops whose code and compile time do not depend on the number of steps. Their gradients are loops too.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/transform/loop.hpp>

#include <cstdint>
#include <limits>

ETCH_NAMESPACE_BEGIN

/// The type of `keep_all`.
struct keep_all_t {};
/// Keeping policy: the way back finds every value that it reads. Memory of what is read in a
/// step, times the number of steps.
inline constexpr keep_all_t keep_all{};
/// The type of `keep_carries`.
struct keep_carries_t {};
/// Keeping policy: only carries are kept, and each step is computed again on the way back. Memory of the
/// carries, times the number of steps.
inline constexpr keep_carries_t keep_carries{};
/// The type of `keep_every`.
template <int K>
struct keep_every_t {};
/// Keeping policy: the carries of every `K`-th step are kept; on the way back, `K` steps at a time are computed
/// again and kept whole. Memory of the carries times steps / K, and of what is read in a step times K: least for K
/// near the root of the number of steps.
template <int K>
inline constexpr keep_every_t<K> keep_every{};
/// The type of `keep_recursive`.
template <std::int64_t Bytes>
struct keep_recursive_t {};
/// Keeping policy: as many carries as fit into `Bytes` bytes are in memory at once, as snapshots; on the way back the
/// others are computed again from the nearest snapshot, by the fewest steps that so many snapshots allow. Memory of
/// `Bytes`, whatever the number of steps; in a map, at every point that runs at once. Where all that the way back reads
/// fits, it is kept as by `keep_all`. Second derivatives keep all carries, and a tape keeps everything. Error: a carry
/// that does not fit. (Griewank and Walther, "Algorithm 799: Revolve", ACM TOMS 26(1), 2000; the carry that the loop
/// begins with is there besides, so c carries here are c + 1 checkpoints there.)
template <std::int64_t Bytes>
inline constexpr keep_recursive_t<Bytes> keep_recursive{};

namespace detail {

/// The carry in what a step returns.
template <class R>
struct carry_in {
  using type = R;
};
template <class Carry, class Output>
struct carry_in<step<Carry, Output>> {
  using type = Carry;
};

/// `init` with its constants in the element type of what else the loop begins with or reads, else of
/// what the first step makes of them.
template <class F, class Init, class... X>
constexpr auto carry_from(F const&, Init const& init, X const&...) {
  if constexpr (!has_untyped_leaf<Init>()) {
    return init;
  } else if constexpr (first_element_bytes<Init, X...>() > 0) {
    return typed<element_among<Init, X...>>(init);
  } else {
    auto const constants = map_plain_leaves(
        []<class Leaf>(Leaf const& leaf) {
          if constexpr (scalar<Leaf>)
            return make_constant<undetermined, shape{}, false>({-1, static_cast<double>(leaf), {}});
          else return leaf;
        },
        init);
    using first = std::remove_cvref_t<std::invoke_result_t<F const&, decltype(constants), X const&...>>;
    return typed<element_among<typename carry_in<first>::type>>(init);
  }
}

/// The bytes of a carry's traced values.
template <class Carry>
consteval std::int64_t bytes_of_carry() {
  std::int64_t bytes = 0;
  typename joined_type<Carry>::type carry{};
  for_each_leaf(carry, [&]<class X>(X const&) {
    bytes += static_cast<std::int64_t>(sizeof(typename X::scalar_type)) * X::extent.size();
  });
  return bytes;
}

template <int Count, class F, class Carry, class Xs>
constexpr auto looped(F const& f, Carry const& init, Xs const& xs, keep_all_t) {
  return traced_loop<Count>(f, init, xs, false);
}
template <int Count, class F, class Carry, class Xs>
constexpr auto looped(F const& f, Carry const& init, Xs const& xs, keep_carries_t) {
  return traced_loop<Count>(f, init, xs, true);
}

template <int Count, class F, class Carry, class Xs, std::int64_t Bytes>
constexpr auto looped(F const& f, Carry const& init, Xs const& xs, keep_recursive_t<Bytes>) {
  constexpr std::int64_t bytes = bytes_of_carry<Carry>(), most = bytes > 0 ? Bytes / bytes : 1;
  if constexpr (most < 1) {
    error::carry_exceeds_its_bytes<Carry, error::needed<bytes>, error::allowed<Bytes>>();
    return looped<Count>(f, init, xs, keep_carries);
  } else {
    constexpr int snapshots =
        most < std::numeric_limits<int>::max() ? static_cast<int>(most) : std::numeric_limits<int>::max();
    return traced_loop<Count>(f, init, xs, true, false, snapshots);
  }
}

template <shape Target, static_handle X>
constexpr auto in_shape(X const& x) {
  return computed<Target>(x, [](term t) { return reshaped(t, Target); });
}

/// Entries `Begin` to `Begin + Count - 1` of the last axis of every leaf.
template <int Begin, int Count, class Xs>
constexpr auto stretch_of(Xs const& xs) {
  if constexpr (std::is_same_v<Xs, no_slices>) return xs;
  else return map_leaves([]<class X>(X const& x) { return etch::slice<X::extent.rank - 1, Begin, Count>(x); }, xs);
}

/// Segments of `K` steps as one step each of an outer loop, which keeps its carries; then the steps that are left.
template <int Count, class F, class Carry, class Xs, int K>
constexpr auto looped(F const& f, Carry const& init, Xs const& xs, keep_every_t<K>) {
  constexpr bool has_slices = !std::is_same_v<Xs, no_slices>;
  constexpr int segments = Count / K, rest = Count % K;
  if constexpr (K < 2 || K >= Count) {
    return looped<Count>(f, init, xs, keep_carries);
  } else {
    auto const run = [&](auto const& carry, auto const& slices) { return looped<K>(f, carry, slices, keep_all); };
    auto const first = stretch_of<0, K>(xs);  // for its type
    using Done = std::remove_cvref_t<decltype(run(init, first))>;
    // Inside the outer loop a segment's slices and outputs are vectors: they may have no axis to spare.
    auto const segment = [&](auto const& carry, auto const&... packed) {
      Done const done = [&] {
        if constexpr (has_slices)
          return run(carry,
                     map_leaves([]<class X>(X const&, auto const& vector) { return in_shape<X::extent>(vector); },
                                first, packed...));
        else return run(carry, xs);
      }();
      if constexpr (is_step<Done>)
        return step{done.carry, map_leaves([](auto const& y) { return flatten(y); }, done.y)};
      else return done;
    };
    auto const packed = [&] {
      if constexpr (has_slices)
        return map_leaves(
            [&]<class X>(X const& x) {
              return in_shape<make_shape(static_cast<int>(X::extent.size() / segments), segments)>(x);
            },
            stretch_of<0, segments * K>(xs));
      else return xs;
    }();
    auto const done = looped<segments>(segment, init, packed, keep_carries);
    if constexpr (!is_step<Done>) {
      if constexpr (rest == 0) return done;
      else return looped<rest>(f, done, stretch_of<segments * K, rest>(xs), keep_all);
    } else {
      auto const ys = map_leaves(
          [&]<class Y>(Y const&, auto const& y) {
            return in_shape<with_extent(Y::extent, Y::extent.rank - 1, segments * K)>(y);
          },
          decltype(Done::y){}, done.y);
      if constexpr (rest == 0) {
        return step{done.carry, ys};
      } else {
        auto const more = looped<rest>(f, done.carry, stretch_of<segments * K, rest>(xs), keep_all);
        return step{more.carry,
                    map_leaves([]<class Y>(Y const& a, auto const& b) { return concat<Y::extent.rank - 1>(a, b); }, ys,
                               more.y)};
      }
    }
  }
}

/// The number of steps of a scan over `Xs`: the last dimension of every leaf; 0 where they differ.
template <class Xs>
consteval int steps_of() {
  Xs xs{};
  int steps = -1;
  for_each_leaf(xs, [&]<class X>(X&) {
    int mine = 0;
    if constexpr (static_handle<X>)
      if constexpr (X::extent.rank > 0) mine = X::extent.dimension(X::extent.rank - 1);
    steps = steps == -1 || steps == mine ? mine : 0;
  });
  return steps < 0 ? 0 : steps;
}

/// Stands for a scan that a mistake prevents: its first step alone.
template <class F, class Init, class Xs>
constexpr auto first_step(F const& f, Init const& init, Xs const& xs) {
  auto const r = f(init, map_leaves(
                             []<class X>(X const& x) {
                               if constexpr (scalar<X>) return x;
                               else if constexpr (X::extent.rank == 0) return x;
                               else return in_shape<without_last(X::extent)>(etch::slice<X::extent.rank - 1, 0, 1>(x));
                             },
                             xs));
  if constexpr (is_step<std::remove_const_t<decltype(r)>>)
    return step{r.carry, map_leaves([]<class Y>(Y const& y) { return in_shape<stacked(Y::extent, 1)>(y); }, r.y)};
  else return r;
}

}  // namespace detail

/// `Count` times `carry = f(carry)`, from `init` on: the last carry. A carry is a traced value, a tuple or
/// array of carries, or a struct of them; its type never changes. `f` may capture traced values. Gradients flow
/// to `init` and to whatever is captured.
template <int Count, class F, class Init, class Keep = keep_all_t>
constexpr auto repeat(F const& f, Init const& init, Keep keep = {}) {
  if constexpr (Count < 1) {
    error::loop_without_steps<Count>();
    return f(init);
  } else if constexpr (detail::hold_places<Init>()) {
    return repeat<Count>(f, detail::without_places(init), keep);
  } else if constexpr (detail::has_tape_scalar<Init>()) {
    return repeat<Count>(f, detail::whole_on_graph(init), keep);
  } else if constexpr (!detail::is_structure<Init>()) {
    error::loop_value_is_unknown<Init>();
    return f(init);
  } else {
    auto const carry = detail::carry_from(f, init);
    if constexpr (detail::can_take<F, typename detail::joined_type<std::remove_const_t<decltype(carry)>>::type>())
      return detail::looped<Count>(f, carry, detail::no_slices{}, keep);
    else return detail::without_steps(carry);
  }
}

/// For each entry x of the last axis of `xs` in turn (of every leaf, where it is a tuple, an array or a struct)
/// `carry = f(carry, x)`, from `init` on: the last carry. Where `f` returns `step{carry, y}`, the result is a
/// `step` too: the last carry, and the y of all steps side by side along a new last axis, of every leaf. The slice of a
/// struct, and what is put together of outputs, is a struct with the same member names (`member_view`). Gradients flow
/// to `init`, `xs`, and whatever `f` captures. Docs: memory.md.
template <class F, class Init, class Xs, class Keep = keep_all_t>
constexpr auto scan(F const& f, Init const& init, Xs const& xs, Keep keep = {}) {
  if constexpr (detail::hold_places<Init, Xs>()) {
    return scan(f, detail::without_places(init), detail::without_places(xs), keep);
  } else if constexpr (detail::has_tape_scalar<Init>()) {
    return scan(f, detail::whole_on_graph(init), xs, keep);
  } else if constexpr (!detail::is_structure<Init>()) {
    error::loop_value_is_unknown<Init>();
    return detail::first_step(f, init, xs);
  } else if constexpr (!detail::is_structure<Xs>()) {
    error::loop_value_is_unknown<Xs>();
    return init;
  } else if constexpr (detail::steps_of<Xs>() == 0) {
    error::slices_have_no_common_count<Xs>();
    return detail::first_step(f, init, xs);
  } else if constexpr (detail::steps_of<Xs>() > detail::counted_dimension) {
    error::steps_are_counted_at_run_time<Xs>();
    return detail::without_steps(init, xs);
  } else {
    auto const x = detail::map_leaves([]<class X>(X const&) { return detail::slice_of<X>{}; }, xs);  // for its type
    auto const carry = detail::carry_from(f, init, x);
    using carry_type = std::remove_const_t<decltype(carry)>;
    using slice = std::remove_const_t<decltype(x)>;
    if constexpr (!detail::can_take<F, typename detail::joined_type<carry_type>::type, slice>())
      return detail::without_steps(carry, xs);
    else if constexpr (detail::has_untyped_leaf<Xs>())
      return scan(f, carry, detail::typed<detail::element_among<carry_type, slice>>(xs), keep);
    else return detail::looped<detail::steps_of<Xs>()>(f, carry, xs, keep);
  }
}

ETCH_NAMESPACE_END
