#!/bin/sh
# Runs a program and compares its output with the `text` block of a page: usage same_output.sh PROGRAM PAGE.md LABEL
# How the program was compiled, and for which registers, is another thing on another machine.
set -eu
same_machine() { sed 's/^  with.* optimisation.*, for registers of [0-9]* bytes/  with optimisation, for registers of some bytes/'; }
shown=$("$(dirname "$0")/extract.sh" "$3" "$2" | same_machine)
printed=$("$1" | same_machine)
if [ "$shown" = "$printed" ]; then echo "1 passed, 0 failed"; exit 0; fi
printf 'shown in %s:\n%s\nprinted:\n%s\n' "$2" "$shown" "$printed"
echo "0 passed, 1 failed"
exit 1
