// Lists the rigs and the tasks of a manifest.

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "base/nearest_word.h"
#include "batch/jobs/batch_plan.h"
#include "batch/jobs/glob.h"
#include "batch/jobs/job_paths.h"
#include "clip/frame_rates.h"
#include "json/text.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {

namespace {

bool matches_any(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return pattern == name || matches_pattern(pattern, name);
         });
}

const std::vector<std::string>& values_or_none(const std::vector<Setting>& settings,
                                               std::string_view key) {
  static const std::vector<std::string> kNone;
  const std::vector<std::string>* const values = find_values(settings, key);
  return values == nullptr ? kNone : *values;
}

std::string value_or(const std::vector<Setting>& settings, std::string_view key,
                     const std::string& otherwise) {
  const std::vector<std::string>& values = values_or_none(settings, key);
  return values.empty() ? otherwise : values.front();
}

// The rate of a job. One that is wrong counts as the default, and so does the rate of its clip,
// which only the task finds.
double rate_of(const std::vector<Setting>& settings) {
  const double rate = parse_rate(value_or(settings, "fps", "")).value_or(0);
  return is_frame_rate(rate) ? rate : 30;
}

// The cost of the job's methods relative to linear blending. A name that is wrong costs nothing:
// the task will refuse it.
double methods_cost(const std::vector<Setting>& settings) {
  double cost = 0;
  for (const std::string& method : values_or_none(settings, "method")) {
    for (const MethodInfo& info : methods()) {
      const bool is_this = method == "all" || method.substr(0, method.find(':')) == info.id;
      if (is_this) cost += std::max(relative_cost(info), 1.0);
    }
  }
  return std::max(cost, 1.0);
}

// The frames 0 to `last` that A, A:, A:B or A:B:STEP chooses. A range that is wrong chooses all:
// the task will refuse it.
std::int64_t chosen_frames(const std::string& range, std::int64_t last) {
  std::array<std::int64_t, 3> parts{0, last, 1};
  std::size_t count = 0;
  for (std::size_t at = 0; at <= range.size() && count < parts.size(); ++count) {
    const std::size_t end = std::min(range.find(':', at), range.size());
    const bool is_number = std::from_chars(&range[at], &range[end], parts[count]).ec == std::errc{};
    if (!is_number && count != 1) return last + 1;
    at = end + 1;
  }
  if (count == 1) parts[1] = parts[0];
  const std::int64_t end = std::min(parts[1], last);
  if (parts[0] < 0 || parts[0] > end || parts[2] < 1) return last + 1;
  return (end - parts[0]) / parts[2] + 1;
}

// The frames of a clip that a job takes.
std::int64_t frames_of(double duration_s, const std::vector<Setting>& settings) {
  std::int64_t last = last_frame(duration_s, rate_of(settings));
  if (last > 0 && find_values(settings, "loop") != nullptr) --last;
  const std::vector<std::string>* const range = find_values(settings, "frames");
  return range == nullptr ? last + 1 : chosen_frames(range->front(), last);
}

std::int64_t vertices_of(const RigFacts& facts, const std::vector<Setting>& settings) {
  std::int64_t vertices = 0;
  for (const MeshFacts* mesh : selected_meshes(facts, settings)) vertices += mesh->vertices;
  return vertices;
}

// Loading a byte of a rig takes about as long as skinning a vertex in three frames.
constexpr double kCostPerByte = 3;

}  // namespace

std::string key_of(const PlannedRig& rig) {
  return rig.path + '\0' + rig.scene + '\0' + (rig.allow_outside ? "1" : "0");
}

PlannedRig clip_file(const std::string& path, const std::vector<Setting>& settings) {
  return {path, "", find_values(settings, "allow-outside") != nullptr, {}};
}

BatchPlan::BatchPlan(const Manifest& manifest, std::span<const ManifestCommand> commands,
                     std::vector<Setting> overrides, const std::vector<std::string>& only)
    : manifest_(manifest), commands_(commands), overrides_(std::move(overrides)) {
  std::vector<std::uint32_t> all, chosen;
  for (std::uint32_t j = 0; j < manifest.jobs.size(); ++j) {
    all.push_back(j);
    if (matches_any(manifest.jobs[j].name, only)) chosen.push_back(j);
  }
  require_used(manifest.defaults, false, all);
  require_used(overrides_, true, chosen);
  require_matches(only);
  for (const std::uint32_t job : chosen) list_rigs(job);
}

// Throws if a pattern matches no name: the batch would leave out a requested job.
void BatchPlan::require_matches(const std::vector<std::string>& only) const {
  std::string patterns;
  for (const std::string& pattern : only) {
    const auto matches = [&](const ManifestJob& job) { return matches_any(job.name, {pattern}); };
    if (std::any_of(manifest_.jobs.begin(), manifest_.jobs.end(), matches)) continue;
    patterns += (patterns.empty() ? "'" : ", '") + pattern + "'";
  }
  if (patterns.empty()) return;
  throw Error("PATTERN_UNMATCHED",
              "no job has a name that matches " + patterns + "; the first job is '" +
                  (manifest_.jobs.empty() ? "" : manifest_.jobs.front().name) + "'",
              {manifest_.path, "/jobs"});
}

void BatchPlan::fail(std::uint32_t job, const std::string& key, const std::string& message) const {
  throw Error("MANIFEST_INVALID", "job '" + manifest_.jobs[job].name + "': " + message,
              {manifest_.path, "/jobs/" + std::to_string(job) + (key.empty() ? "" : "/" + key)});
}

// Throws. A default has a place in the manifest, an override has none.
void BatchPlan::refuse(const Setting& setting, bool is_override, const std::string& message) const {
  if (is_override) throw Error("OVERRIDE_INVALID", printable(message));
  throw Error("MANIFEST_INVALID", printable(message), {manifest_.path, "/defaults/" + setting.key});
}

void BatchPlan::require_fit(std::uint32_t job, const std::vector<Setting>& settings) const {
  const ManifestJob& named = manifest_.jobs[job];
  const ManifestCommand& command = command_of(named);
  for (const Setting& setting : settings) {
    const std::string wrong = misfit(*command.find(setting.key), setting);
    if (wrong.empty()) continue;
    const bool is_override = find_values(overrides_, setting.key) != nullptr;
    const std::string remedy =
        is_override ? "leave the job out" : "give the job its own '" + setting.key + "', or null";
    refuse(setting, is_override,
           "the command of job '" + named.name + "' is " + command.name + ", whose '" +
               setting.key + "' " + wrong + ", or " + remedy);
  }
}

// Throws if a setting is an option of the command of none of the jobs: it would have no effect.
void BatchPlan::require_used(std::span<const Setting> settings, bool are_overrides,
                             const std::vector<std::uint32_t>& jobs) const {
  std::vector<ManifestCommand> used;
  std::string names;
  for (const ManifestCommand& command : commands_) {
    const auto is_of = [&](std::uint32_t job) {
      return manifest_.jobs[job].command == command.name;
    };
    if (std::none_of(jobs.begin(), jobs.end(), is_of)) continue;
    used.push_back(command);
    names += (names.empty() ? "" : ", ") + command.name;
  }
  for (const Setting& setting : settings) {
    if (used.empty() || setting.is_removed || find_key(used, setting.key) != nullptr) continue;
    refuse(setting, are_overrides,
           "'" + setting.key + "' is an option of no job's command (" + names +
               "); leave it out, or correct the command");
  }
}

const ManifestCommand& BatchPlan::command_of(const ManifestJob& job) const {
  return *std::find_if(commands_.begin(), commands_.end(),
                       [&](const ManifestCommand& command) { return command.name == job.command; });
}

std::vector<Setting> BatchPlan::settings(std::uint32_t job) const {
  const ManifestJob& named = manifest_.jobs[job];
  return settings_of(manifest_, named, command_of(named), overrides_);
}

std::uint32_t BatchPlan::add_rig(const std::string& path, const std::vector<Setting>& settings) {
  return add_rig({path,
                  value_or(settings, "scene", ""),
                  find_values(settings, "allow-outside") != nullptr,
                  {}});
}

std::uint32_t BatchPlan::add_rig(PlannedRig rig) {
  const auto [known, is_new] =
      rig_numbers_.emplace(key_of(rig), static_cast<std::uint32_t>(rigs_.size()));
  if (is_new) rigs_.push_back(std::move(rig));
  return known->second;
}

void BatchPlan::require_files(std::uint32_t job, const Setting& setting) const {
  const std::string& command = manifest_.jobs[job].command;
  const ManifestKey& key = *command_of(manifest_.jobs[job]).find(setting.key);
  if (key.file != FileUse::kWrite) return;
  const auto prints = [&](const std::string& value) { return key.path_of(value) == "-"; };
  if (std::any_of(setting.values.begin(), setting.values.end(), prints)) {
    fail(job, setting.key,
         "'" + setting.key + "' needs a file; standard output is for the results of the batch");
  }
  const std::string unknown = unknown_placeholder(key, setting);
  if (unknown.empty()) return;
  fail(job, setting.key,
       "'" + setting.key + "' has " + unknown + ", which " + command +
           " does not replace there; there are " + known_placeholders(key));
}

void BatchPlan::list_rigs(std::uint32_t job) {
  const std::vector<Setting> all = settings(job);
  const ManifestCommand& command = command_of(manifest_.jobs[job]);
  require_fit(job, all);
  for (const ManifestKey& key : command.keys) {
    if (key.is_required && find_values(all, key.name) == nullptr) {
      fail(job, "", "'" + key.name + "' is missing, which " + command.name + " needs");
    }
  }
  for (const Setting& setting : all) require_files(job, setting);
  JobRigs unit{job, {}};
  for (const std::string& rig : values_or_none(all, "rig")) {
    if (!is_pattern(rig)) {
      unit.rigs.push_back(add_rig(rig, all));
      continue;
    }
    const std::vector<std::string> paths = files_matching(rig);
    for (const std::string& path : paths) unit.rigs.push_back(add_rig(path, all));
    if (!paths.empty()) continue;
    throw Error("PATTERN_UNMATCHED",
                "job '" + manifest_.jobs[job].name + "': no file matches '" + rig +
                    "'; paths are relative to the folder of the manifest",
                {manifest_.path, "/jobs/" + std::to_string(job) + "/rig"});
  }
  std::vector<std::uint32_t> distinct;
  for (const std::uint32_t rig : unit.rigs) {
    if (std::find(distinct.begin(), distinct.end(), rig) == distinct.end()) distinct.push_back(rig);
  }
  unit.rigs = std::move(distinct);
  units_.push_back(std::move(unit));
  for (const std::string& clip : values_or_none(all, "clip")) {
    const std::string file = file_of_clip(clip);
    if (!file.empty()) add_rig(clip_file(file, all));
  }
}

std::uint32_t BatchPlan::text(const std::string& clip) {
  const auto [known, is_new] =
      text_numbers_.emplace(clip, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(clip);
  return known->second;
}

void BatchPlan::add_tasks(const JobRigs& unit) {
  const std::vector<Setting> all = settings(unit.job);
  const std::vector<std::string>& wanted = values_or_none(all, "clip");
  std::vector<bool> is_matched(wanted.size(), unit.rigs.empty());
  const std::size_t before = tasks_.size();
  if (unit.rigs.empty()) add_task(unit.job, BatchTask::kNoRig, BatchTask::kNoClip, {}, all);
  for (const std::uint32_t rig : unit.rigs) {
    if (!rigs_[rig].facts) {
      std::fill(is_matched.begin(), is_matched.end(), true);
      add_task(unit.job, rig, BatchTask::kNoClip, {}, all);
      continue;
    }
    const std::vector<std::string> clips = selected_clips(*rigs_[rig].facts, wanted, is_matched);
    const bool chooses = std::any_of(wanted.begin(), wanted.end(), [](const std::string& value) {
      return is_pattern(value) || value.starts_with('!');
    });
    // The patterns match no clip of this rig, or omit all.
    if (clips.empty() && chooses && !rigs_[rig].facts->clips.empty()) continue;
    const ClipPlaces places = places_of_clips(command_of(manifest_.jobs[unit.job]), all);
    if (clips.size() > 1 && places.missing && places.only_one) {
      fail(unit.job, places.only_one->key,
           "'" + places.only_one->key + "' has {clip}, but '" + places.missing->key +
               "' holds all clips in one file; put {clip} into both or into neither");
    }
    if (clips.empty() || (clips.size() > 1 && places.missing)) {
      add_task(unit.job, rig, BatchTask::kNoClip, clips, all);
      continue;
    }
    for (const std::string& clip : clips) add_task(unit.job, rig, text(clip), {&clip, 1}, all);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (is_matched[i] || !is_pattern(wanted[i])) continue;
    throw Error("PATTERN_UNMATCHED",
                "job '" + manifest_.jobs[unit.job].name + "': no clip of its rigs matches '" +
                    wanted[i] + "'",
                {manifest_.path, "/jobs/" + std::to_string(unit.job) + "/clip"});
  }
  require_strict_omissions(unit, all);
  if (tasks_.size() > before) return;
  throw Error("PATTERN_UNMATCHED",
              "job '" + manifest_.jobs[unit.job].name + "': 'clip' omits every clip of its rigs",
              {manifest_.path, "/jobs/" + std::to_string(unit.job) + "/clip"});
}

// Tasks name the remaining clips, so that their commands do not see patterns that omit nothing.
// These patterns raise a warning, EXCLUSION_UNMATCHED, which --strict does not let pass.
void BatchPlan::require_strict_omissions(const JobRigs& unit,
                                         const std::vector<Setting>& settings) const {
  const std::vector<std::string>& allowed = values_or_none(settings, "allow");
  const bool is_allowed =
      std::find(allowed.begin(), allowed.end(), "EXCLUSION_UNMATCHED") != allowed.end();
  if (find_values(settings, "strict") == nullptr || is_allowed) return;
  for (const std::string& value : values_or_none(settings, "clip")) {
    const auto may_need = [&](std::uint32_t rig) {
      const std::optional<RigFacts>& facts = rigs_[rig].facts;
      return !facts || has_clip(*facts, value) || omits_a_clip(*facts, value);
    };
    const bool is_omission = value.size() > 1 && value.front() == '!';
    if (!is_omission || unit.rigs.empty() ||
        std::any_of(unit.rigs.begin(), unit.rigs.end(), may_need)) {
      continue;
    }
    fail(unit.job, "clip",
         "'" + value + "' omits no clip of its rigs, and the job is strict; correct it, or allow " +
             "EXCLUSION_UNMATCHED");
  }
}

std::string BatchPlan::missing_clip(const BatchTask& task) const {
  if (task.rig == BatchTask::kNoRig || !rigs_[task.rig].facts) return "";
  const RigFacts& facts = *rigs_[task.rig].facts;
  std::vector<std::string> wanted = values_or_none(settings(task.job), "clip");
  if (task.clip != BatchTask::kNoClip) wanted = {texts_[task.clip]};
  std::vector<bool> is_matched(wanted.size());
  selected_clips(facts, wanted, is_matched);
  std::vector<std::string> ids;
  for (const ClipFacts& clip : facts.clips) ids.push_back(clip.id);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (is_matched[i] || is_pattern(wanted[i])) continue;
    return "no clip '" + wanted[i] + "'" + did_you_mean(wanted[i], ids);
  }
  return "";
}

double BatchPlan::duration_of(const std::string& clip, const RigFacts& rig,
                              const std::vector<Setting>& settings) const {
  for (const ClipFacts& own : rig.clips) {
    if (own.id == clip) return own.duration_s;
  }
  const std::string file = file_of_clip(clip);
  const RigFacts* const others = file.empty() ? nullptr : facts_of_clip_file(file, settings);
  if (others == nullptr) return 0;
  const std::vector<std::string> ids = ids_in_file(clip, settings);
  double duration_s = 0;
  for (const ClipFacts& other : others->clips) {
    if (std::find(ids.begin(), ids.end(), other.id) != ids.end()) duration_s += other.duration_s;
  }
  return duration_s;
}

void BatchPlan::add_task(std::uint32_t job, std::uint32_t rig, std::uint32_t clip,
                         std::span<const std::string> clips, const std::vector<Setting>& settings) {
  BatchTask task{job, rig, clip, 1, 1};
  if (rig != BatchTask::kNoRig && rigs_[rig].facts) {
    const RigFacts& facts = *rigs_[rig].facts;
    std::int64_t frames = 0;
    for (const std::string& one : clips) {
      frames += frames_of(duration_of(one, facts, settings), settings);
    }
    task.frames = static_cast<std::uint32_t>(std::clamp<std::int64_t>(frames, 1, 0xFFFFFFFF));
    task.cost =
        static_cast<double>(vertices_of(facts, settings)) * task.frames * methods_cost(settings) +
        kCostPerByte * static_cast<double>(facts.bytes) /
            static_cast<double>(std::max<std::size_t>(facts.clips.size(), 1));
  }
  tasks_.push_back(task);
}

std::int64_t BatchPlan::mesh_frames(const BatchTask& task) const {
  std::size_t meshes = 1;
  if (task.rig != BatchTask::kNoRig && rigs_[task.rig].facts) {
    meshes = selected_meshes(*rigs_[task.rig].facts, settings(task.job)).size();
  }
  return std::int64_t{task.frames} * static_cast<std::int64_t>(std::max<std::size_t>(meshes, 1));
}

void BatchPlan::list_tasks() {
  tasks_.clear();
  for (const JobRigs& unit : units_) add_tasks(unit);
}

void BatchPlan::refuse_shared_outputs(const BatchFiles& own) const {
  refuse_replaced_files(own);
  refuse_dependent_tasks();
}

// Longest processing time first.
//
// R. L. Graham. Bounds on Multiprocessing Timing Anomalies. 1969: every piece, the largest first,
// goes to the machine that has the least; the greatest load is at most 4/3 of the best division.
namespace {

// Consecutive tasks of one rig.
struct Piece {
  std::uint64_t first = 0, end = 0;
  double cost = 0;
};

// The tasks of a rig are one piece, unless they cost more than `most`.
std::vector<Piece> pieces_of(const std::vector<BatchTask>& tasks, double most) {
  std::vector<Piece> pieces;
  for (std::uint64_t t = 0; t < tasks.size(); ++t) {
    const bool continues = !pieces.empty() && tasks[t].rig == tasks[t - 1].rig &&
                           tasks[t].rig != BatchTask::kNoRig &&
                           pieces.back().cost + tasks[t].cost <= most;
    if (!continues) pieces.push_back({t, t, 0});
    pieces.back().end = t + 1;
    pieces.back().cost += tasks[t].cost;
  }
  return pieces;
}

}  // namespace

std::vector<std::uint64_t> tasks_of_shard(const BatchPlan& plan, std::uint64_t shard,
                                          std::uint64_t shards) {
  const std::vector<BatchTask>& tasks = plan.tasks();
  std::vector<std::uint64_t> mine;
  if (shards <= 1) {
    mine.resize(tasks.size());
    std::iota(mine.begin(), mine.end(), std::uint64_t{0});
    return mine;
  }
  double total = 0;
  for (const BatchTask& task : tasks) total += task.cost;
  // Pieces of a fifth of a shard: with whole shards, the last machine could have twice its part.
  std::vector<Piece> pieces = pieces_of(tasks, total / static_cast<double>(shards) / 5);
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.cost > b.cost; });
  std::vector<double> loads(shards, 0);
  for (const Piece& piece : pieces) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += piece.cost;
    if (static_cast<std::uint64_t>(least - loads.begin()) + 1 != shard) continue;
    for (std::uint64_t t = piece.first; t < piece.end; ++t) mine.push_back(t);
  }
  std::sort(mine.begin(), mine.end());
  return mine;
}

}  // namespace skinbake
