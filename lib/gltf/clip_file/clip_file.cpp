// Files that are read for their clips, and the maps of names that pair their nodes with a rig's.

#include "skinbake/gltf.h"

#include <utility>

#include "gltf/document/extensions.h"
#include "gltf/document/open_document.h"
#include "gltf/read/loaders.h"
#include "gltf/user_file/user_json.h"
#include "json/json_text.h"
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

}  // namespace skinbake
