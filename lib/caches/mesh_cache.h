// Common parts of the formats that store a mesh with its positions (GLB, USD, VAT): conditions on
// the header, the writer of one mesh of a shared file, and rows of normals.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caches/temporary_frames.h"
#include "skinbake/caches.h"
#include "skinbake/frames.h"

namespace skinbake {

// Throws Error (kUsage, CACHE_UNSUITABLE) unless the header has a rig and rig axes. `format`:
// "GLB".
void require_rig(const std::string& format, const std::string& path, const CacheHeader& header);

// The clips of a file that holds several. `headers`: [mesh][clip], the same clips of each mesh.
std::span<const CacheHeader> clips_of_first_mesh(std::span<const CacheHeader> headers);

// The inputs with the names of their files in place of paths: the bytes of a cache and of its
// sidecar depend neither on the current folder nor on the spelling of a path.
std::vector<InputFile> with_file_names(std::vector<InputFile> inputs);

// All frames of several clips, numbered from 0.
FrameRange frames_of_clips(std::span<const CacheHeader> clips);

// The writer of one mesh of a file that holds several. It forwards every call that concerns the
// whole file.
template <class File>
class SharedFileWriter : public CacheWriter {
 public:
  void end() override { file_->end_mesh(); }
  std::vector<OutputFile*> files() override { return file_->files(); }
  const std::string& path() const override { return file_->path(); }
  std::uint64_t bytes() const override { return file_->bytes(); }
  std::string xxh128() const override { return file_->xxh128(); }
  std::string readable_path() const override { return file_->readable_path(); }

 protected:
  explicit SharedFileWriter(std::shared_ptr<File> file) : file_(std::move(file)) {}

  std::shared_ptr<File> file_;
};

// The issues of a format that stores a normal for every vertex: a mesh has primitives without
// normals, which get geometric ones. `headers`: [mesh][clip].
Issues geometric_normals_issues(std::span<const CacheHeader> headers);

// Copies the normals that a NormalReader is given into the rows of the block,
// [frame][vertex][axis], with (0, 0, 1) for a zero normal. `row_size`: numbers per
// frame.
void normals_to_rows(const FrameBlock& tile, const float* normals, std::size_t row_size,
                     float* rows);

// Copies tangents unchanged into rows of the same shape.
void tangents_to_rows(const FrameBlock& tile, const float* tangents, std::size_t row_size,
                      float* rows);

// The normal of one vertex in one frame, (0, 0, 1) for a zero normal. `lanes`: points
// at the x of the frame in [axis][frame].
inline Vec3<float> normal_or_z(const float* lanes) {
  const Vec3<float> n{lanes[0], lanes[kFramesPerBlock], lanes[2 * kFramesPerBlock]};
  return {n.x, n.y, n.x == 0 && n.y == 0 && n.z == 0 ? 1 : n.z};
}

// Copies normals [vertex][axis][frame], with (0, 0, 1) for a zero normal.
void copy_normals(const float* normals, std::size_t vertices, float* lanes);

// Returns the normals or tangents that a NormalReader is given. Throws std::logic_error if they are
// null: the header announced them, so the bake must produce them.
const float* planned_normals(const float* normals);

// Normals of a format that stores normals after all positions. They wait in a temporary file, 12
// bytes of disk per vertex and frame. Throws Error (kOutput).
class TemporaryNormals final : public FrameSource {
 public:
  TemporaryNormals(std::int64_t vertex_count, std::int64_t frame_count);

  // `state`: from new_state(). take() may run concurrently like NormalReader::read_normals, and
  // finish() like FrameSink::finish.
  std::unique_ptr<BlockState> new_state() const;
  void take(const FrameBlock& tile, const float* normals, BlockState& state) const;
  void finish(const FrameBlock& block, BlockState& state);

  std::int64_t frame_count() const override { return temporary_->frame_count(); }
  std::int64_t vertex_count() const override { return temporary_->vertex_count(); }
  // `rows`: as normals_to_rows fills them.
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override;

 private:
  std::unique_ptr<TemporaryFrames> temporary_;
};

}  // namespace skinbake
