#!/bin/sh
# The pictures of a page are those that memory_picture writes: usage same_pictures.sh PROGRAM DIRECTORY
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fails() {
  echo "$1"
  failures=1
}

"$1" "$work/made" >"$work/listed" || fails "memory_picture: status $?"
for name in mlp lstm; do
  for kind in txt dot svg html; do
    [ -s "$work/made/$name.$kind" ] || fails "no $name.$kind"
  done
  cmp "$work/made/$name.svg" "$2/$name.svg" || fails "write it anew: $1 DIRECTORY, then copy $name.svg to $2"
done
[ "$(wc -l <"$work/listed")" -eq 8 ] || fails "it does not list what it wrote"

: >"$work/file"
"$1" "$work/file" 2>"$work/err" && fails "a file for a directory: status 0"
[ "$(wc -l <"$work/err")" -eq 1 ] || fails "a file for a directory: not one line on stderr"
[ "$failures" -eq 0 ] && echo "1 passed, 0 failed" || echo "0 passed, 1 failed"
exit $failures
