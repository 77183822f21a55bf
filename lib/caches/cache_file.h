// The base class of the readers of all formats: the file, its hash and its sidecar.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/random_access_file.h"
#include "skinbake/caches.h"

namespace skinbake {

// A derived class defines format, frames, frame_count, vertex_count and read.
class CacheFile : public CacheReader {
 public:
  explicit CacheFile(const std::string& path) : file_(path) {}

  const std::string& path() const final { return file_.path(); }
  std::uint64_t bytes() const final { return file_.size(); }
  std::string xxh128() const final;
  std::optional<CacheProvenance> provenance() const final;
  std::optional<CacheProvenance> known_provenance() const final;
  std::optional<CacheProvenance> claimed_provenance() const final;

 protected:
  // The id of the mesh that is read, if the file has several; empty: all of them.
  virtual std::string chosen_mesh() const { return ""; }

  const RandomAccessFile& file() const { return file_; }

  // Throws Error (kInput, CACHE_INVALID): "run.pc2: <element>: <cause>; <remedy>".
  [[noreturn]] void fail(const std::string& element, const std::string& cause) const;

 private:
  RandomAccessFile file_;
  mutable std::once_flag hashed_;
  mutable std::string xxh128_;  // computed by the first call of xxh128()
};

// CacheFormat::read of a format with one mesh in a file.
template <class Reader>
std::unique_ptr<CacheReader> open_reader(const std::string& path, const std::string& /*mesh*/) {
  return std::make_unique<Reader>(path);
}

// Whether `vertices` x `frames` positions of `position_bytes` each and `other` bytes make a file of
// `size` bytes. The counts are untrusted: their product may overflow.
bool is_size_of(std::uint64_t size, std::uint64_t vertices, std::uint64_t frames,
                std::uint64_t other, std::uint64_t position_bytes = 3 * sizeof(float));

// The XXH3 hash, 128 bits, of a complete file. One thread hashes while the other threads of the
// current task arena read ahead. Throws Error (kInput).
std::string hash_of_file(const std::string& path);

}  // namespace skinbake
