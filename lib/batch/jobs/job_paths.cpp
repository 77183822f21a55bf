#include "batch/jobs/job_paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <unordered_set>

#include "skinbake/tool/glob.h"
#include "skinbake/tool/id_name.h"

namespace skinbake {

namespace {

constexpr std::string_view kRig = "{rig}", kClip = "{clip}";

// Outputs that a command writes once for each run.
constexpr std::array<std::string_view, 6> kOnePerRun{"report", "html",    "markdown",
                                                     "junit",  "depfile", "timing"};
// Outputs whose placeholders the command replaces.
constexpr std::array<std::string_view, 2> kOnePerClip{"output", "error-matrix"};

template <std::size_t N>
bool is_in(const std::string& key, const std::array<std::string_view, N>& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// The name of the file without its extension. Braces would be taken for placeholders.
std::string stem_of(const std::string& path) {
  std::string stem = file_name_of(std::filesystem::path(path).stem().string());
  std::replace(stem.begin(), stem.end(), '{', '_');
  std::replace(stem.begin(), stem.end(), '}', '_');
  return stem;
}

}  // namespace

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

ClipPlaces places_of_clips(const std::vector<Setting>& settings) {
  ClipPlaces places;
  for (const Setting& setting : settings) {
    const bool is_per_run = is_in(setting.key, kOnePerRun);
    if (!is_per_run && !is_in(setting.key, kOnePerClip)) continue;
    for (const std::string& value : setting.values) {
      const bool has_clip = value.find(kClip) != std::string::npos;
      if (!has_clip && places.missing == nullptr) places.missing = &setting;
      if (has_clip && is_per_run && places.only_one == nullptr) places.only_one = &setting;
    }
  }
  return places;
}

std::vector<const MeshFacts*> selected_meshes(const RigFacts& facts,
                                              const std::vector<Setting>& settings) {
  const std::vector<std::string>* const wanted = find_values(settings, "mesh");
  std::vector<const MeshFacts*> meshes;
  for (const MeshFacts& mesh : facts.meshes) {
    const bool is_wanted =
        wanted == nullptr ||
        std::any_of(wanted->begin(), wanted->end(), [&](const std::string& value) {
          return value == mesh.id || value == "#" + std::to_string(mesh.node);
        });
    if (is_wanted) meshes.push_back(&mesh);
  }
  return meshes;
}

std::vector<std::string> selected_clips(const RigFacts& facts,
                                        const std::vector<std::string>& wanted,
                                        std::vector<bool>& is_matched) {
  std::vector<std::string> clips;
  std::unordered_set<std::string> ids, chosen;
  for (const ClipFacts& clip : facts.clips) ids.insert(clip.id);
  const auto add = [&](const std::string& clip, std::size_t value) {
    if (chosen.insert(clip).second) clips.push_back(clip);
    is_matched[value] = true;
  };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string& value = wanted[i];
    const bool is_id = ids.contains(value);
    if (!is_id && value == "all") {
      is_matched[i] = true;  // also of a rig without clips
      for (const ClipFacts& clip : facts.clips) add(clip.id, i);
    } else if (!is_id && is_pattern(value) && value.find('/') == std::string::npos) {
      for (const ClipFacts& clip : facts.clips) {
        if (matches_pattern(value, clip.id)) add(clip.id, i);
      }
    } else {
      add(value, i);
    }
  }
  if (wanted.empty() && facts.clips.size() == 1) clips.push_back(facts.clips.front().id);
  return clips;
}

bool expands_itself(const std::string& command, const std::string& key) {
  return (command == "bake" || command == "compare") &&
         (is_in(key, kOnePerClip) || key == "reference");
}

std::string with_names(std::string text, const std::string& rig_path, const std::string* clip) {
  if (text.find('{') == std::string::npos) return text;
  if (!rig_path.empty()) text = replaced(std::move(text), kRig, stem_of(rig_path));
  if (clip != nullptr) text = replaced(std::move(text), kClip, file_name_of(*clip));
  return text;
}

}  // namespace skinbake
