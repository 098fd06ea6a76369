#!/bin/sh
# lesson_endings: a claim that does not hold ends a lesson with status 1, what it cannot begin with 2; either with one line on stderr.
# Usage: lesson_endings.sh 01_LENET 02_CHARACTERS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# ends WHY STATUS LINES_ON_STDERR PROGRAM ARGUMENT...
ends() {
  why=$1
  wanted=$2
  wanted_lines=$3
  shift 3
  "$@" >"$work/out" 2>"$work/err"
  status=$?
  lines=$(wc -l <"$work/err")
  if [ "$status" -eq "$wanted" ] && [ "$lines" -eq "$wanted_lines" ]; then
    passed=$((passed + 1))
  else
    echo "$why: status $status and $lines lines on stderr, not $wanted and $wanted_lines"
    cat "$work/err"
    failed=$((failed + 1))
  fi
}

printf 'a text that is longer than a single chunk, written once and read many times' >"$work/text"
printf 'short' >"$work/short"

ends 'a claim that holds' 0 0 "$1" --steps 1 --bound 0
ends 'a claim that does not hold' 1 1 "$1" --steps 1 --bound 101
ends 'a claim that nothing fulfils' 1 1 "$1" --steps 1 --bound nan
ends 'no steps' 2 1 "$1" --steps 0
ends 'not a number' 2 1 "$1" --bound much
ends 'an unknown option' 2 1 "$1" --text "$work/text"
ends 'no such directory' 2 1 "$1" --data "$work/nowhere"
ends 'help' 0 0 "$1" --help
ends 'a text of the reader' 0 0 "$2" --steps 2 --bound 9 --text "$work/text"
ends 'a text shorter than a chunk' 2 1 "$2" --text "$work/short"
ends 'no such text' 2 1 "$2" --text "$work/nowhere"
ends 'a directory for a text' 2 1 "$2" --text "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
