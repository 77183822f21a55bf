// A baked GLB that is being written. Its meshes append to one binary chunk, one after another.
//
//   offset  type     field
//        0  char[4]  "glTF"
//        4  uint32   version, 2
//        8  uint32   length of the whole file
//       12  uint32   length of the JSON chunk, type "JSON"; JSON, padded with spaces
//           uint32   length of the binary chunk, type "BIN\0"; bytes as layout.h lists them
//
// The JSON stands before the bytes that it describes, but kinds and bounds of the targets are known
// only after the last frame. The JSON chunk therefore has the largest size that the JSON can have,
// and is written last.

#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "caches/frame_slice.h"
#include "caches/glb/displacements.h"
#include "caches/glb/layout.h"
#include "caches/glb/reader.h"
#include "caches/glb/writer.h"
#include "caches/mesh_cache.h"
#include "caches/sidecar.h"
#include "skinbake/frames.h"

namespace skinbake {

class GlbFile {
 public:
  // Writes the data that does not depend on the computed frames. Throws Error (kOutput; kUsage if
  // the file could exceed the size limit of a GLB). `headers`: [mesh][clip]. `edit`: of a file
  // that belongs to another cache, and does not get a sidecar.
  GlbFile(const std::string& path, std::span<const CacheHeader> headers, const EditGlb& edit = {});

  const GlbOptions& options() const { return layout_.options; }
  const GlbTimeline& timeline() const { return layout_.timeline; }
  const FrameRange& frames(std::size_t clip) const { return layout_.clips[clip].frames; }
  std::size_t clip_count() const { return layout_.clips.size(); }
  GlbMesh& mesh(std::size_t index) { return layout_.meshes[index]; }

  // Appends to the binary chunk; the bytes begin at next_offset().
  std::uint64_t next_offset() const { return layout_.bytes; }
  void append(const void* data, std::size_t size);

  void end_mesh();  // the call for the last clip of the last mesh completes the file
  std::vector<OutputFile*> files();

  const std::string& path() const { return file_->path(); }
  std::string readable_path() const { return file_->readable_path(); }
  std::uint64_t bytes() const { return bin_offset() + layout_.bytes; }
  const std::string& xxh128() const { return xxh128_; }  // after the last end_mesh()

  // The frames of all clips of a mesh, of the complete file. The JSON is read once for all meshes,
  // and a mesh once for its clips if these follow each other.
  std::shared_ptr<const StoredFrames> read_back(const std::string& mesh);

 private:
  std::uint64_t bin_offset() const;
  void write_chunks();

  GlbLayout layout_;
  std::uint64_t json_bytes_ = 0;    // of the chunk
  std::optional<OutputFile> file_;  // opened after the counts are checked
  std::optional<Sidecar> sidecar_;
  std::size_t ended_writers_ = 0;
  std::string xxh128_;
  std::shared_ptr<const ParsedGlb> parsed_;  // of read_back()
  std::shared_ptr<const StoredFrames> stored_;
  std::string stored_mesh_;
  std::size_t reads_ = 0;
};

// The signs w of the tangents of a mesh, [vertex].
inline std::vector<float> tangent_signs(const Mesh& mesh) {
  std::vector<float> signs;
  for (std::size_t i = 3; i < mesh.tangents.size(); i += 4) signs.push_back(mesh.tangents[i]);
  return signs;
}

// The output of one writer: a mesh in the frames of a clip.
struct GlbSlot {
  std::size_t mesh = 0, clip = 0;
};

// The writer of one mesh with one clip: base class of the writers of floats and of quantized
// vertices.
class GlbMeshWriter : public SharedFileWriter<GlbFile>, public NormalReader {
 public:
  GlbMeshWriter(std::shared_ptr<GlbFile> file, const GlbSlot& slot)
      : SharedFileWriter(std::move(file)), mesh_(file_->mesh(slot.mesh)), clip_(slot.clip) {}

  std::optional<NormalKind> wanted_normals() const override {
    return mesh_.has_normals() ? mesh_.header.normals : std::nullopt;
  }
  bool wants_tangents() const override { return mesh_.has_tangents(); }
  std::unique_ptr<StoredFrames> read_back(const std::string& mesh) const override {
    return std::make_unique<FrameSlice>(file_->read_back(mesh),
                                        static_cast<std::int64_t>(clip().first),
                                        static_cast<std::int64_t>(clip().count()));
  }
  std::optional<double> tangent_bound() const override {
    return mesh_.has_tangents() ? normal_bound() : std::nullopt;
  }

 protected:
  // The number of floats of one attribute in one frame.
  std::size_t row_size() const { return std::size_t{mesh_.header.rig->mesh->vertex_count()} * 3; }

  BinRange append(const std::vector<MemoryRun>& runs) {
    BinRange range{file_->next_offset(), 0};
    for (const MemoryRun& run : runs) {
      file_->append(run.data, run.size);
      range.bytes += run.size;
    }
    return range;
  }

  const GlbFrameSpan& clip() const { return file_->timeline().clips[clip_]; }
  const FrameRange& frames() const { return file_->frames(clip_); }
  // The frame of the file that is the first one of a block.
  std::size_t first_frame(const FrameBlock& block) const {
    return clip().first + static_cast<std::size_t>(block.first_frame);
  }
  std::size_t block_index(const FrameBlock& block) const {
    return file_->timeline().first_block(clip_) + static_cast<std::size_t>(block.index);
  }
  // Whether the first frame of a block is a target: false for the base of the first part.
  bool begins_with_target(const FrameBlock& block) const {
    return file_->timeline().part_of_target(first_frame(block)).has_value();
  }

  // Stores the targets of a block, [frame][primitive].
  void store_targets(const FrameBlock& block, const std::vector<GlbTarget>& targets,
                     GlbMorphedAttribute& attribute) const {
    const std::size_t first = first_frame(block) + (begins_with_target(block) ? 0 : 1);
    std::copy(
        targets.begin(), targets.end(),
        attribute.targets.begin() + static_cast<std::ptrdiff_t>(first * mesh_.primitives.size()));
  }

  // Calls `clear` with the index of each primitive that does not have the attribute. Displacements
  // of zero do not take bytes.
  template <class Clear>
  void for_each_without(std::size_t attribute, const Clear& clear) const {
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
      if (!mesh_.has_attribute(mesh_.primitives[p], mesh_.attributes[attribute])) clear(p);
    }
  }

  GlbMesh& mesh_;
  std::size_t clip_;
};

}  // namespace skinbake
