#include "clips/used_issues.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/issue.h"
#include "base/paths.h"
#include "clips/clip_source.h"
#include "options/numbers.h"

namespace skinbake::cli {

namespace {

// "/meshes/3" of "/meshes/3/primitives/0"; the whole pointer if it is shorter.
std::string element_of(const std::string& pointer) {
  const std::size_t number = pointer.find('/', 1);
  return number == std::string::npos ? pointer : pointer.substr(0, pointer.find('/', number + 1));
}

// Whether a pointer is that of the element, or of a part of it.
bool is_at(const std::string& pointer, const std::string& element) {
  return pointer.starts_with(element) &&
         (pointer.size() == element.size() || pointer[element.size()] == '/');
}

class UsedElements {
 public:
  UsedElements(const Asset& asset, const std::vector<const Rig*>& rigs,
               const std::vector<const Clip*>& clips,
               const std::map<std::string, std::string>& file_of, bool has_named_rigs)
      : file_(shown(asset.path)),
        has_all_rigs_(rigs.size() == asset.rigs.size() && !has_named_rigs) {
    for (std::size_t s = 0; s < asset.scenes.size(); ++s) {
      if (!asset.scenes[s].is_read) other_scenes_.insert("/scenes/" + std::to_string(s));
    }
    for (const Clip* clip : clips) add_clip(clip, file_of);
    if (has_all_rigs_) return;
    std::vector<bool> is_used(asset.skeleton->nodes.size());
    for (const Rig* rig : rigs) add_rig(*rig, is_used);
    for (std::size_t n = 0; n < is_used.size(); ++n) {
      if (is_used[n]) elements_.insert("/nodes/" + std::to_string(n));
    }
  }

  bool have(const Issue& issue) const {
    if (issue.code == "PART_NOT_READ") return true;
    // An extension is reported once, at its first use.
    if (issue.pointer.find("/extensions/") != std::string::npos) return true;
    const std::string element = element_of(issue.pointer);
    if (element.starts_with("/animations/")) {
      const auto clip = clips_.find({issue.file, element});
      return clip != clips_.end() && uses_target(*clip->second, issue);
    }
    if (issue.file != file_) return true;
    return !other_scenes_.contains(element) && uses_element(element);
  }

 private:
  // Whether what is baked has the element, as far as it is told apart.
  bool uses_element(const std::string& element) const {
    if (has_all_rigs_) return true;
    constexpr std::string_view kOfMeshes[] = {"/nodes/",     "/meshes/",   "/skins/",
                                              "/materials/", "/textures/", "/images/"};
    return elements_.contains(element) ||
           std::ranges::none_of(kOfMeshes,
                                [&](std::string_view list) { return element.starts_with(list); });
  }

  // Whether a channel of the clip that the issue is about, or whose sampler it is about, moves
  // something that is used.
  bool uses_target(const Clip& clip, const Issue& issue) const {
    if (issue.file != file_) return true;  // its nodes are not the rig's
    const std::string of_clip = "/animations/" + std::to_string(clip.index);
    bool is_about_targets = false;
    for (std::size_t c = 0; c < clip.targets.size(); ++c) {
      const Clip::Target& target = clip.targets[c];
      const bool is_meant =
          is_at(issue.pointer, of_clip + "/channels/" + std::to_string(c)) ||
          is_at(issue.pointer, of_clip + "/samplers/" + std::to_string(target.sampler));
      if (is_meant && uses_element(target.element)) return true;
      is_about_targets = is_about_targets || is_meant;
    }
    return !is_about_targets;
  }

  void add_clip(const Clip* clip, const std::map<std::string, std::string>& file_of) {
    if (clip == nullptr || (clip->motion && is_made_clip(clip->id))) return;
    const auto file = file_of.find(clip->id);
    const std::string& path = file == file_of.end() ? file_ : file->second;
    clips_.emplace(std::pair(path, "/animations/" + std::to_string(clip->index)), clip);
  }

  void add_rig(const Rig& rig, std::vector<bool>& is_used) {
    if (!rig.elements) has_all_rigs_ = true;  // the meshes cannot be told apart
    if (rig.elements) elements_.insert(rig.elements->begin(), rig.elements->end());
    if (rig.skin >= 0) elements_.insert("/skins/" + std::to_string(rig.skin));
    add_node(*rig.skeleton, rig.node, is_used);
    for (const Joint& joint : rig.joints) add_node(*rig.skeleton, joint.node, is_used);
  }

  // The node and the nodes above it.
  static void add_node(const Skeleton& skeleton, NodeIndex node, std::vector<bool>& is_used) {
    for (; node >= 0 && !is_used[static_cast<std::size_t>(node)];
         node = skeleton.nodes[static_cast<std::size_t>(node)].parent) {
      is_used[static_cast<std::size_t>(node)] = true;
    }
  }

  std::string file_;
  bool has_all_rigs_;
  std::set<std::string> elements_, other_scenes_;                     // of the asset's file
  std::map<std::pair<std::string, std::string>, const Clip*> clips_;  // by file and element
};

}  // namespace

Issues issues_of_used(const Asset& asset, const std::vector<const Rig*>& rigs,
                      const std::vector<const Clip*>& clips,
                      const std::map<std::string, std::string>& file_of, bool has_named_rigs) {
  const UsedElements used(asset, rigs, clips, file_of, has_named_rigs);
  Issues issues;
  for (const Issue& issue : asset.issues) {
    if (used.have(issue)) {
      issues.push_back(issue);
    } else if (issue.code == "CLIP_EMPTY") {  // "…; the rest pose is baked"
      issues.push_back(make_issue("PART_NOT_READ", issue.file, issue.pointer,
                                  issue.message.substr(0, issue.message.find(';'))));
    }
  }
  return fold_repeated(std::move(issues));
}

}  // namespace skinbake::cli
