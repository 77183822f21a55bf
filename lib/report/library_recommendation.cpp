// Recommends methods for a library of characters by their reports.

#include "report/library_recommendation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "json/json_writer.h"
#include "report/comparison.h"
#include "report/pages/page_text.h"
#include "report/write/sections.h"
#include "skinbake/methods.h"
#include "skinbake/version.h"

namespace skinbake {

namespace {

struct Measurement {
  std::string_view section, number;  // an empty number: the worst joint
};

Measurement measurement_of(LimitedValue what) {
  switch (what) {
    case LimitedValue::kVolumeLoss:
      return {"volume", "max_loss"};
    case LimitedValue::kJointVolumeLoss:
      return {"volume", ""};
    case LimitedValue::kDistortion:
      return {"triangle_distortion", "worst"};
    case LimitedValue::kMaxError:
      return {"error", "max"};
    case LimitedValue::kMaxErrorRelative:
      return {"error", "max_relative"};
    case LimitedValue::kRmsError:
      break;
  }
  return {"error", "rms"};
}

// The index in "vertex 12"; none: the element is of another kind.
std::optional<std::int64_t> index_in(const std::string& element, std::string_view kind) {
  if (!element.starts_with(kind)) return {};
  std::int64_t index = 0;
  const char* const end = element.data() + element.size();
  const auto read = std::from_chars(element.data() + kind.size(), end, index);
  return read.ptr == end ? std::optional(index) : std::nullopt;
}

WorstValue worst_value(double value, const std::optional<ParsedPlace>& at) {
  WorstValue worst;
  worst.value = value;
  if (!at) return worst;
  worst.frame = at->frame;
  worst.vertex = index_in(at->element, "vertex ");
  worst.triangle = index_in(at->element, "triangle ");
  worst.joint = at->joint;
  worst.pose = at->pose;
  return worst;
}

// A report writes null for a number that is not finite, and for one that was not measured: an error
// is always measured, another number if it has a place.
bool is_measured(const Measurement& what, const std::optional<double>& value,
                 const std::optional<ParsedPlace>& at) {
  return value || at || what.section == "error";
}

constexpr double kNotFinite = std::numeric_limits<double>::quiet_NaN();

std::optional<WorstValue> joint_value(const ParsedRun& run, const Measurement& what) {
  std::optional<WorstValue> worst;
  for (const ParsedJoint& joint : run.joints) {
    if (!is_measured(what, joint.max_loss, joint.max_loss_at)) continue;
    WorstValue value = worst_value(joint.max_loss.value_or(kNotFinite), joint.max_loss_at);
    value.joint = joint.name;
    keep_worst(std::move(value), worst);
  }
  return worst;
}

// The value of a run, NaN if it is not finite. None: the mesh has none.
std::optional<WorstValue> value_of(const ParsedMesh& mesh, const ParsedRun& run,
                                   const Measurement& what) {
  std::optional<WorstValue> worst;
  if (what.number.empty()) {
    worst = joint_value(run, what);
  } else if (const ParsedNumber* number = number_of(run, what.section, what.number);
             number != nullptr && is_measured(what, number->value, number->at)) {
    worst = worst_value(number->value.value_or(kNotFinite), number->at);
  }
  if (!worst) return {};
  worst->mesh = mesh.id;
  worst->clip = run.clip;
  return worst;
}

// The numbers of a method over all meshes and clips of a character.
struct LibraryMethod {
  std::string name;  // ParsedRun::method
  std::vector<std::optional<WorstValue>> values;
  double squares = 0, numbers = 0;  // of rms errors
};

// Whether runs have all frames of `range`, or more closely spaced ones from its first to its last.
bool cover(std::vector<FrameRange> runs, const FrameRange& range) {
  const double period_s = static_cast<double>(range.frame_step) / range.fps;
  const double tolerance_s = 1e-3 * period_s;
  const double first_s = range.time_s(0), last_s = range.time_s(range.frame_count - 1);
  std::ranges::sort(runs, {}, [](const FrameRange& run) { return run.time_s(0); });
  double next_s = first_s, covered_s = -std::numeric_limits<double>::infinity();
  for (const FrameRange& run : runs) {
    const double run_period_s = static_cast<double>(run.frame_step) / run.fps;
    const double run_last_s = run.time_s(run.frame_count - 1);
    if (run.frame_count > 1 && run_period_s > period_s + tolerance_s) continue;
    if (run_last_s < first_s - tolerance_s) continue;
    if (run.time_s(0) > next_s + tolerance_s) break;
    covered_s = std::max(covered_s, run_last_s);
    next_s = std::max(next_s, run_last_s + period_s);
  }
  return covered_s >= last_s - tolerance_s;
}

bool is_same(const FrameRange& a, const FrameRange& b) {
  return a.fps == b.fps && a.first_frame == b.first_frame && a.frame_step == b.frame_step &&
         a.frame_count == b.frame_count;
}

// The frames in which a character's methods are measured.
class MeasuredFrames {
 public:
  void add(const std::string& mesh, const ParsedRun& run) {
    OfClip& clip = clips_[{mesh, run.clip}];
    add(run.frames, clip.all);
    add(run.frames, clip.of_method[run.method]);
  }

  // One element for each mesh and clip in which a method lacks frames of others.
  std::vector<MissingFrames> missing(const std::vector<LibraryMethod>& methods) const {
    std::vector<MissingFrames> missing;
    for (const LibraryMethod& method : methods) {
      for (const auto& [place, clip] : clips_) {
        const auto own = clip.of_method.find(method.name);
        const std::vector<FrameRange> runs =
            own == clip.of_method.end() ? std::vector<FrameRange>() : own->second;
        const auto lacking = std::ranges::find_if(
            clip.all, [&](const FrameRange& range) { return !cover(runs, range); });
        if (lacking == clip.all.end()) continue;
        missing.push_back({method.name, place.first, place.second, *lacking});
      }
    }
    return missing;
  }

 private:
  struct OfClip {
    std::vector<FrameRange> all;  // of any method, each once
    std::map<std::string, std::vector<FrameRange>> of_method;
  };

  static void add(const FrameRange& range, std::vector<FrameRange>& ranges) {
    const auto known = [&](const FrameRange& other) { return is_same(range, other); };
    if (std::ranges::none_of(ranges, known)) ranges.push_back(range);
  }

  std::map<std::pair<std::string, std::string>, OfClip> clips_;  // by mesh and clip
};

std::optional<double> cost_of(const std::string& name) {
  try {
    const double cost = relative_cost(parse_method(name.substr(0, name.find('@'))).info());
    return cost > 0 ? std::optional(cost) : std::nullopt;
  } catch (const Error&) {  // a method of a later version
    return {};
  }
}

class Character {
 public:
  explicit Character(const std::vector<RecommendLimit>& limits) : limits_(limits) {}

  void add(const ParsedReport& report) {
    for (const ParsedMesh& mesh : report.meshes) {
      for (const ParsedRun& run : mesh.runs) add(mesh, run);
    }
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> candidates;
    for (const LibraryMethod& method : methods_) {
      Candidate& candidate = candidates.emplace_back();
      candidate.method = method.name;
      candidate.cost = cost_of(method.name);
      candidate.values = method.values;
      for (std::size_t l = 0; l < limits_.size(); ++l) {
        if (limits_[l].what != LimitedValue::kRmsError || method.numbers == 0) continue;
        candidate.values[l] = worst_value(std::sqrt(method.squares / method.numbers), {});
      }
    }
    return candidates;
  }

  std::vector<MissingFrames> missing() const { return frames_.missing(methods_); }

 private:
  void add(const ParsedMesh& mesh, const ParsedRun& run) {
    frames_.add(mesh.id, run);
    LibraryMethod& method = method_of(run.method);
    for (std::size_t l = 0; l < limits_.size(); ++l) {
      std::optional<WorstValue> value = value_of(mesh, run, measurement_of(limits_[l].what));
      if (!value) continue;
      if (limits_[l].what == LimitedValue::kRmsError) {
        const double numbers =
            static_cast<double>(mesh.vertex_count) * static_cast<double>(run.frames.frame_count);
        method.squares += value->value * value->value * numbers;
        method.numbers += numbers;
      } else {
        if (limits_[l].what == LimitedValue::kVolumeLoss)
          value->value = std::max(value->value, 0.0);
        keep_worst(std::move(*value), method.values[l]);
      }
    }
  }

  LibraryMethod& method_of(const std::string& name) {
    for (LibraryMethod& method : methods_) {
      if (method.name == name) return method;
    }
    LibraryMethod& method = methods_.emplace_back();
    method.name = name;
    method.values.resize(limits_.size());
    return method;
  }

  const std::vector<RecommendLimit>& limits_;
  std::vector<LibraryMethod> methods_;  // in the order in which the reports first name them
  MeasuredFrames frames_;
};

// The file of the rig, or of the report of a rig that has no file.
std::string rig_of(const ParsedReport& report) {
  for (const InputFile& input : report.inputs) {
    if (input.role == "rig") return input.path;
  }
  return report.name;
}

std::string stem_of(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

void require_metrics(const ParsedReport& report, const std::vector<RecommendLimit>& limits) {
  if (report.command != "bake" && report.command != "compare") {
    throw Error(ErrorKind::kInput, "REPORT_INVALID",
                "is a report of " + report.command +
                    "; a method is recommended by reports of bake or compare",
                {report.name, "/command"});
  }
  for (const RecommendLimit& limit : limits) {
    const std::string section(measurement_of(limit.what).section);
    const bool is_there =
        std::any_of(report.meshes.begin(), report.meshes.end(), [&](const ParsedMesh& mesh) {
          return std::any_of(mesh.runs.begin(), mesh.runs.end(),
                             [&](const ParsedRun& run) { return run.section(section) != nullptr; });
        });
    if (is_there) continue;
    throw Error(ErrorKind::kInput, "REPORT_INVALID",
                "does not have the metric " + section + " that " + limit.option +
                    " limits; measure it in compare, too",
                {report.name, "/meshes"});
  }
}

// The candidates that every character has, with the worst of their values. A character that a limit
// cannot be applied to does not count for this limit.
std::vector<Candidate> candidates_of_all(const std::vector<CharacterRecommendation>& characters,
                                         std::size_t limits) {
  std::vector<Candidate> all;
  std::map<std::string, std::size_t> counts;
  for (const CharacterRecommendation& character : characters) {
    for (const Candidate& candidate : character.recommendation.candidates) {
      ++counts[candidate.method];
      auto known = std::find_if(all.begin(), all.end(), [&](const Candidate& other) {
        return other.method == candidate.method;
      });
      if (known == all.end()) {
        known = all.insert(all.end(), {candidate.method, candidate.cost, {}, false, false});
        known->values.resize(limits);
      }
      for (std::size_t l = 0; l < limits; ++l) {
        if (!candidate.values[l]) continue;
        WorstValue value = *candidate.values[l];
        value.character = character.character;
        keep_worst(std::move(value), known->values[l]);
      }
    }
  }
  std::erase_if(all, [&](const Candidate& candidate) {
    return counts[candidate.method] < characters.size();
  });
  return all;
}

bool is_missing(const Candidate& candidate, const std::vector<MissingFrames>& missing) {
  return std::ranges::any_of(
      missing, [&](const MissingFrames& frames) { return frames.method == candidate.method; });
}

// Recommends one of the methods that were measured everywhere.
Recommendation recommend_measured(std::vector<Candidate> candidates,
                                  const std::vector<MissingFrames>& missing,
                                  const std::vector<RecommendLimit>& limits) {
  bool is_any_complete = candidates.empty();
  for (Candidate& candidate : candidates) {
    if (is_missing(candidate, missing)) {
      std::ranges::fill(candidate.values, std::nullopt);
    } else {
      is_any_complete = true;
    }
  }
  Recommendation recommendation = recommend_among(std::move(candidates), limits);
  // The meshes may have the measurement, but no method has all of it: that fails.
  if (!is_any_complete) recommendation.unmeasured.clear();
  return recommendation;
}

// The missing frames of the methods that every character has.
std::vector<MissingFrames> missing_of_all(const std::vector<CharacterRecommendation>& characters,
                                          const std::vector<Candidate>& all) {
  std::vector<MissingFrames> missing;
  for (const CharacterRecommendation& character : characters) {
    for (const MissingFrames& frames : character.missing) {
      if (std::ranges::none_of(all, [&](const Candidate& c) { return c.method == frames.method; }))
        continue;
      missing.push_back(frames);
      missing.back().character = character.character;
    }
  }
  return missing;
}

void write_missing(const std::vector<MissingFrames>& missing, JsonWriter& json) {
  if (missing.empty()) return;
  json.key("missing").begin_array();
  for (const MissingFrames& frames : missing) {
    json.begin_line_object().key("method").value(frames.method).key("mesh").value(frames.mesh);
    write_name("clip", frames.clip, json);
    json.key("fps").value(frames.frames.fps).key("first_frame").value(frames.frames.first_frame);
    json.key("frame_step").value(frames.frames.frame_step);
    json.key("frame_count").value(frames.frames.frame_count);
    if (!frames.character.empty()) json.key("character").value(frames.character);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

LibraryRecommendation recommend_library(std::span<const ParsedReport> reports,
                                        const std::vector<RecommendLimit>& limits) {
  std::vector<std::string> rigs;  // in the order of the reports
  std::map<std::string, std::vector<const ParsedReport*>> reports_of;
  std::map<std::string, std::set<std::string>> rigs_of_stem;
  for (const ParsedReport& report : reports) {
    require_metrics(report, limits);
    const std::string rig = rig_of(report);
    std::vector<const ParsedReport*>& of_rig = reports_of[rig];
    if (of_rig.empty()) rigs.push_back(rig);
    of_rig.push_back(&report);
    rigs_of_stem[stem_of(rig)].insert(rig);
  }
  LibraryRecommendation library;
  for (const std::string& rig : rigs) {
    CharacterRecommendation& character = library.characters.emplace_back();
    const std::string stem = stem_of(rig);
    character.character = rigs_of_stem[stem].size() == 1 ? stem : rig;
    Character measured(limits);
    for (const ParsedReport* report : reports_of[rig]) {
      character.reports.push_back(report->name);
      measured.add(*report);
    }
    character.missing = measured.missing();
    character.recommendation = recommend_measured(measured.candidates(), character.missing, limits);
  }
  std::vector<Candidate> all = candidates_of_all(library.characters, limits.size());
  library.missing = missing_of_all(library.characters, all);
  library.all = recommend_measured(std::move(all), library.missing, limits);
  return library;
}

std::string library_recommendation_json(const LibraryRecommendation& library) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("skinbake.recommendation").key("schema_version").value("1.0");
  json.key("tool").begin_line_object().key("name").value("skinbake");
  json.key("version").value(version()).end_object();
  json.key("characters").begin_array();
  for (const CharacterRecommendation& character : library.characters) {
    json.begin_object().key("character").value(character.character);
    json.key("reports").strings(character.reports);
    write_recommendation(character.recommendation, json);
    write_missing(character.missing, json);
    json.end_object();
  }
  json.end_array();
  json.key("all").begin_object();
  write_recommendation(library.all, json);
  write_missing(library.missing, json);
  json.end_object().end_object();
  return json.take();
}

}  // namespace skinbake
