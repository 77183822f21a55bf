# Installation: the library, its headers, its CMake package and the tool.

include(CMakePackageConfigHelpers)
set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/skinbake)

install(TARGETS skinbake EXPORT skinbakeTargets FILE_SET HEADERS)
install(TARGETS skinbake_options EXPORT skinbakeTargets)
install(EXPORT skinbakeTargets NAMESPACE skinbake:: DESTINATION ${_package_dir})
configure_package_config_file(cmake/skinbakeConfig.cmake.in skinbakeConfig.cmake
                              INSTALL_DESTINATION ${_package_dir})
write_basic_package_version_file(skinbakeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/skinbakeConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/skinbakeConfigVersion.cmake
              cmake/dependencies.cmake cmake/find_plain_library.cmake
              cmake/FindxxHash.cmake cmake/Findlibdeflate.cmake
        DESTINATION ${_package_dir})
if(TARGET skinbake_cli)
  install(TARGETS skinbake_cli)
endif()
