// columns: equal structs one after the other in memory as one matrix, a column for each. A program
// reads such an array as one leaf.
#pragma once

#include <etch/core/listed.hpp>
#include <etch/core/named_view.hpp>
#include <etch/base/sequence.hpp>

#include <vector>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// A `Taker` is given to `argument<A>::trace` or `visit`, and takes an array of equal structs as one leaf where
/// `argument<A>` can give it so: by `make.template columns<T, Extent>()`, or by a call with the first entry and the
/// number of all, those between the leaves included.
template <class Taker>
concept takes_columns = requires { requires std::remove_cvref_t<Taker>::takes_columns; };

template <class F>
struct column_visitor {
  static constexpr bool takes_columns = true;
  F f;
  [[gnu::always_inline]] constexpr void operator()(auto* entries, std::size_t n) const { f(entries, n); }
};
template <class F>
column_visitor(F) -> column_visitor<F>;

/// Whether `A` can be one leaf of a program. Specialised for arrays of equal structs.
template <class A>
inline constexpr bool is_in_columns = false;

template <class A, class T>
inline constexpr bool has_entries_of = std::is_same_v<A, T>;
template <class T, int... Dims>
inline constexpr bool has_entries_of<tensor<T, Dims...>, T> = true;

/// The number of the first traced value in `x`, by address: something of one type in structs of any.
constexpr int const* first_id(auto const& x) {
  using X = std::remove_cvref_t<decltype(x)>;
  int const* found = nullptr;
  if constexpr (static_handle<X>) found = &x.id;
  else if constexpr (is_tuple<X>)
    std::apply([&](auto const&... each) { static_cast<void>(((found = first_id(each)) || ...)); }, x);
  else if constexpr (reflected<X>)
    with_members<X>([&](auto... i) { static_cast<void>(((found = first_id(member<i>(x))) || ...)); });
  return found;
}

/// The order in which the members of `S` lie in memory, asked of an object as it is traced. It is not known for members
/// of bases, nor where one has no traced value: then comparing them is no constant.
template <reflected S>
struct members_in_memory {
  static constexpr typename argument<S>::traced object{};
  static constexpr int count = static_cast<int>(member_count<S>);

  template <std::size_t... I>
  static constexpr fixed<int, count> order(std::index_sequence<I...>) {
    fixed<int const*, count> const at{first_id(member<I>(object))...};
    fixed<int, count> by_place{};
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t before = 0;
      for (std::size_t j = 0; j < count; ++j) before += j != i && (at[i] == nullptr || at[j] < at[i]);
      by_place[before] = static_cast<int>(i);
    }
    return by_place;
  }
};

/// Whether members of `S` can have no other beside them that is not listed: an empty one, which need not be, would move
/// a number that is no tensor, but make the struct larger where all are tensors, so that it is seen by its size.
template <class S, std::size_t... I>
consteval bool has_nothing_between(std::index_sequence<I...>) {
  if constexpr (((alignof(member_type<S, I>) >= 64) && ...)) return true;
  else if constexpr (std::is_aggregate_v<S>)
    return requires { S{any_initialiser<S, I>{}...}; } && !has_more_elements_than<S>(std::index_sequence<I...>{});
  else return false;
}

struct size_in_memory {
  std::int64_t bytes, alignment;
};
template <class Part>
inline constexpr size_in_memory size_of_part{static_cast<std::int64_t>(sizeof(Part)),
                                             static_cast<std::int64_t>(alignof(Part))};

/// The places of parts of these sizes, of which `order` says which comes first, in a struct that a compiler lays out;
/// the first is at -1 if that does not fill the `whole`.
template <int N>
constexpr fixed<std::int64_t, N> laid_out(fixed<size_in_memory, N> const& parts, fixed<int, N> const& order,
                                          size_in_memory whole) {
  fixed<std::int64_t, N> at{};
  std::int64_t end = 0;
  auto const aligned = [](std::int64_t from, std::int64_t to) { return (from + to - 1) / to * to; };
  for (int i : order) {
    auto const& [bytes, alignment] = parts[static_cast<std::size_t>(i)];
    end = (at[static_cast<std::size_t>(i)] = bytes == 0 ? end : aligned(end, alignment)) + bytes;
  }
  if (aligned(end, whole.alignment) != whole.bytes) at[0] = -1;
  return at;
}

template <class A, class T>
constexpr bool append_places(sequence<int>& to, std::int64_t from);

/// Does so for the parts of a tuple or an array, or for the members of a struct.
template <class A, class T, std::size_t... I>
constexpr bool append_places_in_tuple(sequence<int>& to, std::int64_t from, std::index_sequence<I...>) {
  constexpr int n = static_cast<int>(sizeof...(I));
#if defined(__GLIBCXX__)
  constexpr bool from_the_end =
      !requires { typename A::value_type; };  // libstdc++ begins with the last element of a tuple
#else
  constexpr bool from_the_end = false;
#endif
  constexpr fixed<int, n> order{(from_the_end ? n - 1 - static_cast<int>(I) : static_cast<int>(I))...};
  constexpr fixed<size_in_memory, n> parts{(std::is_empty_v<std::tuple_element_t<I, A>>
                                                ? size_in_memory{0, 1}
                                                : size_of_part<std::tuple_element_t<I, A>>)...};
  constexpr fixed<std::int64_t, n> at = laid_out(parts, order, size_of_part<A>);
  return at[0] >= 0 && (append_places<std::tuple_element_t<I, A>, T>(to, from + at[I]) && ...);
}
template <class A, class T, std::size_t... I>
constexpr bool append_places_in_struct(sequence<int>& to, std::int64_t from, std::index_sequence<I...>) {
  using in_memory = members_in_memory<A>;
  if constexpr (!has_nothing_between<A>(std::index_sequence<I...>{})) {
    return false;
  } else if constexpr (!requires {
                         typename std::bool_constant<(in_memory::order(std::index_sequence<I...>{})[0] >= 0)>;
                       }) {
    return false;
  } else {
    constexpr int n = static_cast<int>(sizeof...(I));
    constexpr fixed<size_in_memory, n> parts{size_of_part<member_type<A, I>>...};
    constexpr fixed<std::int64_t, n> at =
        laid_out(parts, in_memory::order(std::index_sequence<I...>{}), size_of_part<A>);
    return at[0] >= 0 && (append_places<member_type<A, I>, T>(to, from + at[I]) && ...);
  }
}

/// Appends the offset, in entries of type `T`, of every leaf of an `A` that begins `from` bytes into
/// something, in the order of `argument<A>::trace`. Returns false where a leaf is no number or tensor of
/// type `T`, or its place is not known.
template <class A, class T>
constexpr bool append_places(sequence<int>& to, std::int64_t from) {
  if constexpr (has_entries_of<A, T> || is_in_columns<A>) {
    to.push_back(static_cast<int>(from / static_cast<std::int64_t>(sizeof(T))));
    return true;
  } else if constexpr (std::is_empty_v<A>) {
    return true;
  } else if constexpr (is_tuple<A>) {
    return append_places_in_tuple<A, T>(to, from, std::make_index_sequence<std::tuple_size_v<A>>{});
  } else if constexpr (reflected<A> && !std::is_polymorphic_v<A>) {
    if constexpr (argument<A>::rebindable)
      return append_places_in_struct<A, T>(to, from, std::make_index_sequence<member_count<A>>{});
    else return false;
  } else {
    return false;
  }
}

/// The layout of equal structs `S` side by side in columns of entries of type `T`.
template <class S, class T>
struct columns_of {
  /// The leaves in a column; none where their places are not known.
  static constexpr int leaves = [] {
    if constexpr (!std::is_floating_point_v<T> || alignof(S) < 64 || sizeof(S) / sizeof(T) > 0x7fffffff) return 0;
    else {
      sequence<int> at;
      return append_places<S, T>(at, 0) ? static_cast<int>(at.size()) : 0;
    }
  }();
  static constexpr bool exist = leaves != 0;
  /// Entries of a column.
  static constexpr int rows = static_cast<int>(sizeof(S) / sizeof(T));
  /// Their places.
  static constexpr auto places = [] {
    fixed<int, leaves> all{};
    sequence<int> at;
    append_places<S, T>(at, 0);
    for (std::size_t i = 0; i < leaves; ++i) all[i] = at[i];
    return all;
  }();
};
template <class S>
struct columns_of<S, void> {
  static constexpr bool exist = false;
};

/// `visit` of an array of equal structs as one leaf. Constant evaluation cannot walk from one member to the next, so
/// there the entries are copied, and back where they may be written.
template <class S, class T, std::size_t N>
constexpr void visit_columns(auto& structs, auto const& f) {
  using entry = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(structs)>>, T const, T>;
  constexpr std::size_t rows = columns_of<S, T>::rows, total = rows * N;
  if (__builtin_is_constant_evaluated()) {
    std::vector<T> all;
    all.reserve(total);
    for (std::size_t i = 0; i < total; ++i) all.push_back(T{});
    auto const each = [&](auto const& move) {
      for (std::size_t n = 0; n < N; ++n) {
        std::size_t leaf = 0;
        argument<S>::visit(structs[n], column_visitor{[&](auto* data, std::size_t count) {
                             std::size_t const from =
                                 n * rows + static_cast<std::size_t>(columns_of<S, T>::places[leaf++]);
                             for (std::size_t i = 0; i < count; ++i) move(data[i], all[from + i]);
                           }});
      }
    };
    each([](auto const& outside, T& inside) { inside = static_cast<T>(outside); });
    f(static_cast<entry*>(all.data()), total);
    if constexpr (!std::is_const_v<entry>) each([](auto& outside, T const& inside) { outside = inside; });
  } else {
    f(reinterpret_cast<entry*>(structs.data()), total);
  }
}

}  // namespace detail
ETCH_NAMESPACE_END
