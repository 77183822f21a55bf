// The sections of a run: `error`, `volume`, `difference` and the other metrics.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "report/write/sections.h"
#include "rig/joint_tree.h"

namespace skinbake {
namespace {

// ---- error

constexpr std::size_t kWorstVertices = 10;  // the report's contract

// The vertices with the largest errors; of equal ones, those with the lowest indices. An error that
// is not a number is the largest.
std::vector<std::size_t> worst_vertices(const PositionErrorResult::PerVertex& per_vertex) {
  std::vector<std::size_t> vertices(per_vertex.max.size());
  std::iota(vertices.begin(), vertices.end(), std::size_t{0});
  const auto end =
      vertices.begin() + static_cast<std::ptrdiff_t>(std::min(kWorstVertices, vertices.size()));
  std::partial_sort(vertices.begin(), end, vertices.end(), [&](std::size_t a, std::size_t b) {
    const double ma = per_vertex.max[a], mb = per_vertex.max[b];
    const bool is_nan_a = std::isnan(ma), is_nan_b = std::isnan(mb);
    if (is_nan_a || is_nan_b) return is_nan_a && (!is_nan_b || a < b);
    return ma != mb ? ma > mb : a < b;
  });
  vertices.erase(end, vertices.end());
  return vertices;
}

std::int64_t primitive_of(const Mesh& mesh, std::size_t vertex) {
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const Primitive& primitive = mesh.primitives[p];
    if (vertex - primitive.first_vertex < primitive.vertex_count) return static_cast<int>(p);
  }
  return -1;
}

void write_per_frame(const PositionErrorResult::PerFrame& per_frame, JsonWriter& json) {
  json.key("per_frame").begin_object();
  json.key("rms").numbers(per_frame.rms);
  json.key("mean").numbers(per_frame.mean);
  json.key("max").numbers(per_frame.max);
  json.key("max_vertex").numbers(per_frame.max_vertex);
  json.key("p50").numbers(per_frame.p50);
  json.key("p95").numbers(per_frame.p95);
  json.key("p99").numbers(per_frame.p99);
  json.end_object();
}

void write_worst_vertices(const RunContext& context, const PositionErrorResult& error,
                          JsonWriter& json) {
  const PositionErrorResult::PerVertex& per_vertex = error.per_vertex;
  json.key("worst_vertices").begin_line_array();
  for (const std::size_t v : worst_vertices(per_vertex)) {
    json.begin_object();
    json.key("vertex").value(v);
    json.key("primitive").value(primitive_of(*context.rig.mesh, v));
    json.key("rms").value(per_vertex.rms[v]).key("max").value(per_vertex.max[v]);
    const std::int64_t frame = context.run.frames.frame(per_vertex.max_frame[v]);
    json.key("frame").value(frame);
    write_pose(context.run.frames.pose_name(frame), json);
    json.end_object();
  }
  json.end_array();
}

std::vector<std::int64_t> frame_numbers(const NamedFrames& frames,
                                        const std::vector<std::int64_t>& positions) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(positions.size());
  for (const std::int64_t position : positions) numbers.push_back(frames.frame(position));
  return numbers;
}

// Errors of millions of vertices are written as float32, which needs fewer digits.
std::vector<float> rounded(const std::vector<double>& values) {
  std::vector<float> floats(values.size());
  std::transform(values.begin(), values.end(), floats.begin(),
                 [](double value) { return static_cast<float>(value); });
  return floats;
}

void write_arrays(const NamedFrames& frames, const PositionErrorResult::PerVertex& per_vertex,
                  JsonWriter& json) {
  json.key("per_vertex").begin_line_object();
  json.key("encoding").value("json");
  json.key("rms").numbers(rounded(per_vertex.rms));
  json.key("max").numbers(rounded(per_vertex.max));
  json.key("max_frame").numbers(frame_numbers(frames, per_vertex.max_frame));
  json.end_object();
}

void write_file_reference(const PerVertexFile& file, std::size_t vertices, JsonWriter& json) {
  json.key("per_vertex").begin_line_object();
  json.key("encoding").value("npy");
  json.key("path").value(file.path).key("xxh128").value(file.xxh128);
  json.key("shape").numbers(std::array<std::int64_t, 2>{3, static_cast<std::int64_t>(vertices)});
  json.key("rows").strings(std::array<std::string, 3>{"rms", "max", "max_frame"});
  json.end_object();
}

// ---- volume

void write_max_loss(const NamedFrames& frames, const VolumeResult::Extremes& extremes,
                    JsonWriter& json) {
  json.key("baseline").value(extremes.baseline_m3);
  json.key("max_loss").value(extremes.max_loss);
  write_place("max_loss_at", frames, extremes.max_loss_at, json);
}

void write_total(const NamedFrames& frames, const std::optional<VolumeResult::Extremes>& total,
                 JsonWriter& json) {
  const VolumeResult::Extremes extremes = total.value_or(VolumeResult::Extremes{});
  const auto write_number = [&](std::string_view key, double value) {
    json.key(key);
    total ? json.value(value) : json.null();
  };
  json.same_line();
  write_number("baseline", extremes.baseline_m3);
  write_number("max_loss", extremes.max_loss);
  json.same_line();
  write_place("max_loss_at", frames, extremes.max_loss_at, json);
  json.same_line();
  write_number("min_loss", extremes.min_loss);
  json.same_line();
  write_place("min_loss_at", frames, extremes.min_loss_at, json);
}

void write_joint(const RunContext& context, const VolumeResult::PerJoint& joint, JsonWriter& json) {
  json.begin_object();
  json.key("joint").value(joint_id(context.rig, joint.joint));
  json.key("joint_index").value(joint.joint);
  json.key("triangle_count").value(joint.triangle_count);
  write_max_loss(context.run.frames, joint, json);
  json.key("per_frame").begin_object().key("loss").numbers(joint.loss).end_object();
  json.end_object();
}

// ---- difference

void write_point(std::string_view key, const std::array<double, 3>& point, JsonWriter& json) {
  json.key(key).begin_line_array();
  for (const double coordinate : point) json.value(coordinate);
  json.end_array();
}

// ---- other metrics. Consecutive numbers and places share a line; every array and object has its
// own line.

void write_fields(const NamedFrames& frames, const std::vector<MetricField>& fields,
                  JsonWriter& json);

struct FieldWriter {
  const NamedFrames& frames;
  std::string_view key;
  JsonWriter& json;

  void operator()(double number) const { json.key(key).value(number); }
  void operator()(std::int64_t number) const { json.key(key).value(number); }
  void operator()(const std::string& text) const { json.key(key).value(text); }
  void operator()(bool truth) const { json.key(key).value(truth); }
  void operator()(const Place& place) const { write_place(key, frames, place, json); }
  void operator()(const std::vector<double>& numbers) const { json.key(key).numbers(numbers); }
  void operator()(const std::vector<std::int64_t>& numbers) const {
    json.key(key).numbers(numbers);
  }
  void operator()(const std::vector<MetricField>& fields) const {
    json.key(key).begin_object();
    write_fields(frames, fields, json);
    // An object with a frame is a place.
    for (const MetricField& field : fields) {
      const auto* frame = std::get_if<std::int64_t>(&field.value);
      if (frame == nullptr || field.key != "frame") continue;
      write_pose(frames.pose_name(*frame), json);
    }
    json.end_object();
  }
  void operator()(const std::vector<std::vector<MetricField>>& objects) const {
    json.key(key).begin_line_array();
    for (const std::vector<MetricField>& fields : objects) {
      json.begin_object();
      write_fields(frames, fields, json);
      json.end_object();
    }
    json.end_array();
  }
};

// Whether a field is a number, a text, a truth or a place, the first alternatives of
// MetricField::value.
bool is_short(const MetricField& field) {
  return field.value.index() <= 4;
}

void write_fields(const NamedFrames& frames, const std::vector<MetricField>& fields,
                  JsonWriter& json) {
  bool after_short = false;
  for (const MetricField& field : fields) {
    if (after_short && is_short(field)) json.same_line();
    after_short = is_short(field);
    std::visit(FieldWriter{frames, field.key, json}, field.value);
  }
}

}  // namespace

void write_error(const RunContext& context, const PositionErrorResult& error, JsonWriter& json) {
  const NamedFrames& frames = context.run.frames;
  json.key("error").begin_object();
  json.key("unit").value("m");
  json.same_line().key("reference").value(context.run.reference);
  json.key("rms").value(error.rms);
  json.same_line().key("mean").value(error.mean);
  json.same_line().key("max").value(error.max);
  json.same_line();
  write_place("max_at", frames, error.max_at, json);
  json.key("rms_relative").value(error.rms_relative);
  json.same_line().key("max_relative").value(error.max_relative);
  json.same_line().key("erms").value(error.erms);
  json.same_line().key("kg_percent").value(error.kg_percent);
  write_per_frame(error.per_frame, json);
  write_worst_vertices(context, error, json);
  const auto& file = context.run.per_vertex_file;
  if (context.per_vertex == PerVertex::kJson) write_arrays(frames, error.per_vertex, json);
  if (context.per_vertex == PerVertex::kNpy && file) {
    write_file_reference(*file, error.per_vertex.rms.size(), json);
  }
  json.end_object();
}

void write_volume(const RunContext& context, const VolumeResult& volume, JsonWriter& json) {
  const NamedFrames& frames = context.run.frames;
  json.key("volume").begin_object();
  json.key("unit").value("m3");
  write_total(frames, volume.total, json);
  json.key("per_frame").begin_object();
  json.key("volume").numbers(volume.volume_m3);
  json.key("loss").numbers(volume.loss);
  json.end_object();
  json.key("components").begin_line_array();
  for (const VolumeResult::PerComponent& component : volume.components) {
    json.begin_object().key("component").value(component.component);
    write_max_loss(frames, component, json);
    json.end_object();
  }
  json.end_array();
  json.key("joints").begin_line_array();
  for (const VolumeResult::PerJoint& joint : volume.joints) write_joint(context, joint, json);
  json.end_array();
  json.end_object();
}

void write_difference(const RunContext& context, const Difference& difference, JsonWriter& json) {
  json.key("difference").begin_object();
  json.key("identical").value(difference.identical);
  json.same_line().key("vertices").value(difference.vertices);
  json.same_line().key("frames").value(difference.frames);
  json.key("at_max").begin_line_object();
  write_point("a", difference.a_at_max, json);
  write_point("b", difference.b_at_max, json);
  json.end_object();
  json.key("over").begin_array();
  for (const OverLimit& over : difference.error.over) {
    json.begin_line_object();
    json.key("limit_m").value(over.limit_m).key("vertices").value(over.vertices);
    json.key("frames").value(over.frames).key("most").value(over.most);
    write_place("most_at", context.run.frames, over.most_at, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_metric(const RunContext& context, const MetricResult& result, JsonWriter& json) {
  json.key(result.id).begin_object();
  write_fields(context.run.frames, result.fields, json);
  json.end_object();
}

}  // namespace skinbake
