// Rigs that are written again with further clips.

#include "gltf/write/rig_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "gltf/write/document_writer.h"
#include "skinbake/gltf.h"
#include "support/gltf/gltf_file.h"
#include "support/gltf/parsed_glb.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

constexpr const char* kPicture = "\x89PNG\r\n\x1a\n picture";

void store(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

Asset load_with_source(const std::string& path) {
  LoadOptions options;
  options.source = true;
  return load_asset(path, options);
}

std::shared_ptr<const std::vector<double>> numbers(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

// One second in which a channel of a node goes from the first value to the second.
Clip clip_of(NodeIndex node, ChannelPath path, int width, std::vector<double> values,
             const std::string& name = "Move") {
  Clip clip;
  clip.id = clip.name = name;
  clip.duration_s = 1;
  clip.channels.push_back(
      {node, path, Interpolation::kLinear, width, 0, numbers({0, 1}), numbers(std::move(values))});
  return clip;
}

Clip rising_tip(const std::string& name = "Move") {
  return clip_of(2, ChannelPath::kTranslation, 3, {0, 1, 0, 0, 2, 0}, name);
}

Glb written(const Asset& asset, const std::vector<Clip>& clips, double fps = 2) {
  const TemporaryFolder folder;
  std::vector<AddedClip> added;
  for (const Clip& clip : clips) added.push_back({&clip, clip.name, frames_of(clip, fps)});
  OutputFile file(folder / "out.glb");
  const WrittenRig rig = write_rig(asset, added, file);
  file.commit();
  std::ifstream stream(folder / "out.glb", std::ios::binary);
  Glb glb(std::string(std::istreambuf_iterator<char>(stream), {}));
  CHECK(rig.bytes == glb.bytes.size());
  return glb;
}

Glb written(const GltfFile& file, const std::vector<Clip>& clips, double fps = 2) {
  return written(load_with_source(TemporaryFile("rig.glb", file.glb()).path()), clips, fps);
}

std::string code_of(const GltfFile& file, const Clip& clip, double fps = 2) {
  try {
    written(file, {clip}, fps);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

// The bytes of a buffer view.
std::string view_of(const Glb& glb, std::size_t view) {
  const json& v = glb.parsed["bufferViews"].at(view);
  CHECK(v["buffer"] == 0);
  return glb.bin.substr(v.value("byteOffset", std::size_t{0}), v["byteLength"].get<std::size_t>());
}

// The keys of a channel of an animation.
std::vector<float> keys_of(const Glb& glb, std::size_t animation, std::size_t channel) {
  const json& a = glb.parsed["animations"].at(animation);
  const auto sampler = a["channels"].at(channel)["sampler"].get<std::size_t>();
  return glb.floats(a["samplers"].at(sampler)["output"]);
}

}  // namespace

TEST_CASE("rig file: a clip becomes an animation with a key at each frame") {
  const Glb glb = written(skinned_triangle(), {rising_tip()});
  REQUIRE(glb.parsed["animations"].size() == 1);
  const json& animation = glb.parsed["animations"][0];
  CHECK(animation["name"] == "Move");
  REQUIRE(animation["channels"].size() == 1);
  CHECK(animation["channels"][0]["target"] == json{{"node", 2}, {"path", "translation"}});
  const json& sampler = animation["samplers"][0];
  CHECK(sampler["interpolation"] == "LINEAR");
  CHECK(glb.floats(sampler["input"]) == std::vector<float>{0, 0.5f, 1});
  CHECK(glb.floats(sampler["output"]) == std::vector<float>{0, 1, 0, 0, 1.5f, 0, 0, 2, 0});
  const json& times = glb.parsed["accessors"][sampler["input"].get<std::size_t>()];
  CHECK(times["min"] == json::array({0.0}));
  CHECK(times["max"] == json::array({1.0}));
}

TEST_CASE("rig file: everything else of the rig stays as it is") {
  GltfFile rig = skinned_triangle();
  const int times = rig.add<float>("SCALAR", {0, 1});
  const int places = rig.add<float>("VEC3", {0, 1, 0, 0, 3, 0});
  rig.json["animations"] = {
      {{"name", "Own"},
       {"extras", {{"loop", true}}},
       {"samplers", {{{"input", times}, {"output", places}, {"interpolation", "STEP"}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}}}}};
  rig.json["extensionsUsed"] = {"ACME_unknown"};
  rig.json["extensions"]["ACME_unknown"] = {{"bufferView", 1}, {"big", 18446744073709551615u}};
  rig.json["extras"] = {{"text", "ä\n"}, {"number", 0.1}, {"nothing", nullptr}};
  rig.json["nodes"][2]["extras"] = {{"side", "left"}};
  rig.json["materials"] = {{{"name", "Skin"}, {"extensions", {{"ACME_unknown", {1, 2}}}}}};
  const Glb glb = written(rig, {rising_tip()});
  for (const auto& item : rig.json.items()) {
    const std::string& name = item.key();
    const json& value = item.value();
    CAPTURE(name);
    if (name == "animations" || name == "accessors" || name == "bufferViews") {
      REQUIRE(glb.parsed[name].size() > value.size());
      for (std::size_t i = 0; i < value.size(); ++i) CHECK(glb.parsed[name][i] == value[i]);
    } else {
      CHECK(glb.parsed[name] == value);
    }
  }
  CHECK(glb.bin.substr(0, rig.bytes.size()) == rig.bytes);
}

TEST_CASE("rig file: buffers and images of other files become parts of the GLB") {
  const TemporaryFolder folder;
  GltfFile rig = skinned_triangle();
  const std::string all = rig.bytes;
  const std::size_t half = rig.json["bufferViews"][1]["byteOffset"];
  store(folder / "first.bin", all.substr(0, half) + "?");  // longer than it declares
  store(folder / "second.bin", all.substr(half));
  store(folder / "skin.png", kPicture);
  rig.json["buffers"] = {{{"uri", "first.bin"}, {"byteLength", half - 3}, {"name", "A"}},
                         {{"uri", "second.bin"}, {"byteLength", all.size() - half}}};
  // 33 bytes: the next buffer must be padded.
  rig.json["bufferViews"][0]["byteLength"] = half - 3;
  rig.json["accessors"][0]["count"] = 2;
  for (const int accessor : {1, 2}) rig.json["accessors"][accessor]["count"] = 2;
  for (const int view : {1, 2}) {
    json& v = rig.json["bufferViews"][view];
    v["buffer"] = 1;
    v["byteOffset"] = v["byteOffset"].get<std::size_t>() - half;
  }
  rig.json["images"] = {{{"uri", "skin.png"}, {"name", "skin"}},
                        {{"uri", "data:image/png;base64,iVBORw0KGgo="}},
                        {{"uri", "gone.png"}},
                        {{"bufferView", 0}, {"mimeType", "image/jpeg"}}};
  store(folder / "rig.gltf", rig.json.dump());
  const Asset asset = load_with_source(folder / "rig.gltf");
  CHECK(issue_count(asset, "IMAGE_NOT_EMBEDDED") == 1);
  const Glb glb = written(asset, {rising_tip()});
  REQUIRE(glb.parsed["buffers"].size() == 1);
  CHECK_FALSE(glb.parsed["buffers"][0].contains("uri"));
  CHECK(glb.parsed["buffers"][0]["name"] == "A");
  CHECK(view_of(glb, 0) == all.substr(0, half - 3));
  CHECK(view_of(glb, 1) == all.substr(half, 12));
  CHECK(glb.parsed["bufferViews"][1]["byteOffset"].get<int>() % 8 == 0);
  const json& images = glb.parsed["images"];
  CHECK_FALSE(images[0].contains("uri"));
  CHECK(images[0]["name"] == "skin");
  CHECK(images[0]["mimeType"] == "image/png");
  CHECK(view_of(glb, images[0]["bufferView"]) == kPicture);
  CHECK(view_of(glb, images[1]["bufferView"]) == std::string(kPicture, 8));
  CHECK(images[2] == json{{"uri", "gone.png"}});
  CHECK(images[3] == rig.json["images"][3]);
}

TEST_CASE("rig file: compressed buffer views and their fallback buffer stay") {
  GltfFile rig = skinned_triangle();
  const auto bytes = rig.bytes.size();
  rig.json["extensionsUsed"] = rig.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  rig.json["bufferViews"].push_back({{"buffer", 1},
                                     {"byteLength", 32},
                                     {"extensions",
                                      {{"EXT_meshopt_compression",
                                        {{"buffer", 0},
                                         {"byteLength", 8},
                                         {"byteStride", 4},
                                         {"count", 8},
                                         {"mode", "ATTRIBUTES"}}}}}});
  rig.json["buffers"] = {
      {{"byteLength", bytes}},
      {{"byteLength", 32}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  const std::string text = rig.json.dump() + std::string(-rig.json.dump().size() % 4, ' ');
  std::string glb_bytes;
  const auto put = [&](std::size_t n) {
    const auto value = static_cast<std::uint32_t>(n);
    glb_bytes.append(reinterpret_cast<const char*>(&value), 4);
  };
  put(0x46546C67), put(2), put(28 + text.size() + bytes), put(text.size()), put(0x4E4F534A);
  glb_bytes += text;
  put(bytes), put(0x004E4942);
  glb_bytes += rig.bytes;
  REQUIRE(bytes % 4 == 0);
  const Glb glb =
      written(load_with_source(TemporaryFile("rig.glb", glb_bytes).path()), {rising_tip()});
  CHECK(glb.parsed["buffers"][1] == rig.json["buffers"][1]);
  CHECK(glb.parsed["bufferViews"][3] == rig.json["bufferViews"][3]);
}

TEST_CASE("rig file: a name that the rig has already gets a number") {
  GltfFile rig = skinned_triangle();
  const Asset once = load_with_source(TemporaryFile("rig.glb", rig.glb()).path());
  const Glb glb = written(once, {rising_tip(), rising_tip(), rising_tip("Move_2"), rising_tip()});
  std::vector<std::string> names;
  for (const json& animation : glb.parsed["animations"]) names.push_back(animation["name"]);
  CHECK(names == std::vector<std::string>{"Move", "Move_2", "Move_2_2", "Move_3"});
}

TEST_CASE("rig file: a property that stays at rest does not get a channel") {
  Clip clip = rising_tip();
  clip.channels.push_back(
      {1, ChannelPath::kScale, Interpolation::kLinear, 3, 0, numbers({0}), numbers({1, 1, 1})});
  const Glb glb = written(skinned_triangle(), {clip});
  CHECK(glb.parsed["animations"][0]["channels"].size() == 1);
}

TEST_CASE("rig file: a clip that rests keeps its duration") {
  const Clip still = clip_of(2, ChannelPath::kTranslation, 3, {0, 1, 0, 0, 1, 0});
  const Glb glb = written(skinned_triangle(), {still});
  REQUIRE(glb.parsed["animations"][0]["channels"].size() == 1);
  CHECK(keys_of(glb, 0, 0) == std::vector<float>{0, 1, 0, 0, 1, 0, 0, 1, 0});
}

TEST_CASE("rig file: successive rotations are on the same side") {
  const double h = std::sqrt(0.5);
  Clip clip = clip_of(2, ChannelPath::kRotation, 4, {0, 0, 0, 1, 0, 0, -h, -h});
  const std::vector<float> keys = keys_of(written(skinned_triangle(), {clip}, 8), 0, 0);
  REQUIRE(keys.size() == 9 * 4);
  for (std::size_t k = 4; k < keys.size(); k += 4) {
    double product = 0;
    for (std::size_t i = 0; i < 4; ++i) product += double{keys[k + i]} * double{keys[k - 4 + i]};
    CHECK(product > 0.99);
  }
  CHECK(keys[34] == doctest::Approx(h));
}

TEST_CASE("rig file: morph weights are animated together") {
  GltfFile rig = skinned_triangle();
  const int moved = rig.add<float>("VEC3", {1, 0, 0, 1, 0, 0, 1, 0, 0});
  rig.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", moved}},
                                                       {{"POSITION", moved}}};
  rig.json["meshes"][0]["weights"] = {0.25, 0};
  Clip clip = clip_of(0, ChannelPath::kWeights, 1, {0, 1});
  clip.channels[0].first_weight = 1;
  const Glb glb = written(rig, {clip});
  CHECK(glb.parsed["animations"][0]["channels"][0]["target"] ==
        json{{"node", 0}, {"path", "weights"}});
  CHECK(keys_of(glb, 0, 0) == std::vector<float>{0.25f, 0, 0.25f, 0.5f, 0.25f, 1});
}

TEST_CASE("rig file: a node with a matrix that moves gets its parts") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"][2] = {{"name", "Tip"},
                          {"matrix", {0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1}}};
  Asset asset = load_with_source(TemporaryFile("rig.glb", rig.glb()).path());
  split_matrices(asset);
  CHECK(asset.rigs[0].skeleton == asset.skeleton);
  const Glb glb = written(asset, {clip_of(2, ChannelPath::kTranslation, 3, {5, 6, 7, 5, 6, 8})});
  const json& node = glb.parsed["nodes"][2];
  CHECK_FALSE(node.contains("matrix"));
  CHECK(node["translation"] == json{5.0, 6.0, 7.0});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(node["scale"][i].get<double>() == doctest::Approx(static_cast<double>(i) + 2));
  }
  CHECK(node["rotation"][2].get<double>() == doctest::Approx(std::sqrt(0.5)));
  CHECK(glb.parsed["nodes"][1] == rig.json["nodes"][1]);
}

TEST_CASE("rig file: a node with a sheared matrix keeps it") {
  GltfFile rig = skinned_triangle();
  rig.json["nodes"][2] = {{"name", "Tip"},
                          {"matrix", {1, 0, 0, 0, 0.1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}}};
  Asset asset = load_with_source(TemporaryFile("rig.glb", rig.glb()).path());
  split_matrices(asset);
  CHECK(asset.skeleton->nodes[2].matrix.has_value());
}

TEST_CASE("rig file: a rig without a buffer gets one") {
  GltfFile rig;
  rig.json["nodes"] = {{{"name", "Root"}}};
  const Asset asset = load_with_source(TemporaryFile("rig.gltf", rig.json.dump()).path());
  const Clip clip = clip_of(0, ChannelPath::kTranslation, 3, {0, 0, 0, 1, 0, 0});
  CHECK(keys_of(written(asset, {clip}), 0, 0) == std::vector<float>{0, 0, 0, 0.5f, 0, 0, 1, 0, 0});
}

TEST_CASE("rig file: keys that glTF cannot store are refused") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(code_of(skinned_triangle(), clip_of(2, ChannelPath::kTranslation, 3,
                                            {0, 0, 0, inf, 0, 0})) == "VALUE_NOT_FINITE");
  CHECK(code_of(skinned_triangle(), clip_of(2, ChannelPath::kTranslation, 3,
                                            {0, 0, 0, 1e39, 0, 0})) == "VALUE_NOT_FINITE");
  Clip fast = rising_tip();
  fast.duration_s = 1e-4;
  CHECK(code_of(skinned_triangle(), fast, 1e6) == "");
}

TEST_CASE("rig file: frames with the same time in float32 are refused") {
  const TemporaryFolder folder;
  const Asset asset = load_with_source(TemporaryFile("r.glb", skinned_triangle().glb()).path());
  const Clip clip = rising_tip();
  OutputFile file(folder / "out.glb");
  const AddedClip added{&clip, "Move", {1e6, 100'000'000, 1, 2}};
  CHECK_THROWS_AS(write_rig(asset, std::vector{added}, file), Error);
}

TEST_CASE("rig file: a GLB beyond 4 GiB is refused") {
  CHECK_NOTHROW(gltf::require_glb_size(100, 4294967295u - 128, "a.glb"));
  CHECK_THROWS_AS(gltf::require_glb_size(100, 4294967296u - 128, "a.glb"), Error);
}
