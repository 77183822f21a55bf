#include "report/merge/run_parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/limits.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

enum class Wins { kLargest, kSmallest, kFurthestFromOne };

// A number of which the whole has the extreme one of the parts; of equal ones, the first.
struct Extreme {
  const char* key;
  std::vector<const char*> along;  // members that belong to it, such as its place
  Wins wins = Wins::kLargest;
};

// How the members of a section become those of the whole. Series per frame follow one another.
// Members without a rule must be equal in all parts.
struct SectionRule {
  const char* id;
  std::vector<Extreme> extremes;
  std::vector<const char*> counts;    // are added
  std::vector<const char*> computed;  // by RunParts::finish, from sums
  const char* list = "";              // a list of objects of the same things in all parts
  std::vector<Extreme> of_element = {};
  const char* other_list = "";  // the same rule
};

const std::vector<SectionRule>& section_rules() {
  static const std::vector<SectionRule> kRules{
      {"error",
       {{"max", {"max_at"}}},
       {},
       {"rms", "mean", "rms_relative", "max_relative", "erms", "kg_percent", "worst_vertices",
        "sums", "per_vertex"}},
      {"volume",
       {{"max_loss", {"max_loss_at"}}, {"min_loss", {"min_loss_at"}, Wins::kSmallest}},
       {},
       {},
       "components",
       {{"max_loss", {"max_loss_at"}}},
       "joints"},
      {"edge_stretch", {{"worst", {"worst_at"}, Wins::kFurthestFromOne}}, {}, {}},
      {"triangle_distortion", {{"worst", {"worst_at"}}}, {"clamped"}, {}},
      {"dihedral", {{"max", {"max_at"}}}, {"folds"}, {"rms", "sums"}},
      {"normal_deviation", {{"max", {"max_at"}}}, {"without_normal"}, {}},
      {"inversions", {{"worst", {"worst_at"}}}, {}, {}},
      {"candy_wrapper", {{"worst", {"worst_at"}}}, {}, {}, "bones", {{"index", {"at", "station"}}}},
      {"bulge",
       {{"max_m", {"max", "max_at"}}, {"max_collapse_m", {"max_collapse", "max_collapse_at"}}},
       {},
       {}},
      {"self_intersection", {{"worst", {"worst_at"}}}, {}, {}}};
  return kRules;
}

bool is_one_of(const std::vector<const char*>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

bool has_rule(const std::vector<Extreme>& extremes, const std::string& key) {
  return std::ranges::any_of(
      extremes, [&](const Extreme& e) { return e.key == key || is_one_of(e.along, key); });
}

// Whether the number of a later part replaces that of the parts before.
bool replaces(Wins wins, double later, double before) {
  const auto factor = [](double ratio) { return ratio >= 1 ? ratio : 1 / ratio; };
  if (wins == Wins::kSmallest) return later < before;
  if (wins == Wins::kFurthestFromOne) return factor(later) > factor(before);
  return later > before;
}

// Whether the number was measured and is not finite: it is null, and has a place.
bool is_not_finite(const Extreme& extreme, const Json& section) {
  return section.at(extreme.key).is_null() &&
         std::ranges::any_of(extreme.along, [&](const char* key) {
           return section.contains(key) && !section.at(key).is_null();
         });
}

// A number that is not finite is worse than every other one. Null without a place is none.
void take_extreme(const Extreme& extreme, const PartSection& section) {
  const JsonCursor part = section.cursor().at(extreme.key);
  const std::optional<double> later = part.number_or_null();
  const std::optional<double> before =
      JsonCursor(section.first_path, section.whole).at(extreme.key).number_or_null();
  if (is_not_finite(extreme, section.whole)) return;
  const bool is_kept = !later || (before && !replaces(extreme.wins, *later, *before));
  if (is_kept && !is_not_finite(extreme, section.part)) return;
  section.whole[extreme.key] = section.part.at(extreme.key);
  for (const char* key : extreme.along) {
    if (section.part.contains(key)) section.whole[key] = section.part.at(key);
  }
}

// Appends every series.
void join_series(const PartSection& section, std::int64_t frames) {
  require_same_keys(section);
  for (const auto& [key, series] : section.part.items()) {
    section.cursor().at(key.c_str()).numbers(frames);  // throws unless they are so many numbers
    Json& whole = section.whole[key];
    if (!whole.is_array()) section.cursor().fail("has series in one part only");
    whole.insert(whole.end(), series.begin(), series.end());
  }
}

void join_list(const PartSection& list, const std::vector<Extreme>& extremes, std::int64_t frames) {
  require_same_size(list);
  for (std::size_t i = 0; i < list.part.size(); ++i) {
    const PartSection element = list.element(i);
    require_same_keys(element);
    for (const auto& [key, value] : element.part.items()) {
      if (key == "per_frame") {
        join_series(element.member(key), frames);
      } else if (!has_rule(extremes, key)) {
        require_equal(element.member(key));
      }
    }
    for (const Extreme& extreme : extremes) take_extreme(extreme, element);
  }
}

void add_count(const PartSection& section, const char* key) {
  const std::int64_t before =
      JsonCursor(section.first_path, section.whole).at(key).integer(0, kMostCount);
  section.whole[key] = before + section.cursor().at(key).integer(0, kMostCount - before);
}

void join_section(const SectionRule& rule, const PartSection& section, std::int64_t frames) {
  require_same_keys(section);
  for (const auto& [key, value] : section.part.items()) {
    if (is_one_of(rule.computed, key) || has_rule(rule.extremes, key)) continue;
    if (key == "per_frame") {
      join_series(section.member(key), frames);
    } else if (key == rule.list || key == rule.other_list) {
      join_list(section.member(key), rule.of_element, frames);
    } else if (is_one_of(rule.counts, key)) {
      add_count(section, key.c_str());
    } else {
      require_equal(section.member(key));
    }
  }
  for (const Extreme& extreme : rule.extremes) take_extreme(extreme, section);
}

const SectionRule* rule_of(const std::string& id) {
  const auto found =
      std::ranges::find_if(section_rules(), [&](const SectionRule& rule) { return rule.id == id; });
  return found == section_rules().end() ? nullptr : &*found;
}

std::int64_t frame_count(const std::string& path, const Json& run) {
  return JsonCursor(path, run).at("frame_count").integer(1, kMostFrames);
}

void check_series(const JsonCursor& section, std::int64_t frames) {
  const std::optional<JsonCursor> per_frame = section.find("per_frame");
  if (!per_frame) return;
  for (const auto& [key, series] : per_frame->members()) series.numbers(frames);
}

// Checks the series of the first part, to which those of the others are appended.
void check_first(const SectionRule& rule, const JsonCursor& section, std::int64_t frames) {
  check_series(section, frames);
  for (const char* list : {rule.list, rule.other_list}) {
    if (*list == '\0') continue;
    for (const JsonCursor& element : section.at(list).elements()) check_series(element, frames);
  }
}

}  // namespace

RunParts::RunParts(const std::string& path, const Json& run, std::int64_t vertices)
    : vertices_(vertices) {
  for (const auto& [id, section] : JsonCursor(path, run).members()) {
    if (!section.is_object()) continue;
    const SectionRule* const rule = rule_of(id);
    if (rule == nullptr) {
      throw_part_invalid(
          path, "the section '" + id + "' of a run cannot be put together; leave out its metric");
    }
    check_first(*rule, section, frame_count(path, run));
  }
  add_sums(path, run);
}

void RunParts::add_sums(const std::string& path, const Json& run) {
  const std::int64_t frames = frame_count(path, run);
  if (const auto error = run.find("error"); error != run.end()) {
    if (!error_) error_.emplace(vertices_);
    error_->add(path, *error, frames);
  }
  const auto dihedral = JsonCursor(path, run).find("dihedral");
  if (!dihedral) return;
  const auto sums = dihedral->find("sums");
  if (!sums) {
    throw_part_invalid(path,
                       "the report does not have the sums of dihedral; bake the part with --part");
  }
  if (!dihedral_) dihedral_.emplace();
  dihedral_->edges = sums->at("edges").integer(0, kMostCount);
  for (const double square : sums->at("square").numbers(frames)) dihedral_->square += square;
  dihedral_->frames += frames;
}

void RunParts::add(const PartSection& run) {
  require_same_keys(run);
  const std::int64_t frames = frame_count(run.path, run.part);
  for (const auto& [id, value] : run.part.items()) {
    if (id == "frame_count") continue;
    const SectionRule* const rule = rule_of(id);
    if (rule != nullptr) {
      join_section(*rule, run.member(id), frames);
    } else {
      require_equal(run.member(id));
    }
  }
  add_sums(run.path, run.part);
  run.whole["frame_count"] = frame_count(run.first_path, run.whole) + frames;
}

void RunParts::finish(Json& run, double diagonal_m) const {
  if (error_) error_->finish(run.at("error"), diagonal_m);
  if (!dihedral_) return;
  const double numbers =
      static_cast<double>(dihedral_->edges) * static_cast<double>(dihedral_->frames);
  run.at("dihedral")["rms"] = number_or_null(std::sqrt(dihedral_->square / numbers));
  run.at("dihedral").erase("sums");
}

}  // namespace skinbake
