#!/bin/sh
# Eight losses of one structure in two units are one program: usage identity.sh FOLDER INCLUDE_FLAGS... -- COMPILER...
# The linked binary has one run function, and each kernel once; whichever loss is compiled, linked or used first, all results are equal.
set -eu
export LC_ALL=C
folder=$1
shift
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
fail() { echo "$1"; echo "$passed passed, 1 failed"; exit 1; }
for unit in main first second; do "$@" -std=c++20 -O0 $flags -c "$folder/$unit.cpp" -o "$work/$unit.o" || fail "$unit.cpp does not compile"; done
"$@" -std=c++20 -O0 $flags -DREVERSED -c "$folder/first.cpp" -o "$work/reversed.o" || fail "first.cpp, reversed, does not compile"
link() { name=$1; shift; (cd "$work" && "$@" -o "$name") || fail "$name does not link"; }
link eight "$@" main.o first.o second.o
link reversed "$@" second.o reversed.o main.o

# The functions of programs and kernels; what belongs to one loss's own type (its lambda) is not among them.
functions() { nm "$work/$1" | awk '$2 ~ /[TtWw]/ {print $3}' | grep -E '^_ZN4etch[0-9]+v[0-9a-z_]*3run(10executableI.*3runILb|6detail(10heavy_|11shared_gemm))'; }
functions eight > "$work/eight.txt"
functions reversed > "$work/reversed.txt"
runs=$(grep -c 3run10executableI "$work/eight.txt" || :)
[ "$runs" = 1 ] || fail "eight losses have $runs run functions"
passed=$((passed + 1))
heavy=$(grep -cE '6detail(10heavy_|11shared_gemm)' "$work/eight.txt" || :)
[ "$heavy" -ge 4 ] || fail "only $heavy kernels are functions of their own"
[ -z "$(sort "$work/eight.txt" | uniq -d)" ] || fail "a kernel is in the binary twice"
[ "$(sort "$work/reversed.txt")" = "$(sort "$work/eight.txt")" ] || fail "the order of use changes the kernels"
passed=$((passed + 1))

for run in eight 'eight second' reversed 'reversed second'; do
  (cd "$work" && ./$run) > "$work/out" || fail "$run does not run"
  [ "$(wc -l < "$work/out")" = 8 ] || fail "$run: not eight results"
  cat "$work/out" >> "$work/results"
done
[ "$(sort -u "$work/results" | wc -l)" = 1 ] || fail "results differ"
grep -q nan "$work/results" && fail "results are not numbers"
passed=$((passed + 1))
echo "one run function and $heavy kernels for eight losses"
echo "$passed passed, 0 failed"
