// The layout of the report. Key order is a contract (see report.schema.json): small sections come
// first, sections that grow with the mesh last.

#include "report/document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/write/sections.h"

namespace skinbake {
namespace {

OrderedJson match_json(const MatchSettings& match) {
  OrderedJson json{{"asked", to_string(match.asked)}, {"used", to_string(match.used)}};
  if (!match.reason.empty()) json["reason"] = match.reason;
  if (match.used == Match::kSurface) json["sampling"] = match.sampling;
  return json;
}

OrderedJson joint_params_json(const JointParameters& joints) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [joint, numbers] : joints) {
    for (const auto& [name, number] : numbers) json[joint][name] = number;
  }
  return json;
}

OrderedJson settings_json(const Report::Settings& settings) {
  OrderedJson json{{"fps", settings.fps},
                   {"frames", optional_json(settings.frames)},
                   {"loop", settings.loop},
                   {"space", to_string(settings.space)},
                   {"baseline", to_string(settings.baseline)},
                   {"reference", name_json(settings.reference)},
                   {"modifiers", settings.modifiers}};
  if (!settings.map.empty()) json["map"] = settings.map;
  if (!settings.joint_params.empty())
    json["joint_params"] = joint_params_json(settings.joint_params);
  if (!settings.metrics.empty()) json["metrics"] = settings.metrics;
  if (settings.match) json["match"] = match_json(*settings.match);
  if (!settings.profiles.empty()) json["profiles"] = settings.profiles;
  return json;
}

// The time from the last whole frame to the end of the clip, which the frames do not show.
double lost_of(const ClipRecord& record) {
  const FrameRange& frames = record.frames;
  if (record.clip == nullptr || frames.is_end(frames.frame_count - 1)) return 0;
  return frames.fps > 0 ? end_lost_s(record.clip->duration_s, frames.fps) : 0;
}

OrderedJson clip_json(const ClipRecord& record) {
  OrderedJson json = OrderedJson::object();
  const Clip* const clip = record.clip;
  json["id"] = name_json(clip == nullptr ? "" : clip->id);
  json["index"] = clip == nullptr || clip->index < 0 ? OrderedJson() : OrderedJson(clip->index);
  json["name"] = name_json(clip == nullptr ? "" : clip->name);
  if (!record.file.empty()) json["file"] = record.file;
  json["duration_s"] = clip == nullptr ? 0.0 : clip->duration_s;
  json["fps"] = record.frames.fps;
  json["end_lost_s"] = lost_of(record);
  json["first_frame"] = record.frames.first_frame;
  json["frame_step"] = record.frames.frame_step;
  json["frame_count"] = record.frames.frame_count;
  return json;
}

OrderedJson output_json(const OutputRecord& output) {
  return {{"path", output.path},     {"format", output.format},
          {"mesh", output.mesh},     {"clip", name_json(output.clip)},
          {"method", output.method}, {"bytes", output.bytes},
          {"xxh128", output.xxh128}};
}

// The place of a check. `fps`: of a check whose clip's rate is not known.
OrderedJson at_json(const Check& check, double fps) {
  if (!check.frame) return {};
  const double time_s = check.time_s.value_or(static_cast<double>(*check.frame) / fps);
  OrderedJson json{{"frame", *check.frame}, {"time_s", time_s}};
  if (check.vertex) json["vertex"] = *check.vertex;
  if (check.triangle) json["triangle"] = *check.triangle;
  if (check.edge) json["edge"] = *check.edge;
  if (check.inside_face) json["inside_face"] = true;
  if (!check.joint.empty()) json["joint"] = check.joint;
  add_pose(check.pose, json);
  return json;
}

// Adds the measured value of a check and its place.
void add_measured(const Check& check, double fps, OrderedJson& json) {
  json["value"] = optional_json(check.value);
  json["passed"] = check.passed;
  json["failures"] = check.failures;
  if (check.failed_clips) json["failed_clips"] = *check.failed_clips;
  json["mesh"] = name_json(check.mesh);
  json["clip"] = name_json(check.clip);
  json["method"] = name_json(check.method);
  json["at"] = at_json(check, fps);
}

OrderedJson check_json(const Check& check, double fps) {
  OrderedJson json{{"key", check.key}, {"limit", check.limit}, {"unit", to_string(check.unit)}};
  add_measured(check, fps, json);
  json["severity"] = to_string(check.severity);
  if (check.share_limit) {
    json["share"] = {{"limit", *check.share_limit}, {"value", optional_json(check.share)}};
  }
  if (!check.methods.empty()) {
    json["methods"] = array_json(check.methods, [&](const Check& method) {
      OrderedJson of = OrderedJson::object();
      add_measured(method, fps, of);
      return of;
    });
  }
  return json;
}

// The sections between the settings and the meshes.
void add_results(const Report& report, OrderedJson& json) {
  const bool bakes = report.command == "bake" || report.command == "batch";
  if (bakes || !report.outputs.empty()) json["outputs"] = array_json(report.outputs, output_json);
  if (!report.verification.empty()) json["verification"] = verification_json(report);
  json["verdict"] = {{"status", to_string(verdict_status(report))},
                     {"checks", array_json(report.checks, [&](const Check& check) {
                        return check_json(check, report.settings.fps);
                      })}};
  json["issues"] = issues_json(report.issues);
  if (!report.allowed.empty()) json["allowed"] = report.allowed;
  if (!report.explain.empty()) json["explain"] = explanations_json(report.explain);
  if (report.recommendation) json["recommendation"] = recommendation_json(*report.recommendation);
  if (report.rig_data) json["rig_data"] = rig_data_json(*report.rig_data);
  if (report.library) json["library"] = library_json(*report.library);
  if (!report.bodies.empty()) json["bodies"] = array_json(report.bodies, body_json);
}

template <class Enum, std::size_t kCount>
std::string_view word_of(Enum value, const std::array<std::string_view, kCount>& words) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace

OrderedJson document_of(const Report& report) {
  OrderedJson json{{"schema", "skinbake.report"},
                   {"schema_version", "2.0"},
                   {"tool", {{"name", "skinbake"}, {"version", version()}}},
                   {"command", report.command},
                   {"inputs", inputs_json(report.inputs)},
                   {"settings", settings_json(report.settings)},
                   {"clips", array_json(report.clips, clip_json)}};
  add_results(report, json);
  json["meshes"] = array_json(
      report.meshes, [&](const MeshRecord& mesh) { return mesh_json(mesh, report.per_vertex); });
  replace_nan(json);
  return json;
}

std::string to_json(const Report& report) {
  return print(document_of(report));
}

OrderedJson issues_json(const Issues& issues) {
  return array_json(sorted_unique(issues), [](const Issue& issue) -> OrderedJson {
    return {{"code", issue.code},       {"severity", to_string(issue.severity)},
            {"file", issue.file},       {"pointer", issue.pointer},
            {"message", issue.message}, {"count", issue.count}};
  });
}

void replace_nan(OrderedJson& json) {
  if (json.is_structured()) {
    for (OrderedJson& value : json) replace_nan(value);
  } else if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    json = nullptr;
  }
}

VerdictStatus verdict_status(const Report& report) {
  if (report.checks.empty()) return VerdictStatus::kNone;
  VerdictStatus worst = VerdictStatus::kPass;
  for (const Check& check : report.checks) {
    if (check.passed) continue;
    worst = std::max(worst, check.severity == CheckSeverity::kFail ? VerdictStatus::kFail
                                                                   : VerdictStatus::kWarn);
  }
  return worst;
}

std::string NamedFrames::pose_name(std::int64_t frame_number) const {
  return skinbake::pose_name(clip, std::min(static_cast<double>(frame_number) / fps, end_s));
}

std::string run_name(const std::string& method, const std::string& profile) {
  return profile.empty() ? method : method + "@" + profile;
}

std::string_view to_string(CheckSeverity severity) {
  return word_of(severity, std::array<std::string_view, 2>{"warn", "fail"});
}

std::string_view to_string(Space space) {
  return word_of(space, std::array<std::string_view, 2>{"scene", "mesh"});
}

std::string_view to_string(Baseline baseline) {
  return word_of(baseline, std::array<std::string_view, 3>{"bind", "rest", "first-frame"});
}

std::string_view to_string(VerdictStatus status) {
  return word_of(status, std::array<std::string_view, 4>{"none", "pass", "warn", "fail"});
}

}  // namespace skinbake
