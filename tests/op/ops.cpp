#include <etch/op/table.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <int... Position>
consteval bool positions_round_trip(std::integer_sequence<int, Position...>) {
  return ((opcode_of<op_at<Position>> == Position) && ...);
}

}  // namespace

// An opcode is a position: the op found there has that opcode, for the whole list.
static_assert(positions_round_trip(std::make_integer_sequence<int, op::list::size>{}));
static_assert(is_listed<op::input> && is_listed<op::mark_arrival> && !is_listed<int>);
static_assert(op_list<>::size == 0 && op_list<int, float>::size == 2);

TEST_CASE("the table of facts has one row for each op of the list, in its order") {
  CHECK(op_table.size() == static_cast<std::size_t>(op::list::size));
  CHECK(std::string(op_table[opcode_of<op::input>].name) == "input");
  CHECK(std::string(op_table[opcode_of<op::matmul>].name) == "matmul");
  CHECK(std::string(op_table[opcode_of<op::log_softmax>].name) == "log_softmax");
}
