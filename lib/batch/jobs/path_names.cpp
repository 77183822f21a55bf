#include "batch/jobs/path_names.h"

#include <utility>

#include "batch/jobs/job_paths.h"
#include "json/id_name.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {

namespace {

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

std::vector<std::string> PathNames::paths_of(const std::string& value, bool command_expands) const {
  const bool has_clip = !command_expands && !clip.empty();
  std::vector<std::string> paths{with_names(value, rig, has_clip ? &clip : nullptr)};
  if (!command_expands) return paths;
  paths = expanded(paths, "{clip}", clips);
  paths = expanded(paths, "{mesh}", meshes);
  if (!method.empty()) paths = expanded(paths, "{method}", {method});
  return paths;
}

PathNames path_names(const std::string& command, const std::vector<Setting>& settings,
                     const TaskName& task, const RigFacts* rig, std::vector<std::string> clips) {
  PathNames names{task.rig, task.clip, std::move(clips), {}, method_of(command, settings)};
  if (rig == nullptr) return names;
  for (const MeshFacts* mesh : selected_meshes(*rig, settings)) names.meshes.push_back(mesh->id);
  return names;
}

}  // namespace skinbake
