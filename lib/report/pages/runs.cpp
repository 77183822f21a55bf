#include "report/pages/runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "report/pages/words.h"

namespace skinbake {

// ---- Members of a document

const Json& member(const Json& object, std::string_view key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
    if (name == key) return value;
  }
  return kNull;
}

std::string text_in(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<double> number_in(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (!value.is_number()) return {};
  const double number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

const Json::array_t& elements_in(const Json& object, std::string_view key) {
  static const Json::array_t kNone;
  const Json& value = member(object, key);
  return value.is_array() ? value.get_ref<const Json::array_t&>() : kNone;
}

// ---- Runs

namespace {

// A number as an integer of a range; `otherwise`: it is none.
std::int64_t integer_in(const Json& object, std::string_view key, std::int64_t least,
                        std::int64_t otherwise) {
  constexpr double kFarthest = 1LL << 40;  // products with frame counts stay in range
  const std::optional<double> number = number_in(object, key);
  if (!number || !(*number >= static_cast<double>(least)) || !(*number <= kFarthest)) {
    return otherwise;
  }
  return static_cast<std::int64_t>(*number);
}

void read_range(const Json& object, FrameRange& frames) {
  constexpr std::int64_t kEarliest = -(std::int64_t{1} << 40);
  if (const auto fps = number_in(object, "fps"); fps && *fps > 1e-6 && *fps < 1e9) {
    frames.fps = *fps;
  }
  frames.first_frame = integer_in(object, "first_frame", kEarliest, frames.first_frame);
  frames.frame_step = integer_in(object, "frame_step", 1, frames.frame_step);
}

FrameRange frames_of(const Json& report, const Json& run) {
  FrameRange frames;
  read_range(member(report, "settings"), frames);
  for (const Json& clip : elements_in(report, "clips")) {
    if (member(clip, "id") == member(run, "clip")) read_range(clip, frames);
  }
  read_range(member(run, "frames"), frames);
  constexpr std::int64_t kMostFrames = std::numeric_limits<std::int32_t>::max();
  frames.frame_count = std::min(integer_in(run, "frame_count", 0, 0), kMostFrames);
  return frames;
}

void add_runs(const NamedReport& report, std::size_t number, std::size_t count, const char* key,
              std::vector<Run>& runs) {
  const std::string letter = letter_of(number, count), subject = subject_of(report);
  for (const Json& mesh : elements_in(report.document, key)) {
    for (const Json& json : elements_in(mesh, "runs")) {
      Run& run = runs.emplace_back();
      run.report = number;
      run.mesh = &mesh;
      run.json = &json;
      run.is_body = std::string_view(key) == "bodies";
      run.subject = subject;
      run.mesh_id = text_in(mesh, "id");
      run.clip = text_in(json, "clip");
      run.method = text_in(json, "method");
      if (run.method.empty()) {  // a cache without a sidecar
        run.method = "unknown";
        if (run.clip.empty()) run.clip = "unknown";
      }
      run.label = letter.empty() ? run.method : letter + ": " + run.method;
      run.frames = frames_of(report.document, json);
    }
  }
}

bool is_place(const Json& value) {
  return value.is_object() && member(value, "frame").is_number();
}

// Members of a section or of a part that do not hold single numbers.
bool is_bulk(std::string_view key) {
  return key == "per_frame" || key == "per_interval" || key == "per_vertex" || key.ends_with("_at");
}

// The unit of a section, a view of the document; empty: none, or none of a metric.
std::string_view unit_of(const Json& section) {
  constexpr std::size_t kLongestUnit = 16;
  const Json& unit = member(section, "unit");
  if (!unit.is_string()) return "";
  const std::string& text = unit.get_ref<const std::string&>();
  return text.size() <= kLongestUnit ? std::string_view(text) : "";
}

// The values per frame of a number: of the same key, or of the key behind "max_".
const Json* series_for(const Json& section, std::string_view key) {
  const Json& per_frame = member(section, "per_frame");
  if (!per_frame.is_object()) return nullptr;
  for (const auto& [name, values] : per_frame.items()) {
    const bool is_of_key = key == name || key.ends_with("_" + name);
    if (values.is_array() && is_of_key) return &values;
  }
  return nullptr;
}

// The most numbers of a run, and paths of all runs, that pages show: an untrusted report may have
// any number of them.
constexpr std::size_t kMostPaths = 1000;

// Walks the sections of a run, whose objects nest in them.
class NumberWalk {
 public:
  std::vector<Number> numbers, parts;

  explicit NumberWalk(const Run& run) {
    for (const auto& [key, section] : run.json->items()) {
      if (!section.is_object() || key == "frames" || key == "variant") continue;
      is_of_reference_ = text_in(section, "reference") == run.method;
      walk(section, key, section, "");
    }
  }

 private:
  void walk(const Json& object, const std::string& path, const Json& section,
            const std::string& part) {
    for (const auto& [key, value] : object.items()) {
      if (is_bulk(key)) continue;
      const std::string at = path + "." + key;
      if (value.is_number() || value.is_null()) {
        add(object, key, at, section, part);
      } else if (value.is_object() && part.empty() && !is_place(value)) {
        walk(value, at, section, "");
      } else if (value.is_array() && part.empty()) {
        for (const Json& element : value) {
          const std::string joint = text_in(element, "joint");
          if (!joint.empty()) walk(element, at, section, joint);
        }
      }
    }
  }

  void add(const Json& object, const std::string& key, const std::string& path, const Json& section,
           const std::string& part) {
    const Json& at = member(object, key + "_at");
    const Json* place = is_place(at) ? &at : nullptr;
    if (!part.empty() && place == nullptr) return;
    if (part.empty() && numbers.size() == kMostPaths) return;
    (part.empty() ? numbers : parts)
        .push_back({path, part, number_in(object, key),
                    field_of(path, unit_of(section), place != nullptr), place,
                    series_for(object, key), is_of_reference_});
  }

  bool is_of_reference_ = false;
};

}  // namespace

std::vector<Run> runs_in(std::span<const NamedReport> reports) {
  std::vector<Run> runs;
  for (const char* key : {"bodies", "meshes"}) {
    for (std::size_t r = 0; r < reports.size(); ++r) {
      add_runs(reports[r], r, reports.size(), key, runs);
    }
  }
  return runs;
}

std::vector<Number> numbers_of(const Run& run) {
  return std::move(NumberWalk(run).numbers);
}

std::vector<Number> parts_of(const Run& run) {
  return std::move(NumberWalk(run).parts);
}

std::vector<Number> headlines_of(const Run& run) {
  NumberWalk walk(run);
  std::vector<Number> all = std::move(walk.numbers);
  std::erase_if(all,
                [](const Number& number) { return number.at == nullptr || !number.field.worse; });
  for (Number& part : walk.parts) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Number& other) { return other.path == part.path; });
    if (known == all.end()) {
      if (all.size() < 2 * kMostPaths) all.push_back(std::move(part));
    } else if (badness(part) > badness(*known)) {
      *known = std::move(part);
    }
  }
  return all;
}

std::size_t place_among(std::vector<std::string>& all, const std::string& path,
                        const std::vector<std::string>& paths) {
  auto known = std::find(all.begin(), all.end(), path);
  if (known != all.end()) return static_cast<std::size_t>(known - all.begin());
  if (all.size() >= kMostPaths) return all.size();
  auto next = std::find(paths.begin(), paths.end(), path);
  for (; next != paths.end() && known == all.end(); ++next) {
    known = std::find(all.begin(), all.end(), *next);
  }
  return static_cast<std::size_t>(all.insert(known, path) - all.begin());
}

double badness(const Number& number) {
  constexpr double kRounding = 1e-6;  // of ratios, from float32 positions
  if (number.at == nullptr || number.is_of_reference || !number.value) return 0;
  const double bad = badness(number.field, *number.value);
  return number.field.unit == "1" && bad < kRounding ? 0 : bad;
}

std::vector<RunSeries> series_of(const Run& run) {
  std::vector<RunSeries> all;
  for (const auto& [id, section] : run.json->items()) {
    if (!section.is_object() || text_in(section, "reference") == run.method) continue;
    for (const char* group : {"per_frame", "per_interval"}) {
      const Json& members = member(section, group);
      if (!members.is_object()) continue;
      for (const auto& [key, values] : members.items()) {
        const bool is_index = key.ends_with("_vertex");  // which is no measurement
        if (is_index || !values.is_array() || values.empty()) continue;
        const std::string path = id + "." + key;
        all.push_back({path, field_of(path, unit_of(section), false).unit, &values});
      }
    }
  }
  return all;
}

std::optional<double> value_in(const Json& series, const FrameRange& frames, std::int64_t frame) {
  const std::int64_t offset = frame - frames.first_frame;
  if (offset < 0 || offset % frames.frame_step != 0) return {};
  const auto k = static_cast<std::size_t>(offset / frames.frame_step);
  if (k >= series.size() || !series[k].is_number()) return {};
  const double value = series[k].get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// ---- Pairs

namespace {

std::string title_of(const Run& run, bool has_subjects) {
  const std::string clip = run.clip.empty() ? "rest pose" : "clip '" + run.clip + "'";
  return (run.is_body ? "body '" : "mesh '") + run.mesh_id + "', " + clip +
         (has_subjects ? ", " + run.subject : "");
}

double share_of(const Number& number, const std::map<std::string, double>& largest) {
  return is_bad(number) ? badness(number) / largest.at(number.path) : 0;
}

bool is_prop(const Pair& pair) {
  return !text_in(*pair.runs.front().mesh, "follows_joint").empty();
}

}  // namespace

std::vector<Pair> worst_pairs(std::vector<Run> runs) {
  std::map<std::string, double> largest;  // by path
  std::vector<std::vector<Number>> numbers;
  for (const Run& run : runs) {
    for (const Number& number : numbers.emplace_back(numbers_of(run))) {
      if (is_bad(number)) {
        largest[number.path] = std::max(largest[number.path], badness(number));
      }
    }
  }
  const bool has_subjects = std::any_of(
      runs.begin(), runs.end(), [&](const Run& run) { return run.subject != runs[0].subject; });
  std::vector<Pair> pairs;
  std::map<std::tuple<bool, std::string, std::string, std::string>, std::size_t> known;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Run& run = runs[r];
    const auto [found, is_new] =
        known.try_emplace({run.is_body, run.subject, run.mesh_id, run.clip}, pairs.size());
    if (is_new) pairs.push_back({title_of(run, has_subjects), {}, 0});
    Pair& pair = pairs[found->second];
    double severity = 0;
    for (const Number& number : numbers[r]) severity += share_of(number, largest);
    pair.severity = std::max(pair.severity, severity);
    pair.runs.push_back(std::move(runs[r]));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::pair(is_prop(a), -a.severity) < std::pair(is_prop(b), -b.severity);
  });
  return pairs;
}

// ---- Names

std::string letter_of(std::size_t report, std::size_t count) {
  constexpr std::size_t kLetters = 26;
  if (count < 2) return "";
  return report < kLetters ? std::string(1, static_cast<char>('A' + report))
                           : std::to_string(report + 1);
}

std::string subject_of(const NamedReport& report) {
  std::string name = report.name;
  for (const Json& input : elements_in(report.document, "inputs")) {
    if (text_in(input, "role") != "rig") continue;
    name = text_in(input, "path");
    break;
  }
  name.erase(0, name.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string subjects_of(std::span<const NamedReport> reports) {
  constexpr std::size_t kMostNames = 3, kLongestName = 80;
  std::vector<std::string> names;
  for (const NamedReport& report : reports) {
    std::string name = shortened(subject_of(report), kLongestName);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string subjects;
  for (std::size_t n = 0; n < std::min(names.size(), kMostNames); ++n) {
    subjects += (n == 0 ? "" : ", ") + names[n];
  }
  return names.size() > kMostNames ? subjects + ", …" : subjects;
}

}  // namespace skinbake
