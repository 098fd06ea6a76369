#!/bin/sh
# A large program compiles within the default limits of every compiler at hand, and runs: usage compilers.sh FILE INCLUDE_FLAGS...
set -eu
file=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
for compiler in g++ clang++-16 clang++-19; do
  command -v "$compiler" > /dev/null || { echo "skipped: $compiler is not installed"; continue; }
  "$compiler" -std=c++20 -O1 "$@" "$file" -o "$work/large" && "$work/large" | grep '^1 passed' > /dev/null || { echo "$compiler fails"; echo "0 passed, 1 failed"; exit 1; }
  passed=$((passed + 1))
done
echo "$passed passed, 0 failed"
