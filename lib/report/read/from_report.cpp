// The parsed form of a report without its JSON text. Every value equals the value that parsing the
// text yields: members of objects are sorted, numbers that are not finite are absent, and errors
// per vertex have the precision of float32. A test compares the pages of both forms byte by byte.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "report/per_vertex.h"
#include "report/read/sections.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

using Fields = std::vector<MetricField>;

// ---- Numbers and places

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

double finite_or_nan(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> finite_or_nan(const std::vector<double>& values) {
  std::vector<double> all(values.size());
  std::transform(values.begin(), values.end(), all.begin(),
                 [](double value) { return finite_or_nan(value); });
  return all;
}

std::string element_text(const Place& place) {
  if (place.edge[0] >= 0) {
    return "edge " + std::to_string(place.edge[0]) + " " + std::to_string(place.edge[1]);
  }
  if (place.triangle >= 0) return "triangle " + std::to_string(place.triangle);
  return place.vertex >= 0 ? "vertex " + std::to_string(place.vertex) : "";
}

std::optional<ParsedPlace> place_of(const NamedFrames& frames, const Place& place) {
  if (place.frame < 0) return {};
  const std::int64_t frame = frames.frame(place.frame);
  return ParsedPlace{frame, element_text(place), "", frames.pose_name(frame)};
}

// ---- Sections of metrics, which consist of fields

const MetricField* find(const Fields& fields, std::string_view key) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const MetricField& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

// A number; none: the field is of another type.
std::optional<double> number_in(const MetricField& field) {
  if (const auto* number = std::get_if<double>(&field.value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
    return static_cast<double>(*number);
  }
  return {};
}

// A place in the form of an object: {"frame", "time_s", "joint"}.
std::optional<ParsedPlace> place_in(const Fields& fields, const NamedFrames& frames) {
  const MetricField* frame = find(fields, "frame");
  if (frame == nullptr || !std::holds_alternative<std::int64_t>(frame->value)) return {};
  const std::int64_t number = std::get<std::int64_t>(frame->value);
  ParsedPlace place{number, "", "", frames.pose_name(number)};
  for (const char* element : {"vertex", "triangle"}) {
    const MetricField* index = find(fields, element);
    if (index == nullptr || !std::holds_alternative<std::int64_t>(index->value)) continue;
    place.element = element + (" " + std::to_string(std::get<std::int64_t>(index->value)));
  }
  const MetricField* joint = find(fields, "joint");
  if (joint != nullptr && std::holds_alternative<std::string>(joint->value)) {
    place.joint = std::get<std::string>(joint->value);
  }
  return place;
}

std::optional<ParsedPlace> place_in(const Fields& fields, const std::string& key,
                                    const NamedFrames& frames) {
  const MetricField* field = find(fields, key);
  if (field == nullptr) return {};
  if (const auto* place = std::get_if<Place>(&field->value)) return place_of(frames, *place);
  if (const auto* object = std::get_if<Fields>(&field->value)) return place_in(*object, frames);
  return {};
}

// The values of a series; none: the field is not an array of numbers.
std::optional<std::vector<double>> series_in(const MetricField& field) {
  if (const auto* values = std::get_if<std::vector<double>>(&field.value)) {
    return finite_or_nan(*values);
  }
  if (const auto* values = std::get_if<std::vector<std::int64_t>>(&field.value)) {
    return std::vector<double>(values->begin(), values->end());
  }
  return {};
}

template <class Named>
void sort_by_name(std::vector<Named>& list) {
  std::sort(list.begin(), list.end(),
            [](const Named& a, const Named& b) { return a.name < b.name; });
}

// Returns false if a series does not have one value per frame.
bool add_series(const Fields& per_frame, const NamedFrames& frames, ParsedSection& section) {
  for (const MetricField& field : per_frame) {
    if (!is_curve(field.key)) continue;
    auto values = series_in(field);
    if (!values || static_cast<std::int64_t>(values->size()) != frames.frame_count) return false;
    section.per_frame.push_back({std::string(field.key), *std::move(values)});
  }
  return true;
}

std::optional<ParsedPlacement> placement_in(const Fields& fields) {
  const MetricField* field = find(fields, "placed_by");
  if (field == nullptr) return {};
  const auto& placed_by = std::get<Fields>(field->value);
  const auto text = [&](const char* key) {
    return std::get<std::string>(find(placed_by, key)->value);
  };
  return ParsedPlacement{text("joint"), text("instead_of"),
                         std::get<double>(find(placed_by, "apart")->value)};
}

// None: the section does not have the form that readers of a report expect.
std::optional<ParsedSection> section_of(const MetricResult& result, const NamedFrames& frames) {
  ParsedSection section{std::string(result.id), "", {}, {}};
  for (const MetricField& field : result.fields) {
    const std::string key(field.key);
    if (const auto* text = std::get_if<std::string>(&field.value); text && key == "unit") {
      section.unit = *text;
    }
    if (const auto number = number_in(field); number && !key.ends_with("_at")) {
      section.numbers.push_back(
          {key, finite(number), place_in(result.fields, place_key(key), frames)});
    }
    const auto* object = std::get_if<Fields>(&field.value);
    if (object == nullptr) continue;
    if (key == "per_frame" && !add_series(*object, frames, section)) return {};
    if (key == "sufficient_fps" && section.id == "in_between") {
      const MetricField* limit = find(*object, "limit");
      const MetricField* fps = find(*object, "fps");
      if (limit == nullptr || fps == nullptr) return {};
      section.sufficient_fps = {number_in(*limit).value_or(0), finite(number_in(*fps))};
    }
  }
  if (section.id == "surface") section.placed_by = placement_in(result.fields);
  sort_by_name(section.numbers);
  sort_by_name(section.per_frame);
  return section;
}

// ---- Sections with types of their own

ParsedSection section_of(const PositionErrorResult& error, const NamedFrames& frames) {
  const PositionErrorResult::PerFrame& f = error.per_frame;
  const auto max_at = place_of(frames, error.max_at);
  return {"error",
          "m",
          {{"erms", finite(error.erms), {}},
           {"kg_percent", finite(error.kg_percent), {}},
           {"max", finite(error.max), max_at},
           {"max_relative", finite(error.max_relative), {}},
           {"mean", finite(error.mean), {}},
           {"rms", finite(error.rms), {}},
           {"rms_relative", finite(error.rms_relative), {}}},
          {{"max", finite_or_nan(f.max)},
           {"mean", finite_or_nan(f.mean)},
           {"p50", finite_or_nan(f.p50)},
           {"p95", finite_or_nan(f.p95)},
           {"p99", finite_or_nan(f.p99)},
           {"rms", finite_or_nan(f.rms)}}};
}

ParsedSection section_of(const VolumeResult& volume, const NamedFrames& frames) {
  ParsedSection section{
      "volume",
      "m3",
      {{"baseline", {}, {}}, {"max_loss", {}, {}}, {"min_loss", {}, {}}},
      {{"loss", finite_or_nan(volume.loss)}, {"volume", finite_or_nan(volume.volume_m3)}}};
  if (!volume.total) return section;
  const VolumeExtremes& total = *volume.total;
  section.numbers = {{"baseline", finite(total.baseline_m3), {}},
                     {"max_loss", finite(total.max_loss), place_of(frames, total.max_loss_at)},
                     {"min_loss", finite(total.min_loss), place_of(frames, total.min_loss_at)}};
  return section;
}

std::vector<ParsedJoint> joints_of(const Rig& rig, const VolumeResult& volume,
                                   const NamedFrames& frames) {
  std::vector<ParsedJoint> joints;
  for (const VolumeResult::PerJoint& joint : volume.joints) {
    joints.push_back({joint_id(rig, joint.joint), finite(joint.max_loss),
                      place_of(frames, joint.max_loss_at), finite_or_nan(joint.loss)});
  }
  return joints;
}

ParsedSection section_of(const Difference& difference) {
  return {"difference",
          "",
          {{"frames", static_cast<double>(difference.frames), {}},
           {"vertices", static_cast<double>(difference.vertices), {}}},
          {}};
}

std::vector<double> vertex_max_of(const PositionErrorResult& error) {
  std::vector<double> all(error.per_vertex.max.size());
  std::transform(error.per_vertex.max.begin(), error.per_vertex.max.end(), all.begin(),
                 [](double value) { return as_json_reads(static_cast<float>(value)); });
  return all;
}

// ---- Meshes and runs

ParsedRun run_of(const Report& report, const MeshRecord& mesh, const RunRecord& run,
                 const NamedFrames& frames) {
  ParsedRun parsed;
  parsed.clip = run.clip;
  parsed.method = run.name();
  parsed.profile = run.profile;
  parsed.frames = frames;
  if (run.error) {
    parsed.reference = run.reference;
    parsed.sections.push_back(section_of(*run.error, frames));
    if (report.per_vertex != PerVertex::kNone) parsed.vertex_max = vertex_max_of(*run.error);
  }
  if (run.volume) {
    parsed.sections.push_back(section_of(*run.volume, frames));
    parsed.joints = joints_of(*mesh.rig, *run.volume, frames);
  }
  const auto others = static_cast<std::ptrdiff_t>(parsed.sections.size());
  if (run.difference) {
    parsed.difference = {run.difference->vertices, run.difference->frames};
    parsed.sections.push_back(section_of(*run.difference));
  }
  for (const MetricResult& result : run.metrics) {
    if (auto section = section_of(result, frames)) parsed.sections.push_back(*std::move(section));
  }
  std::sort(parsed.sections.begin() + others, parsed.sections.end(),
            [](const ParsedSection& a, const ParsedSection& b) { return a.id < b.id; });
  name_points(parsed);
  return parsed;
}

ParsedMesh mesh_of(const Report& report, const MeshRecord& mesh, const ClipFrames& clips) {
  ParsedMesh parsed;
  parsed.id = mesh.rig->id;
  parsed.vertex_count = mesh.rig->mesh->vertex_count();
  parsed.triangle_count = static_cast<std::int64_t>(mesh.rig->mesh->triangles.size());
  parsed.bbox_diagonal_m = mesh.bbox_diagonal_m;
  parsed.follows_joint = mesh.follows_joint;
  for (const RunRecord& run : mesh.runs) {
    const auto clip = clips.find(run.clip);
    const bool is_own = run.has_own_frames || clip == clips.end();
    const FrameRange& frames = is_own ? run.frames : clip->second;
    parsed.runs.push_back(run_of(report, mesh, run, {frames, run.frames.clip}));
  }
  return parsed;
}

// ---- Bodies

ParsedSection section_of(const BodyError& error, const NamedFrames& frames) {
  auto max_at = place_of(frames, error.max_at.at);
  if (max_at) max_at->joint = error.max_at.mesh;
  return {"error",
          "m",
          {{"max", finite(error.max), max_at},
           {"max_relative", finite(error.max_relative), {}},
           {"mean", finite(error.mean), {}},
           {"rms", finite(error.rms), {}},
           {"rms_relative", finite(error.rms_relative), {}}},
          {{"max", finite_or_nan(error.max_of_frame)},
           {"mean", finite_or_nan(error.mean_of_frame)},
           {"rms", finite_or_nan(error.rms_of_frame)}}};
}

ParsedSection section_of(const BodyVolume& volume, const NamedFrames& frames) {
  const VolumeExtremes& total = volume.total;
  return {"volume",
          "m3",
          {{"baseline", finite(total.baseline_m3), {}},
           {"max_loss", finite(total.max_loss), place_of(frames, total.max_loss_at)},
           {"min_loss", finite(total.min_loss), place_of(frames, total.min_loss_at)}},
          {{"loss", finite_or_nan(volume.loss)}, {"volume", finite_or_nan(volume.volume_m3)}}};
}

ParsedMesh mesh_of(const BodyRecord& body) {
  ParsedMesh parsed;
  parsed.id = body.id;
  parsed.vertex_count = body.vertex_count;
  parsed.triangle_count = body.triangle_count;
  parsed.bbox_diagonal_m = body.bbox_diagonal_m;
  for (const BodyRun& run : body.runs) {
    ParsedRun& of = parsed.runs.emplace_back();
    of.clip = run.clip;
    of.method = run.method;
    of.frames = run.frames;
    if (run.error) {
      of.reference = run.error->reference;
      of.sections.push_back(section_of(*run.error, run.frames));
    }
    if (!run.volume) continue;
    of.sections.push_back(section_of(*run.volume, run.frames));
    for (const BodyVolume::Joint& joint : run.volume->joints) {
      of.joints.push_back({joint.joint, finite(joint.extremes.max_loss),
                           place_of(run.frames, joint.extremes.max_loss_at),
                           finite_or_nan(joint.loss)});
    }
  }
  return parsed;
}

ClipFrames clip_frames(const std::vector<ClipRecord>& clips) {
  ClipFrames by_id;
  for (const ClipRecord& record : clips) {
    by_id.emplace(record.clip == nullptr ? "" : record.clip->id, record.frames);
  }
  return by_id;
}

// ---- Records that the parsed report shares with the report, without the members that the JSON
// omits

Check check_of(const Check& check) {
  Check parsed = check;
  parsed.value = finite(check.value);
  if (!check.frame) {
    parsed.vertex.reset();
    parsed.inside_face = false;
    parsed.joint.clear();
    parsed.pose.clear();
  }
  for (Check& method : parsed.methods) {
    const Check measured = check_of(method);
    method = {check.option,    check.severity, check.metric,    check.limit,
              check.unit,      measured.value, measured.passed, measured.failures,
              measured.mesh,   measured.clip,  measured.method, measured.frame,
              measured.vertex, measured.pose,  measured.joint,  measured.inside_face};
  }
  return parsed;
}

template <class Directions>
void normalise_directions(Directions& directions) {
  directions.max = finite_or_nan(directions.max);
  if (!directions.frame) directions.vertex = 0;
}

VerificationRecord output_of(const VerificationRecord& output) {
  VerificationRecord parsed = output;
  parsed.max_m = finite_or_nan(output.max_m);
  if (!output.frame) parsed.vertex = 0;
  if (parsed.normals) normalise_directions(*parsed.normals);
  if (parsed.tangents) normalise_directions(*parsed.tangents);
  return parsed;
}

Recommendation recommendation_of(const Recommendation& recommendation) {
  Recommendation parsed = recommendation;
  for (Candidate& candidate : parsed.candidates) {
    for (std::optional<WorstValue>& worst : candidate.values) {
      if (worst && !std::isfinite(worst->value)) worst.reset();
    }
  }
  find_nearest(parsed);
  return parsed;
}

template <class Record, class Parse>
std::vector<Record> each(const std::vector<Record>& records, Parse parse) {
  std::vector<Record> all;
  for (const Record& record : records) all.push_back(parse(record));
  return all;
}

}  // namespace

ParsedReport parsed_report_of(const Report& report, const std::string& name) {
  ParsedReport parsed;
  parsed.name = name;
  parsed.command = report.command;
  parsed.version = version();
  parsed.inputs = report.inputs;
  parsed.settings.space = report.settings.space;
  parsed.settings.reference = report.settings.reference;
  parsed.settings.modifiers = report.settings.modifiers;
  parsed.settings.joint_params = report.settings.joint_params;
  parsed.settings.map = report.settings.map;
  parsed.settings.match = report.settings.match;
  for (const ClipRecord& record : report.clips) {
    parsed.clips.push_back({record.clip == nullptr ? "" : record.clip->id, record.file});
  }
  parsed.verdict = verdict_status(report);
  parsed.checks = each(report.checks, check_of);
  parsed.issues = sorted_unique(report.issues);
  parsed.allowed = report.allowed;
  const ClipFrames clips = clip_frames(report.clips);
  for (const MeshRecord& mesh : report.meshes) {
    parsed.meshes.push_back(mesh_of(report, mesh, clips));
  }
  for (const BodyRecord& body : report.bodies) parsed.bodies.push_back(mesh_of(body));
  parsed.verification = each(report.verification, output_of);
  parsed.explain = each(report.explain, [](Explanation explanation) {
    explanation.widest.reset();
    return explanation;
  });
  if (report.recommendation) parsed.recommendation = recommendation_of(*report.recommendation);
  if (report.changes)
    parsed.changes = {
        report.changes->compared,    report.changes->count, report.changes->changes, {}, {}, {},
        report.changes->measurements};
  parsed.library = report.library;
  if (report.rig_data) parsed.rig_data = *report.rig_data;
  if (parsed.command == "diff") name_unknowns(parsed);
  return parsed;
}

}  // namespace skinbake
