# Installs the build tree into an empty folder; configures, builds and runs a consumer against it.
#
#   cmake -D BUILD_DIR=… -D CONSUMER_DIR=… -D WORK_DIR=… -D CONFIG=… -D GENERATOR=… -D CXX=…
#         -D RIG=… -P install_test.cmake

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit status ${result}: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix --config ${CONFIG})
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
run(${WORK_DIR}/build/consumer ${RIG})
if(NOT output STREQUAL "0.0273 m\n")  # as the README's table says
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()

# Nothing but our own headers, and none of another prefix.
file(GLOB_RECURSE headers RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*)
foreach(header ${headers})
  if(NOT header MATCHES "^skinbake/[a-z_0-9]+\\.h$")
    message(FATAL_ERROR "installed what is not public: ${header}")
  endif()
endforeach()
