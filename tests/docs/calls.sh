#!/bin/sh
# A program that makes every call which a page of tables shows: usage calls.sh OPS.md > calls.cpp
# Calls are the code spans under `call` and `for instance`. A function named in the first column of a row must be among the calls of that row.
set -eu
awk -F '|' '
  function fail(words) { print "#error " words; failed = 1 }
  /^\|/ { gsub(/\\\|/, "\001") }
  /^\| (op|function|node) \|/ { column = $3 ~ /call|for instance/ ? 3 : 0; functions = $2 ~ /function/; next }
  !/^\|/ { column = 0 }
  /^\|---/ || !column { next }
  {
    parts = split($column, span, "`")
    if (parts < 3) fail("no call in the row of" $2)
    row = ""
    for (i = 2; i < parts; i += 2) {
      gsub("\001", "|", span[i])
      printf "CALL(%d, %s)\n", ++calls, span[i]
      row = row " " span[i]
    }
    names = split($2, name, "`")
    for (i = 2; functions && i < names; i += 2)
      if (row !~ "[^a-z_0-9]" name[i] "[<(]") fail(name[i] " is named, and not called")
  }
  END { printf "inline constexpr int calls = %d;\n", calls; if (calls < 150) fail("hardly a call is found") }
' "$1" > calls.tmp.$$
trap 'rm -f calls.tmp.$$' EXIT
cat <<'HEAD'
#include <etch/etch.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>

namespace {

using matrix = etch::tensor<double, 4, 4>;
using column = etch::tensor<double, 4>;
using images = etch::tensor<double, 4, 4, 2, 2>;
using sequences = etch::tensor<double, 4, 2, 2>;
using kernels = etch::tensor<double, 3, 3, 2, 2>;
using filters = etch::tensor<double, 3, 2, 2>;

/// The sum of all entries of what a call gives, in double.
constexpr auto total = [](auto const& y) { return etch::sum(etch::cast<double>(y)); };

template <class F>
concept traceable = requires {
  typename std::bool_constant<(etch::pass::trace<F, matrix, matrix, matrix, matrix, matrix, column, column, images, sequences, kernels, filters,
                                                 etch::tensor<int, 3>, etch::tensor<int, 4>, int>(F{})
                                   .outputs.size() == 1)>;
};

int failed = 0;

/// The call in a traced program, and on a tape, where its gradient must be numbers.
template <class F>
void check(char const* call, F f) {
  static_assert(traceable<F>);
  matrix x, a, b, s, l;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      x(i, j) = 0.1 + 0.05 * i + 0.11 * j, a(i, j) = 0.3 + 0.04 * i + 0.13 * j, b(i, j) = 0.9 - 0.03 * i - 0.12 * j;
      s(i, j) = i == j ? 2 + i : 0.1 * (i + j), l(i, j) = i < j ? 0 : i == j ? 2 : 0.5;
    }
  images image;
  sequences sequence;
  kernels kernel;
  filters filter;
  image.fill(0.5), sequence.fill(0.25), kernel.fill(0.125), filter.fill(0.5);
  for (std::size_t i = 0; i < 64; ++i) image[i] += 0.01 * static_cast<double>(i);
  auto const [value, g] = etch::dynamic::value_and_grad(f)(x, a, b, s, l, column{0.1, 0.4, 0.2, 0.3}, column{1, 2, 3, 4}, image, sequence, kernel,
                                                           filter, etch::tensor<int, 3>{2, 0, 1}, etch::tensor<int, 4>{1, 0, 3, 2}, 7);
  bool right = std::isfinite(value);
  for (double each : g) right = right && std::isfinite(each);
  if (right) return;
  ++failed;
  std::cout << call << ": no number\n";
}

}  // namespace

#define CALL(N, ...)                                                                                                                      \
  constexpr auto call_##N = [](auto x, auto a, auto b, auto s, auto l, auto u, auto v, auto image, auto sequence, auto kernel, auto filter, \
                               auto index, auto labels, auto key) {                                                                      \
    static_cast<void>(std::tie(x, a, b, s, l, u, v, image, sequence, kernel, filter, index, labels, key));                                 \
    return total(__VA_ARGS__) + 0.0 * etch::sum(x);                                                                                        \
  };                                                                                                                                       \
  void run_##N() { check(#__VA_ARGS__, call_##N); }
HEAD
grep -v '^inline' calls.tmp.$$
grep '^inline' calls.tmp.$$
echo 'int main() {'
sed -n 's/^CALL(\([0-9]*\),.*/  run_\1();/p' calls.tmp.$$
cat <<'TAIL'
  std::printf("%d passed, %d failed\n", calls - failed, failed);
  return failed != 0;
}
TAIL
