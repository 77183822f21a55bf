// The sidecar of a cache, <cache>.json: information that a cache format cannot store.
//
//   schema            "skinbake.cache", with schema_version "1.0"
//   tool              name and version
//   format            id; options, by name, if the caller gave some
//   file, bytes, xxh128
//                     of the cache: a sidecar with another hash is stale
//   inputs            the files that were read, named without their folders
//   mesh              id, node, names, vertex count and primitives; "meshes", a list, in a cache of
//                     several; method_on_mesh, the method with the numbers that it chose for the
//                     mesh, if it chose some
//   clip, fps, first_frame, frame_step, frame_count
//                     in a cache of several clips: of all frames, numbered from 0, and
//                     "clips", a list: clip, offset, first_frame, frame_step, frame_count
//   end_s             the time of the last frame, if it is the end of a clip between two frames;
//                     in a cache of several clips: a member of "clips"
//   clip_frame_count  of the whole clip, if the cache has a part of its frames
//   space, axis, unit, units_per_metre
//   method, modifiers
//
// If the cache was made from a cache without a sidecar, unknown members are null. The sidecar is
// renamed into place after its cache.

#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "json/print.h"
#include "skinbake/caches.h"

namespace skinbake {

class Sidecar {
 public:
  // Opens <cache_path>.json and copies the headers: [mesh][clip], the same clips of each mesh.
  // Throws Error (kOutput).
  Sidecar(const std::string& cache_path, std::span<const CacheHeader> headers);
  Sidecar(const std::string& cache_path, const CacheHeader& header)
      : Sidecar(cache_path, std::span(&header, 1)) {}

  struct Content {
    std::string format;
    std::uint64_t bytes;
    std::string xxh128;
    std::function<void(OrderedJson&)> more = {};  // adds members that only this format has
  };
  void write(const Content& content);
  OutputFile& file() { return file_; }
  std::string readable_path() const { return file_.readable_path(); }

 private:
  std::string cache_name_;  // without folders
  CacheHeader header_;
  std::vector<CacheHeader> others_;  // of the further meshes
  std::vector<CacheClip> clips_;     // empty: one
  OutputFile file_;
};

struct SidecarContent {
  CacheProvenance provenance;
  std::string xxh128;  // hash of the cache that the sidecar was written for
};

// The content of a cache's sidecar; the cache itself is not read. `chosen_mesh`: the id of the mesh
// that `cache` reads, if its file has several; empty: all. None if the sidecar is missing, was
// written for another format or size, or does not have the form above. The cache is readable
// without it. Throws Error (kInput).
std::optional<SidecarContent> read_sidecar(const CacheReader& cache,
                                           const std::string& chosen_mesh);

// ---- The member "end_s" of sidecars, of the extras of a GLB and of goldens.

// The time of the last frame, if it is earlier than the frame's number says; else infinity.
double end_of(const FrameRange& frames);

template <class Json>
void add_end(double end_s, Json& object) {
  if (std::isfinite(end_s)) object["end_s"] = end_s;
}

// Sets the end that the object states, if it does. The numbers of the frames are untrusted. False:
// the end is not between the last frame and the one before.
bool read_end(const nlohmann::json& object, FrameRange& frames);

}  // namespace skinbake
