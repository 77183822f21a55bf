// Texts of the library as Python strings.

#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

namespace skinbake::python {

// Returns the string that os.fsdecode makes of a path: os.fsencode gives its bytes back, also bytes
// that are not UTF-8. Throws error_already_set (MemoryError).
inline pybind11::str path_string(std::string_view path) {
  PyObject* const string =
      PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size()));
  if (string == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(string);
}

// Returns a text that may contain paths. Bytes that are not UTF-8 become U+FFFD, so that the string
// can be printed everywhere. Throws error_already_set (MemoryError).
inline pybind11::str text_string(std::string_view text) {
  PyObject* const string =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (string == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(string);
}

}  // namespace skinbake::python
