#!/bin/sh
# Installs etch into a prefix of its own, and builds small programs in every way that projects can use it, offline: usage run.sh ROOT WANTED_OUTPUT
set -eu
root=$1
wanted=$2
here=$(cd "$(dirname "$0")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0
failed=0

# result WAY CONDITION...: a condition that holds, or does not
result() {
  way=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $way"; fi
}

# quietly COMMAND...: its output only if it fails
quietly() {
  "$@" > "$place/log" 2>&1 || { tail -n 30 "$place/log"; return 1; }
}

prints() { [ "$("$1")" = "$wanted" ]; }
without_warning() { ! grep 'warning:' "$place/log"; }
begins() { "$1" | head -n 1 | grep -q '^step    0: squared error 95.63'; }
same_files() { [ "$(cd "$1" && find . -type f | sort)" = "$(cd "$2" && find . -type f | sort)" ]; }

# by_cmake PLACE SOURCE OPTION...
by_cmake() {
  to=$1
  from=$2
  shift 2
  quietly cmake -S "$from" -B "$place/$to" "$@" && quietly cmake --build "$place/$to"
}

quietly meson setup "$place/build" "$root" --prefix "$place/meson" -Dtests=false -Dexamples=false && quietly meson install -C "$place/build"
result "all headers are installed" same_files "$place/meson/include" "$root/include"
quietly cmake -S "$root" -B "$place/cmake_build" && quietly cmake --install "$place/cmake_build" --prefix "$place/cmake"
result "all headers are installed by CMake" same_files "$place/cmake/include" "$root/include"

with_pkg_config() { # shellcheck disable=SC2046
  ${CXX:-c++} -std=c++20 $(PKG_CONFIG_PATH=$place/$1/share/pkgconfig pkg-config --cflags etch) "$here/main.cpp" -o "$place/consumer_$1"
}
for by in meson cmake; do
  result "pkg-config builds with what $by installed" with_pkg_config "$by"
  result "pkg-config with what $by installed" prints "$place/consumer_$by"
  result "CMake builds with what $by installed" by_cmake "by_$by" "$here" -DWAY=package -DCMAKE_PREFIX_PATH="$place/$by"
  result "CMake with what $by installed" prints "$place/by_$by/consumer"
done
result "FetchContent builds" by_cmake fetched "$here" -DWAY=fetch -DETCH_SOURCE="$root"
result "FetchContent" prints "$place/fetched/consumer"

# The template, with etch in subprojects/.
cp -r "$root/template" "$place/template"
mkdir "$place/template/subprojects"
ln -s "$root" "$place/template/subprojects/etch"
result "the template builds with CMake" by_cmake template_by_cmake "$place/template"
result "the template compiles without a warning" without_warning
result "the template by CMake" begins "$place/template_by_cmake/curve"
quietly meson setup "$place/template_by_meson" "$place/template" && quietly meson compile -C "$place/template_by_meson"
result "the template compiles without a warning by Meson" without_warning
result "the template by Meson" begins "$place/template_by_meson/curve"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
