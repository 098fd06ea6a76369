#!/bin/sh
# A header of the library includes nothing of a kind: usage not_included.sh INCLUDE_FOLDER HEADER KIND COMPILER FLAGS...
# KIND is an extended regular expression for paths behind etch/.
set -eu
folder=$1 header=$2 kind=$3
shift 3
others=$("$@" -MM "$folder/etch/$header" | grep -oE "etch/($kind)\.hpp" || true)
if [ -z "$others" ]; then echo "1 passed, 0 failed"; exit 0; fi
printf 'etch/%s includes\n%s\n' "$header" "$others"
echo "0 passed, 1 failed"
exit 1
