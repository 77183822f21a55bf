#!/bin/bash -eu
# Builds the fuzzers for OSS-Fuzz: programs, seeds, dictionaries, options and shared libraries in $OUT.
# CC, CXX, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT are OSS-Fuzz's variables.

# The distribution's C++ libraries are built for libstdc++.
flags=${CXXFLAGS//-stdlib=libc++/}

cmake -S "$SRC/skinbake" -B "$WORK/skinbake" -G Ninja \
  -D CMAKE_C_COMPILER="$CC" -D CMAKE_CXX_COMPILER="$CXX" -D CMAKE_CXX_FLAGS="$flags" \
  -D CMAKE_BUILD_TYPE=None -D CMAKE_UNITY_BUILD=ON -D SKINBAKE_SCALAR=ON -D SKINBAKE_VIEWER=OFF \
  -D SKINBAKE_BUILD_CLI=ON -D SKINBAKE_BUILD_TESTS=OFF -D SKINBAKE_BUILD_FUZZERS=ON \
  -D SKINBAKE_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -D CMAKE_EXE_LINKER_FLAGS="-Wl,--disable-new-dtags,-rpath,'\$ORIGIN/lib'"
cmake --build "$WORK/skinbake" --target fuzzers

python3 "$SRC/skinbake/tests/fuzz/make_corpus.py" "$WORK/seeds"
mkdir -p "$OUT/lib"
for program in "$WORK"/skinbake/tests/fuzz/*_fuzzer; do
  name=$(basename "$program")
  cp "$program" "$OUT/"
  # The machines that run the fuzzers do not have these libraries.
  ldd "$program" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread|resolv)\.so/ { print $3 }' |
    xargs -r cp --update --target-directory "$OUT/lib"
  rm -f "$OUT/${name}_seed_corpus.zip"
  zip --quiet --junk-paths --recurse-paths "$OUT/${name}_seed_corpus.zip" "$WORK/seeds/${name%_fuzzer}"
  printf '[libfuzzer]\nmax_len = 16384\ntimeout = 60\n' >"$OUT/$name.options"
done
for name in cache load user; do
  cp "$SRC/skinbake/tests/fuzz/gltf.dict" "$OUT/${name}_fuzzer.dict"
done
printf 'close_fd_mask = 3\n' >>"$OUT/command_fuzzer.options"
