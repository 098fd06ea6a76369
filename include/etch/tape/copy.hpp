// Copying, adding and clearing values of the tape, whatever their layouts.
#pragma once

#include <etch/tape/strided_value.hpp>
#include <etch/tape/reduce.hpp>

#include <cstring>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

namespace detail {

/// Copies entries of so many bytes, whatever they stand for.
template <int Bytes>
void copy_entries(strided_value const& to, strided_value const& from) {
  strided_value const values[]{to, from};
  walk const way(to.extent, values, true);
  std::byte* const y = to.entries + to.where.offset * Bytes;
  std::byte const* const x = from.entries + from.where.offset * Bytes;
  std::int64_t const to_step = way.step[0][0] * Bytes, step = way.step[0][1] * Bytes;
  int const n = way.extent[0];
  way.rows([&](walk::offsets const& at) {
    std::byte* const row = y + at[0] * Bytes;
    std::byte const* const of = x + at[1] * Bytes;
    if (to_step == Bytes && step == Bytes) std::memcpy(row, of, static_cast<std::size_t>(n) * Bytes);
    else
      for (int i = 0; i < n; ++i) std::memcpy(row + i * to_step, of + i * step, Bytes);
  });
}

}  // namespace detail

/// The entries of `from`, which broadcasts to the shape of `to`, and has its element type. The two do not overlap.
inline void copy(strided_value const& to, strided_value const& from) {
  strided_value const x = stretched(from, to.extent);
  switch (bytes_of(to.type)) {
    case 1:
      return detail::copy_entries<1>(to, x);
    case 2:
      return detail::copy_entries<2>(to, x);
    case 4:
      return detail::copy_entries<4>(to, x);
    default:
      return detail::copy_entries<8>(to, x);
  }
}

/// to += from, which broadcasts to the shape of `to`; both of type `T`. What several positions of `to` share becomes
/// the sum over them. `from` may be `to` itself or one entry of it; else the two do not overlap.
template <class T>
void add(strided_value const& to, strided_value const& from) {
  accumulate<op::sum, T>(to, from);
}

/// Every entry becomes 0.
inline void clear(strided_value const& to) {
  if (to.is_contiguous()) {
    std::memset(to.entries + to.where.offset * bytes_of(to.type), 0,
                static_cast<std::size_t>(to.extent.size() * bytes_of(to.type)));
  } else {
    std::uint64_t zero = 0;
    copy(to, {to.type, {}, {}, reinterpret_cast<std::byte*>(&zero)});
  }
}

}  // namespace dynamic
ETCH_NAMESPACE_END
