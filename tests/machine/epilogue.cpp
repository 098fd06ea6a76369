#include <etch/machine/epilogue.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// y = tile + v, with a column v; and the tile itself, stored transposed.
consteval auto shifted(int rows, int columns) {
  run::signature<2, 1, 2> s;
  s.type = element::f32;
  s.extent = {rows, columns, 1, 1};
  s.in[0] = {pass::source::tile, s.type, {}, 0};
  s.in[1] = {pass::source::memory, s.type, {1, 0, 0, 0}, 0};
  s.code[0] = {opcode_of<op::add>, {0, 1, 0}};
  s.out[0] = {{1, rows, 0, 0}, 2, false, false, 0};
  s.out[1] = {{columns, 1, 0, 0}, 0, false, true, 0};
  return s;
}

}  // namespace

TEST_CASE("a tile is finished where it lies, and nothing else is written") {
  static constexpr int width = widest<float>, rows = 3 * width, columns = 5, height = width + 1;
  static constexpr auto s = shifted(rows, columns);
  using V = typename number_of_width<float, width>::type;
  std::vector<float> v(rows), y(rows * columns, 1000), seen(rows * columns, 100), tile(2 * 2 * width);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < tile.size(); ++i) tile[i] = static_cast<float>(10 * i);
  auto const bytes = [](std::vector<float>& x) { return reinterpret_cast<std::byte*>(x.data()); };
  std::byte dummy{};
  std::byte* pointers[] = {&dummy, bytes(v), bytes(y), bytes(seen)};
  for (int turn = 0; turn < 2; ++turn) {
    static constexpr auto shared = run::without_layout(s);
    static constexpr auto where = run::layout_of(s);
    run::epilogue<run::pack_signature<shared>(), V> made(pointers, where);
    made.finish(height, 2, {width / 2, 3, 0, 0}, tile.data(), 2 * width, false);
    made.end();
    int wrong = 0;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        int const r = i - width / 2, q = j - 3;
        bool const inside = r >= 0 && r < height && q >= 0 && q < 2;
        float const x = inside ? static_cast<float>(10 * (q * 2 * width + r)) : 0;
        float const expected = inside ? x + static_cast<float>(i) : 1000;
        wrong += y[static_cast<std::size_t>(i + j * rows)] != expected;
        wrong += seen[static_cast<std::size_t>(j + i * columns)] != 100 + static_cast<float>(turn + 1) * x;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("parts of a sum are added where the result is the product itself") {
  static constexpr int width = widest<float>, rows = 2 * width + 1, columns = 3;
  static constexpr auto s = [] {
    run::signature<1, 0, 1> alone;
    alone.type = element::f32;
    alone.extent = {rows, columns, 1, 1};
    alone.in[0] = {pass::source::tile, alone.type, {}, 0};
    alone.out[0] = {{columns, 1, 0, 0}, 0, false, false, 0};
    return alone;
  }();
  static constexpr auto shared = run::without_layout(s);
  static constexpr auto where = run::layout_of(s);
  static_assert(run::stores_tiles(s) && !run::stores_columns(s));
  using V = typename number_of_width<float, width>::type;
  std::vector<float> y(rows * columns, 7), tile(static_cast<std::size_t>((rows + width) * columns));
  for (std::size_t i = 0; i < tile.size(); ++i) tile[i] = static_cast<float>(i);
  std::byte dummy{};
  std::byte* pointers[] = {&dummy, reinterpret_cast<std::byte*>(y.data())};
  run::epilogue<run::pack_signature<shared>(), V> made(pointers, where);
  for (bool adds : {false, true, true}) made.finish(rows, columns, {}, tile.data(), rows + width, adds);
  int wrong = 0;
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      wrong += y[static_cast<std::size_t>(j + i * columns)] != static_cast<float>(3 * (i + j * (rows + width)));
  CHECK(wrong == 0);
}

namespace {

/// Of tiles of a batch: the sum of all entries, of each row, of each column, and the largest entry of each product.
consteval auto reductions(int rows, int columns, int batch, bool accumulate) {
  run::signature<1, 0, 4> s;
  s.type = element::f64;
  s.extent = {rows, columns, batch, 1};
  s.in[0] = {pass::source::tile, s.type, {}, 0};
  s.out[0] = {{}, 0, true, accumulate, opcode_of<op::sum>};
  s.out[1] = {{1, 0, 0, 0}, 0, true, accumulate, opcode_of<op::sum>};
  s.out[2] = {{0, 1, 0, 0}, 0, true, accumulate, opcode_of<op::sum>};
  s.out[3] = {{0, 0, 1, 0}, 0, true, false, opcode_of<op::max>};
  return s;
}

template <class V, bool Accumulate>
void check_reductions() {
  static constexpr int rows = 2 * widest<double> + 1, columns = 3, batch = 2;
  static constexpr auto s = reductions(rows, columns, batch, Accumulate);
  double const before = Accumulate ? 1000 : 0;
  std::vector<double> total(1, 1000), by_row(rows, 1000), by_column(columns, 1000), largest(batch, 1000),
      tile(rows * columns + rows);
  std::vector<double> row(rows, before), column(columns, before);
  auto const bytes = [](std::vector<double>& x) { return reinterpret_cast<std::byte*>(x.data()); };
  std::byte dummy{};
  std::byte* pointers[] = {&dummy, bytes(total), bytes(by_row), bytes(by_column), bytes(largest)};
  double all = before;
  static constexpr auto shared = run::without_layout(s);
  static constexpr auto where = run::layout_of(s);
  run::epilogue<run::pack_signature<shared>(), V> made(pointers, where);
  for (int l = 0; l < batch; ++l) {
    for (std::size_t i = 0; i < rows * columns; ++i) {
      tile[i] = -static_cast<double>(i * 7 % 10) - l;
      all += tile[i];
      row[i % rows] += tile[i];
      column[i / rows] += tile[i];
    }
    made.finish(run::count_of<rows - 1>{}, columns, {0, 0, l, 0}, tile.data(), rows, false);
    made.finish(1, columns, {rows - 1, 0, l, 0}, tile.data() + rows - 1, rows, false);
  }
  made.end();
  CHECK(total[0] == all);
  CHECK(by_row == row);
  CHECK(by_column == column);
  CHECK(largest == std::vector<double>{0, -1});
}

}  // namespace

TEST_CASE("reductions over all tiles, along either axis, and of each product of a batch") {
  using V = typename number_of_width<double, widest<double>>::type;
  check_reductions<V, false>();
  check_reductions<V, true>();
  check_reductions<double, false>();
}
