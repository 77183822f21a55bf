// The layout of the report. Key order and line breaks are a contract (see report.schema.json):
// small sections come first, sections that grow with the mesh last.

#include "report/report.h"

#include <algorithm>
#include <array>

#include "json/input_files.h"
#include "json/json_writer.h"
#include "report/write/sections.h"

namespace skinbake {
namespace {

void write_joint_params(const JointParameters& joints, JsonWriter& json) {
  json.key("joint_params").begin_object();
  for (const auto& [joint, numbers] : joints) {
    json.key(joint).begin_object();
    for (const auto& [name, number] : numbers) json.key(name).value(number);
    json.end_object();
  }
  json.end_object();
}

void write_match(const MatchSettings& match, JsonWriter& json) {
  json.key("match").begin_object();
  json.key("asked").value(to_string(match.asked)).key("used").value(to_string(match.used));
  if (!match.reason.empty()) json.key("reason").value(match.reason);
  if (match.used == Match::kSurface) json.key("sampling").value(match.sampling);
  json.end_object();
}

void write_settings(const Report::Settings& settings, JsonWriter& json) {
  json.key("settings").begin_line_object();
  json.key("fps").value(settings.fps).key("frames").value(settings.frames);
  json.key("loop").value(settings.loop).key("space").value(to_string(settings.space));
  json.key("baseline").value(to_string(settings.baseline));
  write_name("reference", settings.reference, json);
  json.key("modifiers").strings(settings.modifiers);
  if (!settings.map.empty()) json.key("map").value(settings.map);
  if (settings.match) write_match(*settings.match, json);
  if (!settings.joint_params.empty()) write_joint_params(settings.joint_params, json);
  if (!settings.metrics.empty()) json.key("metrics").strings(settings.metrics);
  if (!settings.profiles.empty()) json.key("profiles").strings(settings.profiles);
  json.end_object();
}

void write_clips(const std::vector<ClipRecord>& clips, JsonWriter& json) {
  json.key("clips").begin_array();
  for (const ClipRecord& record : clips) {
    json.begin_line_object();
    if (record.clip != nullptr) {
      write_name("id", record.clip->id, json);
      json.key("index");
      record.clip->index < 0 ? json.null() : json.value(record.clip->index);
      write_name("name", record.clip->name, json);
      json.key("duration_s").value(record.clip->duration_s);
    } else {
      json.key("id").null().key("index").null().key("name").null().key("duration_s").value(0);
    }
    const FrameRange& frames = record.frames;
    json.key("fps").value(frames.fps).key("first_frame").value(frames.first_frame);
    json.key("frame_step").value(frames.frame_step).key("frame_count").value(frames.frame_count);
    if (!record.file.empty()) json.key("file").value(record.file);
    json.end_object();
  }
  json.end_array();
}

void write_outputs(const std::vector<OutputRecord>& outputs, JsonWriter& json) {
  json.key("outputs").begin_array();
  for (const OutputRecord& output : outputs) {
    json.begin_line_object();
    json.key("path").value(output.path).key("format").value(output.format);
    json.key("mesh").value(output.mesh);
    write_name("clip", output.clip, json);
    json.key("method").value(output.method);
    json.key("bytes").value(output.bytes).key("xxh128").value(output.xxh128);
    json.end_object();
  }
  json.end_array();
}

// The measured value of a check and its place. `fps`: of a check whose clip's rate is not known.
void write_measured(const Check& check, double fps, JsonWriter& json) {
  json.key("value").value(check.value).key("passed").value(check.passed);
  json.key("failures").value(check.failures);
  if (check.failed_clips) json.key("failed_clips").value(*check.failed_clips);
  write_name("mesh", check.mesh, json);
  write_name("clip", check.clip, json);
  write_name("method", check.method, json);
  json.key("at");
  if (check.frame) {
    json.begin_object().key("frame").value(*check.frame);
    // The clips of a library may have different rates.
    json.key("time_s").value(static_cast<double>(*check.frame) / (check.fps > 0 ? check.fps : fps));
    if (check.vertex) json.key("vertex").value(*check.vertex);
    if (check.inside_face) json.key("inside_face").value(true);
    if (!check.joint.empty()) json.key("joint").value(check.joint);
    write_pose(check.pose, json);
    json.end_object();
  } else {
    json.null();
  }
}

void write_check(const Check& check, double fps, JsonWriter& json) {
  json.begin_line_object();
  json.key("option").value(check.option).key("metric").value(check.metric);
  json.key("limit").value(check.limit).key("unit").value(to_string(check.unit));
  write_measured(check, fps, json);
  json.key("severity").value(to_string(check.severity));
  if (check.vertex_limit_m) json.key("vertex_limit_m").value(check.vertex_limit_m);
  if (!check.methods.empty()) {
    json.key("methods").begin_line_array();
    for (const Check& method : check.methods) {
      json.begin_object();
      write_measured(method, fps, json);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_verdict(const Report& report, JsonWriter& json) {
  json.key("verdict").begin_object();
  json.key("status").value(to_string(verdict_status(report)));
  json.key("checks").begin_array();
  for (const Check& check : report.checks) write_check(check, report.settings.fps, json);
  json.end_array().end_object();
}

}  // namespace

void write_issues(const Issues& issues, JsonWriter& json) {
  json.key("issues").begin_array();
  for (const Issue& issue : sorted_unique(issues)) {
    json.begin_line_object();
    json.key("code").value(issue.code).key("severity").value(to_string(issue.severity));
    json.key("file").value(issue.file).key("pointer").value(issue.pointer);
    json.key("message").value(issue.message).key("count").value(issue.count);
    json.end_object();
  }
  json.end_array();
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

std::string to_json(const Report& report, int threads) {
  JsonWriter json(threads);
  json.begin_object();
  json.key("schema").value("skinbake.report");
  json.key("schema_version").value("1.0");
  json.key("tool").begin_line_object();
  json.key("name").value("skinbake").key("version").value(version()).end_object();
  json.key("command").value(report.command);
  write_inputs(report.inputs, json);
  write_settings(report.settings, json);
  write_clips(report.clips, json);
  const bool bakes = report.command == "bake" || report.command == "batch";
  if (bakes || !report.outputs.empty()) write_outputs(report.outputs, json);
  if (!report.verification.empty()) write_verification(report, json);
  write_verdict(report, json);
  write_issues(report.issues, json);
  if (!report.allowed.empty()) json.key("allowed").strings(report.allowed);
  if (!report.explain.empty()) write_explanations(report.explain, json);
  if (report.recommendation) write_recommendation(*report.recommendation, json);
  if (report.changes) write_changes(*report.changes, json);
  if (report.rig_data) write_rig_data(*report.rig_data, json);
  if (report.library) write_library(*report.library, json);
  if (!report.bodies.empty()) {
    json.key("bodies").begin_array();
    for (const BodyRecord& body : report.bodies) write_body(body, json);
    json.end_array();
  }
  json.key("meshes").begin_array();
  for (const MeshRecord& mesh : report.meshes) write_mesh(mesh, report.per_vertex, json);
  json.end_array();
  json.end_object();
  return json.take();
}

std::string NamedFrames::pose_name(std::int64_t frame_number) const {
  return skinbake::pose_name(clip, static_cast<double>(frame_number) / fps);
}

std::string run_name(const std::string& method, const std::string& profile) {
  return profile.empty() ? method : method + "@" + profile;
}

namespace {

template <class Enum, std::size_t kCount>
std::string_view word_of(Enum value, const std::array<std::string_view, kCount>& words) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view to_string(Unit unit) {
  return word_of(unit, std::array<std::string_view, 5>{"1", "m", "m3", "rad", ""});
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
