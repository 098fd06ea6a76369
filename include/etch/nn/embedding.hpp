// embedding: a column of parameters for every word of a vocabulary; and positions.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/core/tensor.hpp>
#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// Column `id` of the table for every id: `[Width, ...]` for integers of shape `[...]`. The
/// gradient is added up at the ids alone.
template <class T, int Vocabulary, int Width>
struct embedding {
  param<T, Width, Vocabulary> table;
  ETCH_MEMBERS(embedding, table)

  constexpr auto operator()(auto const& ids) const { return gather<1>(table, ids); }
  constexpr void initialise(auto const& draw) { draw(table, Width, Width); }
};

/// The sinusoidal positions of A. Vaswani et al., Attention is all you need (2017), as a constant: column t holds sin(t
/// w) in rows 2 i and cos(t w) in rows 2 i + 1, w = 10000^(-2 i / Width).
template <class T, int Width, int Length>
constexpr tensor<T, Width, Length> sinusoidal_positions() {
  tensor<T, Width, Length> p;
  for (int t = 0; t < Length; ++t)
    for (int i = 0; i < Width; ++i) {
      double const angle = t * math::exp(-9.2103403719761827 * (i / 2 * 2) / Width);
      p(i, t) = static_cast<T>(i % 2 == 0 ? math::sin(angle) : math::cos(angle));
    }
  return p;
}

}  // namespace nn
ETCH_NAMESPACE_END
