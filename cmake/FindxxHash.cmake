# Defines xxHash::xxhash. Debian's package does not contain CMake files.

include(${CMAKE_CURRENT_LIST_DIR}/find_plain_library.cmake)
find_plain_library(xxHash xxhash xxhash.h xxhash
                   "#define XXH_VERSION_(MAJOR|MINOR|RELEASE) +[0-9]+")
