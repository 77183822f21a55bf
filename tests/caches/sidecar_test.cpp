#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "skinbake/caches.h"
#include "support/bytes.h"
#include "support/caches/two_by_two.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::bake_into;
using test::hash_of;
using test::open_writer;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;

// A cache of a small tube with its sidecar.
void bake_tube(const std::string& path) {
  const Rig rig = test::tube({});
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  CacheHeader header;
  header.rig = &rig;
  header.clip = "turn";
  header.frames = {24, 2, 3, 4};
  header.method = "lbs";
  const auto writer = cache_format_of(path).open(path, header);
  BakePlan plan = test::plan_of(rig, &clip, 4);
  plan.frames = header.frames;
  plan.runs = {{parse_method("lbs"), {writer.get()}}};
  bake(plan);
  writer->commit();
}

bool is_accepted(const std::string& path, const json& sidecar) {
  test::write_file(path + ".json", sidecar.dump());
  return open_cache(path)->provenance().has_value();
}

}  // namespace

TEST_CASE("sidecar: it records what the cache cannot") {
  const TemporaryFolder folder;
  TwoByTwo two;
  CacheHeader header = two.header(2);
  header.frames = {24, 0, 1, 2};
  header.inputs = {{"rig", "arm.gltf", 123, "00ff"}, {"buffer", "arm.bin", 456, "11ee"}};
  const auto writer = open_writer(folder / "a.pc2", header);
  bake_into(*writer, plan_of(two.rig, &two.clip, 2));
  writer->commit();
  const auto j = nlohmann::ordered_json::parse(read_file(folder / "a.pc2.json"));
  std::vector<std::string> keys;
  for (const auto& [key, value] : j.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{
                    "schema",     "schema_version", "tool",  "format", "file", "bytes",
                    "xxh128",     "inputs",         "mesh",  "clip",   "fps",  "first_frame",
                    "frame_step", "frame_count",    "space", "axis",   "unit", "units_per_metre",
                    "method",     "modifiers"});
  CHECK(j["schema"] == "skinbake.cache");
  CHECK(j["schema_version"] == "1.0");
  CHECK(j["tool"]["name"] == "skinbake");
  CHECK(j["tool"]["version"] == SKINBAKE_TEST_VERSION);
  CHECK(j["format"] == "pc2");
  CHECK(j["file"] == "a.pc2");
  CHECK(j["bytes"] == 32 + 12 * 2 * 2);
  CHECK(j["xxh128"] == hash_of(read_file(folder / "a.pc2")));
  CHECK(j["xxh128"] == writer->xxh128());
  CHECK(j["inputs"].size() == 2);
  CHECK(j["inputs"][1]["role"] == "buffer");
  CHECK(j["inputs"][1]["path"] == "arm.bin");
  CHECK(j["inputs"][1]["bytes"] == 456);
  CHECK(j["mesh"]["id"] == "loose");
  CHECK(j["mesh"]["node"] == 1);
  CHECK(j["mesh"]["node_name"] == "loose");
  CHECK(j["mesh"]["mesh_name"].is_null());
  CHECK(j["mesh"]["vertex_count"] == 2);
  CHECK(j["mesh"]["primitives"][0]["vertex_count"] == 2);
  CHECK(j["clip"] == "lift");
  CHECK(j["fps"] == 24);
  CHECK(j["frame_count"] == 2);
  CHECK(j["space"] == "scene");
  CHECK(j["axis"] == "y-up, right-handed");
  CHECK(j["unit"] == "m");
  CHECK(j["units_per_metre"] == 1);
  CHECK(j["method"] == "lbs");
  CHECK(j["modifiers"].empty());
}

TEST_CASE("sidecar: the hash is that of the file, for any number of threads") {
  const Rig rig = test::tube_of_many_tiles();
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  for (const int threads : {1, 2, 7}) {
    const TemporaryFolder folder;
    CacheHeader header;
    header.rig = &rig;
    header.frames = {30, 0, 1, 100};
    const auto writer = open_writer(folder / "a.pc2", header);
    BakePlan plan = plan_of(rig, &clip, 100);
    plan.threads = threads;
    bake_into(*writer, plan);
    writer->commit();
    CHECK(writer->xxh128() == hash_of(read_file(folder / "a.pc2")));
  }
}

TEST_CASE("sidecar: the clip of the rest pose is null") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(1);
  header.clip = "";
  header.space = Space::kMesh;
  const auto writer = open_writer(folder / "a.pc2", header);
  bake_into(*writer, plan_of(two.rig, nullptr, 1));
  writer->commit();
  const auto j = nlohmann::json::parse(read_file(folder / "a.pc2.json"));
  CHECK(j["clip"].is_null());
  CHECK(j["space"] == "mesh");
}

TEST_CASE("sidecar: it records the numbers that the method chose for each mesh") {
  const TemporaryFolder folder;
  const Rig rig = test::tube({.rings = 9, .segments = 8, .joints = 4, .influences = 2});
  const auto method_on_mesh = [&](const char* method) {
    bake_to_file({rig, nullptr, parse_method(method), {}}, folder / "a.pc2");
    const auto sidecar = nlohmann::json::parse(read_file(folder / "a.pc2.json"));
    CHECK(sidecar["method"] == method);
    const std::string chosen = sidecar["mesh"].value("method_on_mesh", "");
    CHECK(open_cache(folder / "a.pc2")->provenance()->method_on_mesh == chosen);
    return chosen;
  };
  CHECK(method_on_mesh("lbs").empty());
  CHECK(method_on_mesh("ddm:lambda=3,kappa=1,p=20").empty());
  CHECK(method_on_mesh("ddm") == on_mesh(parse_method("ddm"), rig).canonical());
  CHECK(method_on_mesh("ddm:kappa=5") == "ddm:lambda=15,kappa=5,p=1");
}

TEST_CASE("provenance: the reader returns what the writer recorded") {
  const TemporaryFolder folder;
  bake_tube(folder / "a.pc2");
  const auto cache = open_cache(folder / "a.pc2");
  const auto provenance = cache->provenance();
  REQUIRE(provenance);
  CHECK(provenance->mesh == "tube");
  CHECK(provenance->clip == "turn");
  CHECK(provenance->method == "lbs");
  CHECK(provenance->frames.fps == 24);
  CHECK(provenance->frames.first_frame == 2);
  CHECK(provenance->frames.frame_step == 3);
  CHECK(provenance->frames.frame_count == 4);
  CHECK((provenance->space == Space::kScene));
  REQUIRE(provenance->primitives.size() == 1);
  CHECK(provenance->primitives[0].vertex_count == cache->vertex_count());
}

TEST_CASE("provenance: a sidecar that is missing, stale or invalid is ignored") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pc2";
  bake_tube(path);
  const json good = json::parse(test::read_file(path + ".json"));
  REQUIRE(is_accepted(path, good));
  const auto broken = [&](const char* pointer, const json& value) {
    json sidecar = good;
    sidecar[json::json_pointer(pointer)] = value;
    return sidecar;
  };
  CHECK_FALSE(is_accepted(path, broken("/xxh128", std::string(32, '0'))));
  CHECK_FALSE(is_accepted(path, broken("/bytes", 7)));
  CHECK_FALSE(is_accepted(path, broken("/schema", "other")));
  CHECK_FALSE(is_accepted(path, broken("/format", "mdd")));
  CHECK_FALSE(is_accepted(path, broken("/fps", 0)));
  CHECK_FALSE(is_accepted(path, broken("/fps", "24")));
  CHECK_FALSE(is_accepted(path, broken("/frame_step", 0)));
  CHECK_FALSE(is_accepted(path, broken("/frame_step", std::int64_t{1} << 62)));
  CHECK_FALSE(is_accepted(path, broken("/first_frame", std::int64_t{1} << 62)));
  CHECK_FALSE(is_accepted(path, broken("/frame_count", 5)));
  for (const char* number : {"/first_frame", "/frame_step", "/frame_count", "/mesh/node",
                             "/mesh/primitives/0/vertex_count"}) {
    for (const json& value : {json(1e30), json(INT64_MIN), json(std::uint64_t{1} << 63)}) {
      CAPTURE(value.dump());
      CHECK_FALSE(is_accepted(path, broken(number, value)));
    }
  }
  CHECK_FALSE(is_accepted(path, broken("/mesh/id", 5)));
  json without = good;
  without.erase("mesh");
  CHECK_FALSE(is_accepted(path, without));
  CHECK_FALSE(is_accepted(path, json::array()));
  for (const std::string& text : {std::string(), std::string("{"), std::string(1 << 20, '[')}) {
    test::write_file(path + ".json", text);
    CHECK_FALSE(open_cache(path)->provenance());
  }
  std::filesystem::remove(path + ".json");
  CHECK_FALSE(open_cache(path)->provenance());
}

TEST_CASE("provenance: the end of a clip is between the last frame and the one before") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pc2";
  bake_tube(path);  // at 2, 5, 8 and 11 / 24 s
  json sidecar = json::parse(test::read_file(path + ".json"));
  CHECK_FALSE(sidecar.contains("end_s"));
  for (const json& end : {json(8.01 / 24), json(10.5 / 24), json(11.0 / 24)}) {
    sidecar["end_s"] = end;
    REQUIRE(is_accepted(path, sidecar));
    CHECK(open_cache(path)->provenance()->frames.end_s == end);
  }
  for (const json& end : {json(8.0 / 24), json(0.5), json(-1), json(1e300), json("0.4"), json()}) {
    CAPTURE(end.dump());
    sidecar["end_s"] = end;
    CHECK_FALSE(is_accepted(path, sidecar));
  }
  sidecar["end_s"] = 10.5 / 24;
  sidecar["frame_step"] = std::int64_t{1} << 40;
  sidecar["frame_count"] = std::int64_t{1} << 40;
  CHECK_FALSE(is_accepted(path, sidecar));
}

TEST_CASE("provenance: the clips of the cache that the frames come from are kept") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pc2";
  const TwoByTwo two;
  CacheHeader header = two.header(5);
  header.clip = "";
  header.clips = {{"walk", 0, 1, 2}, {"run", 4, 2, 3}};
  const auto writer = open_writer(path, header);
  bake_into(*writer, plan_of(two.rig, &two.clip, 5));
  writer->commit();
  const json good = json::parse(read_file(path + ".json"));
  CHECK(good["clips"] ==
        json::parse(R"([{"clip": "walk", "offset": 0, "first_frame": 0, "frame_step": 1,
                         "frame_count": 2},
                        {"clip": "run", "offset": 2, "first_frame": 4, "frame_step": 2,
                         "frame_count": 3}])"));
  const auto provenance = open_cache(path)->provenance();
  REQUIRE(provenance);
  REQUIRE(provenance->clips.size() == 2);
  CHECK(provenance->clips[1].clip == "run");
  CHECK(provenance->clips[1].first_frame == 4);
  CHECK(provenance->clips[1].frame_step == 2);
  CHECK(provenance->clips[1].frame_count == 3);
  for (const std::int64_t count : {std::int64_t{2}, std::int64_t{-3}, INT64_MAX}) {
    json other = good;
    other["clips"][1]["frame_count"] = count;
    CHECK_FALSE(is_accepted(path, other));
  }
}

TEST_CASE("provenance: a claim is what the sidecar states, without a look at the cache") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pc2";
  bake_tube(path);
  test::damage_file(path, 40, "x");
  const auto cache = open_cache(path);
  CHECK_FALSE(cache->provenance());
  const auto claimed = cache->claimed_provenance();
  REQUIRE(claimed);
  CHECK(claimed->frames.fps == 24);
  json sidecar = json::parse(test::read_file(path + ".json"));
  sidecar["bytes"] = 7;
  test::write_file(path + ".json", sidecar.dump());
  CHECK_FALSE(open_cache(path)->claimed_provenance());
}

TEST_CASE("provenance: primitives that do not cover the vertices are left out") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pc2";
  bake_tube(path);
  const json good = json::parse(test::read_file(path + ".json"));
  for (const json& list :
       {json::array(), json::array({{{"first_vertex", 1}, {"vertex_count", 3}}}),
        json::array({{{"first_vertex", 0}, {"vertex_count", -3}}}),
        json::array({{{"first_vertex", 0}, {"vertex_count", std::int64_t{1} << 40}}})}) {
    json sidecar = good;
    sidecar["mesh"]["primitives"] = list;
    test::write_file(path + ".json", sidecar.dump());
    const auto provenance = open_cache(path)->provenance();
    REQUIRE(provenance);
    CHECK(provenance->primitives.empty());
  }
}

}  // namespace skinbake
