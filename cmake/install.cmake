# Installation: the library, its headers, its CMake package and the tool.

include(CMakePackageConfigHelpers)
set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/skinbake)

# Consumers of a shared library do not need its dependencies.
get_target_property(_type skinbake TYPE)
if(_type STREQUAL "SHARED_LIBRARY")
  set(SKINBAKE_IS_SHARED ON)
else()
  set(SKINBAKE_IS_SHARED OFF)
endif()

install(TARGETS skinbake EXPORT skinbakeTargets FILE_SET HEADERS)
install(TARGETS skinbake_options EXPORT skinbakeTargets)
install(EXPORT skinbakeTargets NAMESPACE skinbake:: DESTINATION ${_package_dir})
configure_package_config_file(cmake/skinbakeConfig.cmake.in skinbakeConfig.cmake
                              INSTALL_DESTINATION ${_package_dir})
write_basic_package_version_file(skinbakeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/skinbakeConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/skinbakeConfigVersion.cmake
              cmake/dependencies.cmake cmake/find_plain_library.cmake
              cmake/FindxxHash.cmake
        DESTINATION ${_package_dir})

# Programs find the shared library relative to their own location, so that the prefix may be moved.
if(TARGET skinbake_cli)
  if(SKINBAKE_IS_SHARED)
    file(RELATIVE_PATH _libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(skinbake_cli PROPERTIES INSTALL_RPATH $ORIGIN/${_libraries})
  endif()
  install(TARGETS skinbake_cli COMPONENT tool)
  install(FILES cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME skinbake COMPONENT tool)
  find_program(SKINBAKE_HELP2MAN help2man DOC "Makes the manual pages when the tool is installed")
  if(SKINBAKE_HELP2MAN)
    install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -D \"PROGRAM=$<TARGET_FILE:skinbake_cli>\"
      -D \"HELP2MAN=${SKINBAKE_HELP2MAN}\" -D \"FOLDER=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\"
      -P \"${PROJECT_SOURCE_DIR}/cmake/man_pages.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT tool)
  else()
    message(STATUS "No manual pages: help2man is not installed")
  endif()
  include(cmake/package.cmake)
endif()
if(TARGET skinbake_python)
  if(SKINBAKE_IS_SHARED)
    file(RELATIVE_PATH _libraries /${SKINBAKE_PYTHON_DIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(skinbake_python PROPERTIES INSTALL_RPATH $ORIGIN/${_libraries})
  endif()
  # Optional, because scripts/skinbake builds only the tool.
  install(TARGETS skinbake_python LIBRARY DESTINATION ${SKINBAKE_PYTHON_DIR} OPTIONAL)
endif()
