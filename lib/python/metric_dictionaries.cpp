#include "metric_dictionaries.h"

#include <pybind11/numpy.h>

#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "texts.h"

namespace py = pybind11;

namespace skinbake::python {

namespace {

template <class T>
py::array_t<T> to_array(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

// Converts positions in the run to frame numbers.
py::array_t<std::int64_t> frame_numbers(const FrameRange& frames,
                                        const std::vector<std::int64_t>& positions) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(positions.size());
  for (const std::int64_t position : positions) numbers.push_back(frames.frame(position));
  return to_array(numbers);
}

py::object to_object(const FrameRange& frames, const Place& place) {
  if (place.frame < 0) return py::none();
  py::dict dict;
  dict["frame"] = frames.frame(place.frame);
  dict["time_s"] = frames.time_s(place.frame);
  if (place.vertex >= 0) dict["vertex"] = place.vertex;
  if (place.triangle >= 0) dict["triangle"] = place.triangle;
  if (place.edge[0] >= 0) dict["edge"] = py::make_tuple(place.edge[0], place.edge[1]);
  if (!place.joint.empty()) dict["joint"] = place.joint;
  return dict;
}

py::dict fields_dict(const FrameRange& frames, const std::vector<SectionField>& fields);

struct FieldConverter {
  const FrameRange& frames;

  py::object operator()(double number) const {
    return std::isfinite(number) ? py::object(py::float_(number)) : py::object(py::none());
  }
  py::object operator()(std::int64_t number) const { return py::int_(number); }
  py::object operator()(bool truth) const { return py::bool_(truth); }
  py::object operator()(const std::string& text) const { return py::str(text); }
  py::object operator()(const FrameOfRun& frame) const {
    return py::int_(frames.frame(frame.position));
  }
  py::object operator()(const Place& place) const { return to_object(frames, place); }
  py::object operator()(const std::vector<double>& numbers) const { return to_array(numbers); }
  py::object operator()(const std::vector<std::int64_t>& numbers) const {
    return to_array(numbers);
  }
  py::object operator()(const std::vector<SectionField>& fields) const {
    return fields_dict(frames, fields);
  }
  py::object operator()(const std::vector<std::vector<SectionField>>& objects) const {
    py::list list;
    for (const std::vector<SectionField>& fields : objects)
      list.append(fields_dict(frames, fields));
    return list;
  }
};

py::dict fields_dict(const FrameRange& frames, const std::vector<SectionField>& fields) {
  py::dict dict;
  for (const SectionField& field : fields) {
    dict[py::str(field.key)] = std::visit(FieldConverter{frames}, field.value);
  }
  return dict;
}

py::dict per_vertex_dict(const FrameRange& frames,
                         const PositionErrorResult::PerVertex& per_vertex) {
  py::dict dict;
  dict["rms"] = to_array(per_vertex.rms);
  dict["max"] = to_array(per_vertex.max);
  dict["max_frame"] = frame_numbers(frames, per_vertex.max_frame);
  return dict;
}

}  // namespace

py::list to_list(const Issues& issues) {
  py::list list;
  for (const Issue& issue : issues) {
    py::dict dict;
    dict["code"] = issue.code;
    dict["severity"] = py::str(to_string(issue.severity));
    dict["file"] = path_string(issue.file);
    dict["pointer"] = text_string(issue.pointer);
    dict["message"] = text_string(issue.message);
    dict["count"] = issue.count;
    list.append(dict);
  }
  return list;
}

py::dict to_dict(const Measurement& measurement, const Rig& rig, const std::string& reference) {
  const FrameRange& frames = measurement.frames;
  py::dict dict;
  if (measurement.error) {
    py::dict error = fields_dict(frames, section_of(*measurement.error, rig, reference).fields);
    error["per_vertex"] = per_vertex_dict(frames, measurement.error->per_vertex);
    dict["error"] = error;
  }
  if (measurement.volume) {
    dict["volume"] = fields_dict(frames, section_of(*measurement.volume, rig).fields);
  }
  for (const MetricResult& section : measurement.others) {
    dict[py::str(section.id)] = fields_dict(frames, section.fields);
  }
  dict["bbox_diagonal_m"] = measurement.bbox_diagonal_m;
  dict["issues"] = to_list(measurement.issues);
  return dict;
}

}  // namespace skinbake::python
