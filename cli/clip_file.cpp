#include "clip_file.h"
#include "selection.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace skinbake::cli {

namespace {

bool has_file_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  static constexpr std::array kExtensions{".gltf", ".glb", ".vrm", ".vrma"};
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

struct FileClip {
  std::string path;  // empty: no file
  std::string id;    // empty: the only clip
};

// Up to the first '#' that follows an extension: what comes after it may have one too ("#2").
FileClip split(const std::string& wanted) {
  for (std::size_t at = wanted.find('#'); at != std::string::npos; at = wanted.find('#', at + 1)) {
    const std::string path = wanted.substr(0, at);
    if (has_file_extension(path)) return {path, wanted.substr(at + 1)};
  }
  return has_file_extension(wanted) ? FileClip{wanted, ""} : FileClip{};
}

template <class Things>
void append(Things from, Things& to) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

void use_clip_file(BakeOptions& options, Asset& asset) {
  const bool own = std::any_of(asset.clips.begin(), asset.clips.end(),
                               [&](const Clip& clip) { return clip.id == options.clip; });
  const FileClip wanted = own ? FileClip{} : split(options.clip);
  if (wanted.path.empty()) {
    if (options.map.empty()) return;
    throw Error(ErrorKind::kUsage, "MAP_WITHOUT_CLIP_FILE",
                "--map pairs the names of two files; name the clip's with --clip FILE[#ID]");
  }
  ClipFile file = load_clip_file(wanted.path, options.load);
  if (file.clips.empty()) {
    throw Error(ErrorKind::kUsage, "CLIP_UNKNOWN",
                wanted.path + ": the file has no clip; name one with an animation");
  }
  NameMap names;
  if (!options.map.empty()) names = load_name_map(options.map);
  std::vector<Clip> matched;
  for (const Clip* clip : select_clips(file.clips, file.path, wanted.id)) {
    MatchedClip result = match_clip(file, *clip, asset, names);
    append(std::move(result.issues), asset.issues);
    matched.push_back(std::move(result.clip));
  }
  asset.clips = std::move(matched);
  append(std::move(file.issues), asset.issues);
  asset.issues = sorted_unique(std::move(asset.issues));
  append(std::move(file.inputs), asset.inputs);
  append(std::move(names.inputs), asset.inputs);
  append(std::move(file.files), asset.files);
  if (!names.path.empty()) asset.files.push_back(names.path);
  options.clip = "all";
}

}  // namespace skinbake::cli
