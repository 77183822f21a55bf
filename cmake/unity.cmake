# Unity builds (CMAKE_UNITY_BUILD) compile the files of a folder together, in half of the time: most of the
# time goes to the same headers again and again. The preset `dev` compiles file by file, which finds missing
# includes, and rebuilds less after a change.

# group_by_folder(TARGET [FILE…]): the files of each of the target's folders and of its subfolders are one unit, so
# that their anonymous namespaces are one. Kernels and the named files remain alone, because Highway compiles their
# file once for each instruction set.
function(group_by_folder TARGET)
  get_target_property(folder ${TARGET} SOURCE_DIR)
  set(alone ${ARGN})
  list(TRANSFORM alone PREPEND ${folder}/)
  get_target_property(sources ${TARGET} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    if(source MATCHES "/kernels[./]|_kernels\\.cpp$" OR source IN_LIST alone)
      continue()
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE group)
    # Generated files are outside of the folder.
    string(REGEX REPLACE "^\\.\\./.*" "generated/" group "${group}")
    string(REGEX MATCH "^[^/]*/" group "${group}")
    string(REPLACE "/" "" group "${group}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${TARGET} PROPERTIES UNITY_GROUP "${group}_folder")
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# precompile(TARGET HEADER…): a unity build parses the headers once for a target. A compiler launcher such as ccache
# would not cache files that use a precompiled header.
function(precompile TARGET)
  if(CMAKE_UNITY_BUILD AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${TARGET} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional> <span>
      <string> <string_view> <unordered_map> <utility> <vector> ${ARGN})
  endif()
endfunction()
