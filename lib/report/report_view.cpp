// From JSON to what is shown of it. The sections of known metrics must be as the schema says;
// others are shown as far as they look like them.

#include "skinbake/report_view.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/issue.h"
#include "report/json_cursor.h"
#include "report/per_vertex.h"
#include "report/report_document.h"
#include "report/view_answers.h"
#include "report/view_limits.h"

namespace skinbake {

namespace {

using Clips = std::map<std::string, FrameRange>;

std::optional<PlaceView> place_of(const std::optional<JsonCursor>& place) {
  if (!place) return {};
  PlaceView view{place->at("frame").integer(-kFarthestFrame, kFarthestFrame), ""};
  for (const char* what : {"vertex", "triangle"}) {
    if (const auto index = place->find(what)) {
      view.element = what + (" " + std::to_string(index->integer(0, kMostCount)));
    }
  }
  if (const auto edge = place->find("edge")) {
    view.element = "edge";
    for (const JsonCursor& end : edge->elements()) {
      view.element += " " + std::to_string(end.integer(0, kMostCount));
    }
  }
  return view;
}

Clips clips_of(const JsonCursor& clips) {
  Clips by_id;
  for (const JsonCursor& clip : clips.elements()) {
    FrameRange frames;
    frames.fps = clip.at("fps").number();
    if (!(frames.fps >= 1e-15 && frames.fps <= 1e15)) clip.at("fps").fail("is no rate of frames");
    frames.first_frame = clip.at("first_frame").integer(-kFarthestFrame, kFarthestFrame);
    frames.frame_count = clip.at("frame_count").integer(1, kMostFrames);
    frames.frame_step =
        clip.at("frame_step")
            .integer(1, kFarthestFrame / std::max<std::int64_t>(frames.frame_count, 1));
    by_id.emplace(clip.at("id").text_or_null(), frames);
  }
  return by_id;
}

// "m", "m3", "rad", "1": shown beside numbers as it is, in every form.
std::string unit_in(const JsonCursor& unit) {
  constexpr std::size_t kLongest = 8;
  std::string text = unit.text();
  const bool is_word = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!is_word || text.size() > kLongest) unit.fail("is no unit");
  return text;
}

// Series of indices are no curves.
bool is_curve(const std::string& name) {
  return !name.ends_with("_vertex") && !name.ends_with("_triangle");
}

SectionView section_of(const std::string& id, const JsonCursor& section, const FrameRange& frames) {
  SectionView view{id, "", {}, {}};
  for (const auto& [name, value] : section.members()) {
    if (name == "unit") view.unit = unit_in(value);
    if (value.is_number_or_null() && !name.ends_with("_at")) {
      view.numbers.push_back(
          {name, value.number_or_null(), place_of(section.find((name + "_at").c_str()))});
    }
    if (name != "per_frame") continue;
    for (const auto& [series, values] : value.members()) {
      if (is_curve(series)) view.per_frame.push_back({series, values.numbers(frames.frame_count)});
    }
  }
  return view;
}

// Versions to come may know other sections, of any form.
std::optional<SectionView> unknown_section(const std::string& id, const JsonCursor& section,
                                           const FrameRange& frames) {
  try {
    return section_of(id, section, frames);
  } catch (const Error&) {
    return {};
  }
}

std::vector<JointView> joints_of(const JsonCursor& joints, const FrameRange& frames) {
  std::vector<JointView> views;
  for (const JsonCursor& joint : joints.elements()) {
    views.push_back({joint.at("joint").text(), joint.at("max_loss").number_or_null(),
                     place_of(joint.find("max_loss_at")),
                     joint.at("per_frame").at("loss").numbers(frames.frame_count)});
  }
  return views;
}

std::vector<double> vertex_max_of(const JsonCursor& error, std::int64_t vertex_count) {
  const auto per_vertex = error.find("per_vertex");
  if (!per_vertex || per_vertex->at("encoding").text() != "json") return {};
  return per_vertex->at("max").numbers(vertex_count);
}

// A profile is also in the name of its run.
void read_method(const JsonCursor& run, RunView& view) {
  view.method = run.at("method").text_or_null();
  const auto profile = run.find("profile");
  if (!profile) return;
  view.profile = profile->text();
  if (view.profile.empty()) profile->fail("is empty");
  if (view.method.ends_with(run_name("", view.profile))) return;
  run.at("method").fail("does not end with the run's profile");
}

RunView run_of(const JsonCursor& run, const Clips& clips, std::int64_t vertex_count) {
  RunView view;
  view.clip = run.at("clip").text_or_null();
  read_method(run, view);
  const auto clip = clips.find(view.clip);
  if (clip == clips.end()) run.at("clip").fail("is none of the report's clips");
  view.frames = clip->second;
  if (run.at("frame_count").integer(1, kMostFrames) != view.frames.frame_count) {
    run.at("frame_count").fail("is not that of the run's clip");
  }
  if (const auto error = run.find("error")) {
    view.reference = error->at("reference").text();
    view.sections.push_back(section_of("error", *error, view.frames));
    view.vertex_max = vertex_max_of(*error, vertex_count);
  }
  if (const auto volume = run.find("volume")) {
    view.sections.push_back(section_of("volume", *volume, view.frames));
    view.joints = joints_of(volume->at("joints"), view.frames);
  }
  if (const auto difference = run.find("difference")) view.difference = difference_in(*difference);
  for (const auto& [id, section] : run.members()) {
    if (id == "error" || id == "volume" || !section.is_object()) continue;
    if (auto other = unknown_section(id, section, view.frames)) {
      view.sections.push_back(*std::move(other));
    }
  }
  return view;
}

MeshView mesh_of(const JsonCursor& mesh, const Clips& clips) {
  MeshView view;
  view.id = mesh.at("id").text();
  view.vertex_count = mesh.at("vertex_count").integer(0, kMostCount);
  view.triangle_count = mesh.at("triangle_count").integer(0, kMostCount);
  view.bbox_diagonal_m = mesh.at("bbox_diagonal_m").number();
  for (const JsonCursor& run : mesh.at("runs").elements()) {
    view.runs.push_back(run_of(run, clips, view.vertex_count));
  }
  return view;
}

// One of the words, or it is an error.
std::string word_of(const JsonCursor& word, std::initializer_list<const char*> words) {
  const std::string text = word.text();
  const bool known = std::any_of(words.begin(), words.end(),
                                 [&](const char* candidate) { return text == candidate; });
  if (!known) word.fail("is not a word that reports use here");
  return text;
}

Check check_of(const JsonCursor& check) {
  Check view;
  view.option = check.at("option").text();
  view.severity = word_of(check.at("severity"), {"fail", "warn"});
  view.metric = check.at("metric").text();
  view.limit = check.at("limit").number();
  view.unit = unit_in(check.at("unit"));
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
  return view;
}

Issue issue_of(const JsonCursor& issue) {
  const std::string severity = word_of(issue.at("severity"), {"error", "warning", "info"});
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
  view.space = word_of(settings.at("space"), {"scene", "mesh"});
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

}  // namespace

const NumberView* SectionView::number(std::string_view name) const {
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const NumberView& number) { return number.name == name; });
  return found == numbers.end() ? nullptr : &*found;
}

const SeriesView* SectionView::series(std::string_view name) const {
  const auto found = std::find_if(per_frame.begin(), per_frame.end(),
                                  [&](const SeriesView& series) { return series.name == name; });
  return found == per_frame.end() ? nullptr : &*found;
}

const SectionView* RunView::section(std::string_view id) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const SectionView& section) { return section.id == id; });
  return found == sections.end() ? nullptr : &*found;
}

std::string_view RunView::method_alone() const {
  return std::string_view(method).substr(0, method.size() - run_name("", profile).size());
}

namespace {

ReportView view_of(const nlohmann::json& json, const std::string& name) {
  const JsonCursor report(name, json);
  ReportView view;
  view.name = name;
  view.command = word_of(report.at("command"), {"bake", "compare", "diff", "batch"});
  view.version = report.at("tool").at("version").text();
  fill(view.inputs, report.at("inputs"), input_of);
  if (const auto settings = report.find("settings")) view.settings = settings_of(*settings);
  view.verdict = word_of(report.at("verdict").at("status"), {"pass", "warn", "fail", "none"});
  fill(view.checks, report.at("verdict").at("checks"), check_of);
  fill(view.issues, report.at("issues"), issue_of);
  const Clips clips = clips_of(report.at("clips"));
  fill(view.meshes, report.at("meshes"),
       [&](const JsonCursor& mesh) { return mesh_of(mesh, clips); });
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
