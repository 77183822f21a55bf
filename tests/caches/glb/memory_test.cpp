// The memory that is planned for a baked GLB, before it is written.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

#include "skinbake/caches.h"
#include "support/caches/baked_glb.h"
#include "support/normal_rigs.h"

namespace skinbake {
namespace {

using test::Options;
using test::TemporaryFolder;

// Two clips of a tube of two primitives, as headers of one file.
struct TwoClips {
  Rig rig = test::bulging_tube();
  Clip clip;
  std::vector<CacheHeader> headers;

  TwoClips(std::int64_t frames, const Options& options) {
    auto mesh = std::make_shared<Mesh>(*rig.mesh);
    const VertexIndex half = mesh->vertex_count() / 2;
    mesh->primitives = {{0, half}, {half, mesh->vertex_count() - half}};
    for (VertexIndex v = 0; v < mesh->vertex_count(); ++v) {
      mesh->tangents.insert(mesh->tangents.end(), {1, 0, 0, 1});
    }
    rig.mesh = mesh;
    clip = test::turning_clip(rig, {0, 0, 1}, 2);
    for (const char* id : {"a clip with \"quotes\"", "\x01"}) {
      clip.id = id;
      CacheHeader& header = headers.emplace_back(test::header_of(plan(frames), options));
      header.normals = available_normals(*rig.mesh, parse_method("lbs"), NormalKind::kSkinned);
      header.tangents = available_tangents(*rig.mesh, parse_method("lbs"));
    }
  }

  BakePlan plan(std::int64_t frames) const { return test::plan_of(rig, &clip, frames); }
};

// The size of the JSON chunk of the file, which has room for the longest JSON.
std::uint64_t json_bytes(const TwoClips& clips, std::int64_t frames) {
  const TemporaryFolder folder;
  const auto writers = cache_format_of("a.glb").open_together(folder / "a.glb", clips.headers);
  const auto bake_into = [&](FrameSink* sink) {
    if (sink == nullptr) return;
    BakePlan plan = clips.plan(frames);
    plan.runs = {{parse_method("lbs"), {sink}}};
    bake(plan);
  };
  for (const auto& writer : writers) bake_into(writer->joint_prepass());
  for (const auto& writer : writers) bake_into(writer.get());
  writers.front()->commit();
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, test::read_file(folder / "a.glb").data() + 12, sizeof bytes);
  return bytes;
}

}  // namespace

TEST_CASE("glb memory: the plan covers the longest JSON with every option") {
  for (const Options& options : {Options{}, Options{{"normals", "1"}}, Options{{"tangents", "1"}},
                                 Options{{"tangents", "1"}, {"split", "1"}, {"targets", "16"}},
                                 Options{{"tangents", "1"}, {"quantize", "1"}},
                                 Options{{"tangents", "1"}, {"quantize", "1"}, {"meshopt", "1"}}}) {
    for (const std::int64_t frames : {1, 2, 500}) {
      CAPTURE(frames);
      const TwoClips clips(frames, options);
      const CacheMemory memory = cache_format_of("a.glb").memory("a.glb", clips.headers);
      const std::uint64_t json = json_bytes(clips, frames);
      CHECK(memory.baked >= 3 * json);
      CHECK(memory.read_back >= 7 * json);
      if (frames == 500) CHECK(memory.baked <= 6 * json);
    }
  }
}

TEST_CASE("glb memory: the plan grows with the sum of the clips, not with their square") {
  const TwoClips clips(8, {{"split", "1"}, {"targets", "16"}});
  const auto held = [&](std::size_t count) {
    const std::vector<CacheHeader> headers(count, clips.headers.front());
    return cache_format_of("a.glb").memory("a.glb", headers).held;
  };
  CHECK(held(400) <= 5 * held(100));
}

TEST_CASE("glb memory: clips times parts beyond the limit are refused before they are planned") {
  const TwoClips clips(1, {{"split", "1"}, {"targets", "16"}});
  const std::vector<CacheHeader> headers(4300, clips.headers.front());
  const TemporaryFolder folder;
  const CacheFormat& format = cache_format_of("a.glb");
  CHECK_THROWS_AS(format.memory(folder / "a.glb", headers), Error);
  CHECK_THROWS_AS(format.open_together(folder / "a.glb", headers), Error);
  CHECK(folder.entry_count() == 0);
}

}  // namespace skinbake
