// level_3: what factorisations and solving with triangles are made of, on registers.
#pragma once

#include <etch/machine/run_time_product.hpp>
#include <etch/machine/substitution.hpp>
#include <etch/op/linalg/level_3.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// What is worth registers in an op on a matrix of so many rows, with so many columns in its result.
enum class level_3_work : std::uint8_t { none, substitution, all };
template <class Op>
constexpr level_3_work level_3_work_of(int rows, int columns) {
  if constexpr (requires { Op::is_level_3; }) {
    bool const solves = std::is_same_v<Op, op::triangular_solve> || std::is_same_v<Op, op::lu_solve>;
    if ((solves ? rows : std::min(rows, columns)) > op::blas::block_rows) return level_3_work::all;
    if (solves && rows >= 8 && columns >= 4) return level_3_work::substitution;
  }
  return level_3_work::none;
}

/// As `op::blas::plain_level_3`, by the best vectors of the machine.
template <level_3_work Work>
struct level_3 {
  template <class T>
  static void add_product([[maybe_unused]] block<T> const& y, [[maybe_unused]] block<T const> const& a,
                          [[maybe_unused]] block<T const> const& b) {
    if constexpr (Work == level_3_work::all)
      with_vectors<any_vectors>([&](auto set) {
        run_time_product<T, set>::run({y.data, y.step[0], y.step[1]}, a.extent[0], b.extent[1], b.extent[0],
                                      {a.data, a.step[0], a.step[1]}, {b.data, b.step[0], b.step[1]}, true);
      });
  }
  template <class T>
  static void substitute(block<T> const& x, block<T const> const& t, op::blas::triangle of) {
    if (x.extent[1] == 1) return op::blas::plain_level_3::substitute(x, t, of);
    with_vectors<any_vectors>([&](auto set) {
      compiled_for<set>::template run<substitution<T, op::blas::block_rows, set>, block<T> const&,
                                      block<T const> const&>(x, t, of.upper, of.unit);
    });
  }
};

}  // namespace run
ETCH_NAMESPACE_END
