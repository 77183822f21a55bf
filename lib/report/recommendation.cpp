#include "report/recommendation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "report/dense_ranks.h"
#include "report/pages/runs.h"
#include "report/write/sections.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// The value as a part of the limit: above 1, the limit is exceeded. A comparison with an infinity
// says nothing: the limit is not kept.
double part_of_limit(const std::optional<WorstValue>& value, double limit) {
  if (!value || !std::isfinite(value->value) || !std::isfinite(limit)) return kUnbounded;
  if (limit > 0) return value->value / limit;
  return value->value <= limit ? 0 : kUnbounded;
}

bool is_kept(const std::optional<WorstValue>& value, double limit) {
  return value && std::isfinite(value->value) && std::isfinite(limit) && value->value <= limit;
}

// Whether a mesh may not have the measurement: it encloses no volume, or has no triangle.
bool may_be_missing(const RecommendLimit& limit) {
  return !limit.metric.starts_with("error.");
}

bool is_unmeasured(const Recommendation& recommendation, std::size_t limit) {
  const std::vector<std::size_t>& unmeasured = recommendation.unmeasured;
  return std::find(unmeasured.begin(), unmeasured.end(), limit) != unmeasured.end();
}

// The dense ranks of cost and values, [axis][candidate], which ignore rounding errors. Unmeasured
// values rank last.
std::vector<std::vector<double>> axes_of(const std::vector<Candidate>& candidates,
                                         std::size_t limits) {
  std::vector<double> values;
  for (const Candidate& c : candidates) values.push_back(c.cost.value_or(kUnbounded));
  std::vector<std::vector<double>> axes{dense_ranks(values, 0)};
  for (std::size_t l = 0; l < limits; ++l) {
    values.clear();
    for (const Candidate& c : candidates) {
      values.push_back(c.values[l] ? c.values[l]->value : kUnbounded);
    }
    axes.push_back(dense_ranks(values, kMeasuredRounding));
  }
  return axes;
}

bool is_dominated(const std::vector<std::vector<double>>& axes, std::size_t candidate,
                  std::size_t by) {
  bool better = false;
  for (const std::vector<double>& axis : axes) {
    if (axis[by] > axis[candidate]) return false;
    better = better || axis[by] < axis[candidate];
  }
  return better;
}

}  // namespace

void keep_worst(WorstValue value, std::optional<WorstValue>& worst) {
  if (worst && (std::isnan(worst->value) || value.value <= worst->value)) return;
  worst = std::move(value);
}

void find_nearest(Recommendation& recommendation) {
  const std::vector<RecommendLimit>& limits = recommendation.limits;
  const std::vector<Candidate>& candidates = recommendation.candidates;
  recommendation.unmeasured.clear();
  recommendation.nearest.reset();
  for (std::size_t l = 0; l < limits.size(); ++l) {
    if (may_be_missing(limits[l]) &&
        std::none_of(candidates.begin(), candidates.end(),
                     [&](const Candidate& c) { return c.values[l].has_value(); })) {
      recommendation.unmeasured.push_back(l);
    }
  }
  if (recommendation.method) return;
  double least = kUnbounded;
  for (const Candidate& candidate : candidates) {
    double most = -1;
    std::size_t limit = 0;
    for (std::size_t l = 0; l < limits.size(); ++l) {
      if (is_unmeasured(recommendation, l)) continue;
      const double part = part_of_limit(candidate.values[l], limits[l].limit);
      if (part > most) most = part, limit = l;
    }
    // An infinity is not near; without a limit that can be measured, nothing is.
    if (most < 0 || !(most < least) || !candidate.values[limit]) continue;
    least = most;
    recommendation.nearest = {candidate.method, limit, *candidate.values[limit]};
  }
}

namespace {

// Sets which candidates are within the limits and which are Pareto-optimal, sorts them by their
// costs, and chooses the cheapest within.
Recommendation recommend_among(std::vector<Candidate> candidates,
                               const std::vector<RecommendLimit>& limits) {
  Recommendation recommendation;
  recommendation.limits = limits;
  recommendation.candidates = std::move(candidates);
  find_nearest(recommendation);
  std::vector<Candidate>& all = recommendation.candidates;
  const std::vector<std::vector<double>> axes = axes_of(all, limits.size());
  const bool is_measured = recommendation.unmeasured.size() < limits.size();
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].within = is_measured;
    for (std::size_t l = 0; l < limits.size(); ++l) {
      if (is_unmeasured(recommendation, l)) continue;
      all[c].within = all[c].within && is_kept(all[c].values[l], limits[l].limit);
    }
    all[c].pareto = true;
    for (std::size_t other = 0; other < all.size() && all[c].pareto; ++other) {
      all[c].pareto = !is_dominated(axes, c, other);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.cost.value_or(kUnbounded) < b.cost.value_or(kUnbounded);
  });
  const auto cheapest =
      std::find_if(all.begin(), all.end(), [](const Candidate& c) { return c.within; });
  if (cheapest != all.end()) recommendation.method = cheapest->method;
  find_nearest(recommendation);
  return recommendation;
}

std::optional<std::int64_t> index_at(const Json& place, const char* kind) {
  const std::optional<double> index = number_in(place, kind);
  return index ? std::optional(static_cast<std::int64_t>(*index)) : std::nullopt;
}

// The value of a run, NaN if it is not finite. None: the mesh has none. A report writes null for
// both: an error is always measured, another number if it has a place.
std::optional<WorstValue> value_of(const Run& run, const RecommendLimit& limit) {
  const std::vector<Number> numbers = numbers_of(run);
  const auto number = std::find_if(numbers.begin(), numbers.end(),
                                   [&](const Number& each) { return each.path == limit.metric; });
  if (number == numbers.end()) return {};
  if (may_be_missing(limit) && !number->value && number->at == nullptr) return {};
  WorstValue worst;
  worst.value = number->value.value_or(std::numeric_limits<double>::quiet_NaN());
  worst.mesh = run.mesh_id;
  worst.clip = run.clip;
  if (number->at == nullptr) return worst;
  worst.frame = index_at(*number->at, "frame");
  worst.vertex = index_at(*number->at, "vertex");
  worst.triangle = index_at(*number->at, "triangle");
  worst.joint = text_in(*number->at, "joint");
  worst.pose = text_in(*number->at, "pose");
  return worst;
}

// The worst values of a method over all meshes and clips of a character.
struct LibraryMethod {
  std::string name;  // Run::method
  std::vector<std::optional<WorstValue>> values;
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
  void add(const std::string& mesh, const Run& run) {
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

  void add(const NamedReport& report) {
    for (const Run& run : runs_in({&report, 1})) {
      if (!run.is_body) add(run);
    }
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> candidates;
    for (const LibraryMethod& method : methods_) {
      Candidate& candidate = candidates.emplace_back();
      candidate.method = method.name;
      candidate.cost = cost_of(method.name);
      candidate.values = method.values;
    }
    return candidates;
  }

  std::vector<MissingFrames> missing() const { return frames_.missing(methods_); }

 private:
  void add(const Run& run) {
    frames_.add(run.mesh_id, run);
    LibraryMethod& method = method_of(run.method);
    for (std::size_t l = 0; l < limits_.size(); ++l) {
      std::optional<WorstValue> value = value_of(run, limits_[l]);
      if (value) keep_worst(std::move(*value), method.values[l]);
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
std::string rig_of(const NamedReport& report) {
  for (const Json& input : elements_in(report.document, "inputs")) {
    if (text_in(input, "role") == "rig") return text_in(input, "path");
  }
  return report.name;
}

std::string stem_of(const std::string& path) {
  return std::filesystem::path(path).stem().string();
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

OrderedJson missing_json(const MissingFrames& missing) {
  OrderedJson json{{"method", missing.method},
                   {"mesh", missing.mesh},
                   {"clip", name_json(missing.clip)},
                   {"fps", missing.frames.fps},
                   {"first_frame", missing.frames.first_frame},
                   {"frame_step", missing.frames.frame_step},
                   {"frame_count", missing.frames.frame_count}};
  if (!missing.character.empty()) json["character"] = missing.character;
  return json;
}

void add_recommendation(const Recommendation& recommendation,
                        const std::vector<MissingFrames>& missing, OrderedJson& json) {
  json["recommendation"] = recommendation_json(recommendation);
  if (!missing.empty()) json["missing"] = array_json(missing, missing_json);
}

}  // namespace

std::string metric_of(const RecommendLimit& limit) {
  return limit.metric.substr(0, limit.metric.find('.'));
}

void require_metrics(std::span<const NamedReport> reports,
                     const std::vector<RecommendLimit>& limits) {
  for (const NamedReport& report : reports) {
    const std::vector<Run> runs = runs_in({&report, 1});
    const std::string command = text_in(report.document, "command");
    if (command != "bake" && command != "compare") {
      throw Error(
          "REPORT_INVALID",
          "is a report of " + command + "; a method is recommended by reports of bake or compare",
          {report.name, "/command"});
    }
    for (const RecommendLimit& limit : limits) {
      const auto has_metric = [&](const Run& run) {
        return member(*run.json, metric_of(limit)).is_object();
      };
      if (std::ranges::any_of(runs, has_metric)) continue;
      throw Error("REPORT_INVALID",
                  "does not have the metric " + metric_of(limit) + " of --fail " + limit.metric +
                      "; measure it in compare, too",
                  {report.name, "/meshes"});
    }
  }
}

LibraryRecommendation recommend_library(std::span<const NamedReport> reports,
                                        const std::vector<RecommendLimit>& limits) {
  std::vector<std::string> rigs;  // in the order of the reports
  std::map<std::string, std::vector<const NamedReport*>> reports_of;
  std::map<std::string, std::set<std::string>> rigs_of_stem;
  for (const NamedReport& report : reports) {
    const std::string rig = rig_of(report);
    std::vector<const NamedReport*>& of_rig = reports_of[rig];
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
    for (const NamedReport* report : reports_of[rig]) {
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
  OrderedJson all = OrderedJson::object();
  add_recommendation(library.all, library.missing, all);
  return print(
      {{"schema", "skinbake.recommendation"},
       {"schema_version", "1.0"},
       {"tool", {{"name", "skinbake"}, {"version", version()}}},
       {"characters",
        array_json(
            library.characters,
            [](const CharacterRecommendation& character) {
              OrderedJson json{{"character", character.character}, {"reports", character.reports}};
              add_recommendation(character.recommendation, character.missing, json);
              return json;
            })},
       {"all", std::move(all)}});
}

}  // namespace skinbake
