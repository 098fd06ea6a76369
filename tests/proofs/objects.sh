#!/bin/sh
# Checks the symbols that machine code refers to: usage objects.sh FILE.cpp... FLAGS... -- COMPILER...
# The files, compiled as one unit, refer to no allocator, no exception, no guard variable and no initialiser, every stack frame is
# smaller than 16 KiB, and every symbol shorter than 2,000 characters. A file that says `// expect: WORDS` offends on purpose: these offences must be found.
set -eu
export LC_ALL=C
files= flags=
while [ "$1" != -- ]; do
  case $1 in *.cpp) files="$files $1" ;; *) flags="$flags $1" ;; esac
  shift
done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in $files; do echo "#include \"$file\""; done > "$work/unit.cpp"
"$@" -std=c++20 -O2 $flags -fstack-usage -c "$work/unit.cpp" -o "$work/unit.o" || { echo "$files: does not compile"; echo "0 passed, 1 failed"; exit 1; }
[ -s "$work/unit.su" ] || { echo "$files: the compiler reports no stack frames"; echo "0 passed, 1 failed"; exit 1; }
{
  nm -u "$work/unit.o" | awk '{print $NF}' | sed -nE \
    -e 's/^((m|c|re|aligned_)alloc|posix_memalign|free|_Zn[wa].*|_Zd[la].*)$/allocator: \1/p' \
    -e 's/^(__cxa_(throw|rethrow|allocate_exception|begin_catch|throw_.*|bad_.*)|_Unwind_.*|__gxx_personality.*|_ZSt[0-9]*__throw.*)$/exception: \1/p' \
    -e 's/^(__cxa_guard_.*)$/guard: \1/p' -e 's/^(__cxa_(thread_)?atexit)$/initialiser: \1/p'
  nm "$work/unit.o" | awk '{print $NF}' | sed -nE -e 's/^(_ZGV.*)$/guard: \1/p' -e 's/^(_GLOBAL__.*|_ZTH.*)$/initialiser: \1/p'
  nm "$work/unit.o" | awk 'length($NF) >= 2000 {print "symbol: " length($NF) " characters, " substr($NF, 1, 100)}'
  awk -F '\t' '$2 >= 16384 {print "stack: " $2 " bytes, " $1} $3 == "dynamic" {print "stack: no limit, " $1}' "$work/unit.su"
} > "$work/found"
sort -t "$(printf '\t')" -k 2 -n "$work/unit.su" | tail -n 1 | awk -F '\t' '{print "largest stack frame: " $2 " bytes"}'
nm "$work/unit.o" | awk 'length($NF) > most {most = length($NF)} END {print "longest symbol: " most " characters"}'
if grep -h '^// expect: ' $files > "$work/expected"; then
  sed 's,^// expect: ,,' "$work/expected" | while read -r words; do grep -qF -- "$words" "$work/found" || { echo "not found: $words"; exit 1; }; done ||
    { cat "$work/found"; echo "0 passed, 1 failed"; exit 1; }
  : > "$work/found"
fi
if [ -s "$work/found" ]; then cut -c 1-300 "$work/found"; echo "$files: offends"; echo "0 passed, 1 failed"; exit 1; fi
echo "1 passed, 0 failed"
