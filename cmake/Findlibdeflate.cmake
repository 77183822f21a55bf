# Defines libdeflate::libdeflate. Debian's package does not contain CMake files.

include(${CMAKE_CURRENT_LIST_DIR}/find_plain_library.cmake)
find_plain_library(libdeflate libdeflate libdeflate.h deflate "#define LIBDEFLATE_VERSION_STRING")
