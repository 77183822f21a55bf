// Truncated and changed files: each loads or is refused with an input error.

#include <doctest/doctest.h>

#include <array>
#include <random>

#include "skinbake/bake.h"
#include "support/gltf/gltf_file.h"
#include "support/memory_file.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// Loads a file and evaluates a pose of each mesh. Returns false if the file is refused.
bool survives(const std::string& path) {
  try {
    const Asset asset = load_asset(path, {.tangents = true});
    for (const Rig& rig : asset.rigs) {
      const Clip* clip = asset.clips.empty() ? nullptr : &asset.clips.front();
      pose_positions(rig, {clip, clip == nullptr ? 0 : clip->duration_s / 2}, parse_method("lbs"));
    }
    return true;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    return false;
  }
}

GltfFile animated_triangle() {
  GltfFile file = skinned_triangle();
  const int times = file.add<float>("SCALAR", {0, 1});
  const int turns = file.add<std::int16_t>("VEC4", {0, 0, 0, 32767, 0, 32767, 0, 0});
  file.json["accessors"].back()["normalized"] = true;
  file.json["animations"] = {
      {{"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}},
       {"samplers", {{{"input", times}, {"output", turns}}}}}};
  file.json["meshes"][0]["primitives"][0]["indices"] = file.add<std::uint16_t>("SCALAR", {0, 1, 2});
  return file;
}

GltfFile morphed_triangle() {
  GltfFile file = animated_triangle();
  const std::vector<float> along_z{0, 0, 1, 0, 0, 1, 0, 0, 1};
  auto& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["NORMAL"] = file.add<float>("VEC3", along_z);
  primitive["attributes"]["TANGENT"] =
      file.add<float>("VEC4", {1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1});
  primitive["targets"] = {{{"POSITION", file.add<float>("VEC3", along_z)},
                           {"TANGENT", file.add<float>("VEC3", along_z)}}};
  file.json["meshes"][0]["weights"] = {0.5};
  return file;
}

// Five small models: two containers with their bytes, a text with a data URI, a rigid and a skinned
// one.
std::array<std::string, 5> small_models() {
  GltfFile rigid = skinned_triangle();
  rigid.json["nodes"][0].erase("skin");
  return {skinned_triangle().glb(), animated_triangle().glb(), morphed_triangle().glb(),
          animated_triangle().text(), rigid.text()};
}

}  // namespace

TEST_CASE("damage: a model truncated at any byte is refused") {
  MemoryFile file;
  for (const std::string& model : small_models()) {
    file.write(model);
    CHECK(survives(file.path()));
    int survivors = 0;
    for (std::size_t length = 0; length < model.size(); ++length) {
      file.write(std::string_view(model).substr(0, length));
      survivors += survives(file.path());
    }
    CHECK(survivors == 0);
  }
}

TEST_CASE("damage: a buffer file truncated at any byte is refused") {
  const TemporaryFolder folder;
  GltfFile file = morphed_triangle();
  file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", "own.bin"}}};
  write_file(folder / "test.gltf", file.text());
  for (std::size_t length = 0; length < file.bytes.size(); ++length) {
    write_file(folder / "own.bin", file.bytes.substr(0, length));
    CHECK_FALSE(survives(folder / "test.gltf"));
  }
  write_file(folder / "own.bin", file.bytes);
  CHECK(survives(folder / "test.gltf"));
}

// The seed is fixed, so failures repeat. Half of the changes hit the JSON, half the buffer.
TEST_CASE("damage: twenty thousand models with one changed byte load or are refused") {
  const std::array<std::string, 2> models{animated_triangle().glb(), morphed_triangle().glb()};
  std::mt19937 random(20'260'101);
  MemoryFile file;
  int survivors = 0;
  constexpr int kMutations = 20'000;
  for (int i = 0; i < kMutations; ++i) {
    std::string model = models[static_cast<std::size_t>(i) % models.size()];
    const std::size_t json_end =
        20 + static_cast<unsigned char>(model[12]) + 256 * static_cast<unsigned char>(model[13]);
    const std::size_t first = i % 4 < 2 ? 0 : json_end;
    const std::size_t last = i % 4 < 2 ? json_end : model.size();
    model[first + random() % (last - first)] = static_cast<char>(random());
    file.write(model);
    survivors += survives(file.path());
  }
  CHECK(survivors > kMutations / 10);
  CHECK(survivors < kMutations);
}
