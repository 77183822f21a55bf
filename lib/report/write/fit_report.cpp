#include "report/write/fit_report.h"

#include <algorithm>

#include "report/write/sections.h"

namespace skinbake {

namespace {

OrderedJson fit_settings_json(const FitReport& report) {
  return {{"fps", report.fps},
          {"method", name_json(report.method)},
          {"targets", report.targets},
          {"max_error", optional_json(report.max_error_m)},
          {"max_error_relative", optional_json(report.max_error_relative)},
          {"correctives", optional_json(report.correctives)},
          {"max_correctives", report.max_correctives},
          {"normals", report.normals},
          {"helpers", report.helpers},
          {"influences", optional_json(report.influences)},
          {"influences_training", report.influences_training},
          {"format",
           {{"quantize", report.bits.has_value()},
            {"bits", optional_json(report.bits)},
            {"meshopt", report.meshopt}}}};
}

OrderedJson fit_output_json(const FitOutput& output) {
  OrderedJson json{{"path", output.path},
                   {"bytes", output.bytes},
                   {"added_bytes", output.added_bytes},
                   {"verified", output.read_back.has_value()}};
  if (output.read_back) {
    const FitReadBack& read = *output.read_back;
    json["read_back"] = {
        {"mesh", read.mesh},       {"clip", read.clip},         {"unit", "m"},
        {"max", read.error.max_m}, {"frame", read.error.frame}, {"vertex", read.error.vertex}};
  }
  return json;
}

const char* fit_status(const FitReport& report) {
  if (!report.max_error_m && !report.max_error_relative) return "none";
  const bool is_met = std::all_of(report.results.begin(), report.results.end(),
                                  [](const FitResult& result) { return result.is_met; });
  return is_met ? "pass" : "fail";
}

// `result`: of the mesh.
OrderedJson fit_error_json(const FitError& error, double fps, const FitResult& result) {
  const double diagonal_m = result.bbox_diagonal_m;
  OrderedJson at = OrderedJson::object();
  if (!error.time_s) at["frame"] = error.frame;
  at["time_s"] = error.time_s.value_or(static_cast<double>(error.frame) / fps);
  at["vertex"] = error.vertex;
  return {{"unit", "m"},
          {"rms", error.rms_m},
          {"max", error.max_m},
          {"max_relative", diagonal_m > 0 ? OrderedJson(error.max_m / diagonal_m) : OrderedJson()},
          {"max_at", std::move(at)}};
}

OrderedJson collapse_json(const FitCollapse& collapse, const Rig& rig) {
  const auto name = [&](JointIndex joint) {
    const NodeIndex node = rig.joints[joint].node;
    const std::string& own = rig.skeleton->nodes[static_cast<std::size_t>(node)].name;
    return own.empty() ? "#" + std::to_string(node) : own;
  };
  return {{"joints", OrderedJson::array({name(collapse.a), name(collapse.b)})},
          {"degrees", collapse.degrees},
          {"frame", collapse.frame},
          {"vertex", collapse.vertex},
          {"error", collapse.error_m},
          {"vertices", collapse.vertices}};
}

OrderedJson fit_clip_json(const FitResult& result, std::size_t index) {
  const ClipKeys& keys = result.changes.clips[index];
  const FitClipResult& clip = result.clips[index];
  const auto error_json = [&](const FitError& error) {
    return fit_error_json(error, keys.frames.fps, result);
  };
  OrderedJson json{{"id", keys.clip->id},
                   {"frame_count", keys.frames.frame_count},
                   {"cache_bytes", std::uint64_t{12} * result.changes.rig->mesh->vertex_count() *
                                       static_cast<std::uint64_t>(keys.frames.frame_count)},
                   {"before", error_json(clip.before)},
                   {"after", error_json(clip.after)}};
  if (clip.between_before) json["between_before"] = error_json(*clip.between_before);
  if (clip.between_after) json["between_after"] = error_json(*clip.between_after);
  json["collapses"] = array_json(clip.collapses, [&](const FitCollapse& collapse) {
    return collapse_json(collapse, *result.changes.rig);
  });
  return json;
}

OrderedJson alternative_json(const FitAlternative& one) {
  return {{"helpers", one.helpers},
          {"correctives", one.correctives},
          {"added_bytes", one.added_bytes},
          {"max", one.max_m},
          {"is_met", one.is_met}};
}

OrderedJson choice_json(const FitChoice& choice) {
  return {{"chosen", choice.has_helpers ? "with_helpers" : "without_helpers"},
          {"reason", choice.reason == FitChoice::Reason::kFewerBytes        ? "fewer_bytes"
                     : choice.reason == FitChoice::Reason::kOnlyWithinBound ? "only_within_bound"
                                                                            : "smaller_error"},
          {"with_helpers", alternative_json(choice.with_helpers)},
          {"without_helpers", alternative_json(choice.without_helpers)}};
}

OrderedJson left_out_json(const FitLeftOut& left_out, const FitResult& result) {
  const auto measured_json = [&](const FitLeftOut::Of& of) -> OrderedJson {
    const FrameRange& frames = of.clip.frames;
    return {{"id", of.clip.clip->id},
            {"frame_count", frames.frame_count},
            {"before", fit_error_json(of.errors.before, frames.fps, result)},
            {"after", fit_error_json(of.errors.after, frames.fps, result)}};
  };
  OrderedJson json{{"status", !left_out.is_moved           ? "at_rest"
                              : !left_out.clips.empty()    ? "measured"
                              : !left_out.too_long.empty() ? "not_measured"
                                                           : "none"},
                   {"clips", array_json(left_out.clips, measured_json)}};
  if (!left_out.too_long.empty()) {
    json["not_measured"] = array_json(left_out.too_long, [](const Clip* clip) { return clip->id; });
  }
  return json;
}

OrderedJson fit_mesh_json(const FitReport& report, std::size_t index) {
  const FitResult& result = report.results[index];
  const Rig& rig = *result.changes.rig;
  OrderedJson json{{"id", rig.id},
                   {"node", rig.node},
                   {"vertex_count", rig.mesh->vertex_count()},
                   {"bbox_diagonal_m", result.bbox_diagonal_m},
                   {"limit", result.limit_m},
                   {"is_met", result.is_met},
                   {"correctives", result.changes.morphs.targets.size()},
                   {"helpers", result.changes.helpers.size()}};
  if (const auto reason = fewer_correctives(report, result)) {
    const bool is_frames = *reason == FewerCorrectives::kFrames;
    json["fewer_correctives"] = {{"asked", *report.correctives},
                                 {"reason", is_frames ? "frames" : "nothing_left"}};
  }
  if (index < report.bytes.size()) {
    json["added_bytes"] = {{"correctives", report.bytes[index].correctives},
                           {"joints", report.bytes[index].joints}};
  }
  const bool has_choice = index < report.choices.size() && report.choices[index];
  if (has_choice) json["choice"] = choice_json(*report.choices[index]);
  if (result.influences) json["influences"] = influence_fit_json(*result.influences);
  json["target_names"] = result.changes.morphs.names;
  json["rest_error"] = result.rest_error;
  json["clips"] = OrderedJson::array();
  for (std::size_t i = 0; i < result.clips.size(); ++i) {
    json["clips"].push_back(fit_clip_json(result, i));
  }
  if (index < report.left_out.size()) {
    json["left_out"] = left_out_json(report.left_out[index], result);
  }
  return json;
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
  OrderedJson json{{"schema", "skinbake.fit"},
                   {"schema_version", "1.0"},
                   {"tool", {{"name", "skinbake"}, {"version", version()}}},
                   {"inputs", inputs_json(report.inputs)},
                   {"settings", fit_settings_json(report)}};
  if (report.output) json["output"] = fit_output_json(*report.output);
  json["verdict"] = {{"status", fit_status(report)}};
  json["issues"] = issues_json(report.issues);
  if (!report.allowed.empty()) json["allowed"] = report.allowed;
  json["meshes"] = OrderedJson::array();
  for (std::size_t m = 0; m < report.results.size(); ++m) {
    json["meshes"].push_back(fit_mesh_json(report, m));
  }
  return print(json);
}

}  // namespace skinbake
