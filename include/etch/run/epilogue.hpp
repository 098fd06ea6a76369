// epilogue: what is made of a product's entries before they are stored.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// Which product of a batch is being computed, and where everything but its operands lies.
struct position {
  std::byte* const* pointers;
  outer_index index;
};

template <auto S>
struct epilogue {
  static constexpr auto s = S;  // a copy, for the reason given in body.hpp
  using T = scalar_of<s.type>;

  /// Finishes `Rows` by `Columns` entries from (i, j) on, whose columns lie `step` entries apart in `tile`, in registers of `V`. `adds`: to
  /// what another part of the same sums has left in the results.
  template <class V, int Rows, int Columns>
  static void finish(position const& at, std::ptrdiff_t i, std::ptrdiff_t j, T const* tile, std::ptrdiff_t step, bool adds) {
    constexpr int width = width_of<V>, whole = Rows / width * width;
    for (int q = 0; q < Columns; ++q, tile += step) {
      std::byte* base[body<S, V>::pointer_count];
      outer_index const outer{0, j + q, at.index[2], at.index[3]};
      body<S, V>::template advance<1>(at.pointers, outer, base);
      for (int r = 0; r < whole; r += width) entries<V, width>(base, outer, i + r, tile + r, adds);
      if constexpr (Rows != whole) entries<V, Rows - whole>(base, outer, i + whole, tile + whole, adds);
    }
  }

 private:
  template <class V, int Count>
  static void entries(std::byte* const* base, outer_index const& outer, std::ptrdiff_t i, T const* tile, bool adds) {
    auto const v = body<S, V>::template evaluate<Count>(base, i, outer, read<V, 1, width_of<V>>(tile));
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      (body<S, V>::template store<O, Count>(base[s.inputs + O], i, v.of[s.out[O].value], s.out[O].accumulates || adds), ...);
    }
    (std::make_index_sequence<s.outputs>{});
  }
};

}  // namespace etch::inline ETCH_ABI::run
