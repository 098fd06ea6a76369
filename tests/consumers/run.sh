#!/bin/sh
# Installs etch into a prefix of its own, and builds a small program in every way that projects can use it, offline: usage run.sh ROOT WANTED_OUTPUT
set -eu
root=$1
wanted=$2
here=$(cd "$(dirname "$0")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0
failed=0

# check WAY PROGRAM
check() {
  if [ "$("$2")" = "$wanted" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: printed $("$2"), not $wanted"; fi
}

# cmake_consumer WAY OPTION...
cmake_consumer() {
  way=$1
  shift
  cmake -S "$here/cmake" -B "$place/$way" "$@" > "$place/$way.log" 2>&1 && cmake --build "$place/$way" >> "$place/$way.log" 2>&1 || { tail -n 30 "$place/$way.log"; failed=$((failed + 1)); return 0; }
  check "CMake, $way" "$place/$way/consumer"
}

meson setup "$place/build" "$root" --prefix "$place/meson" -Dtests=false -Dexamples=false > "$place/meson.log" && meson install -C "$place/build" >> "$place/meson.log" || { tail -n 30 "$place/meson.log"; exit 1; }
# Headers and notes alone are installed, and every header.
[ "$(cd "$place/meson/include" && find . -type f | sort)" = "$(cd "$root/include" && find . -type f | sort)" ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "other headers are installed than there are"; }

PKG_CONFIG_PATH=$place/meson/share/pkgconfig
export PKG_CONFIG_PATH
${CXX:-c++} -std=c++20 $(pkg-config --cflags etch) "$here/main.cpp" -o "$place/consumer" $(pkg-config --libs etch)
check pkg-config "$place/consumer"

cmake_consumer package -DWAY=package -DCMAKE_PREFIX_PATH="$place/meson"
cmake -S "$root" -B "$place/cmake_build" > "$place/cmake.log" && cmake --install "$place/cmake_build" --prefix "$place/cmake" >> "$place/cmake.log"
cmake_consumer package_by_cmake -DWAY=package -DCMAKE_PREFIX_PATH="$place/cmake"
cmake_consumer subdirectory -DWAY=subdirectory -DETCH_SOURCE="$root"
cmake_consumer fetch -DWAY=fetch -DETCH_SOURCE="$root"

mkdir -p "$place/project/consumer/subprojects"
cp "$here/main.cpp" "$place/project"
cp "$here/meson/meson.build" "$place/project/consumer"
ln -s "$root" "$place/project/consumer/subprojects/etch"
unset PKG_CONFIG_PATH
meson setup "$place/subproject" "$place/project/consumer" > "$place/subproject.log" && meson compile -C "$place/subproject" >> "$place/subproject.log" || { tail -n 30 "$place/subproject.log"; exit 1; }
check "Meson, subproject" "$place/subproject/consumer"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
