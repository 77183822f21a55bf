// The sidecar of a cache, <cache>.json: what no cache format can say of itself.
//
// `schema` "skinbake.cache", `schema_version` "1.0": tool, format, file, bytes, xxh128, inputs,
// mesh, clip, fps, first_frame, frame_step, frame_count, space, axis, unit, units_per_metre,
// method, modifiers; options, by name, if the format was given some. What is not known, in a cache
// made from one without a sidecar, is null. One whose xxh128 does not match its cache is stale. It
// is renamed into place after the cache.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "skinbake/caches.h"
#include "skinbake/output_file.h"

namespace skinbake {

class JsonWriter;

std::string_view axis_text(CacheAxes::Up up);

class Sidecar {
 public:
  // Copies what it needs; opens <cache_path>.json. Throws Error (kOutput). The others are of
  // further meshes in the same cache: then there is "meshes" in the place of "mesh".
  Sidecar(const std::string& cache_path, const CacheHeader& header,
          std::span<const CacheHeader> others = {});

  struct Content {
    std::string format;
    std::uint64_t bytes;
    std::string xxh128;
    std::function<void(JsonWriter&)> more = {};  // members that only this format has
  };
  void write(const Content& content);
  void sync() { file_.sync(); }
  void commit() { file_.commit(); }
  std::string readable_path() const { return file_.readable_path(); }

 private:
  std::string cache_name_;  // without folders
  CacheHeader header_;
  std::vector<CacheHeader> others_;
  OutputFile file_;
};

}  // namespace skinbake
