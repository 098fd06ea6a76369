#include <etch/core/tensor.hpp>
#include <etch/compile/storage.hpp>

#include <doctest/doctest.h>

#include <array>

using namespace etch;

namespace {

run::range part(std::byte const* memory, int first, int bytes) {
  return {memory + first, static_cast<std::size_t>(bytes)};
}

}  // namespace

TEST_CASE("ranges overlap exactly where they share a byte") {
  std::byte memory[64];
  for (int first = 8; first < 40; ++first)
    for (int bytes = 1; bytes < 12; ++bytes) {
      bool const expected = first < 28 && first + bytes > 20;
      CHECK(part(memory, first, bytes).overlaps(part(memory, 20, 8)) == expected);
      CHECK(part(memory, 20, 8).overlaps(part(memory, first, bytes)) == expected);
    }
  CHECK(!part(memory, 20, 0).overlaps(part(memory, 16, 8)));
  CHECK(!part(memory, 16, 8).overlaps(part(memory, 20, 0)));
}

TEST_CASE("leaves have storage in order; that of numbers, which are copied, overlaps nothing") {
  std::tuple<tensor<float, 3>, std::array<double, 2>, tensor<int, 2>> both{};
  run::ranges<4> leaves;
  std::size_t next = 0;
  run::append_leaves<decltype(both)>(leaves, next, both);
  CHECK(next == 4);
  CHECK(leaves[0].first == reinterpret_cast<std::byte const*>(std::get<0>(both).data()));
  CHECK(leaves[0].bytes == 12);
  CHECK(leaves[2].first == reinterpret_cast<std::byte const*>(&std::get<1>(both)[1]));
  CHECK(leaves[2].bytes == 8);

  run::ranges<3> outputs;
  next = 0;
  run::append_gradients(outputs, next, both);
  CHECK(next == 3);  // integers have none
  CHECK(outputs[1].first == leaves[1].first);
  CHECK(outputs[1].bytes == 8);

  double number = 1;
  run::ranges<1> copied;
  next = 0;
  run::append_leaves<double>(copied, next, number);
  CHECK(copied[0].bytes == 0);
}

TEST_CASE("overlaps are found among all pairs but those of the value, in line or in a loop") {
  std::byte memory[64];
  for (int first : {0, 7, 8, 31, 32}) {
    run::ranges<3> const outputs{{part(memory, 0, 64), part(memory, 8, 8), part(memory, 24, 8)}};
    run::ranges<2> const leaves{{part(memory, 40, 8), part(memory, first, 1)}};
    bool const expected = first == 8 || first == 31;
    CHECK(run::any_overlap<true, 1, 3, 2>(outputs, leaves) == expected);
    CHECK(run::any_overlap<false, 1, 3, 2>(outputs, leaves) == expected);
    run::ranges<3> const others{{part(memory, 0, 64), part(memory, 8, 24), part(memory, first, 1)}};
    bool const inside = first >= 8 && first < 32;
    CHECK(run::any_overlap<true, 3>(others) == inside);
    CHECK(run::any_overlap<false, 3>(others) == inside);
  }
}
