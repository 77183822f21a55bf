// From JSON to what is shown of it. What is asked for must be there, as the schema says.

#include "skinbake/report_view.h"

#include "base/issue.h"
#include "report/json_cursor.h"
#include "report/per_vertex.h"
#include "report/report_document.h"
#include "report/view_answers.h"
#include "report/view_limits.h"
#include "report/view_runs.h"

namespace skinbake {

namespace {

void read_measured(const JsonCursor& check, Check& view) {
  view.value = check.at("value").number_or_null();
  view.passed = check.at("passed").truth();
  view.failures = check.at("failures").integer(0, kMostCount);
  view.mesh = check.at("mesh").text_or_null();
  view.clip = check.at("clip").text_or_null();
  view.method = check.at("method").text_or_null();
  if (const auto at = check.find("at")) {
    view.frame = at->at("frame").integer(-kFarthestFrame, kFarthestFrame);
    if (const auto vertex = at->find("vertex")) view.vertex = vertex->integer(0, kMostCount);
  }
}

Check check_of(const JsonCursor& check) {
  Check view;
  view.option = check.at("option").text();
  view.severity = check.at("severity").word({"fail", "warn"});
  view.metric = check.at("metric").text();
  view.limit = check.at("limit").number();
  view.unit = unit_in(check.at("unit"));
  const Check limit = view;
  read_measured(check, view);
  if (const auto methods = check.find("methods")) {
    for (const JsonCursor& method : methods->elements()) {
      read_measured(method, view.methods.emplace_back(limit));
    }
  }
  return view;
}

Issue issue_of(const JsonCursor& issue) {
  const std::string severity = issue.at("severity").word({"error", "warning", "info"});
  return {issue.at("code").text(),
          severity == "error"     ? Severity::kError
          : severity == "warning" ? Severity::kWarning
                                  : Severity::kInfo,
          issue.at("file").text(),
          issue.at("pointer").text(),
          issue.at("message").text(),
          issue.at("count").integer(0, kMostCount)};
}

InputFile input_of(const JsonCursor& input) {
  return {input.at("role").text(), input.at("path").text(),
          static_cast<std::uint64_t>(input.at("bytes").integer(0, kMostCount)),
          input.at("xxh128").text()};
}

JointParameters joint_params_of(const JsonCursor& joints) {
  JointParameters parameters;
  for (const auto& [joint, numbers] : joints.members()) {
    for (const auto& [name, number] : numbers.members()) {
      parameters[joint][name] = number.number();
    }
  }
  return parameters;
}

// Those that are needed to make the frames again.
Report::Settings settings_of(const JsonCursor& settings) {
  Report::Settings view;
  view.space = settings.at("space").word({"scene", "mesh"});
  view.reference = settings.at("reference").text_or_null();
  for (const JsonCursor& modifier : settings.at("modifiers").elements()) {
    view.modifiers.push_back(modifier.text());
  }
  if (const auto joints = settings.find("joint_params")) {
    view.joint_params = joint_params_of(*joints);
  }
  return view;
}

// Caches without a sidecar do not say of what clip and method they are: that is not the rest pose.
void name_unknowns(ReportView& report) {
  for (MeshView& mesh : report.meshes) {
    for (RunView& run : mesh.runs) {
      for (std::string* name : {&run.clip, &run.method}) {
        if (name->empty()) *name = "unknown";
      }
    }
  }
}

template <class List, class Make>
void fill(List& list, const JsonCursor& array, Make make) {
  for (const JsonCursor& element : array.elements()) list.push_back(make(element));
}

ReportView view_of(const nlohmann::json& json, const std::string& name) {
  const JsonCursor report(name, json);
  ReportView view;
  view.name = name;
  view.command = report.at("command").word({"bake", "compare", "diff", "batch"});
  view.version = report.at("tool").at("version").text();
  fill(view.inputs, report.at("inputs"), input_of);
  if (const auto settings = report.find("settings")) view.settings = settings_of(*settings);
  view.verdict = report.at("verdict").at("status").word({"pass", "warn", "fail", "none"});
  fill(view.checks, report.at("verdict").at("checks"), check_of);
  fill(view.issues, report.at("issues"), issue_of);
  const ClipFrames clips = clips_in(report.at("clips"));
  fill(view.meshes, report.at("meshes"),
       [&](const JsonCursor& mesh) { return mesh_in(mesh, clips); });
  if (const auto outputs = report.find("verification")) {
    view.verification = verification_in(*outputs);
  }
  if (const auto tests = report.find("self_test")) view.self_test = self_test_in(*tests);
  if (const auto explain = report.find("explain")) view.explain = explanations_in(*explain);
  if (const auto recommendation = report.find("recommendation")) {
    view.recommendation = recommendation_in(*recommendation);
  }
  if (const auto changes = report.find("changes")) view.changes = changes_in(*changes);
  if (view.command == "diff") name_unknowns(view);
  return view;
}

}  // namespace

ReportView parse_report(std::string_view text, const std::string& name, std::uint64_t max_memory) {
  return view_of(report_document(text, name, max_memory).json, name);
}

ReportView read_report(const std::string& path, std::uint64_t max_memory) {
  const std::string text = report_text(path, max_memory);
  ReportDocument document = report_document(text, path, max_memory - text.size());
  const LoadedArrays arrays =
      load_per_vertex(document.json, path, max_memory - text.size() - document.memory);
  ReportView view = view_of(document.json, path);
  for (const std::string& file : arrays.missing) {
    view.issues.push_back(make_issue(IssueCode::PER_VERTEX_MISSING, shown_name(path), "",
                                     file + " is not beside the report; nothing is drawn of it",
                                     1));
  }
  view.name = shown_name(path);
  return view;
}

}  // namespace skinbake
