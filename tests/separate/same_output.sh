#!/bin/sh
# The program finds its line, and its main.cpp names nothing of etch: and the page shows its files: usage
# same_output.sh PROGRAM MAIN.cpp PAGE.md COMPILER FLAGS...
set -eu
program=$1 main=$2 page=$3
shift 3
fail() { echo "$1"; echo "0 passed, 1 failed"; exit 1; }
included=$("$@" -MM "$main")  # no -I: a header of etch would not be found
case $included in *etch/*) fail "main.cpp includes etch: $included" ;; esac
for file in step.hpp step.cpp main.cpp; do
  awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
    END { for (i = 1; i + n - 1 <= m; ++i) { for (k = 1; k <= n && have[i + k - 1] == want[k]; ++k); if (k > n) exit 0 } exit 1 }' "$(dirname "$main")/$file" "$page" ||
    fail "$page does not show $file"
done
printed=$("$program")
[ "$printed" = "slope 2.00 -1.00, loss 0.0000" ] || fail "$printed"
echo "1 passed, 0 failed"
