#!/bin/sh
# A mistake must not compile, and its sentence must stand in the first lines: usage check.sh FILE INCLUDE_FLAGS... -- COMPILER...
# FILE holds `// expect: WORDS` and, under `#ifdef MISTAKE`, the mistake; without it the file is the control that must compile.
set -eu
file=$1
shift
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
words=$(sed -n 's,^// expect: ,,p' "$file")
fail() { echo "$file: $1"; echo "0 passed, 1 failed"; exit 1; }
output=$("$@" -std=c++20 $flags -fsyntax-only "$file" 2>&1) || { echo "$output"; fail "the control does not compile"; }
if output=$("$@" -std=c++20 $flags -fsyntax-only -DMISTAKE "$file" 2>&1); then fail "the mistake compiles"; fi
echo "$output" | grep -E 'error:' | head -n 1 | grep -qF "$words" || { echo "$output" | head -n 40; fail "the first error does not say: $words"; }
echo "$output" | grep -qF "$(basename "$file"):" || fail "the user's file is not named"
echo "1 passed, 0 failed"
