// The measurements of a report: clips, meshes, runs and their sections.

#include <algorithm>
#include <array>

#include "report/limits.h"
#include "report/read/sections.h"
#include "skinbake/clip.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

std::optional<ParsedPlace> read_place(const std::optional<JsonCursor>& place) {
  if (!place) return {};
  ParsedPlace parsed{place->at("frame").integer(-kFarthestFrame, kFarthestFrame), "", ""};
  for (const char* what : {"vertex", "triangle"}) {
    if (const auto index = place->find(what)) {
      parsed.element = what + (" " + std::to_string(index->integer(0, kMostCount)));
    }
  }
  if (const auto edge = place->find("edge")) {
    parsed.element = "edge";
    for (const JsonCursor& end : edge->elements()) {
      parsed.element += " " + std::to_string(end.integer(0, kMostCount));
    }
  }
  if (const auto joint = place->find("joint")) parsed.joint = joint->text();
  if (const auto pose = place->find("pose")) parsed.pose = pose->text();
  return parsed;
}

// Reads a unit: a short word, which pages show unchanged. Later versions may add units.
std::string read_word(const JsonCursor& unit) {
  constexpr std::size_t kLongest = 8;
  std::string text = unit.text();
  const bool is_word = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!is_word || text.size() > kLongest) unit.fail("is not a unit");
  return text;
}

bool is_metric(const std::string& id) {
  const auto known = metrics();
  return std::ranges::find(known, id, &MetricInfo::id) != known.end();
}

// Whether a number of a metric is a distance or another magnitude, which is never below 0. A volume
// may grow, and a limb bulge.
bool is_magnitude(const std::string& id, std::string_view number) {
  constexpr std::array<std::string_view, 12> kMagnitudes{
      "rms",        "mean",  "max",   "rms_relative", "max_relative", "erms",
      "kg_percent", "worst", "max_m", "folds",        "max_collapse", "max_collapse_m"};
  return is_metric(id) && id != "volume" && id != "candy_wrapper" &&
         std::ranges::find(kMagnitudes, number) != kMagnitudes.end();
}

std::vector<double> read_distances(const JsonCursor& values, std::int64_t count) {
  std::vector<double> distances = values.numbers(count);
  if (std::ranges::any_of(distances, [](double distance) { return distance < 0; })) {
    values.fail("has a distance below 0");
  }
  return distances;
}

ParsedSection read_section(const std::string& id, const JsonCursor& section,
                           const FrameRange& frames) {
  ParsedSection parsed{id, "", {}, {}};
  for (const auto& [name, value] : section.members()) {
    if (name == "unit") parsed.unit = read_word(value);
    if (value.is_number_or_null() && !name.ends_with("_at")) {
      if (is_magnitude(id, name) && value.number_or_null().value_or(0) < 0) {
        value.fail("is below 0");
      }
      parsed.numbers.push_back(
          {name, value.number_or_null(), read_place(section.find(place_key(name).c_str()))});
    }
    if (name == "sufficient_fps" && id == "in_between") {
      parsed.sufficient_fps = {value.at("limit").number(), value.at("fps").number_or_null()};
    }
    if (name == "placed_by" && id == "surface") {
      parsed.placed_by = {value.at("joint").text(), value.at("instead_of").text(),
                          value.at("apart").number()};
    }
    if (name != "per_frame") continue;
    for (const auto& [series, values] : value.members()) {
      if (!is_curve(series)) continue;
      parsed.per_frame.push_back({series, id == "error" ? read_distances(values, frames.frame_count)
                                                        : values.numbers(frames.frame_count)});
    }
  }
  return parsed;
}

// Reads a section other than `error` and `volume`. Later versions may have sections of any form.
// None: the section is of no known metric and does not have the form of one.
std::optional<ParsedSection> read_other_section(const std::string& id, const JsonCursor& section,
                                                const FrameRange& frames) {
  try {
    return read_section(id, section, frames);
  } catch (const Error&) {
    if (is_metric(id)) throw;
    return {};
  }
}

std::vector<ParsedJoint> read_joints(const JsonCursor& joints, const FrameRange& frames) {
  std::vector<ParsedJoint> parsed;
  for (const JsonCursor& joint : joints.elements()) {
    parsed.push_back({joint.at("joint").text(), joint.at("max_loss").number_or_null(),
                      read_place(joint.find("max_loss_at")),
                      joint.at("per_frame").at("loss").numbers(frames.frame_count)});
  }
  return parsed;
}

std::vector<double> read_vertex_max(const JsonCursor& error, std::int64_t vertex_count) {
  const auto per_vertex = error.find("per_vertex");
  if (!per_vertex || per_vertex->at("encoding").text() != "json") return {};
  return read_distances(per_vertex->at("max"), vertex_count);
}

// Reads the method and the profile. The method's name must end with the profile.
void read_method(const JsonCursor& run, ParsedRun& parsed) {
  parsed.method = run.at("method").text_or_null();
  const auto variant = run.find("variant");
  const auto profile = variant ? variant->find("profile") : std::nullopt;
  if (!profile) return;
  parsed.profile = profile->text();
  if (parsed.profile.empty()) profile->fail("is empty");
  if (parsed.method.ends_with(run_name("", parsed.profile))) return;
  run.at("method").fail("does not end with the run's profile");
}

ParsedDifference read_difference(const JsonCursor& difference) {
  return {difference.at("vertices").integer(0, kMostCount),
          difference.at("frames").integer(0, kMostCount)};
}

FrameRange read_frames(const JsonCursor& frames, const JsonCursor& counted) {
  FrameRange range;
  range.fps = read_fps(frames.at("fps"));
  range.first_frame = frames.at("first_frame").integer(-kFarthestFrame, kFarthestFrame);
  range.frame_count = counted.at("frame_count").integer(1, kMostFrames);
  range.frame_step = frames.at("frame_step")
                         .integer(1, kFarthestFrame / std::max<std::int64_t>(range.frame_count, 1));
  return range;
}

ParsedRun read_run(const JsonCursor& run, const ClipFrames& clips, std::int64_t vertex_count) {
  ParsedRun parsed;
  parsed.clip = run.at("clip").text_or_null();
  read_method(run, parsed);
  const auto clip = clips.find(parsed.clip);
  if (clip == clips.end()) run.at("clip").fail("is not one of the report's clips");
  parsed.frames = clip->second;
  if (const auto frames = run.find("frames")) parsed.frames = read_frames(*frames, run);
  if (run.at("frame_count").integer(1, kMostFrames) != parsed.frames.frame_count) {
    run.at("frame_count").fail("differs from the frame count of the run's clip");
  }
  if (const auto error = run.find("error")) {
    parsed.reference = error->at("reference").text();
    parsed.sections.push_back(read_section("error", *error, parsed.frames));
    parsed.vertex_max = read_vertex_max(*error, vertex_count);
    if (const auto mesh = error->find("max_mesh")) {  // of a body
      for (ParsedNumber& number : parsed.sections.back().numbers) {
        if (number.name == "max" && number.at) number.at->joint = mesh->text();
      }
    }
  }
  if (const auto volume = run.find("volume")) {
    parsed.sections.push_back(read_section("volume", *volume, parsed.frames));
    parsed.joints = read_joints(volume->at("joints"), parsed.frames);
  }
  if (const auto difference = run.find("difference")) {
    parsed.difference = read_difference(*difference);
  }
  for (const auto& [id, section] : run.members()) {
    if (id == "error" || id == "volume" || id == "frames" || !section.is_object()) continue;
    if (auto other = read_other_section(id, section, parsed.frames)) {
      parsed.sections.push_back(*std::move(other));
    }
  }
  name_points(parsed);
  return parsed;
}

// "point 7000" if the element is "vertex 7000" of a file with fewer vertices.
std::string point_or_vertex(const std::string& element, double vertices) {
  constexpr std::string_view kVertex = "vertex ";
  if (!element.starts_with(kVertex)) return element;
  const std::string number = element.substr(kVertex.size());
  return std::stod(number) < vertices ? element : "point " + number;
}

}  // namespace

bool is_curve(std::string_view series) {
  return !series.ends_with("_vertex") && !series.ends_with("_triangle");
}

double read_fps(const JsonCursor& fps) {
  const double hz = fps.number();
  if (!is_frame_rate(hz)) fps.fail("is not a frame rate");
  return hz;
}

ClipFrames read_clips(const JsonCursor& clips) {
  ClipFrames by_id;
  for (const JsonCursor& clip : clips.elements()) {
    by_id.emplace(clip.at("id").text_or_null(), read_frames(clip, clip));
  }
  return by_id;
}

ParsedMesh read_mesh(const JsonCursor& mesh, const ClipFrames& clips) {
  ParsedMesh parsed;
  parsed.id = mesh.at("id").text();
  parsed.vertex_count = mesh.at("vertex_count").integer(0, kMostCount);
  parsed.triangle_count = mesh.at("triangle_count").integer(0, kMostCount);
  parsed.bbox_diagonal_m = mesh.at("bbox_diagonal_m").number();
  if (parsed.bbox_diagonal_m < 0) mesh.at("bbox_diagonal_m").fail("is below 0");
  if (const auto joint = mesh.find("follows_joint")) parsed.follows_joint = joint->text();
  for (const JsonCursor& run : mesh.at("runs").elements()) {
    parsed.runs.push_back(read_run(run, clips, parsed.vertex_count));
  }
  return parsed;
}

const ParsedNumber* ParsedSection::number(std::string_view name) const {
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const ParsedNumber& number) { return number.name == name; });
  return found == numbers.end() ? nullptr : &*found;
}

const ParsedSeries* ParsedSection::series(std::string_view name) const {
  const auto found = std::find_if(per_frame.begin(), per_frame.end(),
                                  [&](const ParsedSeries& series) { return series.name == name; });
  return found == per_frame.end() ? nullptr : &*found;
}

void name_points(ParsedRun& run) {
  const ParsedSection* surface = run.section("surface");
  const ParsedNumber* vertices = surface == nullptr ? nullptr : surface->number("vertices");
  if (vertices == nullptr || !vertices->value) return;
  const double count = *vertices->value;
  for (ParsedSection& section : run.sections) {
    for (ParsedNumber& number : section.numbers) {
      if (number.at) number.at->element = point_or_vertex(number.at->element, count);
    }
    if (section.id != "error") continue;
    const ParsedNumber* in_motion = surface->number("max");
    for (ParsedNumber& number : section.numbers) {
      if (number.name == "max" && number.at && in_motion != nullptr && in_motion->at) {
        number.at->joint = in_motion->at->joint;
      }
    }
  }
}

bool ParsedRun::compares_points() const {
  const ParsedSection* surface = section("surface");
  if (surface == nullptr) return false;
  const ParsedNumber *points = surface->number("points"), *vertices = surface->number("vertices");
  return points != nullptr && vertices != nullptr && points->value > vertices->value;
}

const ParsedSection* ParsedRun::section(std::string_view id) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const ParsedSection& section) { return section.id == id; });
  return found == sections.end() ? nullptr : &*found;
}

std::string_view ParsedRun::method_alone() const {
  return std::string_view(method).substr(0, method.size() - run_name("", profile).size());
}

}  // namespace skinbake
