// Measurements as Python dictionaries, with the keys of the JSON report.

#pragma once

#include <pybind11/pybind11.h>
#include <skinbake/compare.h>
#include <skinbake/error.h>
#include <skinbake/rig.h>

#include <string>

namespace skinbake::python {

// {"error": {…}, "volume": {…}, …, "bbox_diagonal_m": …, "issues": […]}. Numbers per frame and per
// vertex are NumPy arrays. `reference`: its name, as the report shows it.
pybind11::dict to_dict(const Measurement& measurement, const Rig& rig,
                       const std::string& reference);

// [{"code", "severity", "file", "pointer", "message", "count"}]
pybind11::list to_list(const Issues& issues);

}  // namespace skinbake::python
