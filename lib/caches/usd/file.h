// A USD text file while it is written. Its meshes append to it, one after another.
//
//   #usda 1.0
//   ( units, axis and frames of the whole file )
//   def Xform "Baked"
//   {
//     one Mesh after another, as writer.cpp describes them
//   }

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/output_file.h"
#include "caches/sidecar.h"

namespace skinbake {

class UsdaFile {
 public:
  // Writes the part before the meshes. Throws Error (kOutput; kUsage if the format cannot hold the
  // meshes).
  UsdaFile(const std::string& path, std::span<const CacheHeader> headers);

  const CacheHeader& header(std::size_t mesh) const { return headers_[mesh]; }

  // Appends the static part of a mesh: the start of its prim, faces and texture coordinates.
  void begin_mesh(std::size_t mesh);
  void append(std::string_view text);
  void end_mesh();  // the call for the last mesh completes the file

  std::vector<OutputFile*> files();

  const std::string& path() const { return file_->path(); }
  std::string readable_path() const { return file_->readable_path(); }
  std::uint64_t bytes() const { return bytes_; }
  const std::string& xxh128() const { return xxh128_; }

 private:
  void append_faces(const Mesh& mesh, bool is_mirrored);
  void append_texcoords(const std::string& name, const CacheHeader& header);
  void flush();

  std::vector<CacheHeader> headers_;
  std::vector<std::string> prim_names_;
  std::optional<OutputFile> file_;  // opened once the counts are known to fit
  std::optional<Sidecar> sidecar_;
  std::string buffer_;  // text that is not in the file yet
  std::uint64_t bytes_ = 0;
  Xxh128 hash_;
  std::string xxh128_;
  std::size_t ended_ = 0;  // meshes
};

// The time code of a frame: its number or, at the end of a clip, a number between two frames.
std::string time_code(const FrameRange& frames, std::int64_t k);

// Names of prims, made from ids: characters other than letters, digits and '_' become '_', and so
// does an empty name; '_' precedes a digit at the start; equal names get the suffixes _2, _3 …
std::vector<std::string> prim_names(const std::vector<std::string>& ids);

}  // namespace skinbake
