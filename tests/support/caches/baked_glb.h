// Baked GLBs for tests, and damaged copies of them.

#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skinbake/caches.h"
#include "support/capture.h"
#include "support/frames.h"
#include "support/gltf/parsed_glb.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake::test {

using Options = std::map<std::string, std::string>;

// The header of a cache that linear blending writes.
inline CacheHeader header_of(const BakePlan& plan, const Options& options) {
  CacheHeader header;
  header.rig = plan.rig;
  header.clip = plan.clip == nullptr ? "" : plan.clip->id;
  header.frames = plan.frames;
  header.method = "lbs";
  header.options = options;
  return header;
}

// Bakes with linear blending and commits the cache. Returns its writer.
inline std::unique_ptr<CacheWriter> bake_to(const std::string& path, const CacheHeader& header,
                                            BakePlan plan) {
  auto writer = cache_format_of(path).open(path, header);
  plan.runs = {{parse_method("lbs"), {writer.get()}}};
  bake(plan);
  writer->commit();
  return writer;
}

// Two vertices. The joint of the second one moves by (0, 0, 8) from frame 0 to frame 1.
struct LiftedVertex {
  Rig rig = loose({{1, 2, 3}, {-1, 0, 0.5}}, {Node{}, Node{}}, {{{0, 1}}, {{1, 1}}});
  Clip clip;

  LiftedVertex() {
    clip.id = "lift";
    clip.channels = {channel(1, ChannelPath::kTranslation, Interpolation::kLinear, {0, 1.0 / 30},
                             {0, 0, 0, 0, 0, 8}, 3)};
  }

  CacheHeader header(std::int64_t frames, const Options& options = {}) const {
    return header_of(plan_of(rig, &clip, frames), options);
  }
};

// A tube of which only one part moves: it has dense, sparse and zero morph targets.
struct BendingTube {
  Rig rig = tube({.rings = 9, .segments = 12, .joints = 3, .influences = 1});
  Clip clip;
  static constexpr std::int64_t kFrames = 20;

  BendingTube() {
    clip = turning_clip(rig, {0, 0, 1}, 1);
    clip.id = "turn";
  }

  // The bytes of a cache of the tube.
  std::string bytes(const Options& options = {}) const {
    const TemporaryFolder folder;
    BakePlan plan = plan_of(rig, &clip, kFrames);
    plan.frames = {24, 3, 2, kFrames};
    bake_to(folder / "a.glb", header_of(plan, options), plan);
    return read_file(folder / "a.glb");
  }
};

struct NormalBake {
  NormalKind kind = NormalKind::kSkinned;
  int threads = 1;
  Options options{{"normals", "1"}};
};

// Bakes a GLB with normals. Checks that the positions, normals and tangents that are read back are
// those of the frames, within the bounds.
inline Glb bake_with_normals(const Rig& rig, const Clip& clip, std::int64_t frames,
                             const NormalBake& settings) {
  const TemporaryFolder folder;
  BakePlan plan = plan_of(rig, &clip, frames);
  plan.threads = settings.threads;
  CacheHeader header = header_of(plan, settings.options);
  header.normals = available_normals(*rig.mesh, parse_method("lbs"), settings.kind);
  header.tangents = available_tangents(*rig.mesh, parse_method("lbs"));
  const auto writer = bake_to(folder / "a.glb", header, plan);
  const auto reader = open_cache(folder / "a.glb");
  CHECK(reader->frame_count() == frames);
  CHECK(reader->has_normals() == header.normals.has_value());
  CHECK(reader->has_tangents() == writer->tangent_bound().has_value());
  const auto expected = captured(rig, &clip, frames, "lbs");
  std::vector<float> rows(expected.positions.size());
  reader->read(0, frames, rows.data());
  CHECK(largest_distance(rows, expected.positions) <= writer->bound_m());
  if (!header.normals) return Glb(read_file(folder / "a.glb"));
  NormalCapture directions = captured_normals(plan, *header.normals);
  for (std::size_t i = 0; i < directions.normals.size(); i += 3) {
    float* n = directions.normals.data() + i;
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) n[2] = 1;
  }
  reader->read_normals(0, frames, rows.data());
  CHECK(largest_distance(rows, directions.normals) <= *writer->normal_bound());
  if (reader->has_tangents()) {
    const std::vector<float> signs = reader->tangent_signs();
    reader->read_tangents(0, frames, rows.data());
    CHECK(largest_distance(rows, directions.tangents) <= *writer->tangent_bound());
    for (std::size_t v = 0; v < signs.size(); ++v) CHECK(signs[v] == rig.mesh->tangents[4 * v + 3]);
  }
  return Glb(read_file(folder / "a.glb"));
}

// Replaces the JSON of a GLB by a text of at most the same length, padded with spaces.
inline std::string with_json(const std::string& bytes, const nlohmann::json& changed) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  std::string text = changed.dump();
  REQUIRE(text.size() <= length);
  text.resize(length, ' ');
  return bytes.substr(0, 20) + text + bytes.substr(20 + length);
}

// Opens a cache of these bytes and reads all frames. Returns the code of the error, or "".
inline std::string error_code_of(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder / "a.glb", bytes);
  try {
    const auto reader = open_cache(folder / "a.glb");
    std::vector<float> rows(static_cast<std::size_t>(reader->vertex_count()) * 3);
    for (std::int64_t f = 0; f < reader->frame_count(); ++f) {
      reader->read(f, 1, rows.data());
      if (reader->has_normals()) reader->read_normals(f, 1, rows.data());
      if (reader->has_tangents()) reader->read_tangents(f, 1, rows.data());
    }
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    return error.code();
  }
  return "";
}

// The pointers to the accessor of the positions in frame 0, of the first primitive, and to its
// view.
struct BasePointers {
  explicit BasePointers(const nlohmann::json& gltf) {
    const nlohmann::json& positions = gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    accessor = "/accessors/" + positions.dump();
    view = "/bufferViews/" + gltf["accessors"][positions.get<std::size_t>()]["bufferView"].dump();
  }

  std::string accessor, view;
};

// Checks that the file is refused if one value of its JSON is replaced.
inline void check_refused(const std::string& bytes, const std::string& pointer,
                          const nlohmann::json& value) {
  CAPTURE(pointer);
  nlohmann::json changed = Glb(bytes).parsed;
  changed[nlohmann::json::json_pointer(pointer)] = value;
  CHECK(error_code_of(with_json(bytes, changed)) == "CACHE_INVALID");
}

// Checks that each copy with one damaged byte is either refused or read.
inline void check_damaged_bytes(const std::string& bytes, int times) {
  std::uint32_t random = 1;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525 + 1013904223;
    std::string damaged = bytes;
    damaged[(random >> 8) % bytes.size()] = static_cast<char>(random >> 3);
    const std::string code = error_code_of(damaged);
    CHECK((code.empty() || code == "CACHE_INVALID"));
  }
}

}  // namespace skinbake::test
