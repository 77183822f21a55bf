#include "report/write/fit_report.h"

#include <algorithm>

#include "json/input_files.h"
#include "json/json_writer.h"
#include "report/write/sections.h"
#include "skinbake/version.h"

namespace skinbake {

namespace {

void write_settings(const FitReport& report, JsonWriter& json) {
  json.key("settings").begin_object();
  json.key("fps").value(report.fps);
  write_name("method", report.method, json);
  json.key("targets").strings(report.targets);
  json.key("max_error").value(report.max_error_m);
  json.key("max_error_relative").value(report.max_error_relative);
  json.key("correctives").value(report.correctives);
  json.key("max_correctives").value(report.max_correctives);
  json.key("normals").value(report.normals);
  json.key("helpers").value(report.helpers);
  json.key("influences").value(report.influences);
  json.key("influences_training").strings(report.influences_training);
  json.key("format").begin_line_object();
  json.key("quantize").value(report.bits.has_value()).key("bits").value(report.bits);
  json.key("meshopt").value(report.meshopt).end_object();
  json.end_object();
}

void write_output(const FitReport& report, JsonWriter& json) {
  json.key("output").begin_line_object();
  json.key("path").value(report.output->path);
  json.key("bytes").value(report.output->bytes);
  json.key("added_bytes").value(report.output->added_bytes);
  json.key("verified").value(report.output->read_back.has_value());
  if (report.output->read_back) {
    const FitReadBack& read = *report.output->read_back;
    json.key("read_back").begin_line_object();
    json.key("mesh").value(read.mesh).key("clip").value(read.clip);
    json.key("unit").value("m").key("max").value(read.error.max_m);
    json.key("frame").value(read.error.frame).key("vertex").value(read.error.vertex);
    json.end_object();
  }
  json.end_object();
}

// The status, and the clip with the largest error.
void write_verdict(const FitReport& report, JsonWriter& json) {
  const bool has_bound = report.max_error_m || report.max_error_relative;
  const bool is_met = std::all_of(report.results.begin(), report.results.end(),
                                  [](const FitResult& result) { return result.is_met; });
  json.key("verdict").begin_line_object();
  json.key("status").value(!has_bound ? "none" : is_met ? "pass" : "fail");
  json.end_object();
}

// `result`: of the mesh.
void write_error(std::string_view key, const FitError& error, double fps, const FitResult& result,
                 JsonWriter& json) {
  json.key(key).begin_line_object();
  json.key("unit").value("m").key("rms").value(error.rms_m).key("max").value(error.max_m);
  json.key("max_relative");
  const double diagonal_m = result.bbox_diagonal_m;
  diagonal_m > 0 ? json.value(error.max_m / diagonal_m) : json.null();
  json.key("max_at").begin_line_object();
  if (!error.time_s) json.key("frame").value(error.frame);
  json.key("time_s").value(error.time_s.value_or(static_cast<double>(error.frame) / fps));
  json.key("vertex").value(error.vertex).end_object();
  json.end_object();
}

void write_collapse(const FitCollapse& collapse, const Rig& rig, JsonWriter& json) {
  const auto name = [&](JointIndex joint) {
    const NodeIndex node = rig.joints[joint].node;
    const std::string& own = rig.skeleton->nodes[static_cast<std::size_t>(node)].name;
    return own.empty() ? "#" + std::to_string(node) : own;
  };
  json.begin_line_object();
  json.key("joints").begin_line_array();
  json.value(name(collapse.a)).value(name(collapse.b)).end_array();
  json.key("degrees").value(collapse.degrees).key("frame").value(collapse.frame);
  json.key("vertex").value(collapse.vertex).key("error").value(collapse.error_m);
  json.key("vertices").value(collapse.vertices);
  json.end_object();
}

void write_clip(const FitResult& result, std::size_t index, JsonWriter& json) {
  const ClipKeys& keys = result.changes.clips[index];
  const FitClipResult& clip = result.clips[index];
  const double fps = keys.frames.fps;
  json.begin_object();
  json.key("id").value(keys.clip->id);
  json.key("frame_count").value(keys.frames.frame_count);
  json.key("cache_bytes")
      .value(std::uint64_t{12} * result.changes.rig->mesh->vertex_count() *
             static_cast<std::uint64_t>(keys.frames.frame_count));
  const auto write = [&](std::string_view key, const FitError& error) {
    write_error(key, error, fps, result, json);
  };
  write("before", clip.before);
  write("after", clip.after);
  if (clip.between_before) write("between_before", *clip.between_before);
  if (clip.between_after) write("between_after", *clip.between_after);
  json.key("collapses").begin_array();
  for (const FitCollapse& collapse : clip.collapses) {
    write_collapse(collapse, *result.changes.rig, json);
  }
  json.end_array().end_object();
}

void write_alternative(std::string_view key, const FitAlternative& one, JsonWriter& json) {
  json.key(key).begin_line_object();
  json.key("helpers").value(std::uint64_t{one.helpers});
  json.key("correctives").value(std::uint64_t{one.correctives});
  json.key("added_bytes").value(one.added_bytes);
  json.key("max").value(one.max_m).key("is_met").value(one.is_met).end_object();
}

void write_choice(const FitChoice& choice, JsonWriter& json) {
  json.key("choice").begin_object();
  json.key("chosen").value(choice.has_helpers ? "with_helpers" : "without_helpers");
  json.key("reason").value(choice.reason == FitChoice::Reason::kFewerBytes ? "fewer_bytes"
                           : choice.reason == FitChoice::Reason::kOnlyWithinBound
                               ? "only_within_bound"
                               : "smaller_error");
  write_alternative("with_helpers", choice.with_helpers, json);
  write_alternative("without_helpers", choice.without_helpers, json);
  json.end_object();
}

void write_left_out(const FitLeftOut& left_out, const FitResult& result, JsonWriter& json) {
  json.key("left_out").begin_object();
  json.key("status").value(!left_out.is_moved           ? "at_rest"
                           : !left_out.clips.empty()    ? "measured"
                           : !left_out.too_long.empty() ? "not_measured"
                                                        : "none");
  json.key("clips").begin_array();
  for (const FitLeftOut::Of& of : left_out.clips) {
    const FrameRange& frames = of.clip.frames;
    json.begin_object();
    json.key("id").value(of.clip.clip->id).key("frame_count").value(frames.frame_count);
    write_error("before", of.errors.before, frames.fps, result, json);
    write_error("after", of.errors.after, frames.fps, result, json);
    json.end_object();
  }
  json.end_array();
  if (!left_out.too_long.empty()) {
    std::vector<std::string> ids;
    for (const Clip* clip : left_out.too_long) ids.push_back(clip->id);
    json.key("not_measured").strings(ids);
  }
  json.end_object();
}

void write_fewer(FewerCorrectives reason, int asked, JsonWriter& json) {
  json.key("fewer_correctives").begin_line_object();
  json.key("asked").value(asked).key("reason");
  json.value(reason == FewerCorrectives::kFrames ? "frames" : "nothing_left").end_object();
}

void write_mesh(const FitReport& report, std::size_t index, JsonWriter& json) {
  const FitResult& result = report.results[index];
  const Rig& rig = *result.changes.rig;
  json.begin_object();
  json.key("id").value(rig.id).key("node").value(rig.node);
  json.key("vertex_count").value(rig.mesh->vertex_count());
  json.key("bbox_diagonal_m").value(result.bbox_diagonal_m);
  json.key("limit").value(result.limit_m);  // null: there is none
  json.key("is_met").value(result.is_met);
  json.key("correctives").value(static_cast<std::uint64_t>(result.changes.morphs.targets.size()));
  json.key("helpers").value(static_cast<std::uint64_t>(result.changes.helpers.size()));
  if (const auto reason = fewer_correctives(report, result)) {
    write_fewer(*reason, *report.correctives, json);
  }
  if (index < report.bytes.size()) {
    json.key("added_bytes").begin_line_object();
    json.key("correctives").value(report.bytes[index].correctives);
    json.key("joints").value(report.bytes[index].joints).end_object();
  }
  const bool has_choice = index < report.choices.size() && report.choices[index];
  if (has_choice) write_choice(*report.choices[index], json);
  if (result.influences) write_influence_fit("influences", *result.influences, json);
  json.key("target_names").strings(result.changes.morphs.names);
  json.key("rest_error").value(result.rest_error);
  json.key("clips").begin_array();
  for (std::size_t i = 0; i < result.clips.size(); ++i) write_clip(result, i, json);
  json.end_array();
  if (index < report.left_out.size()) write_left_out(report.left_out[index], result, json);
  json.end_object();
}

}  // namespace

std::optional<FewerCorrectives> fewer_correctives(const FitReport& report,
                                                  const FitResult& result) {
  const auto count = static_cast<std::int64_t>(result.changes.morphs.targets.size());
  if (!report.correctives || count >= *report.correctives) return std::nullopt;
  return count >= result.corrective_frames ? FewerCorrectives::kFrames
                                           : FewerCorrectives::kNothingLeft;
}

std::string to_json(const FitReport& report) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("skinbake.fit").key("schema_version").value("1.0");
  json.key("tool").begin_line_object();
  json.key("name").value("skinbake").key("version").value(version()).end_object();
  write_inputs(report.inputs, json);
  write_settings(report, json);
  if (report.output) write_output(report, json);
  write_verdict(report, json);
  write_issues(report.issues, json);
  if (!report.allowed.empty()) json.key("allowed").strings(report.allowed);
  json.key("meshes").begin_array();
  for (std::size_t m = 0; m < report.results.size(); ++m) write_mesh(report, m, json);
  json.end_array().end_object();
  return json.take();
}

}  // namespace skinbake
