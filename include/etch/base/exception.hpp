// Mistakes at run time, or while a graph is built from data: each throws the sentence. Docs: errors.md.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

ETCH_NAMESPACE_BEGIN

/// The exception that the library throws: a sentence that names the fact.
struct exception : std::runtime_error {
  using std::runtime_error::runtime_error;
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace error {

/// Throws `etch::exception`, or prints the sentence and aborts where exceptions are switched off.
[[noreturn]] inline void raise(std::string const& sentence) {
#if defined(__cpp_exceptions)
  throw exception("etch: " + sentence);
#else
  std::fprintf(stderr, "etch: %s\n", sentence.c_str());
  std::abort();
#endif
}
template <class Shape>
[[noreturn]] void shapes_do_not_broadcast(Shape const& a, Shape const& b) {
  raise("shapes do not broadcast: " + to_string(a) + " and " + to_string(b));
}
template <class Shape>
[[noreturn]] void inner_dimensions_differ(Shape const& a, Shape const& b) {
  raise("inner dimensions of a product differ: " + to_string(a) + " times " + to_string(b));
}
template <class Shape>
[[noreturn]] void two_axes_are_counted(Shape const& a, Shape const& b) {
  raise("a value of " + to_string(a) + " and " + to_string(b) +
        " would have two axes of which a count is known at run time only");
}
template <class Shape>
[[noreturn]] void operation_has_no_run_time_count(char const* op, Shape const& a) {
  raise(std::string(op) + " does not go along an axis of which a count is known at run time only: shape " +
        to_string(a));
}
template <class Shape>
[[noreturn]] void not_a_matrix(Shape const& a) {
  raise("a matrix (rank 2 or less) is needed, not a tensor of shape " + to_string(a));
}
template <class Shape>
[[noreturn]] void view_does_not_fit(char const* op, Shape const& a, Shape const& b) {
  raise(std::string("no ") + op + " leads from shape " + to_string(a) + " to " + to_string(b));
}
template <class Shape>
[[noreturn]] void axis_out_of_range(Shape const& a, int axis) {
  raise("axis " + std::to_string(axis) + " does not exist in shape " + to_string(a));
}
template <class Shape>
[[noreturn]] void slice_out_of_range(Shape const& of, int axis, int first, int last) {
  raise("slice out of range: entries " + std::to_string(first) + " to " + std::to_string(last) + " along axis " +
        std::to_string(axis) + " of shape " + to_string(of));
}
template <class Shape>
[[noreturn]] void shapes_do_not_concatenate(Shape const& a, Shape const& b, int axis) {
  raise("shapes do not concatenate along axis " + std::to_string(axis) + ": " + to_string(a) + " and " + to_string(b));
}
[[noreturn]] inline void rate_is_no_probability(double rate) {
  raise("the rate of dropout is a probability, from 0 to 1, not " + std::to_string(rate));
}
[[noreturn]] inline void rank_too_large(int rank) {
  raise("tensors have rank 0 to 4, and this operation would give one of rank " + std::to_string(rank));
}
template <class Shape>
[[noreturn]] void not_a_square_matrix(Shape const& a) {
  raise("a square matrix is needed, not one of shape " + to_string(a));
}
template <class Shape>
[[noreturn]] void channels_differ(Shape const& image, Shape const& kernel) {
  raise("channels differ: image " + to_string(image) + " (batch first), kernel " + to_string(kernel));
}
template <class Shape>
[[noreturn]] void kernel_is_larger_than_the_image(Shape const& image, Shape const& kernel) {
  raise("the kernel is larger than the image with its padding: image " + to_string(image) + " (batch first), kernel " +
        to_string(kernel));
}
template <class Shape>
[[noreturn]] void window_is_larger_than_the_image(Shape const& image) {
  raise("the window is larger than the image " + to_string(image) + " (batch first)");
}
/// Names an indexed value and its indices for a sentence: the names of the arguments in which they
/// are. Empty where they are in none.
struct index_names {
  std::string_view table, indices;
};
/// Checked inside kernels, which under ETCH_FORBID_HEAP cannot throw.
[[noreturn]] inline void index_out_of_range(long long index, long long extent, index_names in = {}) {
#if defined(__cpp_exceptions) && !defined(ETCH_FORBID_HEAP)
  raise("index out of range: " + std::to_string(index) + " where the axis has " + std::to_string(extent) + " entries" +
        (in.indices.empty() ? "" : ", in " + std::string(in.indices)) +
        (in.table.empty() ? "" : ", of " + std::string(in.table)));
#else
  std::fprintf(stderr, "etch: index out of range: %lld where the axis has %lld entries%s%s%s%s\n", index, extent,
               in.indices.empty() ? "" : ", in ", in.indices.data() == nullptr ? "" : in.indices.data(),
               in.table.empty() ? "" : ", of ", in.table.data() == nullptr ? "" : in.table.data());
  std::abort();
#endif
}

/// A file that is not what it should be, and where.
[[noreturn]] inline void file_is_malformed(std::string const& name, long long offset, std::string const& reason) {
  raise(name + ": at byte " + std::to_string(offset) + ": " + reason);
}
/// A file that could not be replaced; what it held before, it still holds.
[[noreturn]] inline void file_cannot_be_written(std::string const& name, std::string const& reason) {
  raise(name + ": cannot be written: " + reason);
}
[[noreturn]] inline void element_types_differ(char const* a, char const* b) {
  raise(std::string("element types differ: ") + a + " and " + b);
}
[[noreturn]] inline void tape_holds_one_floating_type(char const* held, char const* met) {
  raise(std::string("a tape holds values of one floating type, this one ") + held + ", and met a value of type " + met);
}
[[noreturn]] inline void tape_does_not_compute_with(char const* type, char const* op) {
  raise(std::string("integers on a tape are labels and indices: there is no ") + op + " of type " + type);
}
[[noreturn]] inline void constants_belong_to_no_graph() {
  raise(
      "this operation has only constants as operands, and they belong to no graph yet; combine them with a traced "
      "value first");
}
[[noreturn]] inline void constant_has_no_element_type() {
  raise("a constant whose entries differ belongs to no graph yet: declare it with auto, or add it to a traced value");
}
[[noreturn]] inline void constant_is_too_long() {
  raise("a constant follows from too many others before it meets a traced value; combine it with one earlier");
}
[[noreturn]] inline void loop_meets_no_traced_value() {
  raise(
      "neither what a loop begins with, nor its slices, nor anything it captures is a traced value; without one it is "
      "a constant");
}
[[noreturn]] inline void custom_function_captures_a_value() {
  raise(
      "a function with a derivative of its own captures a traced value, for which it has no derivative: make it an "
      "argument");
}
[[noreturn]] inline void kernels_have_one_key() {
  raise("two kernels of one program have the same key, which is made of their names: rename one of them");
}
[[noreturn]] inline void kernel_lacks_a_derivative() {
  raise(
      "the derivative of a kernel is asked for that its struct does not give: backward is the first, along that in a "
      "direction, and adjoint has those of higher order");
}
[[noreturn]] inline void operands_belong_to_different_graphs() {
  raise("the operands of one operation belong to different graphs");
}
[[noreturn]] inline void variable_of_another_tape() {
  raise("a variable of another tape: the variables of one statement belong to one tape");
}
[[noreturn]] inline void value_is_not_known() {
  raise("this value is not known yet: while a program is drawn only a tape has values");
}
[[noreturn]] inline void graph_is_malformed(char const* fact) { raise(std::string("malformed graph: ") + fact); }

}  // namespace error
ETCH_NAMESPACE_END
