# Writes OUTPUT, the source file of build_facts(): what --version --verbose prints.
# cmake -D FOLDER=… -D COMPILER=… -D LIBRARIES=… -D OUTPUT=… -P build_facts.cmake
cmake_minimum_required(VERSION 3.25)
set(git "")
if(EXISTS ${FOLDER}/.git)  # not the repository of another project that contains this one
  execute_process(COMMAND git describe --tags --always --dirty WORKING_DIRECTORY ${FOLDER}
                  OUTPUT_VARIABLE git OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(git "")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Written by cmake/build_facts.cmake.
#include \"build_text.h\"

namespace skinbake::cli {

BuildFacts build_facts() {
  return {\"@git@\", \"@COMPILER@\", \"@LIBRARIES@\"};
}

}  // namespace skinbake::cli
")
