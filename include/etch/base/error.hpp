// Every mistake has a name, and the name is the sentence. Docs: errors.md.
// Without arguments a mistake is a static_assert, its template arguments the facts; with arguments (base/exception.hpp)
// it throws, or stops constant evaluation.
#pragma once

#include <etch/base/namespace.hpp>
#include <etch/base/exception.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

// The sentences are static_asserts in functions without arguments; their template arguments are the facts, which
// compilers print. Return types are deduced, so that compilers look inside where such a function is called.

/// False, but only where a mistake is made.
template <class... Fact>
inline constexpr bool never = false;

/// Stands for the result of a function that reports a mistake.
struct mistake {};

/// Subscripts of einsum, as they are printed with a sentence.
template <auto Text>
struct subscripts_of {};

/// A shape, as it is printed with a sentence.
template <int... Dims>
struct shape_of {};

/// Bytes, as they are printed with a sentence.
template <long long Bytes>
struct missing {};
template <long long Bytes>
struct needed {};
template <long long Bytes>
struct allowed {};

// ---- shapes ----

template <class A, class B>
constexpr auto inner_dimensions_differ() {
  static_assert(never<A, B>,
                "etch: inner dimensions of a product differ: the left operand must have as many columns as the right "
                "one has rows");
  return mistake{};
}
template <class... X>
constexpr auto shapes_do_not_broadcast() {
  static_assert(never<X...>,
                "etch: shapes do not broadcast: along every axis the extents must be equal, or one of them 1");
  return mistake{};
}
template <class X, class Target>
constexpr auto reshape_changes_size() {
  static_assert(never<X, Target>,
                "etch: reshape to another number of entries: the product of all extents must stay the same");
  return mistake{};
}
template <class X, int Axis>
constexpr auto axis_out_of_range() {
  static_assert(never<X>, "etch: axis out of range: axes are numbered from 0, and the last is the rank less 1");
  return mistake{};
}
template <class X, int Axis, int Begin, int Count, int Step>
constexpr auto slice_out_of_range() {
  static_assert(never<X>,
                "etch: slice out of range: begin + (count - 1) * step must be less than the extent of the axis");
  return mistake{};
}
template <int Axis, class... X>
constexpr auto shapes_do_not_concatenate() {
  static_assert(never<X...>,
                "etch: shapes do not concatenate: along all axes but the one named the extents must be equal");
  return mistake{};
}
template <class... X>
constexpr auto shapes_do_not_stack() {
  static_assert(never<X...>, "etch: shapes do not stack: all operands must have the same shape, of three axes at most");
  return mistake{};
}
template <class X, int Axis, int Parts>
constexpr auto parts_are_unequal() {
  static_assert(never<X>,
                "etch: split into parts of unequal size: the extent of the axis is no multiple of their number");
  return mistake{};
}
template <class X, int... Axis>
constexpr auto axes_are_not_permuted() {
  static_assert(never<X>, "etch: permute names every axis of the tensor once");
  return mistake{};
}
template <int... Count>
constexpr auto count_too_small() {
  static_assert(never<shape_of<Count...>>,
                "etch: count too small: tile, repeat and linspace take counts of at least 1, and pad of at least 0");
  return mistake{};
}
template <class... X>
constexpr auto rank_too_large() {
  static_assert(never<X...>, "etch: rank too large: tensors have four axes at most");
  return mistake{};
}
template <class X>
constexpr auto not_a_matrix() {
  static_assert(never<X>, "etch: a matrix is needed: a tensor of two axes, or a vector, which is a column");
  return mistake{};
}
template <class X>
constexpr auto not_a_square_matrix() {
  static_assert(never<X>, "etch: a square matrix is needed");
  return mistake{};
}

template <class X>
constexpr auto not_a_number() {
  static_assert(
      never<X>,
      "etch: a number is needed, a value of rank 0: pick an entry with x(i), or reduce x with sum, max or norm");
  return mistake{};
}

// ---- subscripts of einsum ----

template <auto Text>
constexpr auto subscripts_are_malformed() {
  static_assert(never<subscripts_of<Text>>,
                "etch: subscripts of einsum are a letter for each axis, commas between operands, and behind -> the "
                "letters of the result, "
                "each once and each of an operand, as in einsum<\"ij,jk->ik\">(a, b)");
  return mistake{};
}
template <auto Text, class... X>
constexpr auto subscripts_do_not_fit() {
  static_assert(
      never<subscripts_of<Text>, X...>,
      "etch: subscripts of einsum have a group of letters for every operand, and a letter for each of its axes");
  return mistake{};
}
template <auto Text, class... X>
constexpr auto subscript_has_two_extents() {
  static_assert(never<subscripts_of<Text>, X...>, "etch: a letter of einsum stands for axes of different extents");
  return mistake{};
}

// ---- images ----

template <class Image, class Kernel>
constexpr auto channels_differ() {
  static_assert(never<Image, Kernel>,
                "etch: channels of image and kernel differ: images are [width, height, channels, batch], kernels "
                "[width, height, channels of a "
                "group, channels of the result]");
  return mistake{};
}
template <class Image, class Kernel>
constexpr auto kernel_is_larger_than_the_image() {
  static_assert(never<Image, Kernel>,
                "etch: the kernel is larger than the image with its padding, so the convolution has no result");
  return mistake{};
}
template <int Stride, int Padding, int Dilation, int Groups>
constexpr auto sliding_is_impossible() {
  static_assert(
      never<shape_of<Stride, Padding, Dilation, Groups>>,
      "etch: a convolution has strides and dilations of 1 to 255, paddings of 0 to 255, and at least one group");
  return mistake{};
}
template <class Image, int Size, int Stride>
constexpr auto window_does_not_fit() {
  static_assert(
      never<Image>,
      "etch: a window does not fit: its size is at least 1 and at most the image's, and its stride at least 1");
  return mistake{};
}

// ---- loops ----

template <class Carry, class Next>
constexpr auto carry_changes_its_type() {
  static_assert(never<Carry, Next>,
                "etch: the carry changes its type: the result of a step of scan or repeat must have the shapes and "
                "element types of init");
  return mistake{};
}
template <class Xs>
constexpr auto slices_have_no_common_count() {
  static_assert(never<Xs>,
                "etch: nothing to go through: every tensor that scan or map walks along needs the same number of "
                "entries along its last "
                "axis, at least 1");
  return mistake{};
}
template <class Xs>
constexpr auto steps_are_counted_at_run_time() {
  static_assert(never<Xs>,
                "etch: the steps of a scan are counted when the program is compiled: give time a fixed dimension; map "
                "and sum_map take an upto<N> of points");
  return mistake{};
}
template <class Operation>
constexpr auto operation_has_no_run_time_count() {
  static_assert(never<Operation>,
                "etch: this operation does not go along an axis of which a count is known at run time only: bring that "
                "axis to where each of its entries stays by itself, or use a fixed dimension");
  return mistake{};
}
template <class... X>
constexpr auto two_axes_are_counted() {
  static_assert(
      never<X...>,
      "etch: a value has one axis at most that is counted at run time, and this one would have two: go through one "
      "of them by sum_map, or by map with a value of fixed shape for each, and use the other inside");
  return mistake{};
}
template <class Points>
constexpr auto values_of_points_are_kept() {
  static_assert(never<Points>,
                "etch: a value for each of any number of points would have to be kept: points are for sum_map and for "
                "sums of what map makes; with a bound, tensor<T, Dims..., upto<N>>, programs keep values and return "
                "them");
  return mistake{};
}
template <class X>
constexpr auto tape_takes_no_counts() {
  static_assert(never<X>,
                "etch: a tape takes tensors of fixed shapes: upto<N> is for programs; on a tape, make the tensor as "
                "large as its entries are many");
  return mistake{};
}
template <class... X>
constexpr auto matrix_of_counted_derivatives() {
  static_assert(never<X...>,
                "etch: a Jacobian or Hessian has a row or column for each entry, and how many entries of an upto<N> "
                "count is known at run time only: give the argument fixed dimensions, or use vjp, jvp and hvp");
  return mistake{};
}
template <class X>
constexpr auto sparse_derivative_of_counts() {
  static_assert(never<X>,
                "etch: the pattern of a sparse derivative is one for all calls: give the arguments fixed dimensions");
  return mistake{};
}
template <class X>
constexpr auto extent_is_known_at_run_time() {
  static_assert(never<X>,
                "etch: how many entries count along this axis is known when the program runs: x.count() is that number "
                "as a traced value");
  return mistake{};
}
template <class X>
constexpr auto loop_value_is_unknown() {
  static_assert(never<X>,
                "etch: a value of this type does not go through a loop: use traced values, and tuples, arrays or "
                "structs of them");
  return mistake{};
}
template <int Count>
constexpr auto loop_without_steps() {
  static_assert(never<shape_of<Count>>, "etch: a loop needs at least one step");
  return mistake{};
}
template <class Carry, class Needed, class Allowed>
constexpr auto carry_exceeds_its_bytes() {
  static_assert(never<Carry, Needed, Allowed>,
                "etch: keep_recursive<Bytes> has no room for a single carry: give it the bytes of one, `needed`, or "
                "more");
  return mistake{};
}
template <int N>
constexpr auto repeated_without_layers() {
  static_assert(never<shape_of<N>>, "etch: nn::repeated needs at least one layer");
  return mistake{};
}
template <class X, class Y>
constexpr auto repeated_layer_changes_the_shape() {
  static_assert(never<X, Y>,
                "etch: a layer of nn::repeated must give the shape that it is given, since the next one takes it: put "
                "layers that change the "
                "shape before it or after it, or use nn::sequential");
  return mistake{};
}

// ---- types of elements and of tensors ----

template <class A, class B>
constexpr auto element_types_differ() {
  static_assert(
      never<A, B>,
      "etch: element types differ: tensors of float and double do not mix; convert one with etch::cast<T>(x)");
  return mistake{};
}
template <class... X>
constexpr auto integers_are_labels() {
  static_assert(never<X...>,
                "etch: integers are labels and indices: convert them with etch::cast<T>(x) before computing with them");
  return mistake{};
}
template <class... X>
constexpr auto tensor_belongs_to_no_graph() {
  static_assert(
      never<X...>,
      "etch: a plain tensor beside a traced value: pass it as an argument of the lambda, or on a tape say "
      "t.constant(x); only an "
      "etch::tensor of up to 64 numbers, as a vector or a matrix, is a constant; for one in Eigen's language write "
      "etch::matrix<T, R, C> or etch::vector<T, N>, which are Eigen's where T is a number");
  return mistake{};
}
template <class Labels>
constexpr auto labels_are_not_integers() {
  static_assert(never<Labels>, "etch: one_hot takes integer labels");
  return mistake{};
}
template <class Key>
constexpr auto key_is_not_an_integer() {
  static_assert(never<Key>,
                "etch: random numbers are drawn from a key that is one integer among the arguments of the loss");
  return mistake{};
}
template <class T>
constexpr auto not_a_floating_type() {
  static_assert(never<T>, "etch: values are converted to floating types only; integers are labels and indices");
  return mistake{};
}
template <class X>
constexpr auto indices_exceed_float() {
  static_assert(
      never<X>,
      "etch: an index is a number in the element type, and float holds integers up to 2^24: use etch::cast<double>(x)");
  return mistake{};
}
template <class T>
constexpr auto elements_are_not_scalars() {
  static_assert(never<T>,
                "etch: the elements of a tensor are arithmetic scalars: in a struct template over T write "
                "`etch::param<T, ...> name`; for a tensor of tensors add its axes to the shape, or use std::array");
  return mistake{};
}
template <class T, int... Dims>
constexpr auto tensor_too_large() {
  static_assert(never<T>, "etch: tensor too large: its size in bytes is more than a computer can address");
  return mistake{};
}
template <int... Dims>
constexpr auto extents_are_not_positive() {
  static_assert(never<shape_of<Dims...>>, "etch: every extent of a tensor is at least 1");
  return mistake{};
}
template <int Bound>
constexpr auto bound_is_out_of_range() {
  static_assert(never<shape_of<Bound>>, "etch: upto<N> is a dimension of 2 to 2^30 - 1 entries");
  return mistake{};
}
template <class T, int... Dims>
constexpr auto only_the_last_dimension_is_counted() {
  static_assert(never<T>,
                "etch: of the dimensions of a tensor only the last can be upto<N>: bring what is counted to the last "
                "axis (permute, transpose)");
  return mistake{};
}
template <class A>
constexpr auto type_of_argument_is_unknown() {
  static_assert(
      never<A>,
      "etch: unknown type of argument: use etch::tensor, an arithmetic scalar, a fixed-size Eigen matrix or Map, "
      "a struct that lists its members with ETCH_MEMBERS (or another Hana struct), or std::array / std::tuple of "
      "those");
  return mistake{};
}
template <class S>
constexpr auto member_is_not_listed() {
  static_assert(
      never<S>,
      "etch: a data member of this struct is missing from its ETCH_MEMBERS, so no loss would see its value: name all "
      "of them there, declare constants static constexpr, and keep everything that is no parameter outside the struct");
  return mistake{};
}
template <class S, class Name>
constexpr auto member_is_listed_twice() {
  static_assert(never<S, Name>, "etch: ETCH_MEMBERS of this struct names a member twice: each has one gradient");
  return mistake{};
}
template <class S>
constexpr auto too_many_members() {
  static_assert(
      never<S>,
      "etch: ETCH_MEMBERS takes up to 128 members: put some of them into structs of their own, or into a std::array");
  return mistake{};
}
template <class S, class Member, class Name>
constexpr auto member_does_not_follow_the_element_type() {
  static_assert(
      never<S, Member, Name>,
      "etch: a member of this struct template has an element type of its own, while others follow the template's "
      "parameter T, so a "
      "loss cannot see the struct: declare it `T name`, `etch::param<T, ...> name` or with another struct over T");
  return mistake{};
}
template <class A, class T>
constexpr auto memory_is_of_another_type() {
  static_assert(never<A, T>, "etch: view_as takes a pointer to the element type that all tensors of the type have");
  return mistake{};
}
template <class S, class Name>
constexpr auto member_does_not_exist() {
  static_assert(never<S, Name>, "etch: this struct has no member of that name");
  return mistake{};
}

}  // namespace error
ETCH_NAMESPACE_END
