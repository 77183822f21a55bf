# Flags of every target of the project, on one interface target.
#
# -ffp-contract=off keeps compilers from fusing multiply and add: GCC and Clang would do so in different
# places, and the bytes of a cache would depend on the compiler. The source spells a fused operation fma().

add_library(skinbake_options INTERFACE)
target_compile_features(skinbake_options INTERFACE cxx_std_20)
target_compile_options(skinbake_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor)
# GCC 12 reports overlaps in std::string concatenation that do not exist (GCC bug 105651).
target_compile_options(skinbake_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(SKINBAKE_WERROR)
  target_compile_options(skinbake_options INTERFACE -Werror)
endif()
if(SKINBAKE_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SKINBAKE_COVERAGE needs Clang")
  endif()
  target_compile_options(skinbake_options INTERFACE
    -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(skinbake_options INTERFACE -fprofile-instr-generate)
endif()
if(SKINBAKE_SANITIZE)
  target_compile_options(skinbake_options INTERFACE
    -fsanitize=${SKINBAKE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(skinbake_options INTERFACE -fsanitize=${SKINBAKE_SANITIZE})
  if(SKINBAKE_SANITIZE MATCHES "fuzzer")
    target_compile_options(skinbake_options INTERFACE
      -fsanitize-coverage-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/uninstrumented.txt)
  endif()
endif()

# Highway targets without fused multiply-add (SSSE3, SSE4) would give other bits than the rest. The
# fallback of both compilers is SCALAR, one frame at a time: GCC 12 miscompiles EMU128
# (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=106322).
target_compile_definitions(skinbake_options INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4)" HWY_BROKEN_EMU128=1)
if(SKINBAKE_SCALAR)
  target_compile_definitions(skinbake_options INTERFACE HWY_COMPILE_ONLY_SCALAR)
endif()
