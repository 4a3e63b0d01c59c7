#!/usr/bin/env bash
# test_install SOURCE BUILD [shared] - installs to a temporary place, moves it, and builds the example of docs/library.md against it, with
# pkg-config, as C and as C++17, and with CMake's find_package, told nothing but where it is; all must print the same digest.  With `shared`, BUILD
# is configured and built first, with a shared library and without HDF5; WRITER is a program with it.
set -eu
source=$1
build=$2
kind=${3:-archive}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if [ "$kind" = shared ]; then
  cmake -S "$source" -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DSPINDRIFT_VARIANTS=scalar -DSPINDRIFT_CUDA=OFF -DSPINDRIFT_TESTS=OFF -DSPINDRIFT_HDF5=OFF \
    -DCMAKE_C_COMPILER="${CC:-cc}" -DCMAKE_CXX_COMPILER="${CXX:-c++}" -DSPINDRIFT_WERROR="${WERROR:-OFF}" >/dev/null
  cmake --build "$build" >"$place/log" || { tail -40 "$place/log"; exit 1; }
fi
cmake --install "$build" --prefix "$place/first" >/dev/null
mv "$place/first" "$place/usr" # an installed tree may be moved

case $kind in
shared) library=$(find "$place/usr" -name libspindrift.so) ;;
*) library=$(find "$place/usr" -name libspindrift.a) ;;
esac
"$source/tools/check_symbols" "$place/usr/include/spindrift.h" "$library"
if [ "$kind" = shared ]; then
  readelf -d "$library" | grep -q 'SONAME.*\[libspindrift\.so\.[0-9]' || { echo "the shared library has no versioned soname"; exit 1; }
  "$source/tools/check_program" "$place/usr/bin/spindrift" "$library"
  readelf -d "$place/usr/bin/spindrift" | grep -q 'NEEDED.*\[libspindrift\.so' || { echo "the program does not use the shared library"; exit 1; }
else
  "$source/tools/check_program" "$place/usr/bin/spindrift"
fi

awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$source/docs/library.md" >"$place/example.c"
[ -s "$place/example.c" ] || { echo "docs/library.md has no C example"; exit 1; }
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$place/usr" -name spindrift.pc)")
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Werror "$place/example.c" -o "$place/by_pkg_config" $(pkg-config --cflags --libs spindrift)
# the header is C++ as well
# shellcheck disable=SC2046
c++ -std=c++17 -Wall -Wextra -Werror -x c++ "$place/example.c" -x none -o "$place/in_cpp" $(pkg-config --cflags --libs spindrift)
cat >"$place/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(example C)
find_package(spindrift 0.3 REQUIRED)
add_executable(by_cmake example.c)
target_link_libraries(by_cmake PRIVATE spindrift::spindrift)
END
cmake -S "$place" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/usr" >/dev/null
cmake --build "$place/build" >/dev/null
first=$(LD_LIBRARY_PATH=$(dirname "$library") "$place/by_pkg_config")
echo "$first"
for other in "$place/build/by_cmake" "$place/in_cpp"; do
  [ "$(echo "$first" | tail -1)" = "$(LD_LIBRARY_PATH=$(dirname "$library") "$other" | tail -1)" ]
done
# The manual and the completions are those of the program that is installed.
"$place/usr/bin/spindrift" manual | cmp - "$place/usr/share/man/man1/spindrift.1"
"$place/usr/bin/spindrift" completion bash | cmp - "$place/usr/share/bash-completion/completions/spindrift"
# A problem of one's own compiles against the installed kernels: CONTRIBUTING's, with a list of its own.
kernels=$(find "$place/usr" -type d -name kernels)
mkdir "$place/own"
awk '/^```c kernels\/so3\/problems\/well.h$/ {on = 1; next} /^```$/ {on = 0} on' "$source/CONTRIBUTING.md" | sed 's|"\.\./|"|' >"$place/own/well.h"
awk '/^```c kernels\/so3\/problems.def$/ {on = 1; next} /^```$/ {on = 0} on' "$source/CONTRIBUTING.md" >"$place/own/problems.def"
echo '#include "well.h"' >"$place/own/problems.h"
cc -std=gnu17 -O1 -ffp-contract=off -I"$place/own" -I"$kernels/so3" -DSD_FAMILY=so3 -DSD_METHOD=vlv '-DSD_METHOD_ID="vlv"' \
  '-DSD_METHOD_HEADER="methods/vlv.h"' -DSD_VARIANT=own -DSD_LANES=1 -c "$kernels/instance.c" -o "$place/own.o"
nm "$place/own.o" | grep -q 'sd_kernels_so3_vlv_own$' || { echo "no table of kernels in what was compiled"; exit 1; }
if [ "$kind" = shared ]; then # which was built without HDF5: it writes no result, and says so before it begins; it reads them
  told=$("$place/usr/bin/spindrift" run --method vlv --members 4 --steps 8 --output "$place/none.h5" 2>&1) && exit 1
  [ "$told" = "spindrift: output: $place/none.h5: this spindrift was built without HDF5 and writes no result files" ] || { echo "$told"; exit 1; }
  [ ! -e "$place/none.h5" ]
  "$WRITER" run --method vlv --members 4 --steps 8 --quiet --output "$place/some.h5"
  for verb in info verify "rerun --quiet"; do
    # shellcheck disable=SC2086
    "$place/usr/bin/spindrift" $verb "$place/some.h5"
  done
fi
# And it runs from its file, with the line of the list in a comment.
{ sed 's|^|// |' "$place/own/problems.def"; awk '/^```c kernels\/so3\/problems\/well.h$/ {on = 1; next} /^```$/ {on = 0} on' "$source/CONTRIBUTING.md"; } >"$place/well.h"
XDG_CACHE_HOME="$place/cache" "$place/usr/bin/spindrift" run --problem "$place/well.h" --method vlv --members 4 --steps 8 --isa scalar --quiet
"$place/usr/bin/spindrift" --version
"$place/usr/bin/spindrift" run --method vlv --members 4 --steps 8 --quiet
