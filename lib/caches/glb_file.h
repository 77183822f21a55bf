// A baked GLB while it is written: its meshes append to one binary chunk, one after another.
//
//   offset  type     field
//        0  char[4]  "glTF"
//        4  uint32   version, 2
//        8  uint32   length of the whole file
//       12  uint32   length of the JSON, type "JSON"; JSON, filled up with spaces
//           uint32   length of the binary chunk, type "BIN\0"; bytes as glb_layout.h has them
//
// The JSON stands before the bytes that it describes, and what it says (which targets are sparse,
// and the bounds of all) is only known after them. So the room that it may take at most is left
// free, and what remains of it is spaces, which the JSON chunk may end in.

#pragma once

#include <optional>
#include <string>

#include "caches/glb_layout.h"
#include "caches/sidecar.h"
#include "skinbake/output_file.h"

namespace skinbake {

class GlbFile {
 public:
  enum class WithSidecar { kNo, kYes };

  // Writes what does not depend on frames. Throws Error (kOutput; kUsage if the file may become
  // larger than a GLB can be).
  GlbFile(const std::string& path, std::span<const CacheHeader> headers,
          WithSidecar with_sidecar = WithSidecar::kYes);

  const GlbOptions& options() const { return layout_.options; }
  GlbMesh& mesh(std::size_t index) { return layout_.meshes[index]; }

  // The place in the binary chunk of the next bytes.
  std::uint64_t next() const { return layout_.bytes; }
  void append(const void* data, std::size_t size);

  void end_mesh();  // after the last one, the file is whole
  void sync();
  void commit();  // the first time

  const std::string& path() const { return file_->path(); }
  std::string readable_path() const { return file_->readable_path(); }
  std::uint64_t bytes() const { return bin_offset() + layout_.bytes; }
  const std::string& xxh128() const { return xxh128_; }

 private:
  std::uint64_t bin_offset() const;
  void write_chunks();

  GlbLayout layout_;
  std::uint64_t json_bytes_ = 0;    // of the chunk
  std::optional<OutputFile> file_;  // opened once the counts are known to fit
  std::optional<Sidecar> sidecar_;  // none: the file has none
  std::size_t ended_ = 0;
  bool is_committed_ = false;
  std::string xxh128_;
};

}  // namespace skinbake
