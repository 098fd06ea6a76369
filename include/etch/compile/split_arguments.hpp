// split_arguments: which arguments of a program workers share, along which axis, and what a worker has of them.
#pragma once

#include <etch/compile/pipeline.hpp>
#include <etch/compile/trace.hpp>
#include <etch/rewrite/counted.hpp>

#include <type_traits>

ETCH_NAMESPACE_BEGIN

/// Option of `parallel`: the positions of the arguments that are split, along the axis that is last in memory. Those
/// that are differentiated have gradients that are split too.
template <int... I>
struct over {};

namespace detail {

/// Whether an argument can be split: it is one block of memory with an axis.
template <class A>
inline constexpr bool can_be_split = false;
template <class T, int First, int... Dims>
inline constexpr bool can_be_split<tensor<T, First, Dims...>> = true;
template <eigen_argument A>
inline constexpr bool can_be_split<A> = true;
template <bounded_eigen A>
inline constexpr bool can_be_split<A> = true;
template <class T, int... Dims>
inline constexpr bool can_be_split<points<T, Dims...>> = true;

/// The graph of an argument's leaves, as they lie in memory, first index fastest.
template <class A>
constexpr graph leaves_in_memory() {
  graph g;
  int position = 0;
  static_cast<void>(argument<A>::trace(pass::leaf_maker{&g, &position}));
  return g;
}
/// The shape of an argument that can be split.
template <class A>
consteval shape shape_in_memory() {
  return leaves_in_memory<A>()[0].extent;
}
/// The axis that is last in memory, or -1.
constexpr int last_axis(shape const& s) {
  int axis = max_rank - 1;
  while (axis > 0 && s[axis] == 1) --axis;
  return axis;
}
/// The extent along it; 0 where there is none.
template <class A>
consteval int last_extent() {
  if constexpr (!can_be_split<A>) return 0;
  else return shape_in_memory<A>()[last_axis(shape_in_memory<A>())];
}

/// That axis of an argument, or -1.
template <class A>
inline constexpr int last_axis_of = -1;
template <class A>
  requires can_be_split<A>
inline constexpr int last_axis_of<A> = last_axis(shape_in_memory<A>());
/// The leaves of an argument.
template <class A>
inline constexpr int leaves_of_argument = pass::program_leaf_count<A>();

template <int... I>
constexpr bool is_among(over<I...>, int position) {
  return ((position == I) || ...);
}

template <class A>
inline constexpr int last_extent_of = last_extent<A>();
/// Whether so many entries of any leaf of an argument count as a call says.
template <class A>
inline constexpr bool argument_counts = pass::counts(leaves_in_memory<A>());
/// The bytes of one entry along it; 0 where there is none.
template <class A>
inline constexpr std::int64_t bytes_of_entry = 0;
template <class A>
  requires can_be_split<A>
inline constexpr std::int64_t bytes_of_entry<A> =
    shape_in_memory<A>().size() / last_extent_of<A> * bytes_of(element_of<typename argument<A>::traced::scalar_type>);

template <int... I>
consteval bool names_position(wrt<I...>, int position) {
  return ((position == I) || ...);
}

/// The arguments that are split where `Over` is void, else those that it names: a flag for each.
template <class Over, class Wrt, class... A>
consteval auto arguments_split() {
  constexpr int n = static_cast<int>(sizeof...(A));
  fixed<bool, n> split{};
  fixed<int, n> const extents{last_extent_of<A>...};
  for (int i = 0; i < n; ++i)
    if constexpr (std::is_void_v<Over>)
      split[static_cast<std::size_t>(i)] =
          !names_position(Wrt{}, i) && extents[n - 1] > 1 && extents[static_cast<std::size_t>(i)] == extents[n - 1];
    else split[static_cast<std::size_t>(i)] = is_among(Over{}, i);
  return split;
}

/// The type that stands for a split argument of type `A` in a worker's program.
template <class A, int Whole, int Part>
consteval shape block_shape() {
  shape part = shape_in_memory<A>();
  int const axis = last_axis(part);
  part[axis] = part[axis] / Whole * Part;
  return part;
}
template <class A, int Whole, int Part, int... Axis>
consteval auto block_type(std::integer_sequence<int, Axis...>) {
  constexpr shape s = block_shape<A, Whole, Part>();
  return std::type_identity<tensor<typename argument<A>::traced::scalar_type,
                                   (s.counted == Axis + 1 ? counted_dimension : 0) + s[Axis]...>>{};
}
template <bool Split, class A, int Whole, int Part>
struct argument_of_worker {
  using type = A;
};
template <class A, int Whole, int Part>
struct argument_of_worker<true, A, Whole, Part> {
  using type = typename decltype(block_type<A, Whole, Part>(
      std::make_integer_sequence<int, block_shape<A, Whole, Part>().rank>{}))::type;
};
template <class T, int... Dims, int Whole, int Part>
struct argument_of_worker<true, points<T, Dims...>, Whole, Part> {
  using type = points<T, Dims...>;
};

}  // namespace detail
ETCH_NAMESPACE_END
