# Writes OUTPUT, the source file of build_id(): the version and a hash of the sources. The compiler is not part of
# it, because every compiler gives the same bytes.
# cmake -D FOLDER=… -D VERSION=… -D OUTPUT=… -P build_id.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources RELATIVE ${FOLDER} ${FOLDER}/lib/*.cpp ${FOLDER}/lib/*.h ${FOLDER}/lib/*.in
     ${FOLDER}/cli/*.cpp ${FOLDER}/cli/*.h)
list(SORT sources)
set(hashes "")
foreach(source ${sources})
  file(SHA256 ${FOLDER}/${source} hash)
  string(APPEND hashes "${source} ${hash}\n")
endforeach()
string(SHA256 id "${hashes}")
string(SUBSTRING ${id} 0 16 id)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Written by cmake/build_id.cmake.
#include \"batch/state/batch_state.h\"

namespace skinbake {

std::string_view build_id() {
  return \"@VERSION@-@id@\";
}

}  // namespace skinbake
")
