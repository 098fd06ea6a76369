#!/bin/sh
# A mistake must not compile, and what is printed must be read at a glance: usage check.sh FILE COMPILER FLAGS...
# Without -DMISTAKE the file is the control, which compiles (controls.sh). With it there is one error; the first `// expect: WORDS` stand on
# its line (or, where the file says `// raised while tracing`, in a note), and they, all further ones and the file's line marked `// here`
# are among the first 12 lines, or as many as `// lines: N` says.
set -eu
export LC_ALL=C
file=$1
shift
fail() { printf '%s\n' "$output" | head -n 60; echo "$file: $1"; echo "0 passed, 1 failed"; exit 1; }
if output=$("$@" -fsyntax-only -DMISTAKE "$file" 2>&1); then fail "the mistake compiles"; fi
# Behind a precompiled header g++ leaves out the user's #include: a line more to skip.
case $output in
  *"In file included from $file:"*) ;;
  *) output=$(printf '%s\n' "$output" | sed 's,^\(In file included from .*/etch\.hpp:[0-9]*\):$,\1\,\n                 from the file:,') ;;
esac

lines=$(sed -n 's,^// lines: ,,p' "$file")
top=$(printf '%s\n' "$output" | head -n "${lines:-12}")
errors=$(printf '%s\n' "$output" | grep -E ': (fatal )?error: ') || fail "there is no error"
[ "$(printf '%s\n' "$errors" | wc -l)" = 1 ] || fail "there is more than one error"
printf '%s\n' "$top" | grep -qF -- "$errors" || fail "the error is not among the first lines"
first=$(sed -n 's,^// expect: ,,p' "$file" | head -n 1)
[ -n "$first" ] || fail "the file expects nothing"
grep -q '^// raised while tracing' "$file" || printf '%s\n' "$errors" | grep -qF -- "$first" || fail "the error does not say: $first"
sed -n 's,^// expect: ,,p' "$file" | while read -r words; do
  printf '%s\n' "$top" | grep -qF -- "$words" || { echo "not among the first lines: $words"; exit 1; }
done || fail "a fact is missing"
here=$(grep -n '// here$' "$file" | cut -d : -f 1)
[ -n "$here" ] || fail "no line is marked // here"
printf '%s\n' "$top" | grep -qF -- "$(basename "$file"):$here:" || fail "the user's line $here is not named"
echo "1 passed, 0 failed"
