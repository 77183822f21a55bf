// Files that are read for their clips, the maps of names that pair their nodes with a rig's, and
// the nodes of a rig that such clips can move.

#include "skinbake/gltf.h"

#include <memory>
#include <utility>

#include "gltf/document/extensions.h"
#include "gltf/document/message_text.h"
#include "gltf/document/open_document.h"
#include "gltf/read/loaders.h"
#include "gltf/user_file/user_json.h"
#include "json/json_text.h"
#include "rig/rest_pose.h"
#include "rig/validate.h"

namespace skinbake {

namespace {

ClipFile build_clip_file(gltf::Document document) {
  gltf::check_extensions(document);
  ClipFile file;
  file.path = document.path;
  file.shown_as = document.shown_as;
  file.skeleton = gltf::load_skeleton(document);
  validate(*file.skeleton, {file.path, "/nodes"});
  file.clips = gltf::load_clips(document, *file.skeleton);
  file.humanoid = std::move(document.humanoid);
  file.face = std::move(document.face_nodes);
  file.morph_names = std::move(document.morph_names);
  file.inputs = std::move(document.inputs);
  file.files = std::move(document.files);
  file.unread_files = std::move(document.unread_files);
  file.issues = sorted_unique(std::move(document.issues));
  return file;
}

}  // namespace

ClipFile load_clip_file(const std::string& path, const LoadOptions& options) {
  return build_clip_file(gltf::open_document(path, options, gltf::Role::kClip));
}

NameMap load_name_map(const std::string& path) {
  const gltf::UserFile file{path, "the map of names", "MAP_INVALID"};
  const gltf::UserJson names = gltf::read_user_json(file);
  NameMap map{path, names.shown_as, {}, {names.input}};
  for (const auto& [rig_name, clip_name] : names.value.items()) {
    if (!clip_name.is_string()) {
      gltf::fail_in(file, "the map of names", "/" + pointer_token(rig_name),
                    "does not contain a string for " + gltf::in_quotes(rig_name));
    }
    map.clip_name_of[rig_name] = clip_name.get<std::string>();
  }
  return map;
}

void split_matrices(Asset& asset) {
  auto skeleton = std::make_shared<Skeleton>(*asset.skeleton);
  bool is_split = false;
  for (Node& node : skeleton->nodes) is_split = split_matrix(node) || is_split;
  if (!is_split) return;
  asset.skeleton = std::move(skeleton);
  for (Rig& rig : asset.rigs) rig.skeleton = asset.skeleton;
}

void require_movable_bones(const Clip& clip, const Asset& rig) {
  const std::vector<NodeIndex> stuck = stuck_bones(clip);
  if (stuck.empty()) return;
  const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(stuck.front())].name;
  throw Error("MATRIX_SHEARED",
              "the node " + gltf::in_quotes(name) + ", a bone that clip " +
                  gltf::in_quotes(clip.id) +
                  " turns, has a matrix with shear or a scale of zero, which an animation cannot "
                  "move",
              {rig.path, "/nodes/" + std::to_string(stuck.front()) + "/matrix"});
}

}  // namespace skinbake
