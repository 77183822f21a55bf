#include "report/read/parsed_report.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>

#include "base/issue.h"
#include "json/json_cursor.h"
#include "json/json_text.h"
#include "report/limits.h"
#include "report/per_vertex.h"
#include "report/read/document.h"
#include "report/read/sections.h"

namespace skinbake {

namespace {

void read_measured(const JsonCursor& check, Check& parsed) {
  parsed.value = check.at("value").number_or_null();
  parsed.passed = check.at("passed").truth();
  parsed.failures = check.at("failures").integer(0, kMostCount);
  if (const auto clips = check.find("failed_clips")) {
    parsed.failed_clips = clips->integer(0, kMostCount);
  }
  parsed.mesh = check.at("mesh").text_or_null();
  parsed.clip = check.at("clip").text_or_null();
  parsed.method = check.at("method").text_or_null();
  if (const auto at = check.find("at")) {
    parsed.frame = at->at("frame").integer(-kFarthestFrame, kFarthestFrame);
    if (const auto vertex = at->find("vertex")) parsed.vertex = vertex->integer(0, kMostCount);
    if (const auto inside = at->find("inside_face")) parsed.inside_face = inside->truth();
    if (const auto joint = at->find("joint")) parsed.joint = joint->text();
    if (const auto pose = at->find("pose")) parsed.pose = pose->text();
  }
}

Check read_check(const JsonCursor& check) {
  Check parsed;
  parsed.severity = read_enum(check.at("severity"), {CheckSeverity::kFail, CheckSeverity::kWarn});
  parsed.key = check.at("key").text();
  parsed.limit = check.at("limit").number();
  parsed.unit = read_unit(check.at("unit"));
  const Check limit = parsed;
  read_measured(check, parsed);
  if (const auto methods = check.find("methods")) {
    for (const JsonCursor& method : methods->elements()) {
      read_measured(method, parsed.methods.emplace_back(limit));
    }
  }
  if (const auto share = check.find("share")) {
    parsed.share_limit = share->at("limit").number();
    parsed.share = share->at("value").number_or_null();
  }
  return parsed;
}

Issue read_issue(const JsonCursor& issue) {
  return {issue.at("code").text(),
          read_enum(issue.at("severity"), {Severity::kError, Severity::kWarning, Severity::kInfo}),
          issue.at("file").text(),
          issue.at("pointer").text(),
          issue.at("message").text(),
          issue.at("count").integer(0, kMostCount)};
}

InputFile read_input(const JsonCursor& input) {
  return {input.at("role").text(), input.at("path").text(),
          static_cast<std::uint64_t>(input.at("bytes").integer(0, kMostCount)),
          input.at("xxh128").text()};
}

JointParameters read_joint_params(const JsonCursor& joints) {
  JointParameters parameters;
  for (const auto& [joint, numbers] : joints.members()) {
    for (const auto& [name, number] : numbers.members()) {
      parameters[joint][name] = number.number();
    }
  }
  return parameters;
}

MatchSettings read_match(const JsonCursor& match) {
  using enum Match;
  MatchSettings parsed;
  parsed.asked = read_enum(match.at("asked"), {kIndex, kOrder, kSurface, kAuto});
  parsed.used = read_enum(match.at("used"), {kIndex, kOrder, kSurface});
  if (const auto reason = match.find("reason")) parsed.reason = reason->text();
  if (const auto sampling = match.find("sampling")) parsed.sampling = sampling->number();
  return parsed;
}

// The settings that reproduce the frames.
Report::Settings read_settings(const JsonCursor& settings) {
  Report::Settings parsed;
  parsed.space = read_enum(settings.at("space"), {Space::kScene, Space::kMesh});
  parsed.reference = settings.at("reference").text_or_null();
  for (const JsonCursor& modifier : settings.at("modifiers").elements()) {
    parsed.modifiers.push_back(modifier.text());
  }
  if (const auto map = settings.find("map")) parsed.map = map->text();
  if (const auto match = settings.find("match")) parsed.match = read_match(*match);
  if (const auto joints = settings.find("joint_params")) {
    parsed.joint_params = read_joint_params(*joints);
  }
  return parsed;
}

ParsedClip read_clip(const JsonCursor& clip) {
  const auto file = clip.find("file");
  return {clip.at("id").text_or_null(), file ? file->text() : ""};
}

template <class List, class Read>
void fill(List& list, const JsonCursor& array, Read read) {
  for (const JsonCursor& element : array.elements()) list.push_back(read(element));
}

ParsedReport read_sections(const nlohmann::json& json, const std::string& name) {
  const JsonCursor report(name, json);
  ParsedReport parsed;
  parsed.name = name;
  parsed.command = report.at("command").word({"bake", "compare", "diff", "batch"});
  parsed.version = report.at("tool").at("version").text();
  fill(parsed.inputs, report.at("inputs"), read_input);
  if (const auto settings = report.find("settings")) parsed.settings = read_settings(*settings);
  parsed.verdict = read_enum(
      report.at("verdict").at("status"),
      {VerdictStatus::kPass, VerdictStatus::kWarn, VerdictStatus::kFail, VerdictStatus::kNone});
  fill(parsed.checks, report.at("verdict").at("checks"), read_check);
  fill(parsed.issues, report.at("issues"), read_issue);
  if (const auto allowed = report.find("allowed")) {
    fill(parsed.allowed, *allowed, [](const JsonCursor& code) { return code.text(); });
  }
  fill(parsed.clips, report.at("clips"), read_clip);
  const ClipFrames clips = read_clips(report.at("clips"));
  fill(parsed.meshes, report.at("meshes"),
       [&](const JsonCursor& mesh) { return read_mesh(mesh, clips); });
  if (const auto bodies = report.find("bodies")) {
    fill(parsed.bodies, *bodies, [&](const JsonCursor& body) { return read_mesh(body, clips); });
  }
  if (const auto outputs = report.find("verification")) {
    parsed.verification = read_verification(*outputs);
  }
  if (const auto explain = report.find("explain")) parsed.explain = read_explanations(*explain);
  if (const auto recommendation = report.find("recommendation")) {
    parsed.recommendation = read_recommendation(*recommendation);
  }
  if (const auto changes = report.find("changes")) parsed.changes = read_changes(*changes);
  if (const auto library = report.find("library")) parsed.library = read_library(*library);
  if (const auto data = report.find("rig_data")) parsed.rig_data = read_rig_data(*data);
  if (parsed.command == "diff") name_unknowns(parsed);
  return parsed;
}

template <class T>
std::uint64_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

std::uint64_t bytes_of(const ParsedRun& run) {
  std::uint64_t bytes = bytes_of(run.sections) + bytes_of(run.joints) + bytes_of(run.vertex_max);
  for (const ParsedSection& section : run.sections) {
    bytes += bytes_of(section.numbers) + bytes_of(section.per_frame);
    for (const ParsedSeries& series : section.per_frame) bytes += bytes_of(series.values);
  }
  for (const ParsedJoint& joint : run.joints) bytes += bytes_of(joint.loss);
  return bytes;
}

// The lists that may be long. Their texts are parts of the report's.
std::uint64_t bytes_of_lists(const ParsedReport& report) {
  std::uint64_t bytes = bytes_of(report.inputs) + bytes_of(report.clips) + bytes_of(report.checks) +
                        bytes_of(report.issues) + bytes_of(report.allowed) +
                        bytes_of(report.verification) + bytes_of(report.explain) +
                        bytes_of(report.rig_data);
  for (const auto* meshes : {&report.meshes, &report.bodies}) {
    bytes += bytes_of(*meshes);
    for (const ParsedMesh& mesh : *meshes) {
      bytes += bytes_of(mesh.runs);
      for (const ParsedRun& run : mesh.runs) bytes += bytes_of(run);
    }
  }
  return bytes;
}

bool is_sidecar(const std::string& path, const MemoryShare& share) {
  const std::string text = report_text(path, share);
  nlohmann::json json;
  if (parse_text(text, share.after(text.size()).left(), json) || !json.is_object()) return false;
  const auto schema = json.find("schema");
  return schema != json.end() && *schema == "skinbake.cache";
}

// Throws Error (kInput, MEMORY_LIMIT) that names the limit for all of the reports.
void require_memory(std::span<const std::string> paths, const MemoryShare& share) {
  const std::uint64_t needed = memory_of_reports(paths, false, share);
  if (needed > share.left()) refuse_reports(needed, share, paths.front(), paths.size() > 1);
}

}  // namespace

void name_unknowns(ParsedReport& report) {
  for (ParsedMesh& mesh : report.meshes) {
    for (ParsedRun& run : mesh.runs) {
      for (std::string* name : {&run.clip, &run.method}) {
        if (name->empty()) *name = "unknown";
      }
    }
  }
}

ParsedReport parse_report(std::string_view text, const std::string& name,
                          std::uint64_t max_memory) {
  return read_sections(*report_document(text, name, max_memory).json, name);
}

ParsedReport parsed_report_of(const Report& report, const std::string& name) {
  return parse_report(to_json(report), name);
}

ParsedReport read_report(const std::string& path, const MemoryShare& share) {
  const std::string text = report_text(path, share);
  ReportDocument document = report_document(text, path, share.after(text.size()));
  LoadedArrays arrays =
      load_per_vertex(*document.json, path, share.after(text.size() + document.memory));
  ParsedReport parsed = read_sections(*document.json, path);
  for (const std::string& file : arrays.missing) {
    parsed.issues.push_back(
        make_issue("PER_VERTEX_MISSING", shown_name(path), "",
                   file + " is not beside the report; its errors per vertex are not drawn", 1));
  }
  parsed.name = shown_name(path);
  parsed.arrays = std::move(arrays.files);
  parsed.memory = text.size() + bytes_of_lists(parsed);
  return parsed;
}

std::vector<ParsedReport> read_reports(std::span<const std::string> paths, const MemoryShare& share,
                                       Issues& skipped) {
  std::vector<ParsedReport> reports;
  std::exception_ptr first;
  MemoryShare rest = share;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const std::string& path = paths[p];
    try {
      reports.push_back(read_report(path, rest));
      reports.back().place = p;
      rest = rest.after(reports.back().memory);
    } catch (const Error& error) {
      if (error.code() == "MEMORY_LIMIT") require_memory(paths.subspan(p), rest);
      if (error.code() != "REPORT_INVALID" || !is_sidecar(path, rest)) throw;
      if (!first) first = std::current_exception();
      skipped.push_back(make_issue("REPORT_SKIPPED", shown_name(path), "",
                                   "is the sidecar of a cache, not a report; skipped", 1));
    }
  }
  if (reports.empty() && first) std::rethrow_exception(first);
  return reports;
}

}  // namespace skinbake
