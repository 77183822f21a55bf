# Finds a library that does not have a CMake package by its header and its library file.
#
#   find_plain_library(NAME TARGET HEADER LIBRARY VERSION_LINES)
#
# Defines NAME_FOUND, NAME_VERSION and the target NAME::TARGET, for a find module of that name. The
# version consists of the numbers in the lines of the header that match VERSION_LINES.

include(FindPackageHandleStandardArgs)

macro(find_plain_library name target header library version_lines)
  find_path(${name}_INCLUDE_DIR ${header})
  find_library(${name}_LIBRARY ${library})
  if(${name}_INCLUDE_DIR)
    file(STRINGS ${${name}_INCLUDE_DIR}/${header} _version REGEX "${version_lines}")
    string(REGEX MATCHALL "[0-9]+" _version "${_version}")
    list(JOIN _version "." ${name}_VERSION)
    unset(_version)
  endif()
  find_package_handle_standard_args(${name}
    REQUIRED_VARS ${name}_LIBRARY ${name}_INCLUDE_DIR
    VERSION_VAR ${name}_VERSION)
  if(${name}_FOUND AND NOT TARGET ${name}::${target})
    add_library(${name}::${target} UNKNOWN IMPORTED)
    set_target_properties(${name}::${target} PROPERTIES
      IMPORTED_LOCATION ${${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE_DIR})
  endif()
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
endmacro()
