// A USD text file while it is written: its meshes append to it, one after another.
//
//   #usda 1.0
//   ( what holds for all of it: units, axis, frames )
//   def Xform "Baked"
//   {
//     one Mesh after another, as usda_mesh.h has them
//   }

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "caches/sidecar.h"
#include "caches/usda_options.h"
#include "skinbake/output_file.h"

namespace skinbake {

class UsdaFile {
 public:
  // Writes what stands before the meshes. Throws Error (kOutput; kUsage if it cannot hold them).
  UsdaFile(const std::string& path, std::span<const CacheHeader> headers);

  const UsdaOptions& options() const { return options_; }
  const CacheHeader& header(std::size_t mesh) const { return headers_[mesh]; }
  const std::string& name(std::size_t mesh) const { return names_[mesh]; }  // of its prim

  void append(std::string_view text);

  void end_mesh();  // after the last one, the file is whole
  void sync();
  void commit();  // the first time

  const std::string& path() const { return file_->path(); }
  std::string readable_path() const { return file_->readable_path(); }
  std::uint64_t bytes() const { return bytes_; }
  const std::string& xxh128() const { return xxh128_; }

 private:
  void flush();

  UsdaOptions options_;
  std::vector<CacheHeader> headers_;
  std::vector<std::string> names_;
  std::optional<OutputFile> file_;  // opened once the counts are known to fit
  std::optional<Sidecar> sidecar_;
  std::string buffer_;  // what was appended and is not in the file
  std::uint64_t bytes_ = 0;
  Xxh128 hash_;
  std::string xxh128_;
  std::size_t ended_ = 0;
  bool is_committed_ = false;
};

// Names of prims: characters other than letters, digits and '_' become '_', as does an empty name;
// '_' comes before a digit at the start; names that are then equal end in _2, _3 …
std::vector<std::string> prim_names(const std::vector<std::string>& ids);

}  // namespace skinbake
