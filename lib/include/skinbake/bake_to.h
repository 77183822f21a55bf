// A bake in one call: one rig, one clip and one method, into memory or into a file. `bake` (bake.h)
// is the general form: several methods in one pass, any number of sinks, and a reference.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/methods.h"
#include "skinbake/normals.h"
#include "skinbake/rig.h"

namespace skinbake {

// The optional inputs of the functions below. Each member has the meaning of the member of BakePlan
// with the same name.
struct BakeSettings {
  Space space = Space::kScene;
  int threads = 0;  // 0: as many as there are processors

  // Receives the number of frames that are done. Calls do not overlap, but come from any thread.
  std::function<void(std::int64_t frames_done)> progress = {};
  const std::atomic<bool>* cancelled = nullptr;  // when true, the call ends with Cancelled
  JointParameters joint_parameters = {};
  std::string bind_cache = {};  // a folder that stores binds; empty: none
  // Receives issues before the first frame, also those of the cache that bake_to_file writes.
  std::function<void(const Issue&)> found = {};
};

// Positions of every frame. Row k is frame `frames.frame(k)` at `frames.time_s(k)` seconds.
struct BakedArray {
  FrameRange frames;
  std::int64_t frame_count = 0;
  std::int64_t vertex_count = 0;
  std::vector<float> positions;  // [frame][vertex][axis], metres, y up

  // The three coordinates of a vertex.
  // Precondition: 0 <= frame < frame_count, 0 <= vertex < vertex_count.
  const float* at(std::int64_t frame, std::int64_t vertex) const {
    return positions.data() + static_cast<std::size_t>(frame * vertex_count + vertex) * 3;
  }
};

// Bakes into memory. The result takes frame_count x vertex_count x 12 bytes; the bake also needs
// memory for some blocks of 16 frames.
//
// `clip`: null bakes the rest pose. `frames`: frames_of(*clip, fps) covers the clip.
// The positions are those of `bake`, bit for bit; they do not depend on the number of threads.
// Throws
//   Error (kUsage): FPS_INVALID, FRAMES_INVALID or TOO_MANY_FRAMES for unusable frames;
//   PLAN_INVALID if `method` is not one of methods() with values in range, or if the space or the
//   number of threads is invalid; METHOD_PARAMETER_INVALID if the method finds a value unsuitable
//   for the mesh;
//   Error (kInput): RIG_INVALID or CLIP_INVALID as `validate`; TWIST_TOO_LONG; MESH_TOO_LARGE,
//   JOINT_CHAINS_TOO_LONG or SURFACE_TANGLED if the method cannot be bound to the rig;
//   NON_FINITE_POSITION if a position is not a finite number;
//   Cancelled; std::bad_alloc.
// May be called by several threads at once, also with the same rig and clip.
BakedArray bake_to_array(const Rig& rig, const Clip* clip, const Method& method,
                         const FrameRange& frames, const BakeSettings& settings = {});

// The content of a cache file beyond the positions.
struct CacheSettings {
  std::map<std::string, std::string> options = {};  // of the format, by name (CacheFormat::options)
  CacheAxes axes = {};                              // default: y up, metres

  // The kind of normals, in formats and with options that store them.
  NormalKind normals = NormalKind::kSkinned;

  // For the sidecar: the files that the rig and the clip were read from (Asset::inputs), and the
  // canonical names of the modifiers that the rig went through.
  std::vector<InputFile> inputs = {};

  // Files that the cache and its sidecar must not replace: Asset::files.
  std::vector<std::string> files = {};
  std::vector<std::string> modifiers = {};

  // For formats that store materials (CacheFormat::keeps_materials): Asset::appearance; null: none.
  std::shared_ptr<const BakedDocument> appearance = {};

  bool sync = false;  // fsync before the file is named: it survives a power cut
};

// A cache that is on disk.
struct BakedFile {
  std::string path;
  std::string sidecar_path;  // <path>.json
  std::uint64_t bytes = 0;   // of the cache
  std::string xxh128;        // of its bytes: XXH3, 128 bits, 32 hex digits
  double bound_m = 0;        // the largest distance of a stored position from the computed one
};

// The issues of the normals and tangents that a cache is asked to store: NORMALS_UNAVAILABLE or
// TANGENTS_UNAVAILABLE if the mesh or the method does not have them, NORMALS_RECOMPUTED if they are
// of another kind than `wanted`. `header`: with the vectors that the cache gets. Thread-safe.
Issues vector_issues(const CacheFormat& format, const CacheHeader& header, const Method& method,
                     NormalKind wanted);

// Bakes into a cache file; the extension of `path` chooses the format (cache_formats()).
//
// Atomic: the cache and then its sidecar get their names after the last frame. A call that throws
// leaves no file and does not touch an older one. Memory is bounded by the mesh and the number of
// threads, not by the number of frames.
// `clip`, `frames`, `settings`: as of bake_to_array.
// Throws the exceptions of bake_to_array, and
//   Error (kUsage): FORMAT_UNKNOWN, FORMAT_OPTION_UNKNOWN, AXES_INVALID; OUTPUT_IS_INPUT if the
//   path is one of CacheSettings::files; CACHE_TOO_LARGE, CACHE_UNSUITABLE or CACHE_TIMES_COLLIDE
//   if the format cannot store these frames or vertices; Error (kOutput): OUTPUT_NOT_WRITTEN.
// May be called by several threads at once, with different paths.
BakedFile bake_to_file(const Rig& rig, const Clip* clip, const Method& method,
                       const FrameRange& frames, const std::string& path,
                       const CacheSettings& cache = {}, const BakeSettings& settings = {});

}  // namespace skinbake
