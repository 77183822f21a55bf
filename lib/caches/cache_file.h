// What readers of all formats share: the file, its hash and its sidecar.

#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/random_access_file.h"
#include "skinbake/caches.h"

namespace skinbake {

// A format's reader adds: format, frames, frame_count, vertex_count, read.
class CacheFile : public CacheReader {
 public:
  explicit CacheFile(const std::string& path) : file_(path) {}

  const std::string& path() const final { return file_.path(); }
  std::uint64_t bytes() const final { return file_.size(); }
  std::string xxh128() const final;
  std::optional<CacheOrigin> origin() const final;

 protected:
  // Its id, if it is one of several meshes in the file.
  virtual std::string chosen_mesh() const { return ""; }

  const RandomAccessFile& file() const { return file_; }

  // Throws Error (kInput, CACHE_INVALID): "run.pc2: <element>: <cause>; <remedy>".
  [[noreturn]] void fail(const std::string& element, const std::string& cause,
                         const std::string& remedy) const;

 private:
  RandomAccessFile file_;
  mutable std::once_flag hashed_;
  mutable std::string xxh128_;  // once it was asked for
};

// Whether V vertices in F frames at 12 bytes each (or as many as said), and `other` bytes, are a
// file of `size` bytes. The counts may be anything.
bool is_size_of(std::uint64_t size, std::uint64_t vertices, std::uint64_t frames,
                std::uint64_t other, std::uint64_t position_bytes = 3 * sizeof(float));

}  // namespace skinbake
