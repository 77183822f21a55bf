// A baked GLB that keeps normals, and tangents.

#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "skinbake/caches.h"
#include "support/baked_glb.h"
#include "support/capture.h"
#include "support/frames.h"
#include "support/parsed_glb.h"
#include "support/temporary_folder.h"

namespace skinbake::test {

struct Kept {
  NormalKind kind = NormalKind::kSkinned;
  int threads = 1;
  Options options{{"normals", "1"}};
};

// The file, read back: positions, normals and tangents are those of the frames, within its bounds.
inline Glb baked(const Rig& rig, const Clip& clip, std::int64_t frames, const Kept& kept) {
  const TemporaryFolder folder;
  BakePlan plan = plan_of(rig, &clip, frames);
  plan.threads = kept.threads;
  CacheHeader header = header_of(plan, kept.options);
  header.normals = available_normals(*rig.mesh, parse_method("lbs"), kept.kind);
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
  NormalCapture turned = captured_normals(plan, *header.normals);
  for (std::size_t i = 0; i < turned.normals.size(); i += 3) {
    float* n = turned.normals.data() + i;
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) n[2] = 1;
  }
  reader->read_normals(0, frames, rows.data());
  CHECK(largest_distance(rows, turned.normals) <= *writer->normal_bound());
  if (reader->has_tangents()) {
    const std::vector<float> signs = reader->tangent_signs();
    reader->read_tangents(0, frames, rows.data());
    CHECK(largest_distance(rows, turned.tangents) <= *writer->tangent_bound());
    for (std::size_t v = 0; v < signs.size(); ++v) CHECK(signs[v] == rig.mesh->tangents[4 * v + 3]);
  }
  return Glb(read_file(folder / "a.glb"));
}

}  // namespace skinbake::test
