// The command line and the outputs of a task.

#include <algorithm>
#include <utility>

#include "batch/jobs/job_paths.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"
#include "skinbake/tool/batch/batch_plan.h"
#include "skinbake/tool/words/id_name.h"

namespace skinbake {

namespace {

// Keys whose values are files that the command writes.
constexpr const char* kOutputKeys[] = {"output",   "error-matrix", "report",  "html",
                                       "markdown", "junit",        "depfile", "timing"};

// The canonical name of the method of a bake; empty if there are several, or if it is unknown.
std::string method_of(const std::string& command, const std::vector<Setting>& settings) {
  if (command != "bake") return "";
  const std::vector<std::string>* const method = find_values(settings, "method");
  try {
    return parse_method(method == nullptr ? "lbs" : method->front()).canonical();
  } catch (const Error&) {
    return "";  // the task will refuse it
  }
}

// Replaces a placeholder by each of the names. Without the placeholder the path stays one.
std::vector<std::string> expanded(const std::vector<std::string>& paths, std::string_view what,
                                  const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    if (path.find(what) == std::string::npos) {
      all.push_back(path);
      continue;
    }
    for (const std::string& name : names) all.push_back(replaced(path, what, file_name_of(name)));
  }
  return all;
}

}  // namespace

TaskName BatchPlan::name(const BatchTask& task) const {
  return {manifest_.jobs[task.job].name, task.rig == BatchTask::kNoRig ? "" : rigs_[task.rig].path,
          task.clip == BatchTask::kNoClip ? "" : texts_[task.clip]};
}

std::vector<std::string> BatchPlan::words(const BatchTask& task) const {
  const ManifestJob& job = manifest_.jobs[task.job];
  const ManifestCommand& command = command_of(job);
  const std::vector<Setting> all = settings(task.job);
  const TaskName names = name(task);
  const std::string* const clip = task.clip == BatchTask::kNoClip ? nullptr : &names.clip;
  std::vector<std::string> words{job.command};
  std::vector<std::string> arguments;
  for (const ManifestKey& key : command.keys) {
    const std::vector<std::string>* const values = find_values(all, key.name);
    if (!key.is_argument || values == nullptr) continue;
    std::string value =
        key.name == "rig" ? names.rig : with_names(values->front(), names.rig, clip);
    if (value.starts_with('-')) value.insert(0, "./");  // not an option
    arguments.push_back(std::move(value));
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  const bool clip_is_option = command.find("clip") != nullptr;
  if (clip != nullptr && clip_is_option) words.push_back("--clip=" + *clip);
  for (const Setting& setting : all) {
    const ManifestKey& key = *command.find(setting.key);
    if (key.is_argument || (key.name == "clip" && clip != nullptr)) continue;
    if (key.name == "clip" && task.rig != BatchTask::kNoRig && rigs_[task.rig].facts) {
      // A task of all clips: the command does not know patterns.
      std::vector<bool> is_matched(setting.values.size());
      for (const std::string& id :
           selected_clips(*rigs_[task.rig].facts, setting.values, is_matched)) {
        words.push_back("--clip=" + id);
      }
      continue;
    }
    if (key.is_flag) words.push_back("--" + key.name);
    std::string joined;
    for (const std::string& value : setting.values) {
      const std::string* const named = expands_itself(job.command, key.name) ? nullptr : clip;
      const std::string text = key.name == "rig" ? names.rig : with_names(value, names.rig, named);
      if (key.joins) {
        joined += (joined.empty() ? "" : ",") + text;
      } else {
        words.push_back("--" + key.name + "=" + text);
      }
    }
    if (key.joins) words.push_back("--" + key.name + "=" + joined);
  }
  return words;
}

namespace {

// What the placeholders of a task's paths become. Without a method, {method} stays.
struct PathNames {
  std::string rig;
  const std::string* clip = nullptr;  // null: those of `clips`
  std::vector<std::string> clips, meshes;
  std::string method;

  std::vector<std::string> paths_of(const std::string& value, bool command_expands) const {
    std::vector<std::string> paths{with_names(value, rig, command_expands ? nullptr : clip)};
    if (!command_expands) return paths;
    paths = expanded(paths, "{clip}", clips);
    paths = expanded(paths, "{mesh}", meshes);
    if (!method.empty()) paths = expanded(paths, "{method}", {method});
    return paths;
  }
};

PathNames path_names(const std::string& command, const std::vector<Setting>& settings,
                     const TaskName& task, const RigFacts* rig) {
  PathNames names{task.rig, task.clip.empty() ? nullptr : &task.clip, {}, {}, ""};
  names.method = method_of(command, settings);
  if (names.clip != nullptr) {
    names.clips = {task.clip};
  } else if (rig != nullptr) {
    for (const ClipFacts& clip : rig->clips) names.clips.push_back(clip.id);
  }
  if (rig == nullptr) return names;
  for (const MeshFacts* mesh : selected_meshes(*rig, settings)) names.meshes.push_back(mesh->id);
  return names;
}

// The files that a value may name: "poses:arms.json" names one, and "run.glb#Run" too.
std::vector<std::string> files_named_by(std::string value, bool is_clip) {
  constexpr std::string_view kPoses = "poses:";
  if (is_clip && value.starts_with(kPoses)) value.erase(0, kPoses.size());
  // A method or a number is not a path.
  if (value.find_first_of("./") == std::string::npos) return {};
  std::vector<std::string> files{value};
  for (std::size_t at = value.find('#'); is_clip && at != std::string::npos;
       at = value.find('#', at + 1)) {
    files.push_back(value.substr(0, at));
  }
  return files;
}

}  // namespace

const RigFacts* BatchPlan::facts_of(const BatchTask& task) const {
  const bool is_known = task.rig != BatchTask::kNoRig && rigs_[task.rig].facts;
  return is_known ? &*rigs_[task.rig].facts : nullptr;
}

std::vector<std::string> BatchPlan::outputs(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const TaskName named = name(task);
  const PathNames names = path_names(command, all, named, facts_of(task));
  std::vector<std::string> outputs;
  for (const char* key : kOutputKeys) {
    const std::vector<std::string>* const values = find_values(all, key);
    if (values == nullptr) continue;
    for (const std::string& value : *values) {
      if (value == "-") continue;
      const std::vector<std::string> paths = names.paths_of(value, expands_itself(command, key));
      outputs.insert(outputs.end(), paths.begin(), paths.end());
    }
  }
  return outputs;
}

std::vector<std::string> BatchPlan::inputs(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const TaskName named = name(task);
  std::vector<std::pair<std::string, bool>> files;  // with whether the command replaces {clip}
  for (const Setting& setting : all) {
    if (setting.key == "rig" || is_output(setting.key)) continue;
    const bool is_clip = setting.key == "clip";
    const bool is_one = is_clip && !named.clip.empty();
    for (const std::string& value : is_one ? std::vector{named.clip} : setting.values) {
      for (std::string& file : files_named_by(value, is_clip)) {
        files.emplace_back(std::move(file), expands_itself(command, setting.key));
      }
    }
  }
  std::vector<std::string> inputs;
  if (files.empty()) return inputs;  // as for most of a million tasks
  const PathNames names = path_names(command, all, named, facts_of(task));
  for (const auto& [file, command_expands] : files) {
    const std::vector<std::string> paths = names.paths_of(file, command_expands);
    inputs.insert(inputs.end(), paths.begin(), paths.end());
  }
  return inputs;
}

}  // namespace skinbake
