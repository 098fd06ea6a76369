// attention: scaled dot products, several heads of them, and the block of a transformer.
#pragma once

#include <etch/nn/dense.hpp>
#include <etch/nn/dropout.hpp>
#include <etch/nn/norm.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// The keys that a query may look at: all, or those that are not behind it.
enum class looks : bool { everywhere, back };

namespace detail {

/// The score of a key that may not be looked at: finite, so that a query that may look at
/// nothing looks at everything alike.
inline constexpr double never_looked_at = -1e30;

/// transpose(a) b of the first two axes, for each place on the others.
template <static_handle A>
constexpr auto inner(A const& a, auto const& b) {
  if constexpr (A::extent.rank == 4) return permute<1, 0, 2, 3>(a) * b;
  else if constexpr (A::extent.rank == 3) return permute<1, 0, 2>(a) * b;
  else return transpose(a) * b;
}

/// 1 where key i is not behind query j.
template <static_handle Scores>
constexpr auto not_behind(Scores const& scores) {
  using T = typename Scores::scalar_type;
  return etch::detail::positions<T, 0, Scores::extent[0]>(scores) <=
         etch::detail::positions<T, 1, Scores::extent[1]>(scores);
}

template <static_handle K, static_handle Q>
constexpr auto scores(K const& k, Q const& q) {
  return inner(k, q) / math::sqrt(double{Q::extent[0]});
}

/// The mean of the values, weighted by the softmax of the scores of the keys that a query may look at.
template <looks Where>
constexpr auto weighted(auto const& v, auto const& s) {
  if constexpr (Where == looks::back) return v * softmax<0>(select(not_behind(s), s, never_looked_at));
  else return v * softmax<0>(s);
}

}  // namespace detail

/// v softmax(kᵀ q / sqrt(d)), the softmax over keys, for queries `[d, n]`, keys `[d, m]` and values `[e, m]`: `[e, n]`.
/// Further axes, the same for all three, are heads and samples (A. Vaswani et al., Attention is all you need, 2017).
template <looks Where = looks::everywhere>
constexpr auto attention(auto const& q, auto const& k, auto const& v) {
  return detail::weighted<Where>(v, detail::scores(k, q));
}
/// Attention with a mask, broadcast to `[m, n, ...]`: of the keys that it may look at, a query
/// looks at those whose entry is not 0.
template <looks Where = looks::everywhere>
constexpr auto attention(auto const& q, auto const& k, auto const& v, auto const& mask) {
  return detail::weighted<Where>(v, select(mask, detail::scores(k, q), detail::never_looked_at));
}

/// Attention in `Heads` parts of `Width / Heads` rows each, between linear maps: for x of shape `[Width,
/// length]` or `[Width, length, batch]`.
template <class T, int Width, int Heads, looks Where = looks::everywhere>
struct multi_head_attention {
  static_assert(Width % Heads == 0, "etch: the width of an attention is a multiple of the number of its heads");
  dense<T, Width, Width> query, key, value, output;
  ETCH_MEMBERS(multi_head_attention, query, key, value, output)

  /// Every sample looks at itself.
  constexpr auto operator()(auto const& x) const { return (*this)(x, x); }
  /// Every sample of x looks at the one in `at`, which may be of another length.
  template <static_handle X, static_handle At>
  constexpr auto operator()(X const& x, At const& at) const {
    return output(joined<X>(attention<Where>(heads(query(x)), heads(key(at)), heads(value(at)))));
  }
  /// With a mask as of `attention`, broadcast to `[keys, queries, Heads, batch]`.
  template <static_handle X, static_handle At>
  constexpr auto operator()(X const& x, At const& at, auto const& mask) const {
    return output(joined<X>(attention<Where>(heads(query(x)), heads(key(at)), heads(value(at)), mask)));
  }

 private:
  static constexpr int rows = Width / Heads;

  /// [Width, length, batch] as [rows, length, Heads, batch].
  template <static_handle X>
  static constexpr auto heads(X const& x) {
    if constexpr (X::extent.rank == 3) return permute<0, 2, 1, 3>(reshape<rows, Heads, X::extent[1], X::extent[2]>(x));
    else return permute<0, 2, 1>(reshape<rows, Heads, X::extent[1]>(x));
  }
  template <class X, static_handle Y>
  static constexpr auto joined(Y const& y) {
    if constexpr (X::extent.rank == 3) return reshape<Width, Y::extent[1], Y::extent[3]>(permute<0, 2, 1, 3>(y));
    else return reshape<Width, Y::extent[1]>(permute<0, 2, 1>(y));
  }
};

/// x + attention(norm(x)), then y + linear(gelu(linear(norm(y)))) with `Hidden` rows between (normalised before, not
/// after: R. Xiong et al., On layer normalization in the transformer architecture, ICML 2020). With a key, as `layer(x,
/// key)`, `Percent` of what is added is left out at random, as `dropout` does.
template <class T, int Width, int Heads, int Hidden, looks Where = looks::everywhere, int Percent = 0>
struct transformer_block {
  layer_norm<T, Width> before_attention, before_dense;
  multi_head_attention<T, Width, Heads, Where> attention;
  dense<T, Width, Hidden> wide;
  dense<T, Hidden, Width> narrow;
  ETCH_MEMBERS(transformer_block, before_attention, before_dense, attention, wide, narrow)

  constexpr auto operator()(auto const& x) const {
    return added(x, [](auto const& y, std::size_t) { return y; });
  }
  constexpr auto operator()(auto const& x, etch::detail::key auto const& key) const {
    return added(x, [own = etch::detail::key_of(key)](auto const& y, std::size_t i) {
      return dropout<Percent>{}(y, own.fold(i));
    });
  }

 private:
  constexpr auto added(auto const& x, auto const& dropped) const {
    auto const y = x + dropped(attention(before_attention(x)), 0);
    return y + dropped(narrow(gelu(wide(before_dense(y)))), 1);
  }
};

}  // namespace nn
ETCH_NAMESPACE_END
