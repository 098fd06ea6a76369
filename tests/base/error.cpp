#include <etch/graph/shape.hpp>

#include <etch/base/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using namespace etch;

static_assert(std::is_base_of_v<std::runtime_error, exception>);
static_assert(std::is_nothrow_copy_constructible_v<exception>);

/// The text that `f` throws, or the empty one if it does not throw an `etch::exception`.
std::string sentence_of(auto f) {
  try {
    f();
  } catch (exception const& e) {
    return e.what();
  } catch (...) {
  }
  return {};
}

TEST_CASE("a raised sentence arrives as etch::exception behind the library's name") {
  CHECK(sentence_of([] { error::raise("the moon is full"); }) == "etch: the moon is full");
  CHECK(sentence_of([] { error::raise(""); }) == "etch: ");
  CHECK_THROWS_AS(error::raise("x"), std::runtime_error);
}

TEST_CASE("mistakes of two shapes name both, in the order of the operands") {
  shape const a = make_shape(2, 3), b = make_shape(5);
  CHECK(sentence_of([&] { error::shapes_do_not_broadcast(a, b); }) == "etch: shapes do not broadcast: [2, 3] and [5]");
  CHECK(sentence_of([&] { error::inner_dimensions_differ(a, b); }) ==
        "etch: inner dimensions of a product differ: [2, 3] times [5]");
  CHECK(sentence_of([&] { error::view_does_not_fit("reshape", a, b); }) ==
        "etch: no reshape leads from shape [2, 3] to [5]");
  CHECK(sentence_of([&] { error::view_does_not_fit("reshape", b, a); }) ==
        "etch: no reshape leads from shape [5] to [2, 3]");
}

TEST_CASE("mistakes of one shape name it and the fact") {
  shape const a = make_shape(2, 3, 4);
  CHECK(sentence_of([&] { error::not_a_matrix(a); }) ==
        "etch: a matrix (rank 2 or less) is needed, not a tensor of shape [2, 3, 4]");
  CHECK(sentence_of([&] { error::axis_out_of_range(a, 3); }) == "etch: axis 3 does not exist in shape [2, 3, 4]");
  CHECK(sentence_of([&] { error::axis_out_of_range(make_shape(), -1); }) == "etch: axis -1 does not exist in shape []");
}

TEST_CASE("a place that does not exist is named together with what there is") {
  shape const a = make_shape(2, 3), b = make_shape(2, 5), cube = make_shape(3, 3, 3);
  CHECK(sentence_of([&] { error::slice_out_of_range(a, 1, 2, 4); }) ==
        "etch: slice out of range: entries 2 to 4 along axis 1 of shape [2, 3]");
  CHECK(sentence_of([&] { error::shapes_do_not_concatenate(a, b, 0); }) ==
        "etch: shapes do not concatenate along axis 0: [2, 3] and [2, 5]");
  CHECK(sentence_of([&] { error::not_a_square_matrix(a); }) ==
        "etch: a square matrix is needed, not one of shape [2, 3]");
  CHECK(sentence_of([&] { error::not_a_square_matrix(cube); }) ==
        "etch: a square matrix is needed, not one of shape [3, 3, 3]");
  CHECK(sentence_of([] { error::rank_too_large(5); }) ==
        "etch: tensors have rank 0 to 4, and this operation would give one of rank 5");
  CHECK(sentence_of([] { error::index_out_of_range(-1, 3); }) ==
        "etch: index out of range: -1 where the axis has 3 entries");
  CHECK(sentence_of([] { error::index_out_of_range(3, 3, {"argument 0.table", "argument 1"}); }) ==
        "etch: index out of range: 3 where the axis has 3 entries, in argument 1, of argument 0.table");
  CHECK(sentence_of([] { error::index_out_of_range(5'000'000'000, 3); }) ==
        "etch: index out of range: 5000000000 where the axis has 3 entries");
}

TEST_CASE("a file is refused by name, place and reason") {
  CHECK(sentence_of([] { error::file_is_malformed("a b.idx", 16, "the file ends inside the entries"); }) ==
        "etch: a b.idx: at byte 16: the file ends inside the entries");
  CHECK(sentence_of([] { error::file_is_malformed("x", 5'000'000'000, "r"); }) == "etch: x: at byte 5000000000: r");
}

TEST_CASE("mistakes without a shape say what is wrong") {
  CHECK(sentence_of([] { error::element_types_differ("f32", "f64"); }) == "etch: element types differ: f32 and f64");
  CHECK(sentence_of([] { error::graph_is_malformed("it has no output"); }) ==
        "etch: malformed graph: it has no output");
  CHECK(sentence_of([] { error::constants_belong_to_no_graph(); }).find("only constants") != std::string::npos);
  CHECK(sentence_of([] { error::operands_belong_to_different_graphs(); }).find("different graphs") !=
        std::string::npos);
  CHECK(sentence_of([] { error::variable_of_another_tape(); }) ==
        "etch: a variable of another tape: the variables of one statement belong to one tape");
}

}  // namespace
