#include "metric_dictionaries.h"

#include <pybind11/numpy.h>

#include <cstdint>
#include <optional>
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
  return dict;
}

py::object to_object(const std::optional<double>& number) {
  return number ? py::object(py::float_(*number)) : py::object(py::none());
}

py::dict error_dict(const FrameRange& frames, const PositionErrorResult& error,
                    const std::string& reference) {
  py::dict dict;
  dict["unit"] = "m";
  dict["reference"] = reference;
  dict["rms"] = error.rms;
  dict["mean"] = error.mean;
  dict["max"] = error.max;
  dict["max_at"] = to_object(frames, error.max_at);
  dict["rms_relative"] = error.rms_relative;
  dict["max_relative"] = error.max_relative;
  dict["erms"] = error.erms;
  dict["kg_percent"] = to_object(error.kg_percent);
  py::dict per_frame;
  per_frame["rms"] = to_array(error.per_frame.rms);
  per_frame["mean"] = to_array(error.per_frame.mean);
  per_frame["max"] = to_array(error.per_frame.max);
  per_frame["max_vertex"] = to_array(error.per_frame.max_vertex);
  per_frame["p50"] = to_array(error.per_frame.p50);
  per_frame["p95"] = to_array(error.per_frame.p95);
  per_frame["p99"] = to_array(error.per_frame.p99);
  dict["per_frame"] = per_frame;
  py::dict per_vertex;
  per_vertex["rms"] = to_array(error.per_vertex.rms);
  per_vertex["max"] = to_array(error.per_vertex.max);
  per_vertex["max_frame"] = frame_numbers(frames, error.per_vertex.max_frame);
  dict["per_vertex"] = per_vertex;
  return dict;
}

void add_max_loss(const FrameRange& frames, const VolumeExtremes& extremes, py::dict& dict) {
  dict["baseline"] = extremes.baseline_m3;
  dict["max_loss"] = extremes.max_loss;
  dict["max_loss_at"] = to_object(frames, extremes.max_loss_at);
}

// The name of a joint; a joint without a name is named after its node.
std::string joint_id(const Rig& rig, JointIndex joint) {
  const NodeIndex node = rig.joints[joint].node;
  const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(node)].name;
  return name.empty() ? "#" + std::to_string(node) : name;
}

py::dict volume_dict(const FrameRange& frames, const VolumeResult& volume, const Rig& rig) {
  py::dict dict;
  dict["unit"] = "m3";
  if (volume.total) {
    add_max_loss(frames, *volume.total, dict);
    dict["min_loss"] = volume.total->min_loss;
    dict["min_loss_at"] = to_object(frames, volume.total->min_loss_at);
  } else {
    for (const char* key : {"baseline", "max_loss", "max_loss_at", "min_loss", "min_loss_at"}) {
      dict[key] = py::none();
    }
  }
  py::dict per_frame;
  per_frame["volume"] = to_array(volume.volume_m3);
  per_frame["loss"] = to_array(volume.loss);
  dict["per_frame"] = per_frame;
  py::list components, joints;
  for (const VolumeResult::PerComponent& component : volume.components) {
    py::dict one;
    one["component"] = component.component;
    add_max_loss(frames, component, one);
    components.append(one);
  }
  for (const VolumeResult::PerJoint& joint : volume.joints) {
    py::dict one, joint_frames;
    one["joint"] = joint_id(rig, joint.joint);
    one["joint_index"] = joint.joint;
    one["triangle_count"] = joint.triangle_count;
    add_max_loss(frames, joint, one);
    joint_frames["loss"] = to_array(joint.loss);
    one["per_frame"] = joint_frames;
    joints.append(one);
  }
  dict["components"] = components;
  dict["joints"] = joints;
  return dict;
}

py::dict fields_dict(const FrameRange& frames, const std::vector<MetricField>& fields);

struct FieldConverter {
  const FrameRange& frames;

  py::object operator()(double number) const { return py::float_(number); }
  py::object operator()(std::int64_t number) const { return py::int_(number); }
  py::object operator()(bool truth) const { return py::bool_(truth); }
  py::object operator()(const std::string& text) const { return py::str(text); }
  py::object operator()(const Place& place) const { return to_object(frames, place); }
  py::object operator()(const std::vector<double>& numbers) const { return to_array(numbers); }
  py::object operator()(const std::vector<std::int64_t>& numbers) const {
    return to_array(numbers);
  }
  py::object operator()(const std::vector<MetricField>& fields) const {
    return fields_dict(frames, fields);
  }
  py::object operator()(const std::vector<std::vector<MetricField>>& objects) const {
    py::list list;
    for (const std::vector<MetricField>& fields : objects) list.append(fields_dict(frames, fields));
    return list;
  }
};

py::dict fields_dict(const FrameRange& frames, const std::vector<MetricField>& fields) {
  py::dict dict;
  for (const MetricField& field : fields) {
    dict[py::str(field.key)] = std::visit(FieldConverter{frames}, field.value);
  }
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
  if (measurement.error) dict["error"] = error_dict(frames, *measurement.error, reference);
  if (measurement.volume) dict["volume"] = volume_dict(frames, *measurement.volume, rig);
  for (const MetricResult& metric : measurement.others) {
    dict[py::str(metric.id)] = fields_dict(frames, metric.fields);
  }
  dict["bbox_diagonal_m"] = measurement.bbox_diagonal_m;
  dict["issues"] = to_list(measurement.issues);
  return dict;
}

}  // namespace skinbake::python
