# Unity builds (CMAKE_UNITY_BUILD) compile the files of a folder together, in half of the time: most of the
# time goes to the same headers again and again. The preset `dev` compiles file by file, which finds missing
# includes, and rebuilds less after a change.

# group_by_folder(TARGET [FILE…] [TOGETHER "FOLDER…" …]): the files of each of the target's folders and of its subfolders
# are one unit, so that their anonymous namespaces are one. The folders and files of a list are one unit together
# ("root": files of the target's own folder). Kernels and the named files remain alone, because Highway compiles
# their file once for each instruction set.
function(group_by_folder TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "TOGETHER")
  get_target_property(folder ${TARGET} SOURCE_DIR)
  set(alone ${arg_UNPARSED_ARGUMENTS})
  list(TRANSFORM alone PREPEND ${folder}/)
  get_target_property(sources ${TARGET} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    if(source MATCHES "/kernels[./]|_kernels\\.cpp$" OR source IN_LIST alone)
      continue()
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE path)
    set(group "root")
    if(path MATCHES "^\\.\\./")
      set(group "generated")  # outside of the folder
    elseif(path MATCHES "^([^/]+)/")
      set(group ${CMAKE_MATCH_1})
    endif()
    foreach(list ${arg_TOGETHER})
      string(REPLACE " " ";" list "${list}")
      if(group IN_LIST list OR path IN_LIST list)
        list(GET list 0 group)
        break()
      endif()
    endforeach()
    set_source_files_properties(${source} TARGET_DIRECTORY ${TARGET} PROPERTIES UNITY_GROUP "${group}_folder")
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# split_hot(TARGET REGEX…): moves the sources whose path below the target's folder, or below its folder of generated
# files, matches to the object library TARGET_hot. They have the optimisation of the build type. A release compiles the
# rest with -Og, in less time than with -O1: it runs once per file, option or report.
function(split_hot TARGET)
  get_target_property(folder ${TARGET} SOURCE_DIR)
  get_target_property(generated ${TARGET} BINARY_DIR)
  get_target_property(sources ${TARGET} SOURCES)
  set(hot_sources)
  foreach(pattern ${ARGN})
    set(found ${sources})
    list(FILTER found INCLUDE REGEX "^(${folder}|${generated})/${pattern}")
    list(APPEND hot_sources ${found})
  endforeach()
  list(REMOVE_ITEM sources ${hot_sources})
  set_property(TARGET ${TARGET} PROPERTY SOURCES ${sources})
  add_library(${TARGET}_hot OBJECT ${hot_sources})
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:Release>:-Og>)
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
