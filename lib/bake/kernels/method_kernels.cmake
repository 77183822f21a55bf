# Generates the sources in which formulas meet instruction sets (lib/methods/CMakeLists.txt).

set(kernel_templates ${CMAKE_CURRENT_LIST_DIR})
set(kernel_folder ${CMAKE_CURRENT_BINARY_DIR}/kernels)  # included as "methods/kernels/…"
set(method_names)
set(kernel_units)

# skinbake_method(LinearBlend linear_blend linear): struct LinearBlend, which lib/methods/linear_blend-inl.h defines.
# The kernels of all methods of the unit `linear` are compiled together: a unit costs some seconds of headers, and
# methods that share a formula also share its kernels.
macro(skinbake_method METHOD FILE UNIT)
  list(APPEND method_names ${METHOD})
  list(APPEND kernel_units ${UNIT})
  list(APPEND methods_of_${UNIT} ${METHOD})
  list(APPEND includes_of_${UNIT} "#include \"methods/${FILE}-inl.h\"\n")
endmacro()

# Writes an entry of the table for each method, in the order of its unit.
function(skinbake_kernel_unit UNIT)
  list(REMOVE_DUPLICATES includes_of_${UNIT})
  list(JOIN includes_of_${UNIT} "" METHOD_INCLUDES)
  list(JOIN methods_of_${UNIT} ", " METHOD_NAMES)
  set(METHOD_DEFINITIONS)
  set(index 0)
  foreach(method ${methods_of_${UNIT}})
    string(APPEND METHOD_DEFINITIONS "extern const MethodEntry k${method}Entry;\n"
           "constexpr MethodEntry k${method}Entry = entry_of<HWY_NAMESPACE::${method}, ${index}>();\n")
    math(EXPR index "${index} + 1")
  endforeach()
  configure_file(${kernel_templates}/kernel.cpp.in ${kernel_folder}/${UNIT}.cpp @ONLY)
  target_sources(skinbake PRIVATE ${kernel_folder}/${UNIT}.cpp)
endfunction()

# The kernels of all methods that were listed before, and their table.
function(skinbake_method_entries)
  list(REMOVE_DUPLICATES kernel_units)
  foreach(unit ${kernel_units})
    skinbake_kernel_unit(${unit})
  endforeach()
  list(JOIN method_names ", " METHOD_NAMES)
  list(TRANSFORM method_names REPLACE "(.+)" "k\\1Entry" OUTPUT_VARIABLE entries)
  list(JOIN entries ", " METHOD_DECLARATIONS)
  list(JOIN entries ", &" METHOD_ENTRIES)
  configure_file(${kernel_templates}/method_entries.cpp.in ${kernel_folder}/method_entries.cpp @ONLY)
  target_sources(skinbake PRIVATE ${kernel_folder}/method_entries.cpp)
endfunction()
