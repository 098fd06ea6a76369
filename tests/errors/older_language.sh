#!/bin/sh
# Every header says in one sentence that C++20 is needed, and nothing else: usage
# older_language.sh INCLUDE NAMES INCLUDE_FLAGS... -- COMPILER... for the headers whose file names match NAMES.
set -eu
export LC_ALL=C
headers=$1 names=$2
shift 2
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
wrong() { echo "$1: $2"; printf '%s\n' "$output" | head -n 20; failed=$((failed + 1)); }
# says NAME STANDARD FLAG...: a unit that includes this header ends in the sentence.
says() {
  name=$1 standard=$2
  shift 2
  echo "#include <$name>" > "$work/unit.cpp"
  if output=$("$@" "-std=$standard" $flags -fsyntax-only "$work/unit.cpp" 2>&1); then wrong "$name" "compiles as $standard"; return; fi
  errors=$(printf '%s\n' "$output" | grep -E ': (fatal )?error: ')
  printf '%s\n' "$errors" | head -n 1 | grep -q 'etch: C++20 is needed: compile with -std=c++20' || { wrong "$name" "the first error is another one"; return; }
  [ "$(printf '%s\n' "$errors" | wc -l)" = 2 ] || { wrong "$name" "there is more than the sentence and the end of reading"; return; }
  [ "$(printf '%s\n' "$output" | wc -l)" -le 40 ] || { wrong "$name" "more than 40 lines"; return; }
  passed=$((passed + 1))
}
for header in $(cd "$headers" && find etch -name "$names" | sort); do says "$header" c++17 "$@"; done
for standard in c++11 c++14; do says etch/etch.hpp "$standard" "$@" -DETCH_FORBID_HEAP; done
echo '#include <etch/base/version.hpp>' > "$work/unit.cpp"
output=$("$@" -std=c++20 $flags -fsyntax-only "$work/unit.cpp" 2>&1) || wrong etch/base/version.hpp "does not compile as C++20"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
