# Arranges the files of the Debian package as Debian's policy asks: compressed manual pages and changelogs, and a
# copyright file. CPack runs it on the installed files.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
file(GLOB_RECURSE found LIST_DIRECTORIES true ${root}/*/share)
list(FILTER found INCLUDE REGEX "/usr/share$")
list(GET found 0 share)

function(compress)
  execute_process(COMMAND gzip --best --no-name --force ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB pages ${share}/man/man1/*.1)
if(NOT pages)
  message(FATAL_ERROR "A package needs manual pages: install help2man and configure again")
endif()
compress(${pages})

set(documents ${share}/doc/skinbake)
file(MAKE_DIRECTORY ${documents})
file(READ ${CPACK_SKINBAKE_SOURCE_DIR}/LICENSE licence)
string(REGEX MATCH "Copyright[^\n]*" copyright "${licence}")
string(REGEX REPLACE "^.*\n\n(Permission is.*)$" "\\1" terms "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" terms "${terms}")
string(REGEX REPLACE "\n$" "" terms "${terms}")
string(REPLACE "\n" "\n " terms "${terms}")
string(REGEX REPLACE "^Copyright (\\([Cc]\\) )?" "" holder "${copyright}")
file(WRITE ${documents}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: skinbake

Files: *
Copyright: ${holder}
License: MIT

License: MIT
 ${terms}
")
configure_file(${CPACK_SKINBAKE_SOURCE_DIR}/CHANGELOG.md ${documents}/changelog COPYONLY)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, if it is set
file(WRITE ${documents}/changelog.Debian
"skinbake (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * See changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${now}
")
compress(${documents}/changelog ${documents}/changelog.Debian)
