#!/bin/sh
# A warning that is told where machine code is made: usage warning.sh FILE INCLUDE_FLAGS... -- COMPILER...
# Without -DMISTAKE the file compiles without a word. With it there is one warning, which says every line `// expect: WORDS`; g++ also names the
# line marked `// here`.
set -eu
export LC_ALL=C
file=$1
shift
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$output" | head -n 40; echo "$file: $1"; echo "0 passed, 1 failed"; exit 1; }
for level in -O0 -O2; do
  output=$("$@" -std=c++20 $level -Wall -Wextra -Wpedantic -Werror $flags -c "$file" -o "$work/unit.o" 2>&1) || fail "what is advised does not compile at $level"
  [ -z "$output" ] || fail "what is advised is warned of at $level"
  output=$("$@" -std=c++20 $level $flags -DMISTAKE -c "$file" -o "$work/unit.o" 2>&1) || fail "a warning must not be an error"
  warnings=$(printf '%s\n' "$output" | grep -E ': warning: ') || fail "there is no warning at $level"
  [ "$(printf '%s\n' "$warnings" | wc -l)" = 1 ] || fail "there is more than one warning at $level"
  sed -n 's,^// expect: ,,p' "$file" > "$work/words"
  while read -r words; do printf '%s\n' "$warnings" | grep -qF -- "$words" || fail "the warning does not say: $words"; done < "$work/words"
  here=$(grep -n '// here$' "$file" | cut -d : -f 1)
  case $("$@" --version | head -n 1) in
    *clang*) ;;
    *) printf '%s\n' "$output" | grep -qF -- "$(basename "$file"):$here:" || fail "the user's line $here is not named" ;;
  esac
done
echo "1 passed, 0 failed"
