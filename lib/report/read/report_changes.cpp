// Compares two JSON reports value by value. It stands with the readers of reports, because
// lib/compare does not include lib/report.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/bytes.h"
#include "base/nearest_word.h"
#include "json/json_cursor.h"
#include "json/json_text.h"
#include "report/per_vertex.h"
#include "report/read/document.h"
#include "report/read/sections.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kChangesListed = 1000;
constexpr std::size_t kLongestValue = 200;

struct ReadReport {
  ReportDocument document;
  InputFile input;
  std::vector<std::string> arrays;  // paths of the files beside the report that were read
};

std::string value_text(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= kLongestValue ? text
                                      : "a text of " + std::to_string(text.size()) + " bytes";
}

ReadReport read_report(const std::string& path, const char* role, const MemoryShare& share) {
  const std::string text = report_text(path, share);
  Xxh128 hash;
  hash.update(text.data(), text.size());
  ReportDocument document = report_document(text, path, share.after(text.size()));
  LoadedArrays arrays =
      load_per_vertex(*document.json, path, share.after(text.size() + document.memory));
  if (!arrays.missing.empty()) {
    throw Error("PER_VERTEX_INVALID", arrays.missing.front() + " is not beside the report",
                {path, ""});
  }
  document.memory += arrays.memory;
  return {std::move(document),
          {role, shown_name(path), text.size(), hash.hex()},
          std::move(arrays.files)};
}

// Names the limit for both reports.
ReadReport read_within(std::span<const std::string> paths, std::size_t number,
                       const MemoryShare& share) {
  try {
    return read_report(paths[number], number == 0 ? "a" : "b", share);
  } catch (const Error& error) {
    if (error.code() != "MEMORY_LIMIT") throw;
    const std::uint64_t needed = memory_of_reports(paths.subspan(number), true, share);
    if (needed > share.left()) refuse_reports(needed, share, paths[number], true);
    throw;
  }
}

// The names of a report's input files, by which its other texts may refer to them.
class FileNames {
 public:
  explicit FileNames(const Json& report) {
    const auto inputs = report.find("inputs");
    if (inputs == report.end() || !inputs->is_array()) return;
    for (const Json& input : *inputs) {
      if (!input.is_object()) continue;
      const Json path = input.value("path", Json()), role = input.value("role", Json());
      if (path.is_string() && role.is_string()) {
        add(path.get_ref<const std::string&>(), role.get_ref<const std::string&>());
      }
    }
  }

  // The hash of the text with the role of each file instead of its name: the whole text, or a name
  // in quotes. Only equality of such texts counts, and a hash needs no memory for them.
  std::string hash_without_names(std::string_view text) const {
    Xxh128 hash;
    const auto take = [&](std::string_view part) { hash.update(part.data(), part.size()); };
    if (const auto found = roles_.find(text); found != roles_.end()) {
      take(found->second);
      return hash.hex();
    }
    std::size_t done = 0;
    for (std::size_t open = text.find('\''); open != std::string_view::npos;) {
      const QuotedName name = name_at(text, open);
      if (name.role != nullptr) {
        take(text.substr(done, open - done));
        take(*name.role);
        done = name.end;
      }
      open = text.find('\'', name.end);
    }
    take(text.substr(done));
    return hash.hex();
  }

 private:
  // Longer roles and names with more quotes are not of skinbake; without these limits the time
  // would not be linear in the size of the reports.
  static constexpr std::size_t kLongestRole = 32, kMostQuotes = 4;

  struct QuotedName {
    const std::string* role = nullptr;  // null: the quotes are not around a known name
    std::size_t end = 0;                // where the search goes on
  };

  void add(const std::string& path, const std::string& role) {
    if (path.empty() || role.size() > kLongestRole) return;
    if (std::ranges::count(path, '\'') <= static_cast<std::ptrdiff_t>(kMostQuotes)) {
      roles_.emplace(path, role);
    }
  }

  QuotedName name_at(std::string_view text, std::size_t open) const {
    std::size_t close = open;
    for (std::size_t quotes = 0; quotes <= kMostQuotes; ++quotes) {
      close = text.find('\'', close + 1);
      if (close == std::string_view::npos) break;
      const auto found = roles_.find(text.substr(open + 1, close - open - 1));
      if (found != roles_.end()) return {&found->second, close + 1};
    }
    return {nullptr, open + 1};
  }

  std::map<std::string, std::string, std::less<>> roles_;  // by path
};

class Comparison {
 public:
  Comparison(const Json& a, const Json& b, const ReportTolerances& tolerances)
      : tolerances_(tolerances), a_names_(a), b_names_(b) {}

  // Compares the members of the reports, without those that name files and the program.
  void compare_reports(const Json& a, const Json& b) {
    a_report_ = &a;
    for (const auto& [key, value] : a.items()) {
      if (!is_provenance(key)) compare_member(key, &value, find(b, key));
    }
    for (const auto& [key, value] : b.items()) {
      if (!is_provenance(key) && !a.contains(key)) compare_member(key, nullptr, &value);
    }
    // Values per frame or vertex are many, and follow what tells more.
    const std::size_t room = kChangesListed - result.changes.size();
    const auto end =
        per_element_.begin() + static_cast<std::ptrdiff_t>(std::min(room, per_element_.size()));
    result.changes.insert(result.changes.end(), per_element_.begin(), end);
  }

  ReportChanges result;

 private:
  static bool is_provenance(const std::string& key) {
    return key == "tool" || key == "inputs" || key == "outputs";
  }
  static const Json* find(const Json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  // Recursive; kMaxJsonDepth limits the depth of both documents.
  void compare_member(const std::string& key, const Json* a, const Json* b) {
    const std::size_t length = pointer_.size();
    pointer_ += '/' + pointer_token(key);
    if (a == nullptr || b == nullptr) {
      add(a, b);
    } else {
      compare(*a, *b);
    }
    pointer_.resize(length);
  }

  void compare(const Json& a, const Json& b) {
    if (a.is_object() && b.is_object()) {
      for (const auto& [key, value] : a.items()) compare_member(key, &value, find(b, key));
      for (const auto& [key, value] : b.items()) {
        if (!a.contains(key)) compare_member(key, nullptr, &value);
      }
      add_not_finite(a, b);
    } else if (has_names(a) && has_names(b)) {
      compare_by_name(a, b);
    } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
      for (std::size_t i = 0; i < a.size(); ++i) compare_member(std::to_string(i), &a[i], &b[i]);
    } else {
      ++result.compared;
      if (!are_equal(a, b)) add(&a, &b);
    }
  }

  // Adds the numbers of a section of a run that were measured and are null in both reports: a
  // number that is not finite does not equal another one.
  void add_not_finite(const Json& a, const Json& b) {
    const std::vector<std::string> path = keys();
    if (path.size() != 5 || path[0] != "meshes" || path[2] != "runs") return;
    for (const auto& [key, value] : a.items()) {
      const Json* const other = find(b, key);
      if (!value.is_null() || other == nullptr || !other->is_null()) continue;
      if (!was_measured(path[4], key, a) && !was_measured(path[4], key, b)) continue;
      pointer_ += '/' + pointer_token(key);
      add(&value, other);
      pointer_.resize(pointer_.size() - pointer_token(key).size() - 1);
    }
  }

  // Whether a number that is null was measured: the distances of an error always are, a loss if the
  // mesh has a volume, and another number if it has a place.
  static bool was_measured(const std::string& id, const std::string& key, const Json& section) {
    const auto is_stated = [&](const std::string& other) {
      const Json* const value = find(section, other);
      return value != nullptr && !value->is_null();
    };
    if (id == "error" && (key == "rms" || key == "mean" || key == "max")) return true;
    if (id == "volume" && (key == "max_loss" || key == "min_loss") && is_stated("baseline")) {
      return true;
    }
    return is_stated(place_key(key));
  }

  // What names an element of the array at pointer_; empty: elements of this array have no name.
  std::string name_of(const Json& element) const {
    std::vector<const char*> keys;
    if (pointer_ == "/meshes" || pointer_ == "/clips") keys = {"id"};
    if (pointer_ == "/verdict/checks") keys = {"option", "metric", "method"};
    std::string name;
    for (const char* key : keys) {
      if (!element.is_object() || !element.contains(key)) return "";
      name += value_text(element.at(key)) + "\n";
    }
    return name;
  }

  // Whether the value is an array whose elements have different names.
  bool has_names(const Json& array) const {
    if (!array.is_array()) return false;
    std::set<std::string> names;
    return std::all_of(array.begin(), array.end(), [&](const Json& element) {
      const std::string name = name_of(element);
      return !name.empty() && names.insert(name).second;
    });
  }

  void compare_by_name(const Json& a, const Json& b) {
    std::map<std::string, std::size_t> left;
    for (std::size_t i = 0; i < b.size(); ++i) left.emplace(name_of(b[i]), i);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto other = left.find(name_of(a[i]));
      const Json* const partner = other == left.end() ? nullptr : &b[other->second];
      compare_member(std::to_string(i), &a[i], partner);
      if (partner != nullptr) left.erase(other);
    }
    for (const auto& [name, i] : left) compare_member(std::to_string(i), nullptr, &b[i]);
  }

  // The keys of pointer_.
  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (std::size_t at = 0; at != std::string::npos && at < pointer_.size();) {
      const std::size_t end = pointer_.find('/', at + 1);
      keys.push_back(pointer_.substr(at + 1, end - at - 1));
      at = end;
    }
    return keys;
  }

  // The metric of a number in a run, "error.max", also of its values per frame; empty: none.
  static std::string metric_of(const std::vector<std::string>& keys) {
    if (keys.size() < 6 || keys[0] != "meshes" || keys[2] != "runs") return "";
    const std::string& name = keys.size() > 6 && keys[5] == "per_frame" ? keys[6] : keys[5];
    return keys[4] + "." + name;
  }

  const ReportTolerance& tolerance_of(const std::string& metric) const {
    const auto found = tolerances_.of_metric.find(metric);
    return found == tolerances_.of_metric.end() ? tolerances_.all : found->second;
  }

  // Records a number of a whole run that differs.
  void add_measurement(const Json& a, const Json& b) {
    if (!a.is_number() || !b.is_number() || !pointer_.starts_with("/meshes/")) return;
    const std::vector<std::string> path = keys();
    if (path.size() != 6 || metric_of(path).empty() || path[5].ends_with("_at")) return;
    // Untrusted: the members may be objects instead of arrays.
    const Json& mesh = a_report_->at(Json::json_pointer("/meshes/" + path[1]));
    const Json& run = a_report_->at(Json::json_pointer("/meshes/" + path[1] + "/runs/" + path[3]));
    const auto text = [](const Json& object, const char* key) {
      const bool has_text = object.is_object() && object.contains(key) && object[key].is_string();
      return has_text ? object[key].get<std::string>() : std::string();
    };
    result.measurements.push_back({text(mesh, "id"), text(run, "clip"), text(run, "method"),
                                   metric_of(path), a.get<double>(), b.get<double>()});
  }

  bool are_equal(const Json& a, const Json& b) const {
    if (a.is_string() && b.is_string()) {
      return a == b || is_file_name() ||
             a_names_.hash_without_names(a.get_ref<const std::string&>()) ==
                 b_names_.hash_without_names(b.get_ref<const std::string&>());
    }
    if (!a.is_number() || !b.is_number() || is_setting()) return a == b;
    const double x = a.get<double>(), y = b.get<double>();
    const ReportTolerance& tolerance =
        tolerances_.of_metric.empty() ? tolerances_.all : tolerance_of(metric_of(keys()));
    const double scale = tolerance.relative ? std::max(std::abs(x), std::abs(y)) : 1;
    return std::abs(x - y) <= tolerance.value * scale;
  }

  // Whether the value names the file of an issue, of a clip, of a setting, or of an output.
  bool is_file_name() const {
    if (pointer_ == "/settings/map") return true;
    if (pointer_.starts_with("/clips/") && pointer_.ends_with("/file")) return true;
    return (pointer_.starts_with("/issues/") && pointer_.ends_with("/file")) ||
           (pointer_.starts_with("/verification/") && pointer_.ends_with("/path"));
  }

  // Whether the value is a setting. Settings are compared exactly: no tolerance makes 24 frames per
  // second equal to 30.
  bool is_setting() const {
    return pointer_.starts_with("/settings/") || pointer_.starts_with("/clips/");
  }

  void add(const Json* a, const Json* b) {
    ++result.count;
    if (a != nullptr && b != nullptr) add_measurement(*a, *b);
    std::vector<Change>& changes = is_per_element(pointer_) ? per_element_ : result.changes;
    if (changes.size() == kChangesListed) return;
    changes.push_back(
        {pointer_, a == nullptr ? "" : value_text(*a), b == nullptr ? "" : value_text(*b)});
  }

  std::vector<Change> per_element_;
  ReportTolerances tolerances_;
  const Json* a_report_ = nullptr;
  FileNames a_names_, b_names_;
  std::string pointer_;
};

// The numbers of the runs of a report, "error.max", and the sections that have them, "error".
struct KnownNumbers {
  std::set<std::string> numbers, sections;

  void add(const Json& report) {
    for (const Json* mesh : elements_of(report, "meshes")) {
      for (const Json* run : elements_of(*mesh, "runs")) {
        for (const auto& [section, values] : run->items()) {
          if (!values.is_object()) continue;
          sections.insert(section);
          for (const auto& [name, value] : values.items()) {
            if (value.is_number() || value.is_null()) numbers.insert(section + "." + name);
            if (name != "per_frame" || !value.is_object()) continue;
            for (const auto& [series, of_frames] : value.items()) {
              numbers.insert(section + "." + series);
            }
          }
        }
      }
    }
  }

 private:
  // Untrusted: members may be missing or have another type.
  static std::vector<const Json*> elements_of(const Json& object, const char* key) {
    std::vector<const Json*> elements;
    if (!object.is_object()) return elements;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return elements;
    for (const Json& element : *found) {
      if (element.is_object()) elements.push_back(&element);
    }
    return elements;
  }
};

// Throws Error (kUsage, METRIC_UNKNOWN) if a tolerance is for a number that no report can have: the
// reports have its section without it, or there is no such section.
void require_known_metrics(const ReportTolerances& tolerances, const Json& a, const Json& b) {
  if (tolerances.of_metric.empty()) return;
  const auto all = metrics();
  KnownNumbers known;
  known.add(a);
  known.add(b);
  for (const auto& [metric, tolerance] : tolerances.of_metric) {
    const std::string section = metric.substr(0, metric.find('.'));
    const auto is_section = [&](const MetricInfo& info) { return info.id == section; };
    const bool may_be_absent =
        !known.sections.contains(section) && std::ranges::any_of(all, is_section);
    if (known.numbers.contains(metric) || may_be_absent) continue;
    const std::vector<std::string> words(known.numbers.begin(), known.numbers.end());
    throw Error("METRIC_UNKNOWN",
                "the reports have no measurement '" + metric + "'" + did_you_mean(metric, words));
  }
}

void require_same_kind(const Json& a, const Json& b) {
  const auto kind = [](const Json& report) { return value_text(report.value("command", Json())); };
  if (kind(a) == kind(b)) return;
  throw Error("NOT_COMPARABLE", "not comparable: the first report's command is " + kind(a) +
                                    ", the second's " + kind(b));
}

bool has_a_run(const Json& report) {
  const auto meshes = report.find("meshes");
  if (meshes == report.end() || !meshes->is_array()) return false;
  return std::ranges::any_of(*meshes, [](const Json& mesh) {
    return mesh.is_object() && mesh.contains("runs") && mesh["runs"].is_array() &&
           !mesh["runs"].empty();
  });
}

// Only the report of a comparison of two reports measures nothing itself.
void require_a_run(const ReadReport& a, const ReadReport& b) {
  for (const ReadReport* report : {&a, &b}) {
    if (has_a_run(*report->document.json) || report->document.json->contains("changes")) return;
  }
  throw Error("NOT_COMPARABLE",
              "not comparable: neither this report nor " + b.input.path +
                  " has a run, so that no measurement would be compared; bake again",
              {a.input.path, "/meshes"});
}

}  // namespace

bool is_per_element(std::string_view pointer) {
  return pointer.find("/per_frame/") != std::string_view::npos ||
         pointer.find("/per_vertex/") != std::string_view::npos;
}

bool MeasurementChange::is_judged() const {
  for (const char* name : {".baseline", ".min_loss", ".sampling", ".points", ".dropped",
                           ".degenerate_reference", ".clamped", ".baseline_pairs"}) {
    if (metric.ends_with(name)) return false;
  }
  return true;
}

double MeasurementChange::relative() const {
  const double scale = std::max(std::abs(a), std::abs(b));
  return scale > 0 ? std::abs(b - a) / scale : 0;
}

ReportChanges compare_reports(const std::string& a, const std::string& b,
                              const ReportTolerances& tolerances, std::uint64_t max_memory) {
  const std::string paths[] = {a, b};
  const ReadReport first = read_within(paths, 0, max_memory);
  const ReadReport second = read_within(paths, 1, {max_memory, first.document.memory});
  require_same_kind(*first.document.json, *second.document.json);
  require_a_run(first, second);
  require_known_metrics(tolerances, *first.document.json, *second.document.json);
  Comparison comparison(*first.document.json, *second.document.json, tolerances);
  comparison.compare_reports(*first.document.json, *second.document.json);
  comparison.result.a = first.input;
  comparison.result.b = second.input;
  for (const ReadReport* report : {&first, &second}) {
    comparison.result.arrays.insert(comparison.result.arrays.end(), report->arrays.begin(),
                                    report->arrays.end());
  }
  std::stable_sort(comparison.result.measurements.begin(), comparison.result.measurements.end(),
                   [](const MeasurementChange& x, const MeasurementChange& y) {
                     return std::tuple(!x.is_worse(), -x.relative()) <
                            std::tuple(!y.is_worse(), -y.relative());
                   });
  return std::move(comparison.result);
}

}  // namespace skinbake
