#include "batch/jobs/job_paths.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/paths.h"
#include "batch/jobs/glob.h"
#include "json/text.h"
#include "skinbake/error.h"
#include "skinbake/methods.h"

namespace skinbake {

namespace {

constexpr std::string_view kRig = "{rig}", kClip = "{clip}";

// The name of the file without its extension. Braces would be taken for placeholders.
std::string stem_of(const std::string& path) {
  std::string stem = file_name_of(std::filesystem::path(path).stem().string());
  std::replace(stem.begin(), stem.end(), '{', '_');
  std::replace(stem.begin(), stem.end(), '}', '_');
  return stem;
}

// Whether a value of `clip` that is not an id names a clip of another file, or one that is made:
// "run.glb", "run.glb#Run", "rom", "rom:arms", "poses:poses.json".
bool is_other_clip(const std::string& value) {
  if (value == "rom" || value.starts_with("rom:")) return true;
  if (value.starts_with("poses:")) return true;
  return !file_of_clip(value).empty();
}

// The letters between a '{' and the next '}', with both.
std::vector<std::string> placeholders_in(const std::string& text) {
  constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    const std::size_t end = text.find_first_not_of(kLetters, at + 1);
    if (end == std::string::npos) break;
    if (text[end] == '}' && end > at + 1) found.push_back(text.substr(at, end + 1 - at));
  }
  return found;
}

}  // namespace

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string file_of_clip(const std::string& value) {
  constexpr std::array<std::string_view, 4> kFiles{".gltf", ".glb", ".vrm", ".vrma"};
  for (std::size_t end = 0; end != std::string::npos;) {
    end = value.find('#', end + 1);
    std::string path = value.substr(0, end);
    const auto is_of = [&](std::string_view extension) { return has_extension(path, extension); };
    if (std::any_of(kFiles.begin(), kFiles.end(), is_of)) return path;
  }
  return "";
}

ClipPlaces places_of_clips(const ManifestCommand& command, const std::vector<Setting>& settings) {
  ClipPlaces places;
  for (const Setting& setting : settings) {
    const ManifestKey& key = *command.find(setting.key);
    if (key.file != FileUse::kWrite) continue;
    for (const std::string& value : setting.values) {
      const bool has_clip = value.find(kClip) != std::string::npos;
      if (!has_clip && places.missing == nullptr) places.missing = &setting;
      if (has_clip && !key.expands && places.only_one == nullptr) places.only_one = &setting;
    }
  }
  return places;
}

namespace {

// A value of `clip` or `mesh` that omits elements: "!Idle*". A name that begins with '!' is none.
bool omits(const std::string& value, const std::unordered_set<std::string>& ids) {
  return value.size() > 1 && value.front() == '!' && !ids.contains(value);
}

bool is_omitted(const std::string& id, const std::vector<std::string>& values,
                const std::unordered_set<std::string>& ids) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    return omits(value, ids) &&
           (value.compare(1, std::string::npos, id) == 0 || matches_pattern(value.substr(1), id));
  });
}

// The clip "#3"; null: the value is not "#" with a number of a clip.
const ClipFacts* clip_with_number(const RigFacts& facts, const std::string& value) {
  std::size_t number = 0;
  const char* const end = value.data() + value.size();
  if (value.size() < 2 || value.front() != '#') return nullptr;
  const auto parsed = std::from_chars(value.data() + 1, end, number);
  const bool is_number = parsed.ec == std::errc{} && parsed.ptr == end;
  return is_number && number < facts.clips.size() ? &facts.clips[number] : nullptr;
}

bool all_omit(const std::vector<std::string>& values, const std::unordered_set<std::string>& ids) {
  return std::all_of(values.begin(), values.end(),
                     [&](const std::string& value) { return omits(value, ids); });
}

}  // namespace

std::vector<const MeshFacts*> selected_meshes(const RigFacts& facts,
                                              const std::vector<Setting>& settings) {
  const std::vector<std::string>* const wanted = find_values(settings, "mesh");
  std::vector<const MeshFacts*> meshes;
  std::unordered_set<std::string> ids;
  for (const MeshFacts& mesh : facts.meshes) ids.insert(mesh.id);
  for (const MeshFacts& mesh : facts.meshes) {
    const auto names = [&](const std::string& value) {
      return value == mesh.id || value == "#" + std::to_string(mesh.node) ||
             (!ids.contains(value) && is_pattern(value) && !omits(value, ids) &&
              matches_pattern(value, mesh.id));
    };
    const bool is_wanted = wanted == nullptr || all_omit(*wanted, ids) ||
                           std::any_of(wanted->begin(), wanted->end(), names);
    if (is_wanted && (wanted == nullptr || !is_omitted(mesh.id, *wanted, ids))) {
      meshes.push_back(&mesh);
    }
  }
  return meshes;
}

bool has_clip(const RigFacts& facts, const std::string& id) {
  return std::any_of(facts.clips.begin(), facts.clips.end(),
                     [&](const ClipFacts& clip) { return clip.id == id; });
}

bool omits_a_clip(const RigFacts& facts, const std::string& value) {
  std::unordered_set<std::string> ids;
  for (const ClipFacts& clip : facts.clips) ids.insert(clip.id);
  return std::any_of(facts.clips.begin(), facts.clips.end(),
                     [&](const ClipFacts& clip) { return is_omitted(clip.id, {value}, ids); });
}

std::vector<std::string> selected_clips(const RigFacts& facts,
                                        const std::vector<std::string>& wanted,
                                        std::vector<bool>& is_matched) {
  std::vector<std::string> clips;
  std::unordered_set<std::string> ids, chosen;
  for (const ClipFacts& clip : facts.clips) ids.insert(clip.id);
  const auto add = [&](const std::string& clip, std::size_t value) {
    is_matched[value] = true;
    if (ids.contains(clip) && is_omitted(clip, wanted, ids)) return;
    if (chosen.insert(clip).second) clips.push_back(clip);
  };
  const bool begins_with_all = !wanted.empty() && all_omit(wanted, ids);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string& value = wanted[i];
    const bool is_id = ids.contains(value);
    if (!is_id && (value == "all" || begins_with_all)) {
      is_matched[i] = true;  // also of a rig without clips
      for (const ClipFacts& clip : facts.clips) add(clip.id, i);
    } else if (omits(value, ids)) {
      is_matched[i] = true;  // it may omit clips of other rigs
    } else if (!is_id && is_pattern(value) && !is_other_clip(value)) {
      for (const ClipFacts& clip : facts.clips) {
        if (matches_pattern(value, clip.id)) add(clip.id, i);
      }
    } else if (const ClipFacts* const clip = clip_with_number(facts, value); !is_id && clip) {
      add(clip->id, i);
    } else {
      const bool was_matched = is_matched[i];
      add(value, i);
      is_matched[i] = was_matched || is_id || is_other_clip(value);
    }
  }
  if (wanted.empty() && facts.clips.size() == 1) clips.push_back(facts.clips.front().id);
  return clips;
}

std::string unambiguous_clip(const RigFacts& facts, const std::string& id) {
  const auto named = std::find_if(facts.clips.begin(), facts.clips.end(),
                                  [&](const ClipFacts& clip) { return clip.id == id; });
  if (named == facts.clips.end()) return id;
  const bool means_another =
      std::any_of(facts.clips.begin(), facts.clips.end(), [&](const ClipFacts& clip) {
        return clip.id != id && (id == "all" || (is_pattern(id) && matches_pattern(id, clip.id)));
      });
  return means_another ? "#" + std::to_string(named - facts.clips.begin()) : id;
}

std::string unknown_placeholder(const ManifestKey& key, const Setting& setting) {
  const std::string known = known_placeholders(key);
  for (const std::string& value : setting.values) {
    for (const std::string& placeholder : placeholders_in(value)) {
      if (known.find(placeholder) == std::string::npos) return placeholder;
    }
  }
  return "";
}

std::string known_placeholders(const ManifestKey& key) {
  return key.expands ? "{rig}, {clip}, {mesh} and {method}" : "{rig} and {clip}";
}

std::string text_of_task(const TaskName& name) {
  return "job '" + name.job + "'" + (name.rig.empty() ? "" : " with rig '" + name.rig + "'") +
         (name.clip.empty() ? "" : " and clip '" + name.clip + "'");
}

std::string with_names(std::string text, const std::string& rig_path, const std::string* clip) {
  if (text.find('{') == std::string::npos) return text;
  if (!rig_path.empty()) text = replaced(std::move(text), kRig, stem_of(rig_path));
  if (clip != nullptr) text = replaced(std::move(text), kClip, file_name_of(*clip));
  return text;
}

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
