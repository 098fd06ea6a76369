// The leaves of a model as files see them: names, types, shapes, and copies between memory and files. A model changes
// only when every leaf of a file was found to be right.
#pragma once

#include <etch/core/leaf_paths.hpp>
#include <etch/io/file.hpp>

#include <bit>
#include <cstring>
#include <optional>

ETCH_NAMESPACE_BEGIN
namespace io {

static_assert(std::endian::native == std::endian::little, "etch: files hold numbers lowest byte first, as memory must");

/// A leaf of a model. Its entries lie in memory in steps of `step`.
struct leaf {
  std::string name;  ///< `layers.0.weight`; of a model that is a single leaf `arr_0`, as in numpy.savez
  element type{};
  shape extent;
  strides step{};

  std::size_t bytes() const {
    return static_cast<std::size_t>(extent.size()) * static_cast<std::size_t>(bytes_of(type));
  }
};

/// The entry of a file for a leaf.
struct stored_leaf {
  byte_view entries;
  strides step{};
};

/// Steps with the last index fastest, as in C.
constexpr strides last_index_fastest(shape const& s) {
  strides step{};
  std::int64_t size = 1;
  for (int axis = max_rank; axis-- > 0;) {
    step[static_cast<std::size_t>(axis)] = size;
    size *= s[axis];
  }
  return step;
}

namespace detail {

template <class M>
inline constexpr bool lies_row_by_row = false;
template <etch::detail::eigen_argument M>
inline constexpr bool lies_row_by_row<M> = etch::detail::is_row_major<M>;

inline void copy_entries(leaf const& l, std::byte* to, strides const& to_step, std::byte const* from,
                         strides const& from_step) {
  static_assert(max_rank == 4, "etch: copy_entries walks four axes");
  if (same_layout({0, to_step}, {0, from_step}, l.extent)) {
    std::memcpy(to, from, l.bytes());
    return;
  }
  with_element(l.type, [&](auto zero) {
    constexpr std::int64_t bytes = sizeof(zero);
    for (std::int64_t d = 0; d < l.extent[3]; ++d)
      for (std::int64_t c = 0; c < l.extent[2]; ++c)
        for (std::int64_t b = 0; b < l.extent[1]; ++b)
          for (std::int64_t a = 0; a < l.extent[0]; ++a)
            std::memcpy(to + bytes * (a * to_step[0] + b * to_step[1] + c * to_step[2] + d * to_step[3]),
                        from + bytes * (a * from_step[0] + b * from_step[1] + c * from_step[2] + d * from_step[3]),
                        bytes);
  });
}

}  // namespace detail

/// The leaves of a model of type `A`, in the order of `argument<A>::visit`.
template <class A>
std::vector<leaf> leaves_in() {
  std::vector<leaf> leaves;
  for_each_leaf_path<A>("", path_style::dots, [&]<class Leaf>(std::string const& path) {
    using traced = typename argument<Leaf>::traced;
    leaves.push_back(
        {path.empty() ? "arr_0" : path, element_of<typename traced::scalar_type>, traced::extent,
         detail::lies_row_by_row<Leaf> ? last_index_fastest(traced::extent) : contiguous_strides(traced::extent)});
  });
  return leaves;
}

/// Calls `f(leaf, address of its first byte)` for each leaf of a model.
template <class A>
void for_each_stored_leaf(A& model, std::vector<leaf> const& leaves, auto f) {
  using byte = std::conditional_t<std::is_const_v<A>, std::byte const, std::byte>;
  std::size_t i = 0;
  argument<std::remove_const_t<A>>::visit(
      model, [&](auto* first, std::size_t) { f(leaves[i++], reinterpret_cast<byte*>(first)); });
}

/// Copies what a file holds into the model.
template <class A>
void assign(A& model, std::vector<leaf> const& leaves, std::vector<stored_leaf> const& stored) {
  std::size_t i = 0;
  for_each_stored_leaf(model, leaves, [&](leaf const& l, std::byte* to) {
    detail::copy_entries(l, to, l.step, stored[i].entries.data(), stored[i].step);
    ++i;
  });
}

/// Refuses booleans that are neither 0 nor 1: no C++ program may hold them. The entries begin at `at`.
inline void refuse_strange_booleans(section const& s, std::size_t at, leaf const& l) {
  if (l.type != element::boolean) return;
  for (std::size_t i = at; i < at + l.bytes(); ++i)
    if (s.bytes[i] > std::byte{1})
      s.refuse(i, "a boolean is " + std::to_string(std::to_integer<int>(s.bytes[i])) + ", not 0 or 1");
}

/// A hash of a program as files spell it: 16 digits.
inline std::string hexadecimal(std::uint64_t hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

/// Throws unless the program of a file, if any, is the one expected, if any.
inline void check_program(std::optional<std::uint64_t> expected, std::optional<std::uint64_t> stored, section const& s,
                          std::size_t at) {
  if (!expected || expected == stored) return;
  if (!stored) s.refuse(at, "the file does not say of which program it is; " + hexadecimal(*expected) + " is expected");
  s.refuse(at, "the file is of program " + hexadecimal(*stored) + ", not of " + hexadecimal(*expected));
}

}  // namespace io
ETCH_NAMESPACE_END
