#include "caches/mesh_cache.h"

#include <filesystem>
#include <stdexcept>

#include "base/issue.h"
#include "frames/transpose.h"
#include "rig/primitive_normals.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

void replace_zero_normals(float* rows, std::size_t numbers) {
  for (float* n = rows; n != rows + numbers; n += 3) {
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) n[2] = 1;
  }
}

}  // namespace

void require_rig(const std::string& format, const std::string& path, const CacheHeader& header) {
  const auto fail = [&](const std::string& cause) {
    throw Error("CACHE_UNSUITABLE", "a " + format + cause, {path, ""});
  };
  if (header.rig == nullptr) {
    fail(" stores triangles, which a cache does not have; bake it from its rig");
  }
  if (!header.axes.are_rig_axes()) {
    fail(" is always in metres with y up; write it without other axes and without a scale");
  }
}

std::span<const CacheHeader> clips_of_first_mesh(std::span<const CacheHeader> headers) {
  std::size_t clips = 1;
  while (clips < headers.size() && headers[clips].rig == headers.front().rig) ++clips;
  return headers.first(clips);
}

std::vector<InputFile> with_file_names(std::vector<InputFile> inputs) {
  for (InputFile& input : inputs) {
    input.path = std::filesystem::path(input.path).filename().string();
  }
  return inputs;
}

FrameRange frames_of_clips(std::span<const CacheHeader> clips) {
  FrameRange all{clips.front().frames.fps, 0, 1, 0};
  for (const CacheHeader& clip : clips) all.frame_count += clip.frames.frame_count;
  return all;
}

Issues geometric_normals_issues(std::span<const CacheHeader> headers) {
  constexpr std::int64_t kPrimitivesShown = 8;
  Issues issues;
  for (std::size_t h = 0; h < headers.size(); h += clips_of_first_mesh(headers.subspan(h)).size()) {
    const Rig& rig = *headers[h].rig;
    if (headers[h].normals != NormalKind::kSkinned) continue;
    std::string listed;
    std::int64_t count = 0;
    for (std::size_t p = 0; p < rig.mesh->primitives.size(); ++p) {
      const Primitive& primitive = rig.mesh->primitives[p];
      if (primitive.vertex_count == 0 || has_normals(rig.mesh->normals, primitive)) continue;
      if (++count <= kPrimitivesShown) listed += (count == 1 ? "" : ", ") + std::to_string(p);
    }
    if (count == 0) continue;
    if (count > kPrimitivesShown) listed += ", …";
    issues.push_back(make_issue("NORMALS_RECOMPUTED", "", "/nodes/" + std::to_string(rig.node),
                                "mesh '" + rig.id + "' has primitives without normals (" + listed +
                                    "); the cache stores the normals of their posed triangles, and "
                                    "(0, 0, 1) where there are none",
                                count));
  }
  return issues;
}

const float* planned_normals(const float* normals) {
  if (normals == nullptr)
    throw std::logic_error("the header announces normals or tangents that the bake does not have");
  return normals;
}

void copy_normals(const float* normals, std::size_t vertices, float* lanes) {
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      const std::size_t number = v * 3 * kFramesPerBlock + frame;
      const Vec3<float> n = normal_or_z(normals + number);
      lanes[number] = n.x;
      lanes[number + kFramesPerBlock] = n.y;
      lanes[number + 2 * kFramesPerBlock] = n.z;
    }
  }
}

void normals_to_rows(const FrameBlock& tile, const float* normals, std::size_t row_size,
                     float* rows) {
  tangents_to_rows(tile, normals, row_size, rows);
  const std::size_t first = std::size_t{tile.vertices.first} * 3;
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(tile.frame_count); ++frame) {
    replace_zero_normals(rows + frame * row_size + first, std::size_t{tile.vertices.count} * 3);
  }
}

void tangents_to_rows(const FrameBlock& tile, const float* tangents, std::size_t row_size,
                      float* rows) {
  transpose_to_rows(planned_normals(tangents), std::size_t{tile.vertices.count} * 3,
                    tile.frame_count, rows + std::size_t{tile.vertices.first} * 3, row_size);
}

TemporaryNormals::TemporaryNormals(std::int64_t vertex_count, std::int64_t frame_count)
    : temporary_(make_temporary_frames(vertex_count, frame_count)) {}

std::unique_ptr<BlockState> TemporaryNormals::new_state() const {
  return temporary_->new_state();
}

void TemporaryNormals::take(const FrameBlock& tile, const float* normals, BlockState& state) const {
  FrameBlock as_positions = tile;
  as_positions.positions = planned_normals(normals);
  temporary_->consume(as_positions, state);
}

void TemporaryNormals::finish(const FrameBlock& block, BlockState& state) {
  temporary_->finish(block, state);
}

void TemporaryNormals::read(std::int64_t first_frame, std::int64_t count, float* rows) const {
  temporary_->read(first_frame, count, rows);
  replace_zero_normals(rows, static_cast<std::size_t>(count * vertex_count()) * 3);
}

}  // namespace skinbake
