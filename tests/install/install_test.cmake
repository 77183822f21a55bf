# Installs the build tree into an empty folder; configures, builds and runs consumers of the package.
#
#   cmake -D BUILD_DIR=… -D CONSUMERS_DIR=… -D WORK_DIR=… -D CONFIG=… -D GENERATOR=… -D CXX=…
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

# Builds a consumer, runs it with the further arguments and compares its output.
function(check_consumer name expected)
  run(${CMAKE_COMMAND} -S ${CONSUMERS_DIR}/${name} -B ${WORK_DIR}/${name} -G ${GENERATOR}
      -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${CXX}
      -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${name} --config ${CONFIG})
  run(${WORK_DIR}/${name}/consumer ${ARGN})
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "the consumer ${name} printed: ${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix --config ${CONFIG})
check_consumer(consumer "61 frames of 1178 vertices\nat most 0.0273 m from linear blending\n" ${RIG})
# The upper ring turns by 60 degrees about y: (1, 1, 0) is moved to (cos 60, 1, -sin 60).
check_consumer(rig_in_code "31 x 8: 0.500 1.000 -0.866\n")
if(EXISTS ${WORK_DIR}/prefix/bin/skinbake)
  run(${WORK_DIR}/prefix/bin/skinbake --version)  # finds its libraries
endif()

# The installed folder contains headers of skinbake only.
file(GLOB_RECURSE headers RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*)
foreach(header ${headers})
  if(NOT header MATCHES "^skinbake/(tool/([a-z]+/)?)?[a-z_0-9]+\\.h$")
    message(FATAL_ERROR "installed what is not public: ${header}")
  endif()
endforeach()
