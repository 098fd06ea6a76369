#!/bin/sh
# Units compiled for different vector widths do not link, nor do those with and without ETCH_CHECK_FINITE: usage vector_widths.sh INCLUDE_FLAGS... -- COMPILER...
set -eu
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include <etch/core/tensor.hpp>
float first(etch::tensor<float, 3> const& x) { return x(0); }' > "$work/callee.cpp"
echo '#include <etch/core/tensor.hpp>
float first(etch::tensor<float, 3> const& x);
int main() { return static_cast<int>(first({})); }' > "$work/caller.cpp"
"$@" -std=c++20 $flags -march=x86-64 -c "$work/callee.cpp" -o "$work/callee.o"
"$@" -std=c++20 $flags -march=x86-64 -c "$work/caller.cpp" -o "$work/same.o"
"$@" -std=c++20 $flags -march=x86-64-v3 -c "$work/caller.cpp" -o "$work/other.o"
"$@" "$work/callee.o" "$work/same.o" -o "$work/good" || { echo "equal widths do not link"; echo "0 passed, 1 failed"; exit 1; }
"$@" -std=c++20 $flags -march=x86-64 -DETCH_CHECK_FINITE -c "$work/caller.cpp" -o "$work/checked.o"
for other in other checked; do
  if "$@" "$work/callee.o" "$work/$other.o" -o "$work/bad" 2> "$work/errors"; then echo "$other links"; echo "0 passed, 1 failed"; exit 1; fi
  grep -q "undefined reference.*first" "$work/errors" || { cat "$work/errors"; echo "0 passed, 1 failed"; exit 1; }
done
echo "1 passed, 0 failed"
