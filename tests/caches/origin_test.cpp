#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "skinbake/caches.h"
#include "support/capture.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using nlohmann::json;
using test::TemporaryFolder;

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

bool has_origin(const std::string& path, const json& sidecar) {
  test::write_file(path + ".json", sidecar.dump());
  return open_cache(path)->origin().has_value();
}

}  // namespace

TEST_CASE("origin: what the writer says, the reader knows") {
  const TemporaryFolder folder;
  bake_tube(folder / "a.pc2");
  const auto cache = open_cache(folder / "a.pc2");
  const auto origin = cache->origin();
  REQUIRE(origin);
  CHECK(origin->mesh == "tube");
  CHECK(origin->clip == "turn");
  CHECK(origin->method == "lbs");
  CHECK(origin->frames.fps == 24);
  CHECK(origin->frames.first_frame == 2);
  CHECK(origin->frames.frame_step == 3);
  CHECK(origin->frames.frame_count == 4);
  CHECK((origin->space == Space::kScene));
  REQUIRE(origin->primitives.size() == 1);
  CHECK(origin->primitives[0].vertex_count == cache->vertex_count());
}

TEST_CASE("origin: a sidecar that is missing, stale or no sidecar says nothing") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pc2";
  bake_tube(path);
  const json good = json::parse(test::read_file(path + ".json"));
  REQUIRE(has_origin(path, good));
  const auto broken = [&](const char* pointer, const json& value) {
    json sidecar = good;
    sidecar[json::json_pointer(pointer)] = value;
    return sidecar;
  };
  CHECK_FALSE(has_origin(path, broken("/xxh128", std::string(32, '0'))));
  CHECK_FALSE(has_origin(path, broken("/bytes", 7)));
  CHECK_FALSE(has_origin(path, broken("/schema", "other")));
  CHECK_FALSE(has_origin(path, broken("/format", "mdd")));
  CHECK_FALSE(has_origin(path, broken("/fps", 0)));
  CHECK_FALSE(has_origin(path, broken("/fps", "24")));
  CHECK_FALSE(has_origin(path, broken("/frame_step", 0)));
  CHECK_FALSE(has_origin(path, broken("/frame_step", std::int64_t{1} << 62)));
  CHECK_FALSE(has_origin(path, broken("/first_frame", std::int64_t{1} << 62)));
  CHECK_FALSE(has_origin(path, broken("/frame_count", 5)));
  for (const char* number : {"/first_frame", "/frame_step", "/frame_count", "/mesh/node",
                             "/mesh/primitives/0/vertex_count"}) {
    CHECK_FALSE(has_origin(path, broken(number, 1e30)));
  }
  CHECK_FALSE(has_origin(path, broken("/mesh/id", 5)));
  json without = good;
  without.erase("mesh");
  CHECK_FALSE(has_origin(path, without));
  CHECK_FALSE(has_origin(path, json::array()));
  std::string many_objects(9 << 20, ' ');  // 16 MiB are read; parsed, these are more than allowed
  for (std::size_t i = 0; i < many_objects.size(); i += 3) many_objects.replace(i, 3, "{},");
  many_objects.back() = ' ';
  for (const std::string& text : {std::string(), std::string("{"), std::string(1 << 20, '['),
                                  good.dump().insert(1, R"("x":[)" + many_objects + "],")}) {
    test::write_file(path + ".json", text);
    CHECK_FALSE(open_cache(path)->origin());
  }
  std::filesystem::remove(path + ".json");
  CHECK_FALSE(open_cache(path)->origin());
}

TEST_CASE("origin: primitives that do not cover the vertices are left out") {
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
    const auto origin = open_cache(path)->origin();
    REQUIRE(origin);
    CHECK(origin->primitives.empty());
  }
}

}  // namespace skinbake
