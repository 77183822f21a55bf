// --map: a JSON object of names.

#include "gltf/uri.h"
#include "gltf/user_json.h"
#include "skinbake/clip_file.h"

namespace skinbake {

NameMap load_name_map(const std::string& path) {
  const gltf::UserFile file{path, "--map", "the map of names", "MAP_INVALID",
                            R"(write {"name in the rig": "name in the clip's file", ...})"};
  const gltf::UserJson names = gltf::read_user_json(file);
  NameMap map{path, names.shown_as, {}, {names.input}};
  for (const auto& [rig_name, clip_name] : names.value.items()) {
    if (!clip_name.is_string()) {
      gltf::fail_in(file, "the map of names", "/" + gltf::pointer_token(rig_name),
                    "has no name for " + gltf::in_quotes(rig_name) + "; " + file.form);
    }
    map.clip_name_of[rig_name] = clip_name.get<std::string>();
  }
  return map;
}

}  // namespace skinbake
