#include "report/view_runs.h"

#include <algorithm>

#include "report/view_answers.h"
#include "report/view_limits.h"

namespace skinbake {

namespace {

std::optional<PlaceView> place_of(const std::optional<JsonCursor>& place) {
  if (!place) return {};
  PlaceView view{place->at("frame").integer(-kFarthestFrame, kFarthestFrame), "", ""};
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
  if (const auto joint = place->find("joint")) view.joint = joint->text();
  return view;
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
    if (name == "sufficient_fps" && id == "in_between") {
      view.sufficient_fps = {value.at("limit").number(), value.at("fps").number_or_null()};
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

RunView run_of(const JsonCursor& run, const ClipFrames& clips, std::int64_t vertex_count) {
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

}  // namespace

std::string unit_in(const JsonCursor& unit) {
  constexpr std::size_t kLongest = 8;
  std::string text = unit.text();
  const bool is_word = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!is_word || text.size() > kLongest) unit.fail("is no unit");
  return text;
}

ClipFrames clips_in(const JsonCursor& clips) {
  ClipFrames by_id;
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

MeshView mesh_in(const JsonCursor& mesh, const ClipFrames& clips) {
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

}  // namespace skinbake
