#!/bin/sh
# A generated page is what its generator prints: usage same_page.sh PAGE GENERATOR ARGUMENTS...
set -eu
page=$1
shift
if "$@" | cmp -s - "$page"; then echo "1 passed, 0 failed"; exit 0; fi
"$@" | diff - "$page" | head -n 20
echo "not what is generated: $*  > $page"
echo "0 passed, 1 failed"
exit 1
