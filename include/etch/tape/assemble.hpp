// Values of the tape that are made of other values or of nothing: constants, indices, converted
// entries, parts put together, blocks.
#pragma once

#include <etch/machine/level_3.hpp>
#include <etch/tape/copy.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The constant of node `n`.
inline void fill(node const& n, strided_value const& y) {
  with_element(n.type,
               [&](auto zero) { *y.first<decltype(zero)>() = static_cast<decltype(zero)>(value_of(n.attributes)); });
}

/// 0, 1, 2, ...
inline void iota(strided_value const& y) {
  with_element(y.type, [&](auto zero) {
    auto* const to = y.first<decltype(zero)>();
    for (std::int64_t i = 0, n = y.extent.size(); i < n; ++i) to[i] = static_cast<decltype(zero)>(i);
  });
}

/// Entries of `x`, of an integer type or of type `T` itself, as numbers of type `T`.
template <class T>
void cast(strided_value const& y, strided_value const& x) {
  if (is_floating(x.type) && x.type != element_of<T>)
    error::tape_holds_one_floating_type(name_of(element_of<T>), name_of(x.type));
  strided_value const values[]{y, stretched(x, y.extent)};
  walk const way(y.extent, values, true);
  way.rows([&](walk::offsets const& at) {
    T* const to = y.first<T>() + at[0];
    with_element(x.type, [&](auto zero) {  // within a row, so that the walk is compiled once
      auto const* const from = x.first<decltype(zero)>() + at[1];
      for (int i = 0; i < way.extent[0]; ++i) to[i * way.step[0][0]] = static_cast<T>(from[i * way.step[0][1]]);
    });
  });
}

/// `x` in region `r` of zeros.
inline void embed(region r, strided_value const& y, strided_value const& x) {
  clear(y);
  copy({y.type, x.extent, r.within(y.where), y.entries}, x);
}

/// Parts that are +0, no bit of it set, outside regions of their own: their bits together. (A sum would make +0 of -0.)
template <class T>
void join(strided_value const& y, const_span<strided_value> parts) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  copy(y, parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    strided_value const values[]{y, stretched(parts[i], y.extent)};
    walk const way(y.extent, values, true);
    T* const to = values[0].first<T>();
    T const* const from = values[1].first<T>();
    std::int64_t const to_step = way.step[0][0], step = way.step[0][1];
    way.rows([&](walk::offsets const& at) {
      for (int k = 0; k < way.extent[0]; ++k) {
        T& entry = to[at[0] + k * to_step];
        entry = std::bit_cast<T>(std::bit_cast<bits>(entry) | std::bit_cast<bits>(from[at[1] + k * step]));
      }
    });
  }
}

/// An op whose operands all have the element type of its result.
template <class Op, class T>
status run_block(attribute a, strided_value const& y, const_span<strided_value> x) {
  return etch::detail::with_indices<Op::arity>([&](auto... i) {
    if constexpr (requires { Op::is_level_3; })
      return Op::run(a, block_of<T>(y), block_of<T const>(x[i])..., run::level_3<run::level_3_work::all>{});
    else return run_anew<Op>(a, block_of<T>(y), block_of<T const>(x[i])...);
  });
}

/// `n` entries of `x` along its first axis, from number `from` on, as integers, whatever their type.
[[gnu::noinline]] inline void read_integers(std::int64_t* to, strided_value const& x, std::int64_t from, int n) {
  with_element(x.type, [&](auto zero) {
    auto const* const entry = x.first<decltype(zero)>() + from;
    for (int i = 0; i < n; ++i) to[i] = static_cast<std::int64_t>(entry[i * x.where.step[0]]);
  });
}

/// Calls `f(positions, indices)` for a few indices at a time, as integers: `positions` is where in `picked`, a value
/// with those indices' axes, they belong.
template <class F>
void for_indices(op::index_axis along, strided_value const& picked, strided_value const& indices, F f) {
  constexpr int most = 128;
  std::int64_t some[most];
  shape lines = indices.extent;
  lines[0] = 1;
  for_each_index(lines, [&](fixed<int, max_rank> i) {
    for (; i[0] < indices.extent[0]; i[0] += most) {
      int const n = std::min(most, indices.extent[0] - i[0]);
      strided_value where = picked;
      std::int64_t from = 0;
      for (std::size_t axis = 0; axis < max_rank; ++axis) from += i[axis] * indices.where.step[axis];
      for (int axis = 0; axis < along.rank; ++axis)
        where.where.offset += i.entry[axis] * picked.where.step.entry[along.axis + axis];
      read_integers(some, indices, from, n);
      f(where, block<std::int64_t const>{some, make_shape(n), {1}});
    }
  });
}

/// Entries of `x[0]` at the indices `x[1]`. `T` is a type of as many bytes as the entries have.
template <class T>
status gather(attribute a, strided_value const& y, const_span<strided_value> x) {
  for_indices(op::index_axis(a), y, x[1], [&](strided_value const& picked, block<std::int64_t const> const& indices) {
    op::gather::run(a, block_of<T>(picked), block_of<T const>(x[0]), indices);
  });
  return status::ok;
}
/// Treats labels as numbers of type `T`.
template <class T>
status gather_of_any_type(attribute a, strided_value const& y, const_span<strided_value> x) {
  if (y.type == element_of<T>) return gather<T>(a, y, x);
  switch (bytes_of(y.type)) {
    case 1:
      return gather<std::uint8_t>(a, y, x);
    case 2:
      return gather<std::uint16_t>(a, y, x);
    case 4:
      return gather<std::uint32_t>(a, y, x);
    default:
      return gather<std::uint64_t>(a, y, x);
  }
}

/// Entries of `x[0]`, added at the indices `x[1]` to zeros.
template <class T>
status scatter_add(attribute a, strided_value const& y, const_span<strided_value> x) {
  clear(y);
  for_indices(op::index_axis(a), x[0], x[1],
              [&](strided_value const& picked, block<std::int64_t const> const& indices) {
                op::scatter_add::run(a, block_of<T>(y), block_of<T const>(picked), indices, true);
              });
  return status::ok;
}

/// Random numbers from the key `x`.
template <class T>
status random_uniform(attribute a, strided_value const& y, const_span<strided_value> x) {
  std::int64_t key = 0;
  read_integers(&key, x[0], 0, 1);
  return op::random_uniform::run(a, block_of<T>(y), block<std::int64_t const>{&key});
}

}  // namespace dynamic
ETCH_NAMESPACE_END
