#!/bin/sh
# ETCH_FORBID_HEAP: usage forbid_heap.sh FILE.cpp INCLUDE_FLAGS... -- COMPILER...
# Without -DMISTAKES the file compiles. With it every line marked `// here` is an error, those marked `// here g++` with g++ (clang lacks the
# attribute for operator new), and what Eigen's dynamic matrices ask for is one in Eigen's own file.
set -eu
export LC_ALL=C
file=$1
shift
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
fail() { printf '%s\n' "$output" | grep -F error | head -n 40; echo "$1"; echo "0 passed, 1 failed"; exit 1; }
output=$("$@" -std=c++20 -O2 $flags -c "$file" -o /dev/null 2>&1) || fail "the control does not compile"
if output=$("$@" -std=c++20 -O2 $flags -DMISTAKES -c "$file" -o /dev/null 2>&1); then fail "the mistakes compile"; fi
here='// here'
if "$@" --version | grep -q clang; then
  here="$here\$"
  echo "skipped: operator new under ETCH_FORBID_HEAP: clang has no such attribute; objects.sh looks for it"
fi
lines=$(grep -n -- "$here" "$file" | cut -d : -f 1)
[ -n "$lines" ] || fail "no line is marked $here"
for line in $lines; do printf '%s\n' "$output" | grep -q "$(basename "$file"):$line:" || fail "line $line compiles"; done
printf '%s\n' "$output" | grep -q 'Eigen/.*error: call to .malloc. ' || fail "Eigen's dynamic matrix compiles"
printf '%s\n' "$output" | grep 'error: ' | grep -v 'ETCH_FORBID_HEAP is defined' && fail "there is another error"
echo "1 passed, 0 failed"
