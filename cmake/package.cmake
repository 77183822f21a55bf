# A Debian package of the program: cpack -G DEB in the build folder, once everything is built. It contains the
# component `tool`; the library is installed with cmake --install.

# Whoever makes the package maintains it. Debian's tools read the name and the address from the same two variables;
# mail to the reserved domain .invalid reaches no one.
set(maintainer "skinbake maintainers <maintainers@skinbake.invalid>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(SKINBAKE_PACKAGE_MAINTAINER ${maintainer} CACHE STRING "Maintainer of the Debian package: NAME <MAIL>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME skinbake)
set(CPACK_PACKAGE_VENDOR skinbake)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tool)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# Whatever the umask of the build: Debian wants folders that everybody can read.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SKINBAKE_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "bakes skinned glTF animations into vertex caches")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"skinbake evaluates the clips of a glTF 2.0 rig with a skinning method, and
writes caches of vertex positions (PC2, MDD, NPY, GLB, USD, vertex animation
textures) and reports of errors and loss of volume. It compares methods and
versions of an asset, and does whole libraries from one manifest.")
# Adds what Debian's policy asks for, below /usr/share.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_files.cmake)
set(CPACK_SKINBAKE_SOURCE_DIR ${PROJECT_SOURCE_DIR})
include(CPack)
