#!/bin/sh
# Runs a program and compares its output with the `text` block of a page: usage same_output.sh PROGRAM PAGE.md LABEL
set -eu
shown=$("$(dirname "$0")/extract.sh" "$3" "$2")
printed=$("$1")
if [ "$shown" = "$printed" ]; then echo "1 passed, 0 failed"; exit 0; fi
printf 'shown in %s:\n%s\nprinted:\n%s\n' "$2" "$shown" "$printed"
echo "0 passed, 1 failed"
exit 1
