#include "report/pages/pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/table.h"

namespace skinbake {

namespace {

std::string label_of(std::size_t report, std::size_t reports, const ParsedRun& run) {
  const std::string letter = letter_of(report, reports);
  const std::string method = shortened(run.method, kLongestShown);
  return letter.empty() ? method : letter + ": " + method;
}

const InputFile* file_of(const ParsedReport& report) {
  return report.inputs.empty() ? nullptr : &report.inputs.front();
}

// Whether two reports are about one character: about a file of one name, whose content may have
// changed, or of one content, which may have been moved.
bool is_same_file(const InputFile* a, const InputFile* b) {
  if (a == nullptr || b == nullptr) return true;
  return a->path == b->path || a->xxh128 == b->xxh128;
}

// Finds pairs by mesh, clip and file.
class Pairs {
 public:
  Pair& of(const ParsedReport& report, const ParsedMesh& mesh, const ParsedRun& run) {
    const InputFile* const file = file_of(report);
    std::vector<std::size_t>& namesakes = known_[{mesh.id, run.clip}];
    for (const std::size_t p : namesakes) {
      if (is_same_file(all[p].file, file)) return all[p];
    }
    namesakes.push_back(all.size());
    all.push_back({mesh.id, run.clip, file, false, false, {}, 0, true});
    for (const std::size_t p : namesakes) all[p].has_namesakes = namesakes.size() > 1;
    return all.back();
  }

  std::vector<Pair> all;

 private:
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> known_;
};

// A missing value and sections other than volume and error may be anything.
bool is_rounding(const ParsedRun& run) {
  for (const ParsedSection& section : run.sections) {
    if (section.id == "difference") continue;
    if (section.id != "volume" && section.id != "error") return false;
  }
  for (const auto& [section, number] :
       {std::pair("volume", "max_loss"), std::pair("volume", "min_loss"),
        std::pair("error", "max_relative")}) {
    const ParsedNumber* value = number_of(run, section, number);
    if (value == nullptr) continue;
    if (!value->value || !(std::abs(*value->value) < kRoundingRatio)) return false;
  }
  return severity_of(run) < kRoundingRatio;
}

}  // namespace

std::string letter_of(std::size_t report, std::size_t count) {
  constexpr std::size_t kLetters = 26;
  if (count < 2) return "";
  if (report < kLetters) return std::string(1, static_cast<char>('A' + report));
  return std::to_string(report + 1);
}

double severity_of(const ParsedRun& run) {
  double worst = 0;
  for (const auto& [section, number] :
       {std::pair("volume", "max_loss"), std::pair("error", "max_relative")}) {
    const ParsedNumber* value = number_of(run, section, number);
    if (value != nullptr && value->value) worst = std::max(worst, *value->value);
  }
  const ParsedJoint* joint = worst_joint(run);
  return joint == nullptr ? worst : std::max(worst, *joint->max_loss);
}

namespace {

// `meshes`: the meshes of a report, or its bodies.
std::vector<Pair> pairs_of(std::span<const ParsedReport> reports,
                           std::vector<ParsedMesh> ParsedReport::*meshes) {
  Pairs pairs;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const ParsedMesh& mesh : reports[r].*meshes) {
      for (const ParsedRun& run : mesh.runs) {
        Pair& pair = pairs.of(reports[r], mesh, run);
        pair.severity = std::max(pair.severity, severity_of(run));
        pair.is_rounding = pair.is_rounding && is_rounding(run);
        pair.curves.push_back({label_of(r, reports.size(), run), r, &mesh, &run});
      }
    }
  }
  const auto is_prop = [](const Pair& pair) {
    return !pair.curves.front().mesh->follows_joint.empty();
  };
  std::stable_sort(pairs.all.begin(), pairs.all.end(), [&](const Pair& a, const Pair& b) {
    return std::pair(is_prop(a), -a.severity) < std::pair(is_prop(b), -b.severity);
  });
  return std::move(pairs.all);
}

}  // namespace

std::vector<Pair> worst_pairs(std::span<const ParsedReport> reports) {
  return pairs_of(reports, &ParsedReport::meshes);
}

std::vector<Pair> worst_bodies(std::span<const ParsedReport> reports) {
  std::vector<Pair> bodies = pairs_of(reports, &ParsedReport::bodies);
  for (Pair& body : bodies) body.is_body = true;
  return bodies;
}

std::string pair_html(const Pair& pair) {
  return (pair.is_body ? "body " : "mesh ") + isolated(pair.mesh) + ", " +
         (pair.clip.empty() ? "rest pose" : "clip " + isolated(pair.clip)) +
         (pair.has_namesakes ? ", file " + isolated(pair.file->path) : "");
}

}  // namespace skinbake
