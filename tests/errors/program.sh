#!/bin/sh
# The program of a file here as a reader sees it: usage program.sh mistake|repair FILE.cpp. `#ifdef MISTAKE` is decided, comments to the
# test are gone; a branch that one compiler needs is shown for the other ones.
awk -v mistake="$([ "$1" = mistake ] && echo 1 || echo 0)" '
  /^\/\/ (expect|lines|raised)/ || /^#include <etch\/etch.hpp>$/ { next }
  /^#ifdef MISTAKE$/ { keep = taken = mistake; inside = 1; next }
  /^#if !defined\(MISTAKE\)$/ { keep = taken = !mistake; inside = 1; next }
  /^#elif defined\(__clang__\)$/ { keep = 0; next }
  /^#else$/ { keep = !taken; next }
  /^#endif$/ { inside = 0; next }
  !inside || keep { sub(/  \/\/ here$/, ""); if (started || $0 != "") { print; started = 1 } }' "$2"
