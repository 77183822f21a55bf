# link_library_first(PROGRAM): the library is the first file on the linker's command line.
#
# If two files contain the same template or inline function, such as a parser of JSON, the linker keeps the first one.
# Object files come before libraries, so that the library of an unoptimised program would call the program's
# unoptimised functions. With this order it calls its own, which are optimised and instrumented.
function(link_library_first PROGRAM)
  if(NOT BUILD_SHARED_LIBS)
    target_link_options(${PROGRAM} PRIVATE
      LINKER:--whole-archive,$<TARGET_FILE:skinbake>,--no-whole-archive)
  endif()
endfunction()
