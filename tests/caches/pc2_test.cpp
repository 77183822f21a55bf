#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "skinbake/caches.h"
#include "support/golden.h"
#include "support/temporary_folder.h"
#include "support/two_by_two.h"

namespace skinbake {
namespace {

using test::bake_into;
using test::open_writer;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;
using test::TwoByTwo;

// A tube of more than two tiles, not a whole number of them.
Rig many_tiles() {
  return test::tube({.rings = static_cast<int>(kVerticesPerTile) / 5, .segments = 13});
}

std::string hash_of(const std::string& bytes) {
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.hex();
}

// clang-format off
constexpr unsigned char kGolden[] = {
    'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', 0,
    1, 0, 0, 0,           // version
    2, 0, 0, 0,           // points
    0, 0, 0, 0,           // start frame 0.0
    0, 0, 0x80, 0x3f,     // one frame per sample, 1.0
    2, 0, 0, 0,           // samples
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x40, 0x40,   // frame 0: 1, 2, 3
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x00, 0x3f,   //         -1, 0, 0.5
    0, 0, 0x80, 0x3f,  0, 0, 0x00, 0x40,  0, 0, 0x30, 0x41,   // frame 1: 1, 2, 11
    0, 0, 0x80, 0xbf,  0, 0, 0x00, 0x00,  0, 0, 0x08, 0x41,   //         -1, 0, 8.5
};
// clang-format on

}  // namespace

TEST_CASE("pc2: two vertices, two frames, byte for byte") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  const auto writer = open_writer(folder / "a.pc2", two.header(2));
  bake_into(*writer, plan_of(two.rig, &two.clip, 2));
  writer->commit();
  const std::string bytes = read_file(folder / "a.pc2");
  test::check_bytes(bytes, kGolden);
}

TEST_CASE("pc2: the size is 32 + 12 V S, and the rows are the frames") {
  const TemporaryFolder folder;
  const Rig rig = many_tiles();
  const Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  const auto expected = test::captured(rig, &clip, 21, "lbs");  // a block and a part of one
  CacheHeader header;
  header.rig = &rig;
  header.frames = {30, 0, 1, 21};
  const auto writer = open_writer(folder / "a.pc2", header);
  BakePlan plan = plan_of(rig, &clip, 21);
  plan.threads = 2;
  bake_into(*writer, plan);
  writer->commit();
  const std::string bytes = read_file(folder / "a.pc2");
  REQUIRE(bytes.size() == 32 + 12 * std::size_t{rig.mesh->vertex_count()} * 21);
  CHECK(writer->bytes() == bytes.size());
  CHECK(std::memcmp(bytes.data() + 32, expected.positions.data(), bytes.size() - 32) == 0);
}

TEST_CASE("pc2: start is the first frame's number, the rate is the step") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.frames = {24, 10, 5, 3};
  const auto writer = open_writer(folder / "a.pc2", header);
  BakePlan plan = plan_of(two.rig, &two.clip, 3);
  plan.frames = header.frames;
  bake_into(*writer, plan);
  writer->commit();
  float numbers[2];
  std::memcpy(numbers, read_file(folder / "a.pc2").data() + 20, sizeof numbers);
  CHECK(numbers[0] == 10);
  CHECK(numbers[1] == 5);
}

TEST_CASE("pc2: nothing under the final name before commit, and nothing if it never comes") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  {
    const auto writer = open_writer(folder / "a.pc2", two.header(2));
    bake_into(*writer, plan_of(two.rig, &two.clip, 2));
    CHECK(folder.entry_count() == 0);
  }
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("pc2: an existing cache is kept if the run fails") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  test::write_file(folder / "a.pc2", "old");
  test::write_file(folder / "a.pc2.json", "old sidecar");
  {
    const auto writer = open_writer(folder / "a.pc2", two.header(2));
    BakePlan plan = plan_of(two.rig, &two.clip, 2);
    const std::atomic<bool> cancelled = true;
    plan.cancelled = &cancelled;
    CHECK_THROWS_AS(bake_into(*writer, plan), Cancelled);
  }
  CHECK(read_file(folder / "a.pc2") == "old");
  CHECK(read_file(folder / "a.pc2.json") == "old sidecar");
  CHECK(folder.entry_count() == 2);
}

TEST_CASE("pc2: an unwritable path fails before the first frame") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  CHECK_THROWS_AS(open_writer(folder / "none/a.pc2", two.header(2)), Error);
  std::filesystem::create_directory(folder / "b.pc2");
  CHECK_THROWS_AS(open_writer(folder / "b.pc2", two.header(2)), Error);
  std::filesystem::create_directory(folder / "c.pc2.json");  // where the sidecar would go
  CHECK_THROWS_AS(open_writer(folder / "c.pc2", two.header(2)), Error);
  CHECK_FALSE(std::filesystem::exists(folder / "c.pc2"));
}

TEST_CASE("pc2: more than 2^31 - 1 frames are refused, and leave nothing") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  try {
    open_writer(folder / "a.pc2", two.header(std::int64_t{1} << 31));
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.code() == "CACHE_TOO_LARGE");
    CHECK(error.kind() == ErrorKind::kUsage);
  }
  CHECK(folder.entry_count() == 0);
  std::filesystem::create_symlink("/dev/null", folder / "a.pc2");  // which takes no space
  CHECK_NOTHROW(open_writer(folder / "a.pc2", two.header((std::int64_t{1} << 31) - 1)));
}

TEST_CASE("sidecar: says what the cache cannot") {
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

TEST_CASE("sidecar: the hash is that of the file, whatever the number of threads") {
  const Rig rig = many_tiles();
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

TEST_CASE("sidecar: the rest pose has no clip") {
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

}  // namespace skinbake
