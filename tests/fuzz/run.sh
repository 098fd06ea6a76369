#!/bin/sh
# Five seconds of a fuzzer, or as many as $FUZZ_SECONDS says: usage run.sh SEEDS FUZZER READER
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
mkdir "$folder/found"
if "$2" -seed=1 -max_total_time="${FUZZ_SECONDS:-5}" -max_len=4096 -artifact_prefix="$folder/" "$folder/found" "$folder/$3" > "$folder/log" 2>&1; then
  tail -n 1 "$folder/log"
  echo "1 passed, 0 failed"
else
  cat "$folder/log"
  echo "0 passed, 1 failed"
  exit 1
fi
