#!/bin/sh
# What etch/static.hpp includes is of programs alone: usage static.sh INCLUDE_FOLDER COMPILER FLAGS...
set -eu
folder=$1
shift
others=$("$@" -MM "$folder/etch/static.hpp" | grep -oE 'etch/(tape|nn|optim|io|view)/[a-z_]*\.hpp' || true)
if [ -z "$others" ]; then echo "1 passed, 0 failed"; exit 0; fi
printf 'etch/static.hpp includes\n%s\n' "$others"
echo "0 passed, 1 failed"
exit 1
