#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "skinbake/caches.h"
#include "support/caches/baked_glb.h"
#include "support/capture.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::BendingTube;
using test::error_code_of;
using test::Glb;
using test::TemporaryFolder;
using test::with_json;

// A GLB of this JSON and a binary chunk of four bytes.
std::string glb_of(const std::string& text) {
  std::string bytes = "glTF";
  const auto add = [&bytes](std::size_t value, const char* type) {
    const auto number = static_cast<std::uint32_t>(value);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number).append(type, 4);
  };
  bytes.append("\2\0\0\0", 4);
  const auto length = static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + 4);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  add(text.size(), "JSON");
  bytes += text;
  add(4, "BIN\0");
  return bytes.append(4, '\0');
}

}  // namespace

TEST_CASE("glb reader: the frames that are read are those that were written, within the bound") {
  const BendingTube tube;
  const TemporaryFolder folder;
  test::write_file(folder / "a.glb", tube.bytes());
  const auto reader = open_cache(folder / "a.glb");
  CHECK(reader->format().id == "glb");
  CHECK(reader->has_times());
  CHECK(reader->frames().fps == 24);
  CHECK(reader->frames().first_frame == 3);
  CHECK(reader->frames().frame_step == 2);
  REQUIRE(reader->frame_count() == BendingTube::kFrames);
  REQUIRE(reader->vertex_count() == tube.rig.mesh->vertex_count());
  BakePlan plan = test::plan_of(tube.rig, &tube.clip, BendingTube::kFrames);
  plan.frames = reader->frames();
  const auto expected = test::captured(plan, "lbs");
  std::vector<float> rows(expected.positions.size());
  reader->read(0, reader->frame_count(), rows.data());
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    worst = std::max(worst, std::abs(double{rows[i]} - expected.positions[i]));
  }
  CHECK(worst <= 2.5 * std::pow(2.0, -23));  // two roundings of coordinates below 2.5
  std::vector<float> one(rows.size() / BendingTube::kFrames);
  reader->read(7, 1, one.data());
  CHECK(std::memcmp(one.data(), rows.data() + 7 * one.size(), one.size() * sizeof(float)) == 0);
}

TEST_CASE("glb reader: a truncated file is refused") {
  const std::string whole = BendingTube().bytes();
  CHECK(error_code_of(whole).empty());
  for (std::size_t size = 0; size < whole.size(); size += size < 40 ? 1 : whole.size() / 97) {
    CAPTURE(size);
    CHECK(error_code_of(whole.substr(0, size)) == "CACHE_INVALID");
  }
  CHECK(error_code_of(whole + "more") == "CACHE_INVALID");
}

TEST_CASE("glb reader: a file that differs from what the writer writes is refused") {
  const std::string whole = BendingTube().bytes();
  const test::BasePointers base(Glb(whole).parsed);
  const auto refused = [&](const std::string& pointer, const json& value) {
    test::check_refused(whole, pointer, value);
  };
  json rig = Glb(whole).parsed;
  rig["asset"].erase("extras");
  CHECK(error_code_of(with_json(whole, rig)) == "CACHE_UNSUPPORTED");  // glTF of another program
  refused("/asset/extras/skinbake/frame_count", 19);
  refused("/asset/extras/skinbake/frame_count", 0);
  refused("/asset/extras/skinbake/frame_count", -1);
  refused("/asset/extras/skinbake/frame_count", 1e300);
  refused("/asset/extras/skinbake/fps", 0);
  refused("/asset/extras/skinbake/fps", 1e-300);
  refused("/asset/extras/skinbake/fps", 48);  // the times of the keys are those of 24
  refused("/asset/extras/skinbake/frame_step", 0);
  refused("/asset/extras/skinbake/frame_step", std::int64_t{1} << 40);
  refused("/extensionsRequired", {"KHR_mesh_quantization"});
  refused("/nodes/0/mesh", 1);
  refused("/meshes/0/primitives", json::array());
  refused("/nodes/0/scale", {1, 1, 1});
  refused("/nodes/0/skin", 0);
  refused("/nodes", json::array());
  refused("/meshes/0/primitives/0/attributes/POSITION", 100000);
  refused("/meshes/0/primitives/0/attributes/POSITION", "0");
  refused("/meshes/0/primitives/0/targets", json::array());
  refused("/meshes/0/primitives/0/targets/3", {{"POSITION", 1}, {"NORMAL", 1}});
  refused("/meshes/0/primitives/0/targets/3/POSITION", -1);
  refused(base.accessor + "/count", 1);
  refused(base.accessor + "/count", 4294967295u);
  refused(base.accessor + "/componentType", 5123);
  refused(base.accessor + "/type", "VEC4");
  refused(base.accessor + "/byteOffset", 4000000000u);
  refused(base.accessor + "/bufferView", 77);
  refused(base.view + "/byteOffset", 4000000000u);
  refused(base.view + "/byteLength", 12);
  refused(base.view + "/buffer", 1);
  refused(base.view + "/extensions", {{"EXT_meshopt_compression", json::object()}});
  refused("/animations", json::array());
  refused("/animations/0/samplers/0/output", 0);
  refused("/animations/0/samplers/0/interpolation", "CUBICSPLINE");
  refused("/animations/0/name", "run");
  refused("/animations/0/channels", json::array());
  refused("/animations/0/channels/0/target/path", "scale");
  refused("/animations/0/channels/0/target/node", 1);
  refused("/scenes/0/nodes", json::array());
  refused("/scenes/0/nodes/0", 1);
  refused("/scene", 1);
  refused("/bufferViews", 3);
  CHECK(error_code_of(with_json(whole, json::array())) == "CACHE_INVALID");
  CHECK(error_code_of(with_json(whole, 5)) == "CACHE_INVALID");
}

TEST_CASE("glb reader: a file of parts is refused unless each is shown in its frames") {
  const std::string whole = BendingTube().bytes({{"split", "1"}, {"targets", "16"}});
  REQUIRE(Glb(whole).parsed["nodes"].size() == 2);
  CHECK(error_code_of(whole).empty());
  const auto refused = [&](const char* pointer, const json& value) {
    test::check_refused(whole, pointer, value);
  };
  // The samplers are the weights of both parts, and the scales of both.
  refused("/animations/0/samplers/2/interpolation", "LINEAR");
  refused("/animations/0/samplers/2/input", 0);
  refused("/animations/0/samplers/2/output",
          Glb(whole).parsed["animations"][0]["samplers"][3]["output"]);
  refused("/animations/0/channels/2/sampler", 3);
  refused("/animations/0/channels/3/target/node", 0);
}

TEST_CASE("glb reader: sparse indices that do not ascend and views with gaps are refused") {
  const std::string whole = BendingTube().bytes();
  const json original = Glb(whole).parsed;
  const auto is_sparse = [](const json& a) {
    return a.contains("sparse") && a["sparse"]["count"] > 1;
  };
  const auto& accessors = original["accessors"];
  const auto sparse = std::find_if(accessors.begin(), accessors.end() - 1, is_sparse);
  REQUIRE(sparse != accessors.end() - 1);  // the last accessor is that of the weights
  const json& indices = (*sparse)["sparse"]["indices"];
  REQUIRE(indices["componentType"] == 5123);
  const json& view = original["bufferViews"][indices["bufferView"].get<std::size_t>()];
  const std::size_t at = whole.size() - original["buffers"][0]["byteLength"].get<std::size_t>() +
                         view["byteOffset"].get<std::size_t>() +
                         indices["byteOffset"].get<std::size_t>();
  std::string changed = whole;
  changed.replace(at + 2, 2, whole, at, 2);
  CHECK(error_code_of(changed) == "CACHE_INVALID");
  json gaps = original;
  json& view_of_base = gaps[json::json_pointer(test::BasePointers(gaps).view)];
  REQUIRE(view_of_base["byteStride"] == 12);
  view_of_base["byteStride"] = 24;
  CHECK(error_code_of(with_json(whole, gaps)) == "CACHE_INVALID");
  view_of_base.erase("byteStride");
  CHECK(error_code_of(with_json(whole, gaps)).empty());
}

TEST_CASE("glb reader: JSON is refused if it is nested too deeply") {
  const auto refusal = [](std::string text) {
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const TemporaryFolder folder;
    test::write_file(folder / "a.glb", glb_of(text));
    try {
      open_cache(folder / "a.glb");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  const std::string deep =
      R"({"asset":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  CHECK(refusal(deep).find("nests deeper than 256 levels (skinbake") != std::string::npos);
}

TEST_CASE("glb reader: a file with a damaged byte is refused or read") {
  test::check_damaged_bytes(BendingTube().bytes(), 150);
}

}  // namespace skinbake
