#include <etch/machine/elementwise_kernel.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace etch;
using pass::source;

namespace {

/// Sums of a matrix [rows, columns]: of all entries, along each axis; and the entries themselves `op` 1.
template <class T>
consteval auto sums(int rows, int columns, bool accumulate, opcode op) {
  run::signature<2, 1, 4> s;
  s.type = element_of<T>;
  s.extent = {rows, columns, 1, 1};
  s.in[0] = {source::memory, s.type, {1, rows, 0, 0}, 0};
  s.in[1] = {source::constant, s.type, {}, attribute_of(1)};
  s.code[0] = {op, {0, 1, 0}};
  s.out[0] = {{0, 0, 0, 0}, 0, true, accumulate, opcode_of<op::sum>};
  s.out[1] = {{0, 1, 0, 0}, 0, true, accumulate, opcode_of<op::sum>};
  s.out[2] = {{1, 0, 0, 0}, 0, true, accumulate, opcode_of<op::sum>};
  s.out[3] = {{1, rows, 0, 0}, 2, false, accumulate, 0};
  return s;
}

/// Runs the loop on storage that holds 100 everywhere. Entry (i, j) is i + 10 j, so that every sum is exact.
template <class T, int Rows, int Columns, bool Accumulate, class Op>
void check_sums() {
  static constexpr auto s = sums<T>(Rows, Columns, Accumulate, opcode_of<Op>);
  CAPTURE(Rows);
  CAPTURE(Columns);
  std::vector<T> x(Rows * Columns), total(2, T(100)), by_column(Columns + 1, T(100)), by_row(Rows + 1, T(100)),
      more(Rows * Columns + 1, T(100));
  for (int j = 0; j < Columns; ++j)
    for (int i = 0; i < Rows; ++i) x[static_cast<std::size_t>(i + j * Rows)] = static_cast<T>(i + 10 * j);
  auto const bytes = [](std::vector<T>& v) { return reinterpret_cast<std::byte*>(v.data()); };
  std::byte dummy{};
  std::byte* pointers[] = {bytes(x), &dummy, bytes(total), bytes(by_column), bytes(by_row), bytes(more)};
  run::elementwise_kernel<run::pack_signature<s>()>::run(pointers);
  T const before = Accumulate ? T(100) : T(0);
  T all = before;
  for (T e : x) all += e;
  CHECK(total[0] == all);
  for (int j = 0; j < Columns; ++j)
    CHECK(by_column[static_cast<std::size_t>(j)] == before + static_cast<T>(Rows * (Rows - 1) / 2 + 10 * j * Rows));
  for (int i = 0; i < Rows; ++i)
    CHECK(by_row[static_cast<std::size_t>(i)] == before + static_cast<T>(i * Columns + 5 * Columns * (Columns - 1)));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(more[i] == before + Op::value(x[i], T(1)));
  for (auto const& v : {total, by_column, by_row, more}) CHECK(v.back() == 100);
}

template <class T, int Rows, int Columns, class Op = op::add>
void check_both() {
  check_sums<T, Rows, Columns, false, Op>();
  check_sums<T, Rows, Columns, true, Op>();
}

/// The largest entry along both axes of memory read transposed.
template <int Rows, int Columns>
void check_max() {
  static constexpr auto s = [] {
    run::signature<1, 0, 3> made;
    made.type = element::f32;
    made.extent = {Rows, Columns, 1, 1};
    made.in[0] = {source::memory, element::f32, {Columns, 1, 0, 0}, 0};
    made.out[0] = {{0, 0, 0, 0}, 0, true, false, opcode_of<op::max>};
    made.out[1] = {{0, 1, 0, 0}, 0, true, false, opcode_of<op::max>};
    made.out[2] = {{1, 0, 0, 0}, 0, true, false, opcode_of<op::max>};
    return made;
  }();
  std::vector<float> x(Rows * Columns), column(Columns), row(Rows);
  for (int at = 0; at < Rows * Columns; ++at) {
    std::fill(x.begin(), x.end(), -5.0f);
    x[static_cast<std::size_t>(at)] = -1;
    float all = 0;
    std::byte* pointers[] = {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(&all),
                             reinterpret_cast<std::byte*>(column.data()), reinterpret_cast<std::byte*>(row.data())};
    run::elementwise_kernel<run::pack_signature<s>()>::run(pointers);
    CHECK(all == -1);
    for (int j = 0; j < Columns; ++j) CHECK(column[static_cast<std::size_t>(j)] == (j == at % Columns ? -1 : -5));
    for (int i = 0; i < Rows; ++i) CHECK(row[static_cast<std::size_t>(i)] == (i == at / Columns ? -1 : -5));
  }
}

}  // namespace

TEST_CASE("sums over any axes, assigned or accumulated, for scalars, partial and full registers") {
  check_both<float, 1, 1>();
  check_both<float, 3, 2>();
  check_both<float, 5, 4>();
  check_both<float, 16, 3>();
  check_both<float, 17, 2>();
  check_both<float, 133, 3>();
  check_both<float, 2, 3>();
  check_both<float, 4, 3>();
  check_both<float, 7, 2>();
  check_both<float, 8, 3>();
  check_both<float, 15, 2>();
  check_both<float, 18, 1>();
  check_both<float, 20, 2>();
  check_both<float, 31, 2>();
  check_both<float, 1009, 1>();
  check_both<double, 1, 7>();
  check_both<double, 5, 4>();
  check_both<double, 8, 1>();
  check_both<double, 67, 3>();
  check_both<double, 3, 1>();
  check_both<double, 7, 2>();
  check_both<double, 9, 1>();
  check_both<double, 10, 3>();
  check_both<double, 12, 2>();
  check_both<double, 521, 2>();
}

TEST_CASE("two and three entries share a register where one costs much") {
  check_both<float, 1, 5, op::pow>();
  check_both<float, 2, 5, op::pow>();
  check_both<float, 3, 4, op::pow>();
  check_both<float, 3, 1, op::pow>();
  check_both<double, 2, 3, op::pow>();
  check_both<double, 2, 1, op::pow>();
  check_both<double, 3, 7, op::pow>();
  check_both<double, 5, 2, op::pow>();
}

TEST_CASE("the largest entry is found wherever it stands") {
  check_max<1, 5>();
  check_max<5, 3>();
  check_max<35, 2>();
  check_max<18, 2>();
  check_max<7, 3>();
}

TEST_CASE("the register of a row is the narrowest that holds it, and few entries are numbers") {
  CHECK(width_for<float, 4>(3) == 1);
  CHECK(width_for<float, 4>(4) == std::min(4, widest<float>));
  CHECK(width_for<double, 2>(2) == std::min(2, widest<double>));
  CHECK(width_for<double, 2>(1) == 1);
  CHECK(width_for<float, 4>(1000) == widest<float>);
  CHECK(width_for<double, 4>(1000) == widest<double>);
}
