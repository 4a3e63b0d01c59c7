#!/usr/bin/env bash
# test_install SOURCE BUILD - installs to a temporary place and builds the README's example against it, with pkg-config
# and with CMake's find_package; both must print the same digest.
set -eu
source=$1
build=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cmake --install "$build" --prefix "$place/usr" >/dev/null
# a prefix given at installation moves the .pc file's paths too
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$place/usr" -name spindrift.pc)")
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$source/README.md" >"$place/example.c"
[ -s "$place/example.c" ] || { echo "the README has no C example"; exit 1; }
cc -std=c17 -Wall -Wextra -Werror "$place/example.c" -o "$place/by_pkg_config" \
  $(pkg-config --define-variable=prefix="$place/usr" --cflags --libs spindrift)
cat >"$place/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(example C)
find_package(spindrift 0.1 REQUIRED)
add_executable(by_cmake example.c)
target_link_libraries(by_cmake PRIVATE spindrift::spindrift)
END
cmake -S "$place" -B "$place/build" -DCMAKE_PREFIX_PATH="$place/usr" >/dev/null
cmake --build "$place/build" >/dev/null
first=$("$place/by_pkg_config")
second=$("$place/build/by_cmake")
echo "$first"
[ "$(echo "$first" | tail -1)" = "$(echo "$second" | tail -1)" ]
"$place/usr/bin/spindrift" --version
