#!/bin/sh
# Every file here has its section in docs/errors.md, and every section its file: usage documented.sh PAGE.md ERROR.hpp FILE.cpp...
# A section is `## sentence_name`, the name of a function in error.hpp, and shows the file's program with the mistake and repaired.
set -eu
page=$1 sentences=$2 failed=0 passed=0
shift 2
folder=$(dirname "$0")
wrong() { echo "$1"; failed=$((failed + 1)); }
# Whether standard input stands in the page as one run of lines.
shown() { awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
  END { for (i = 1; i + n - 1 <= m; ++i) { for (k = 1; k <= n && have[i + k - 1] == want[k]; ++k); if (k > n) exit 0 } exit 1 }' - "$page"; }
for file in "$@"; do
  name=$(basename "$file")
  grep -qF "tests/errors/$name" "$page" || { wrong "$name is not documented"; continue; }
  for form in mistake repair; do
    { echo '```cpp'; sh "$folder/program.sh" "$form" "$file"; echo '```'; } | shown || wrong "the $form in $page is not that of $name"
  done
  passed=$((passed + 1))
done
for name in $(sed -n 's,.*tests/errors/\([a-z_]*\.cpp\).*,\1,p' "$page"); do
  [ -f "$folder/$name" ] || wrong "$page names tests/errors/$name, which does not exist"
done
for anchor in $(sed -n 's,^## ,,p' "$page"); do
  grep -qrE "(auto|void) $anchor\(" "$(dirname "$sentences")/.." || wrong "no sentence is called $anchor"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
