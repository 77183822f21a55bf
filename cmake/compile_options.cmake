# Flags of every target of the project, on one interface target.
#
# -ffp-contract=off keeps compilers from fusing multiply and add: GCC and Clang would do so in different
# places, and the bytes of a cache would depend on the compiler. The source spells a fused operation fma().

add_library(skinbake_options INTERFACE)
target_compile_features(skinbake_options INTERFACE cxx_std_20)
target_compile_options(skinbake_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor)
# GCC collects its garbage from 600 MB on, which few units reach: a twentieth of its time.
target_compile_options(skinbake_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>)
# GCC 12 reports overlaps in std::string concatenation that do not exist (GCC bug 105651).
target_compile_options(skinbake_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# The code that a sanitizer inserts misleads GCC's analysis: it warns of accesses that do not exist. GCC's builds
# without a sanitizer verify the same code.
if(SKINBAKE_WERROR AND NOT (SKINBAKE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
  target_compile_options(skinbake_options INTERFACE -Werror)
endif()
if(SKINBAKE_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SKINBAKE_COVERAGE needs Clang")
  endif()
  target_link_options(skinbake_options INTERFACE -fprofile-instr-generate)
endif()
# Targets with the property SKINBAKE_UNSANITIZED are compiled without the sanitizer.
if(SKINBAKE_SANITIZE)
  set(_is_sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:SKINBAKE_UNSANITIZED>>>)
  # The address sanitizer also stops at null, past the end of an object and at an object that has ended. A second check
  # before every access, by the undefined-behaviour sanitizer, would be a fifth of the compile time.
  target_compile_options(skinbake_options INTERFACE
    "$<${_is_sanitized}:-fsanitize=${SKINBAKE_SANITIZE};-fno-sanitize=null,object-size,vptr;-fno-sanitize-recover=all>"
    -fno-omit-frame-pointer)
  target_link_options(skinbake_options INTERFACE -fsanitize=${SKINBAKE_SANITIZE})
  target_compile_definitions(skinbake_options INTERFACE SKINBAKE_SANITIZED)
endif()

# The code of a target counts its executed lines, for the report of coverage. Only the library's lines are reported;
# in tests, the counters would be a tenth of the compile time.
function(count_lines TARGET)
  if(SKINBAKE_COVERAGE)
    target_compile_options(${TARGET} PRIVATE -fprofile-instr-generate -fcoverage-mapping)
  endif()
endfunction()

# The code of a target counts its executed branches, which guide the fuzzers. Builds with another fuzzing engine
# leave SKINBAKE_SANITIZE empty and pass that engine's options.
function(count_branches TARGET)
  if(SKINBAKE_BUILD_FUZZERS AND SKINBAKE_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=fuzzer-no-link
      -fsanitize-coverage-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/uninstrumented.txt)
  endif()
endfunction()

# Highway targets without fused multiply-add (SSSE3, SSE4) would give other bits than the rest. The
# fallback of both compilers is SCALAR, one frame at a time: GCC 12 miscompiles EMU128
# (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=106322).
target_compile_definitions(skinbake_options INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4)" HWY_BROKEN_EMU128=1)
if(SKINBAKE_SCALAR)
  target_compile_definitions(skinbake_options INTERFACE HWY_COMPILE_ONLY_SCALAR)
endif()
