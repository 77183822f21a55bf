// A vertex animation texture that is being written: the texture, the texture of normals, the static
// mesh and the sidecar. The frames of all clips follow one another.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caches/range_prepass.h"
#include "caches/sidecar.h"
#include "caches/vat/options.h"
#include "caches/vat/texture.h"
#include "math/bounds.h"
#include "skinbake/caches.h"

namespace skinbake {

// Finds frame 0 and the bounds of all displacements from frame 0, before the first texel is made.
class VatPrepass final : public RangePrepass {
 public:
  // `path`: for messages.
  VatPrepass(std::string path, std::int64_t vertices, std::size_t clips);

  const Box& box() const { return box_; }  // bounds of all displacements, each rounded to float
  double extent(std::size_t axis) const { return double{box_.max[axis]} - double{box_.min[axis]}; }
  float largest() const { return largest_; }  // magnitude of a coordinate, in frame 0 and the box

  using RangePrepass::drop_base;

 private:
  // Throws Error (kUsage, CACHE_UNSUITABLE) if a displacement overflows float.
  void complete() override;

  std::string path_;
  Box box_;
  float largest_ = 0;
};

class VatFile {
 public:
  // `headers`: of each clip of one mesh. Throws Error (kOutput or kUsage).
  VatFile(const std::string& path, std::span<const CacheHeader> headers);

  std::size_t clip_count() const { return clips_; }
  VatPrepass& prepass() { return prepass_; }
  VatTexture& texture() { return texture_; }
  CacheWriter& mesh() { return *mesh_; }
  VatNormals* normals() { return normals_ ? &*normals_ : nullptr; }  // null: no normals are stored
  VatScale scale() const;  // displacements become fractions of the box

  void end_clip();  // the call for the last clip completes the files
  std::vector<OutputFile*> files();

  std::uint64_t auxiliary_bytes() const;
  // The frames of all clips, of the complete files. The texture is decoded once for all clips.
  std::shared_ptr<const StoredFrames> read_back();
  std::vector<WrittenFile> auxiliary_files() const;
  double bound_m() const;

 private:
  void describe(OrderedJson& json) const;

  std::size_t clips_, ended_clips_ = 0, reads_ = 0;
  VatOptions options_;
  VatLayout layout_;
  VatTexture texture_;
  VatPrepass prepass_;
  std::unique_ptr<CacheWriter> mesh_;
  Sidecar sidecar_;
  std::optional<VatNormals> normals_;
  std::shared_ptr<const StoredFrames> stored_;  // of read_back()
};

}  // namespace skinbake
