// The sections of a run: metrics, errors per vertex and differences.

#include "report/write/sections.h"

namespace skinbake {
namespace {

OrderedJson fields_json(const std::vector<SectionField>& fields, const NamedFrames& frames);

// The JSON of a field's value.
struct FieldToJson {
  const NamedFrames& frames;

  template <class Plain>
  OrderedJson operator()(const Plain& value) const {
    return value;
  }
  OrderedJson operator()(const FrameOfRun& frame) const { return frames.frame(frame.position); }
  OrderedJson operator()(const Place& place) const { return place_json(place, frames); }
  OrderedJson operator()(const std::vector<SectionField>& fields) const {
    return fields_json(fields, frames);
  }
  OrderedJson operator()(const std::vector<std::vector<SectionField>>& objects) const {
    return array_json(objects, [&](const std::vector<SectionField>& fields) {
      return fields_json(fields, frames);
    });
  }
};

OrderedJson fields_json(const std::vector<SectionField>& fields, const NamedFrames& frames) {
  OrderedJson json = OrderedJson::object();
  for (const SectionField& field : fields) {
    json.emplace(field.key, std::visit(FieldToJson{frames}, field.value));
    const auto* const frame = std::get_if<FrameOfRun>(&field.value);
    if (frame != nullptr) add_pose(frames.pose_name(frames.frame(frame->position)), json);
  }
  return json;
}

// Errors of millions of vertices are rounded to float32, which needs fewer digits.
OrderedJson per_vertex_json(const RunRecord& run) {
  const PositionErrorResult::PerVertex& errors = run.error->per_vertex;
  const auto rounded = [](double error) { return shortest(static_cast<float>(error)); };
  return {{"encoding", "json"},
          {"rms", array_json(errors.rms, rounded)},
          {"max", array_json(errors.max, rounded)},
          {"max_frame", array_json(errors.max_frame, [&](std::int64_t position) {
             return run.frames.frame(position);
           })}};
}

OrderedJson file_json(const PerVertexFile& file, std::size_t vertices) {
  return {{"encoding", "npy"},
          {"path", file.path},
          {"xxh128", file.xxh128},
          {"shape", {3, vertices}},
          {"rows", {"rms", "max", "max_frame"}}};
}

OrderedJson over_json(const OverLimit& over, const NamedFrames& frames) {
  return {{"limit_m", over.limit_m},
          {"vertices", over.vertices},
          {"frames", over.frames},
          {"most", over.most},
          {"most_at", place_json(over.most_at, frames)}};
}

OrderedJson difference_json(const Difference& difference, const NamedFrames& frames) {
  return {{"identical", difference.identical},
          {"vertices", difference.vertices},
          {"frames", difference.frames},
          {"at_max", {{"a", difference.a_at_max}, {"b", difference.b_at_max}}},
          {"over", array_json(difference.error.over,
                              [&](const OverLimit& over) { return over_json(over, frames); })}};
}

}  // namespace

OrderedJson place_json(const Place& place, const NamedFrames& frames) {
  if (place.frame < 0) return {};
  OrderedJson json{{"frame", frames.frame(place.frame)}, {"time_s", frames.time_s(place.frame)}};
  if (place.vertex >= 0) json["vertex"] = place.vertex;
  if (place.triangle >= 0) json["triangle"] = place.triangle;
  if (place.edge[0] >= 0) json["edge"] = place.edge;
  if (place.inside_face) json["inside_face"] = true;
  if (!place.joint.empty()) json["joint"] = place.joint;
  add_pose(frames.pose_name(frames.frame(place.frame)), json);
  return json;
}

OrderedJson section_json(const MetricResult& section, const NamedFrames& frames) {
  return fields_json(section.fields, frames);
}

OrderedJson run_json(const Rig& rig, const RunRecord& run, PerVertex per_vertex) {
  OrderedJson json{{"clip", name_json(run.clip)}, {"method", name_json(run.name())}};
  if (!run.method_on_mesh.empty()) json["method_on_mesh"] = run.method_on_mesh;
  json["frame_count"] = run.frames.frame_count;
  if (run.has_own_frames) {
    json["frames"] = {{"fps", run.frames.fps},
                      {"first_frame", run.frames.first_frame},
                      {"frame_step", run.frames.frame_step}};
  }
  if (!run.profile.empty()) json["variant"] = {{"profile", run.profile}};
  if (run.difference) json["difference"] = difference_json(*run.difference, run.frames);
  for (const MetricResult& section : sections_of(run, rig)) {
    json[std::string(section.id)] = section_json(section, run.frames);
  }
  if (!run.error) return json;
  if (per_vertex == PerVertex::kJson) json["error"]["per_vertex"] = per_vertex_json(run);
  if (per_vertex == PerVertex::kNpy && run.per_vertex_file) {
    const std::size_t vertices = run.error->per_vertex.rms.size();
    json["error"]["per_vertex"] = file_json(*run.per_vertex_file, vertices);
  }
  return json;
}

std::vector<MetricResult> sections_of(const RunRecord& run, const Rig& rig) {
  std::vector<MetricResult> sections;
  if (run.error) sections.push_back(section_of(*run.error, rig, run.reference));
  if (run.volume) sections.push_back(section_of(*run.volume, rig));
  sections.insert(sections.end(), run.metrics.begin(), run.metrics.end());
  return sections;
}

}  // namespace skinbake
