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

class UsedElements {
 public:
  UsedElements(const Asset& asset, const std::vector<const Rig*>& rigs,
               const std::vector<const Clip*>& clips,
               const std::map<std::string, std::string>& file_of)
      : file_(shown(asset.path)), has_all_rigs_(rigs.size() == asset.rigs.size()) {
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
    if (element.starts_with("/animations/")) return clips_.contains({issue.file, element});
    if (has_all_rigs_ || issue.file != file_) return true;
    constexpr std::string_view kOfMeshes[] = {"/nodes/",     "/meshes/",   "/skins/",
                                              "/materials/", "/textures/", "/images/"};
    return elements_.contains(element) ||
           std::ranges::none_of(kOfMeshes,
                                [&](std::string_view list) { return element.starts_with(list); });
  }

 private:
  void add_clip(const Clip* clip, const std::map<std::string, std::string>& file_of) {
    if (clip == nullptr || (clip->motion && is_made_clip(clip->id))) return;
    const auto file = file_of.find(clip->id);
    clips_.emplace(file == file_of.end() ? file_ : file->second,
                   "/animations/" + std::to_string(clip->index));
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
  std::set<std::string> elements_;                       // of the asset's file
  std::set<std::pair<std::string, std::string>> clips_;  // file and element
};

}  // namespace

Issues issues_of_used(const Asset& asset, const std::vector<const Rig*>& rigs,
                      const std::vector<const Clip*>& clips,
                      const std::map<std::string, std::string>& file_of) {
  const UsedElements used(asset, rigs, clips, file_of);
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
