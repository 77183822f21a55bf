// Fuzzes the loader with the bytes of a file. The loader either loads the file or throws an input
// error. A loaded file is inspected, evaluated and used as a file of clips for its own rigs.

#include <cstdlib>
#include <exception>
#include <new>

#include "gltf/mutate.h"
#include "gltf/share.h"
#include "inspect/inspect.h"
#include "skinbake/bake.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"
#include "support/memory_file.h"

using namespace skinbake;

namespace {

// Larger files are loaded but not evaluated: their evaluation costs time and adds no coverage.
constexpr std::size_t kMostRigs = 8, kMostVertices = 10'000;

fuzz::Share share("posed");

void use(const Asset& asset, const std::string& path) {
  inspect_text(asset);
  const ClipFile file = load_clip_file(path);
  const Clip* clip = asset.clips.empty() ? nullptr : &asset.clips.front();
  MatchedClip matched;
  if (clip != nullptr) matched = match_clip(file, file.clips.front(), asset);
  for (std::size_t r = 0; r < std::min(asset.rigs.size(), kMostRigs); ++r) {
    const Rig& rig = asset.rigs[r];
    if (rig.mesh->vertex_count() > kMostVertices) continue;
    share.reach();
    const double middle = clip == nullptr ? 0 : clip->duration_s / 2;
    for (const char* method : {"lbs", "dqs"}) {
      pose_positions(rig, {clip, middle}, parse_method(method));
    }
    if (clip != nullptr) pose_positions(rig, {&matched.clip, middle}, parse_method("lbs"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  file.write({reinterpret_cast<const char*>(data), size});
  const fuzz::Share::Input counted(share);
  try {
    const Asset asset = load_asset(file.path(), {.materials = true, .tangents = true});
    inspect_json(asset, widest_cracks(asset));
    use(asset, file.path());
  } catch (const std::bad_alloc&) {  // bounded_blocks.cpp
  } catch (const Error& error) {
    share.refuse(error.code());
    if (error.kind() != ErrorKind::kInput) std::terminate();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  return fuzz::mutate_gltf(data, size, max_size, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed) {
  return fuzz::cross_gltf(a, a_size, b, b_size, out, max_size, seed);
}
