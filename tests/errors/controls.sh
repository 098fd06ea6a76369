#!/bin/sh
# Every file here compiles without -DMISTAKE: usage controls.sh FILE... -- COMPILER FLAGS... All files are one unit, each in a namespace of
# its own, because reading the headers takes longer than most of the programs.
set -eu
export LC_ALL=C
files= n=0
while [ "$1" != -- ]; do files="$files $1"; n=$((n + 1)); shift; done
shift
unit=$(mktemp -d)
trap 'rm -rf "$unit"' EXIT
grep -h '^#include' $files | sort -u > "$unit/controls.cpp"
for file in $files; do
  printf 'namespace %s {\n#line 1 "%s"\n' "control_$(basename "$file" .cpp)" "$file"
  sed 's,^#include.*,,' "$file"
  echo '}'
done >> "$unit/controls.cpp"
"$@" -fsyntax-only "$unit/controls.cpp" || { echo "0 passed, $n failed"; exit 1; }
echo "$n passed, 0 failed"
