# libdeflate::libdeflate, whose CMake package Debian leaves out.

include(${CMAKE_CURRENT_LIST_DIR}/find_plain_library.cmake)
find_plain_library(libdeflate libdeflate libdeflate.h deflate "#define LIBDEFLATE_VERSION_STRING")
