# Writes the manual pages of the program and of its commands with help2man, from the texts of --help:
#
#   cmake -D PROGRAM=… -D HELP2MAN=… -D FOLDER=…/man1 -P man_pages.cmake

function(run variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# The page of a command, whose words are `ARGN`, and those of the commands in it.
function(write_pages)
  string(JOIN " " words ${ARGN})
  string(JOIN "-" name skinbake ${ARGN})
  run(help ${PROGRAM} ${ARGN} --help)
  string(REGEX MATCH "^[^\n]*" title "${help}")
  string(REGEX REPLACE "\\.$" "" title "${title}")
  run(page ${HELP2MAN} --no-info --locale C.UTF-8 --version-string ${version} --source "skinbake ${version}"
      --name ${title} "'${PROGRAM}' ${words}")
  # Without the date, pages are reproducible.
  string(TOUPPER ${name} heading)
  string(REGEX REPLACE "\n\\.TH [^\n]*" "\n.TH ${heading} 1 \"\" \"skinbake ${version}\" \"User Commands\"" page "${page}")
  string(REGEX REPLACE "\n\\.SH NAME\n[^\n]* \\\\- " "\n.SH NAME\n${name} \\\\- " page "${page}")
  # help2man would fill the examples into one paragraph.
  string(REGEX REPLACE "(\n\\.SH EXAMPLES\n)\\.IP\n(([^.\n][^\n]*\n)+)" "\\1.EX\n\\2.EE\n" page "${page}")
  file(WRITE ${FOLDER}/${name}.1 "${page}")
  if(help MATCHES "\nSubcommands:\n(.*)")
    string(REGEX REPLACE "\n\n.*" "" commands "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "(^|\n)  [a-z]+" commands "${commands}")
    foreach(command ${commands})
      string(STRIP "${command}" command)
      write_pages(${ARGN} ${command})
    endforeach()
  endif()
endfunction()

run(version ${PROGRAM} --version)
string(REGEX MATCH "[0-9][0-9.]*" version "${version}")
write_pages()
