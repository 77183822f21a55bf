// Rigs that are written again with morph targets.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gltf/write/added_bytes.h"
#include "gltf/write/rig_file.h"
#include "support/gltf/gltf_file.h"
#include "support/gltf/parsed_glb.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;
using nlohmann::json;

namespace {

// Two nodes that share a mesh of three vertices with one morph target; two animations of its
// weight, of which the second one is a spline.
GltfFile two_nodes() {
  GltfFile file;
  const int positions = file.add<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  file.json["accessors"][positions]["min"] = {0, 0, 0};
  file.json["accessors"][positions]["max"] = {1, 1, 0};
  const int joints = file.add<std::uint8_t>("VEC4", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const int weights = file.add<float>("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  const int target = file.add<float>("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  const int times = file.add<float>("SCALAR", {0, 1});
  const int linear = file.add<float>("SCALAR", {0, 1});
  const int cubic = file.add<float>("SCALAR", {1, 0.5f, 2, 3, 0.75f, 4});
  file.json["meshes"] = {
      {{"primitives",
        {{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
          {"targets", {{{"POSITION", target}}}}}}},
       {"weights", {0.25}}}};
  file.json["skins"] = {{{"joints", {0}}}};
  file.json["nodes"] = {{{"name", "Root"}},
                        {{"name", "A"}, {"mesh", 0}, {"skin", 0}},
                        {{"name", "B"}, {"mesh", 0}, {"skin", 0}}};
  file.json["scenes"] = {{{"nodes", {0, 1, 2}}}};
  const auto animation = [&](const char* name, int output, const char* interpolation) {
    return json{
        {"name", name},
        {"samplers", {{{"input", times}, {"output", output}, {"interpolation", interpolation}}}},
        {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "weights"}}}}}}};
  };
  file.json["animations"] = {animation("Linear", linear, "LINEAR"),
                             animation("Cubic", cubic, "CUBICSPLINE")};
  return file;
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Written {
  TemporaryFolder folder;
  Asset asset, result;  // the file, and the written one
  json document;        // of the written file
  std::string content;  // its bytes

  // Adds two targets to the first node: one moves the last vertex, the other all.
  explicit Written(const GltfFile& file, bool animates = true,
                   const ChangeEncoding& encoding = {}) {
    std::ofstream(folder / "in.gltf") << file.text();
    LoadOptions options;
    options.source = true;
    asset = load_asset(folder / "in.gltf", options);
    RigChanges changes;
    changes.rig = &asset.rigs[0];
    AddedMorphs& morphs = changes.morphs;
    morphs.base_positions = {0, 0, -1, 1, 0, -1, 0, 1, -1};
    morphs.targets = {{{0, 0, 0, 0, 0, 0, 0, 2, 0}, {}, {}}, {{1, 0, 0, 2, 0, 0, 3, 0, 0}, {}, {}}};
    morphs.names = {"first", "second"};
    morphs.rest_weights = {0.5f, 0.125f};
    if (animates) {
      ClipKeys keys;
      keys.clip = &asset.clips[0];
      keys.morph_times = {0, 0.5f, 1};
      keys.morph_weights = {0, 1, 0, 0.5f, 0, 1, 1, 0.5f, 0.5f};
      changes.clips.push_back(keys);
    }
    OutputFile out(folder / "out.glb");
    const WrittenChanges written = write_changed_rigs(asset, {&changes, 1}, encoding, out);
    out.commit();
    CHECK(written.bytes == std::filesystem::file_size(folder / "out.glb"));
    CHECK(written.added_bytes < written.bytes);
    CHECK(written.added_bytes > 0);
    CHECK(written.added_bytes == bytes_of_changes(asset, {&changes, 1}, encoding));
    AddedBytes sizes(asset, encoding);
    CHECK(written.added_bytes == sizes.of(changes));
    CHECK(written.added_bytes == sizes.of(changes));  // the first one left nothing behind
    content = content_of(folder / "out.glb");
    document = Glb(content).parsed;
    result = load_asset(folder / "out.glb");
  }

  std::vector<float> floats(const json& accessor) const {
    return Glb(content).floats(accessor.get<int>());
  }

  const Rig& rig(const char* id) const {
    for (const Rig& candidate : result.rigs) {
      if (candidate.id == id) return candidate;
    }
    throw std::logic_error("no such rig");
  }
};

}  // namespace

TEST_CASE(
    "changed rigs: targets follow those of the mesh, in a copy if another node has the mesh") {
  const Written written(two_nodes());
  const Rig &a = written.rig("A"), &b = written.rig("B");
  REQUIRE(a.mesh->morph_targets.size() == 3);
  CHECK(a.mesh->positions == std::vector<float>{0, 0, -1, 1, 0, -1, 0, 1, -1});
  CHECK(a.mesh->morph_targets[0].positions == std::vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1});
  CHECK(a.mesh->morph_targets[1].positions == std::vector<float>{0, 0, 0, 0, 0, 0, 0, 2, 0});
  CHECK(a.mesh->morph_targets[2].positions == std::vector<float>{1, 0, 0, 2, 0, 0, 3, 0, 0});
  CHECK(a.morph_weights == std::vector<double>{0.25, 0.5, 0.125});
  CHECK(b.mesh->morph_targets.size() == 1);
  CHECK(b.mesh->positions == std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0});
  CHECK(b.morph_weights == std::vector<double>{0.25});
}

TEST_CASE("changed rigs: a target that moves few vertices is a sparse accessor with bounds") {
  const Written written(two_nodes());
  const json& mesh = written.document["meshes"][1];
  CHECK(mesh["extras"]["targetNames"] == json{"target_0", "first", "second"});
  const json& targets = mesh["primitives"][0]["targets"];
  const json& sparse = written.document["accessors"][targets[1]["POSITION"].get<int>()];
  CHECK(sparse["sparse"]["count"] == 1);
  CHECK_FALSE(sparse.contains("bufferView"));
  CHECK(sparse["min"] == json{0.0, 0.0, 0.0});
  CHECK(sparse["max"] == json{0.0, 2.0, 0.0});
  const json& dense = written.document["accessors"][targets[2]["POSITION"].get<int>()];
  CHECK(dense["min"] == json{1.0, 0.0, 0.0});
  CHECK(dense["max"] == json{3.0, 0.0, 0.0});
}

TEST_CASE("changed rigs: one channel moves all weights in a fitted clip") {
  const Written written(two_nodes());
  const Clip& clip = written.result.clips[0];
  REQUIRE(clip.channels.size() == 1);
  CHECK(clip.channels[0].width == 3);
  CHECK(*clip.channels[0].times == std::vector<double>{0, 0.5, 1});
  CHECK(*clip.channels[0].values == std::vector<double>{0, 1, 0, 0.5, 0, 1, 1, 0.5, 0.5});
}

TEST_CASE("changed rigs: other clips keep the added weights at rest, also splines") {
  const Written written(two_nodes(), false);
  const Clip &linear = written.result.clips[0], &cubic = written.result.clips[1];
  CHECK(*linear.channels.at(0).values == std::vector<double>{0, 0.5, 0.125, 1, 0.5, 0.125});
  CHECK(cubic.channels.at(0).interpolation == Interpolation::kCubicSpline);
  CHECK(*cubic.channels.at(0).values ==
        std::vector<double>{1, 0, 0, 0.5, 0.5, 0.125, 2, 0, 0, 3, 0, 0, 0.75, 0.5, 0.125, 4, 0, 0});
}

TEST_CASE("changed rigs: pointers to weights of the node become part of the channel") {
  GltfFile file = two_nodes();
  json& target = file.json["animations"][0]["channels"][0]["target"];
  target = {{"path", "pointer"},
            {"extensions", {{"KHR_animation_pointer", {{"pointer", "/nodes/1/weights/0"}}}}}};
  file.json["extensionsUsed"] = {"KHR_animation_pointer"};
  const Written written(file);
  const json& channels = written.document["animations"][0]["channels"];
  REQUIRE(channels.size() == 1);
  CHECK(channels[0]["target"] == json{{"node", 1}, {"path", "weights"}});
}

TEST_CASE("changed rigs: pointers to weights of the mesh fit its new number of weights") {
  GltfFile file = two_nodes();
  file.json["nodes"][2] = {{"name", "B"}};  // the first node has the mesh alone
  for (json& animation : file.json["animations"]) {
    animation["channels"][0]["target"] = {
        {"path", "pointer"},
        {"extensions", {{"KHR_animation_pointer", {{"pointer", "/meshes/0/weights"}}}}}};
  }
  file.json["extensionsUsed"] = {"KHR_animation_pointer"};
  const Written written(file);
  const json& fitted = written.document["animations"][0]["channels"];
  REQUIRE(fitted.size() == 1);
  CHECK(fitted[0]["target"] == json{{"node", 1}, {"path", "weights"}});
  const json& other = written.document["animations"][1];
  REQUIRE(other["channels"].size() == 1);
  const json& sampler = other["samplers"][other["channels"][0]["sampler"].get<std::size_t>()];
  CHECK(sampler["interpolation"] == "CUBICSPLINE");
  CHECK(written.floats(sampler["input"]) == std::vector<float>{0, 1});
  CHECK(written.floats(sampler["output"]) == std::vector<float>{1, 0, 0, 0.5f, 0.5f, 0.125f, 2, 0,
                                                                0, 3, 0, 0, 0.75f, 0.5f, 0.125f, 4,
                                                                0, 0});
}

TEST_CASE("changed rigs: pointers to weights of a mesh move its copy too") {
  GltfFile file = two_nodes();
  const auto point_to = [&](std::size_t animation, const char* pointer) {
    file.json["animations"][animation]["channels"][0]["target"] = {
        {"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}};
  };
  point_to(0, "/meshes/0/weights/0");
  point_to(1, "/meshes/0/weights");
  file.json["extensionsUsed"] = {"KHR_animation_pointer"};
  const Written written(file, false);
  for (const auto& [animation, pointer] :
       {std::pair(0, "/meshes/1/weights/0"), std::pair(1, "/meshes/1/weights")}) {
    const json& animated = written.document["animations"][animation];
    REQUIRE(animated["channels"].size() == 2);
    const json& copy = animated["channels"][1];
    CHECK(copy["target"]["extensions"]["KHR_animation_pointer"]["pointer"] == pointer);
    const json& sampler = animated["samplers"][copy["sampler"].get<std::size_t>()];
    CHECK(written.floats(sampler["output"]).size() == (animation == 0 ? 2 : 18));
  }
}

TEST_CASE("changed rigs: pointers to weights of a mesh that a node overrides keep the rest") {
  GltfFile file = two_nodes();
  file.json["nodes"][1]["weights"] = {0.75};
  file.json["nodes"][2] = {{"name", "B"}};
  for (json& animation : file.json["animations"]) {
    animation["channels"][0]["target"] = {
        {"path", "pointer"},
        {"extensions", {{"KHR_animation_pointer", {{"pointer", "/meshes/0/weights"}}}}}};
  }
  file.json["extensionsUsed"] = {"KHR_animation_pointer"};
  const Written written(file);
  const json& other = written.document["animations"][1];
  const json& sampler = other["samplers"][other["channels"][0]["sampler"].get<std::size_t>()];
  CHECK(written.floats(sampler["output"]) == std::vector<float>{0.75f, 0.5f, 0.125f});
}

TEST_CASE("changed rigs: expressions of VRM 0.x move the copy of a mesh too") {
  GltfFile file = two_nodes();
  const json bind = {{"mesh", 0}, {"index", 0}, {"weight", 100}};
  const json others = {{"mesh", 7}, {"index", 0}};
  file.json["extensionsUsed"] = {"VRM"};
  file.json["extensions"]["VRM"] = {
      {"blendShapeMaster", {{"blendShapeGroups", {{{"name", "A"}, {"binds", {bind, others}}}, 1}}}},
      {"firstPerson", {{"meshAnnotations", {{{"mesh", 0}, {"firstPersonFlag", "Both"}}}}}}};
  const Written written(file);
  const json& vrm = written.document["extensions"]["VRM"];
  json copy = bind;
  copy["mesh"] = 1;
  CHECK(vrm["blendShapeMaster"]["blendShapeGroups"][0]["binds"] == json{bind, others, copy});
  CHECK(vrm["firstPerson"]["meshAnnotations"].size() == 2);
  const Expression& expression = written.result.face.expressions.at(0);
  REQUIRE(expression.binds.size() == 2);
  CHECK(expression.binds[0].node != expression.binds[1].node);
}

TEST_CASE("changed rigs: references that are written as 4.0 are followed as 4 is") {
  GltfFile file = two_nodes();
  const int indices = file.add<std::uint8_t>("SCALAR", {0, 1, 2});
  json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["indices"] = indices;
  const json expected = Written(file).document;
  const auto as_float = [](json& number) { number = number.get<double>(); };
  as_float(primitive["indices"]);
  for (json& accessor : primitive["attributes"]) as_float(accessor);
  for (json& accessor : primitive["targets"][0]) as_float(accessor);
  for (json& accessor : file.json["accessors"]) as_float(accessor["bufferView"]);
  for (json& animation : file.json["animations"]) {
    as_float(animation["channels"][0]["sampler"]);
    for (const char* end : {"input", "output"}) as_float(animation["samplers"][0][end]);
  }
  const Written written(file);
  CHECK(written.document == expected);
  CHECK(written.rig("A").mesh->morph_targets.size() == 3);
}

TEST_CASE(
    "changed rigs: elements that extensions name stay, also of extensions that are unlisted") {
  GltfFile file = two_nodes();
  file.json["nodes"][2] = {{"name", "B"}};  // no other node needs the accessor of the positions
  CHECK(Written(file).document["accessors"][0] != file.json["accessors"][0]);
  json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["extensions"]["KHR_materials_variants"] = json::object();
  CHECK(Written(file).document["accessors"][0] != file.json["accessors"][0]);
  primitive["extensions"]["MY_outline"] = {{"indices", 0}};
  CHECK(Written(file).document["accessors"][0] == file.json["accessors"][0]);
}

TEST_CASE("changed rigs: names that another program gave stay, and values of another form too") {
  GltfFile file = two_nodes();
  file.json["meshes"][0]["extras"] = {{"targetNames", {"smile"}}, {"other", 1}};
  CHECK(Written(file).document["meshes"][1]["extras"] ==
        json{{"targetNames", {"smile", "first", "second"}}, {"other", 1}});
  file.json["meshes"][0]["extras"] = "text";
  CHECK(Written(file).document["meshes"][1]["extras"] == "text");
}

TEST_CASE("changed rigs: integers and streams of them are read as the values that were written") {
  const Written plain(two_nodes());
  for (const ChangeEncoding encoding : {ChangeEncoding{true, false}, ChangeEncoding{true, true}}) {
    CAPTURE(encoding.meshopt);
    const Written written(two_nodes(), true, encoding);
    const Rig &a = plain.rig("A"), &b = written.rig("A");
    CHECK(a.mesh->positions == b.mesh->positions);
    REQUIRE(b.mesh->morph_targets.size() == 3);
    for (std::size_t m = 0; m < 3; ++m) {
      CHECK(a.mesh->morph_targets[m].positions == b.mesh->morph_targets[m].positions);
    }
    CHECK(a.morph_weights == b.morph_weights);
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(*plain.result.clips[c].channels[0].values ==
            *written.result.clips[c].channels[0].values);
    }
    const json& document = written.document;
    const json& targets = document["meshes"][1]["primitives"][0]["targets"];
    const json& last = document["accessors"][targets[2]["POSITION"].get<int>()];
    CHECK(last["componentType"] == 5122);
    CHECK(last["min"] == json{1, 0, 0});
    CHECK(last["max"] == json{3, 0, 0});
    const json& view = document["bufferViews"][last["bufferView"].get<int>()];
    CHECK(view["byteStride"] == 8);
    CHECK(document["extensionsRequired"].size() == (encoding.meshopt ? 2 : 1));
    CHECK(view.contains("extensions") == encoding.meshopt);
    CHECK(document["buffers"].size() == (encoding.meshopt ? 2 : 1));
  }
}

namespace {

// The first node of two_nodes(), with targets, written with quantisation.
struct Quantised {
  TemporaryFolder folder;
  Asset read;
  json document;

  explicit Quantised(const std::vector<MorphTarget>& added) {
    std::ofstream(folder / "in.gltf") << two_nodes().text();
    LoadOptions options;
    options.source = true;
    const Asset asset = load_asset(folder / "in.gltf", options);
    RigChanges changes;
    changes.rig = &asset.rigs[0];
    changes.morphs.base_positions = asset.rigs[0].mesh->positions;
    changes.morphs.targets = added;
    changes.morphs.names.assign(added.size(), "added");
    changes.morphs.rest_weights.assign(added.size(), 0);
    OutputFile out(folder / "out.glb");
    write_changed_rigs(asset, {&changes, 1}, {true, false}, out);
    out.commit();
    document = Glb(content_of(folder / "out.glb")).parsed;
    read = load_asset(folder / "out.glb");
  }

  // The accessor of an added target.
  const json& accessor(std::size_t added, const char* attribute) const {
    const json& targets = document["meshes"][1]["primitives"][0]["targets"];
    return document["accessors"][targets[added + 1][attribute].get<std::size_t>()];
  }
};

}  // namespace

TEST_CASE("changed rigs: whole numbers are integers for positions, not for normals") {
  const std::vector<float> whole{2, 0, 0, 0, 3, 0, 0, 0, -2}, ones{1, 0, 0, 0, -1, 0, 0, 0, 1};
  const Quantised written({{whole, whole, {}}, {whole, ones, {}}});
  CHECK(written.accessor(0, "POSITION")["componentType"] == 5122);
  CHECK(written.accessor(0, "NORMAL")["componentType"] == 5126);
  CHECK(written.accessor(1, "NORMAL")["componentType"] == 5122);
  CHECK(written.accessor(1, "NORMAL")["normalized"] == true);
}

TEST_CASE("changed rigs: fractions are normalised integers") {
  const float third = 10923 / 32767.0f;
  const std::vector<MorphTarget> targets{{{third, -1, 1, third, 0, 0, 0, -third, 0}, {}, {}},
                                         {{0.1f, 0, 0, 0, 0, 0, 0, 0, 0}, {}, {}}};
  const Quantised written(targets);
  CHECK(written.accessor(0, "POSITION")["normalized"] == true);
  CHECK(written.accessor(0, "POSITION")["min"] == json{0, -32767, 0});
  CHECK_FALSE(written.accessor(1, "POSITION").contains("normalized"));
  for (std::size_t m : {0, 1}) {
    CHECK(written.read.rigs[0].mesh->morph_targets[m + 1].positions == targets[m].positions);
  }
}
