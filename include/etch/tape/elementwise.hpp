// Element-wise ops on values of the tape: each op is one short loop over registers; how operands lie
// in memory is the same code for all.
#pragma once

#include <etch/op/table.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/tape/strided_value.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The machine's register of entries of `T`, or `T` itself where there are no vectors.
template <class T>
using register_of = typename number_of_width<T, widest<T>>::type;

template <class V, class T>
[[gnu::always_inline]] inline V load_register(T const* from) {
  if constexpr (width_of<V> == 1) return *from;
  else return V::load(from);
}
template <class V, class T>
[[gnu::always_inline]] inline void store_register(V value, T* to) {
  if constexpr (width_of<V> == 1) *to = value;
  else value.store(to);
}

/// Computes `count` registers of entries one after the other. Operand i is read at `x[i]`, and its next register
/// `step[i]` entries on: 0 where one register of equal entries serves all.
template <class T>
using register_loop = void (*)(T* y, T const* const* x, std::ptrdiff_t const* step, std::ptrdiff_t count);

template <class Op, class T>
void registers(T* y, T const* const* x, std::ptrdiff_t const* step, std::ptrdiff_t count) {
  using V = register_of<T>;
  // By value: for a compiler, a store of a register may change anything in memory.
  T const *a = x[0], *b = nullptr, *c = nullptr;
  std::ptrdiff_t const to_a = step[0];
  std::ptrdiff_t to_b = 0, to_c = 0;
  if constexpr (Op::arity > 1) b = x[1], to_b = step[1];
  if constexpr (Op::arity > 2) c = x[2], to_c = step[2];
  for (; count > 0; --count) {
    if constexpr (Op::arity == 1) store_register<V>(Op::value(load_register<V>(a)), y);
    else if constexpr (Op::arity == 2) store_register<V>(Op::value(load_register<V>(a), load_register<V>(b)), y);
    else store_register<V>(Op::value(load_register<V>(a), load_register<V>(b), load_register<V>(c)), y);
    y += width_of<V>, a += to_a, b += to_b, c += to_c;
  }
}

/// One element-wise op on values of type `T`. All entries go through full registers, also the last few of a row and
/// those that a view spreads over memory, so that each is the same function of its operands wherever it lies. An
/// operand may be the result's own memory in the same layout.
template <class T>
class elementwise {
 public:
  elementwise(register_loop<T> loop, strided_value const& y, const_span<strided_value> x)
      : loop_(loop), arity_(x.size()) {
    if (flat(y, x)) return;
    fixed<strided_value, static_cast<int>(walk::most)> values;
    values[0] = y;
    for (std::size_t i = 0; i < arity_; ++i)
      values[i + 1] = stretched(x[i], y.extent), from_[i] = values[i + 1].template first<T>();
    walk const way(y.extent, {values.data(), arity_ + 1}, false);
    T* const to = y.first<T>();
    bool spread = false;
    for (std::size_t i = 0; i < arity_; ++i) spread = spread || (way.step[0][i + 1] != 0 && way.step[0][i + 1] != 1);
    if (way.rank > 1 && way.extent[0] < 2 * width) across_rows(way, to);
    else
      way.rows([&](walk::offsets const& at) {
        if (spread) spread_row(way, at, to + at[0]);
        else row(way, at, to + at[0]);
      });
  }

 private:
  using V = register_of<T>;
  static constexpr int width = width_of<V>;
  static constexpr int block = 256;  ///< entries gathered at a time

  register_loop<T> loop_;
  std::size_t arity_;
  T const* from_[3];
  alignas(64) T gathered_[3][block];
  alignas(64) T repeated_[3][width];

  /// Computes all entries in one go where each operand is one entry or lies like the result.
  bool flat(strided_value const& y, const_span<strided_value> x) {
    T const* from[3];
    std::ptrdiff_t step[3];
    for (std::size_t i = 0; i < arity_; ++i) {
      from[i] = x[i].template first<T>();
      if (x[i].extent.size() == 1) step[i] = 0;
      else if (same_extents(x[i].extent, y.extent) && x[i].is_contiguous()) step[i] = 1;
      else return false;
    }
    run(y.first<T>(), from, step, y.extent.size());
    return true;
  }

  /// A row whose operands are steady or adjoin.
  void row(walk const& way, walk::offsets const& at, T* y) {
    T const* x[3];
    std::ptrdiff_t step[3];
    for (std::size_t i = 0; i < arity_; ++i) x[i] = from_[i] + at[i + 1], step[i] = way.step[0][i + 1];
    run(y, x, step, way.extent[0]);
  }

  /// A row with operands whose entries lie apart, which are brought together a block at a time.
  void spread_row(walk const& way, walk::offsets const& at, T* y) {
    for (int start = 0; start < way.extent[0]; start += block) {
      int const n = std::min(block, way.extent[0] - start);
      T const* x[3];
      std::ptrdiff_t step[3];
      for (std::size_t i = 0; i < arity_; ++i) {
        step[i] = way.step[0][i + 1];
        x[i] = from_[i] + at[i + 1] + start * step[i];
        if (step[i] == 0 || step[i] == 1) continue;
        for (int k = 0; k < n; ++k) gathered_[i][k] = x[i][k * step[i]];
        x[i] = gathered_[i], step[i] = 1;
      }
      run(y + start, x, step, n);
    }
  }

  /// Rows shorter than a few registers are computed many at a time: the result adjoins, the
  /// operands are brought together.
  void across_rows(walk const& way, T* y) {
    bool steady[3];
    for (std::size_t i = 0; i < arity_; ++i) {
      steady[i] = true;
      for (std::size_t axis = 0; axis < max_rank; ++axis) steady[i] = steady[i] && way.step[axis][i + 1] == 0;
    }
    int filled = 0;
    auto const flush = [&] {
      T const* x[3];
      std::ptrdiff_t step[3];
      for (std::size_t i = 0; i < arity_; ++i) x[i] = steady[i] ? from_[i] : gathered_[i], step[i] = steady[i] ? 0 : 1;
      run(y, x, step, filled);
      y += filled;
      filled = 0;
    };
    int const n = way.extent[0];
    way.rows([&](walk::offsets const& at) {
      if (filled + n > block) flush();
      for (std::size_t i = 0; i < arity_; ++i) {
        if (steady[i]) continue;
        T const* const from = from_[i] + at[i + 1];
        std::int64_t const step = way.step[0][i + 1];
        for (int k = 0; k < n; ++k) gathered_[i][filled + k] = from[k * step];
      }
      filled += n;
    });
    flush();
  }

  /// `n` entries of operands whose steps are 0 or 1.
  void run(T* y, T const** x, std::ptrdiff_t* step, std::ptrdiff_t n) {
    for (std::size_t i = 0; i < arity_; ++i) {
      if (step[i] == 0) {
        std::fill_n(repeated_[i], width, *x[i]);
        x[i] = repeated_[i];
      }
      step[i] *= width;
    }
    std::ptrdiff_t const whole = n / width, rest = n % width;
    if (whole > 0) loop_(y, x, step, whole);
    if (rest == 0) return;
    T const* last[3];
    bool in_place = false;
    for (std::size_t i = 0; i < arity_; ++i) in_place = in_place || x[i] == y;
    if (whole > 0 && !in_place) {  // some entries once more
      for (std::size_t i = 0; i < arity_; ++i) last[i] = step[i] == 0 ? x[i] : x[i] + n - width;
      return loop_(y + n - width, last, step, 1);
    }
    alignas(64) T ends[3][width], result[width];
    for (std::size_t i = 0; i < arity_; ++i) {
      last[i] = x[i];
      if (step[i] == 0) continue;
      T const* const from = x[i] + whole * width;
      for (std::ptrdiff_t k = 0; k < width; ++k) ends[i][k] = from[std::min(k, rest - 1)];
      last[i] = ends[i];
    }
    loop_(result, last, step, 1);
    std::copy_n(result, rest, y + whole * width);
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END
