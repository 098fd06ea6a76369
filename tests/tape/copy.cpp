#include <etch/tape/copy.hpp>

#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

/// The entries of `x` at all positions of `to`.
numbers repeated(operand const& x, shape const& to) {
  numbers y;
  for_each_index(to, [&](auto const& i) {
    std::int64_t at = 0;
    strides const step = contiguous_strides(x.extent);
    for (std::size_t axis = 0; axis < max_rank; ++axis)
      if (x.extent.extent[axis] != 1) at += i[axis] * step[axis];
    y.push_back(x.entries[static_cast<std::size_t>(at)]);
  });
  return y;
}

TEST_CASE("a copy holds the same entries, from any layout to any other, for every element type") {
  for (element type :
       {element::boolean, element::i8, element::u16, element::i32, element::u64, element::f32, element::f64})
    for (shape const& s :
         {shape{}, make_shape(7), make_shape(5, 3), make_shape(1, 4), make_shape(2, 1, 3, 4), make_shape(20, 2, 3)}) {
      operand const x = sampled(type, s, 0, type == element::boolean ? 1.9 : 100, 7);
      for (way from : every_way)
        for (way to : every_way) {
          placed const source(x, from), target(type, s, to);
          dynamic::copy(target.at, source.at);
          CHECK(target.read() == x.entries);
        }
    }
}

TEST_CASE("copied and added operands repeat along axes of extent 1") {
  shape const whole = make_shape(6, 5, 4);
  for (shape const& part : {shape{}, make_shape(6), make_shape(1, 5), make_shape(6, 1, 4), make_shape(1, 1, 4),
                            make_shape(1, 5, 4), whole}) {
    operand const x = sampled(element::f64, part, -1, 1, 8), before = sampled(element::f64, whole, -1, 1, 9);
    numbers const all = repeated(x, whole);
    for (way from : every_way)
      for (way to : every_way) {
        placed const source(x, from), copied(element::f64, whole, to), sum(before, to);
        dynamic::copy(copied.at, source.at);
        CHECK(copied.read() == all);
        dynamic::add<double>(sum.at, source.at);
        numbers const y = sum.read();
        for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == before.entries[i] + all[i]);
      }
  }
}

TEST_CASE("what is added to a repeated entry is added up there") {
  // The adjoint of a broadcast column, straight into the column.
  operand const x = sampled(element::f64, make_shape(5, 40), -8, 8, 1);
  placed const column(operand{element::f64, make_shape(5), {1, 2, 3, 4, 5}}, way::adjoining);
  for (way how : {way::adjoining, way::transposed}) {
    placed const source(x, how);
    numbers const before = column.read();
    dynamic::add<double>(dynamic::stretched(column.at, x.extent), source.at);
    for (std::size_t i = 0; i < 5; ++i) {
      double sum = before[i];
      for (std::size_t j = 0; j < 40; ++j) sum += x.entries[i + 5 * j];
      CHECK(std::abs(column.read()[i] - sum) < 1e-12);
    }
  }
}

TEST_CASE("a value may be added to itself, and one of its entries to all") {
  for (way how : every_way) {
    placed const x(operand{element::f32, make_shape(3, 7), sample(element::f32, 21, -1, 1, 4)}, how);
    numbers const before = x.read();
    dynamic::add<float>(x.at, x.at);
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(x.read()[i] == 2 * before[i]);
    // Entry (1, 2), which the sum changes on its way.
    dynamic::strided_value entry = x.at;
    entry.where.offset += x.at.where.step[0] + 2 * x.at.where.step[1];
    entry.extent = {};
    dynamic::add<float>(x.at, entry);
    for (std::size_t i = 0; i < before.size(); ++i)
      CHECK(x.read()[i] == static_cast<double>(static_cast<float>(2 * before[i]) + static_cast<float>(2 * before[7])));
  }
}

TEST_CASE("cleared values are zero, and nothing else is") {
  for (element type : {element::f64, element::f32, element::u16, element::boolean})
    for (way how : every_way) {
      operand const x = sampled(type, make_shape(9, 5), 1, 1, 4);
      placed const whole(x, how);
      dynamic::strided_value part = whole.at;  // rows 2, 4, 6
      part.where = region(0, 2, 2).within(part.where);
      part.extent = make_shape(3, 5);
      dynamic::clear(part);
      numbers const y = whole.read();
      for (std::size_t i = 0; i < y.size(); ++i)
        CHECK(y[i] == (i % 9 == 2 || i % 9 == 4 || i % 9 == 6 ? 0 : x.entries[i]));
      dynamic::clear(whole.at);
      CHECK(whole.read() == numbers(45, 0.0));
    }
}

}  // namespace
