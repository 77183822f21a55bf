# Generates the sources in which formulas meet instruction sets (lib/methods/CMakeLists.txt).

set(kernel_templates ${CMAKE_CURRENT_LIST_DIR})
set(kernel_folder ${CMAKE_CURRENT_BINARY_DIR}/kernels)  # included as "methods/kernels/…"
set(method_names)
set(method_declarations)
set(method_entries)

# skinbake_method(LinearBlend linear_blend): the kernels of struct LinearBlend, which
# lib/methods/linear_blend-inl.h defines.
macro(skinbake_method METHOD FILE)
  set(METHOD_NAME ${METHOD})
  set(METHOD_FILE ${FILE})
  get_filename_component(KERNEL_FILE ${FILE} NAME)
  configure_file(${kernel_templates}/kernel.cpp.in ${kernel_folder}/${KERNEL_FILE}.cpp @ONLY)
  target_sources(skinbake PRIVATE ${kernel_folder}/${KERNEL_FILE}.cpp)
  list(APPEND method_names ${METHOD})
  string(APPEND method_declarations "extern const MethodEntry k${METHOD}Entry;\n")
  list(APPEND method_entries "&k${METHOD}Entry")
endmacro()

# The table of all methods that were listed before.
macro(skinbake_method_entries)
  list(JOIN method_names ", " METHOD_NAMES)
  list(JOIN method_entries ", " METHOD_ENTRIES)
  set(METHOD_DECLARATIONS "${method_declarations}")
  configure_file(${kernel_templates}/method_entries.cpp.in ${kernel_folder}/method_entries.cpp @ONLY)
  target_sources(skinbake PRIVATE ${kernel_folder}/method_entries.cpp)
endmacro()
