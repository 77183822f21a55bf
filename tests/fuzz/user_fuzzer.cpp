// Fuzzes the readers of the files that users write: --map and --joint-params. Any bytes are either
// accepted or refused with an input error. An accepted map is used to match a clip.

#include <cstdlib>

#include "skinbake/error.h"
#include "skinbake/gltf.h"
#include "support/memory_file.h"

using namespace skinbake;

namespace {

// A mesh of two joints that a clip moves. The JSON does not have a buffer: all accessors are zero.
constexpr std::string_view kRig = R"({
  "asset": {"version": "2.0"},
  "nodes": [{"name": "Man", "mesh": 0, "skin": 0}, {"name": "Root", "children": [2]},
            {"name": "elbow"}, {"name": "b"}, {"name": "B"}],
  "skins": [{"joints": [1, 2]}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
  "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"},
                {"componentType": 5121, "count": 3, "type": "VEC4"},
                {"componentType": 5126, "count": 3, "type": "VEC4"},
                {"componentType": 5126, "count": 1, "type": "SCALAR"},
                {"componentType": 5126, "count": 1, "type": "VEC3"}],
  "animations": [{"name": "move", "samplers": [{"input": 3, "output": 4}], "channels": [
    {"sampler": 0, "target": {"node": 2, "path": "translation"}},
    {"sampler": 0, "target": {"node": 3, "path": "scale"}}]}]
})";

template <class Read>
void read(const Read& reader) {
  try {
    reader();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile rig_file, user_file;
  static const Asset asset = [] {
    rig_file.write(kRig);
    return load_asset(rig_file.path());
  }();
  static const ClipFile clips = load_clip_file(rig_file.path());
  user_file.write({reinterpret_cast<const char*>(data), size});
  read([] {
    const NameMap names = load_name_map(user_file.path());
    match_clip(clips, clips.clips.at(0), asset, {.names = names});
  });
  read([] { load_joint_parameters(user_file.path(), asset); });
  return 0;
}
