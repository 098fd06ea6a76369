#!/bin/sh
# Several units of the tests as one for the compiler, which then reads and instantiates once what they have in common. Each is in a namespace of its
# own, behind the headers of all: group.sh FOLDER_OF_TESTS UNIT...
set -eu
cd "$1"
shift
for unit; do
  folder=${unit%/*}
  sed -n 's/^#include //p' "$unit" | while read -r header; do
    beside=${header#\"}
    [ "$beside" = "$header" ] || [ ! -f "$folder/${beside%\"}" ] || header="\"$folder/$beside"
    echo "#include $header"
  done
done | awk '!seen[$0]++'
for unit; do
  echo "namespace unit_$(echo "${unit%.cpp}" | tr / _) {"
  echo "#include \"$unit\""
  echo "}"
done
