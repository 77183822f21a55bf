// Vertex caches: files of positions per frame.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/bake.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/normals.h"

namespace skinbake {

// Where up is and how long a metre is in what is written. Positions come in metres, y up.
struct CacheAxes {
  enum class Up { kY, kZ } up = Up::kY;  // kZ: (x, y, z) is written as (x, -z, y)
  double scale = 1;                      // units per metre; finite, above 0

  bool are_ours() const { return up == Up::kY && scale == 1; }
};

// The mesh of a cache that is made from another one.
struct CacheMesh {
  std::string id;                    // empty: not known
  std::optional<std::int64_t> node;  // its index in the rig's file
  std::string node_name, mesh_name;  // empty: none
  std::int64_t vertex_count = 0;
  std::vector<Primitive> primitives;
};

// What a cache's sidecar says of its origin.
struct CacheHeader {
  const Rig* rig = nullptr;  // null: made from another cache, of `mesh`
  std::string clip;          // id; empty: the rest pose
  FrameRange frames;         // fps 0: not known
  Space space = Space::kScene;
  std::string method;  // canonical
  std::vector<InputFile> inputs;
  std::vector<std::string> modifiers;  // canonical, in their order
  CacheAxes axes = {};                 // what positions are turned to; they come in ours
  CacheMesh mesh = {};
  // What positions are in already, where a cache is made from another one; null: nobody knows, nor
  // the space.
  std::optional<CacheAxes> source_axes = CacheAxes{};

  std::int64_t vertex_count() const {
    return rig != nullptr ? std::int64_t{rig->mesh->vertex_count()} : mesh.vertex_count;
  }

  std::shared_ptr<const AssetExtras> extras = {};   // for formats that keep looks; null: none
  std::map<std::string, std::string> options = {};  // of the format, by name
  // What a format that keeps normals stores (available_normals); none: there are none. A writer
  // that is a NormalReader too is given them by the bake.
  std::optional<NormalKind> normals = {};
  // Whether there are tangents beside them, for a format that keeps some (available_tangents).
  bool tangents = false;
  // Of writers whose end() takes long: it then throws Cancelled. As BakePlan has it.
  const std::atomic<bool>* cancelled = nullptr;
};

// Frames as a file has them: positions, and perhaps normals and tangents.
class StoredFrames : public FrameSource {
 public:
  // Whether all of it has normals, and rows of them as `read` gives positions.
  virtual bool has_normals() const { return false; }
  virtual void read_normals(std::int64_t /*first_frame*/, std::int64_t /*count*/,
                            float* /*rows*/) const {}

  // The same of tangents; zero in primitives without. None unless some primitive has them.
  virtual bool has_tangents() const { return false; }
  virtual void read_tangents(std::int64_t /*first_frame*/, std::int64_t /*count*/,
                             float* /*rows*/) const {}
  // [vertex] their w, of all frames: 1 or -1; 0 in primitives without.
  virtual std::vector<float> tangent_signs() const { return {}; }
};

// A file that is whole and has no name yet.
struct WrittenFile {
  std::string path;  // the one that it will have
  std::string readable_path;
  std::string xxh128;  // of the bytes that were written
};

// A cache on its way to the disk. Nothing appears under its name before commit().
class CacheWriter : public FrameSink {
 public:
  // Renames the cache and then its sidecar (<path>.json) into place. All frames must have been
  // merged. Throws Error (kOutput).
  virtual void commit() = 0;

  virtual void sync() = 0;  // fsync, before commit: survives a power cut

  virtual const std::string& path() const = 0;
  virtual std::uint64_t bytes() const = 0;  // of the whole file
  virtual std::string xxh128() const = 0;   // after end()
  // Of the files that are written beside it (CacheFormat::companions), after end().
  virtual std::uint64_t companion_bytes() const { return 0; }

  // Between end() and commit(), for `verify`: where the cache can be read that has no name yet;
  // what the programs that open it will find there, of the mesh with some id if it has several
  // (throws Error (kInput) if that is no cache); and the largest error of a stored position.
  virtual std::string readable_path() const = 0;
  virtual std::unique_ptr<StoredFrames> read_back(const std::string& mesh) const;
  virtual std::vector<WrittenFile> written_files() const {  // the sidecar apart
    return {{path(), readable_path(), xxh128()}};
  }
  virtual double bound_m() const = 0;
  // The same of a normal, as NormalDifference has it; none: the cache keeps no normals.
  virtual std::optional<double> normal_bound() const { return std::nullopt; }
  virtual std::optional<double> tangent_bound() const { return std::nullopt; }  // likewise
};

// What the sidecar of a cache says of its origin.
struct CacheOrigin {
  std::string mesh;                   // id; empty: of several meshes, one after another
  std::string mesh_name;              // empty: none
  std::vector<Primitive> primitives;  // they cover the vertices
  std::string clip;                   // id; empty: the rest pose
  FrameRange frames;
  Space space = Space::kScene;
  std::string method;
  std::optional<std::int64_t> node;  // the mesh's, in the rig's file
  std::string node_name;             // empty: none
  std::vector<InputFile> inputs;
  std::vector<std::string> modifiers;
  CacheAxes axes;  // of what is stored
};

// A mesh among several whose vertices follow one another.
struct CachePart {
  std::string mesh;  // id
  std::int64_t first_vertex = 0, vertex_count = 0;
};

// Frames of a cache that is on disk.
class CacheReader : public StoredFrames {
 public:
  virtual const std::string& path() const = 0;  // as it was typed
  virtual std::string_view format() const = 0;  // id
  virtual std::uint64_t bytes() const = 0;      // of the file
  virtual std::string xxh128() const = 0;       // of the file; reads all of it
  virtual FrameRange frames() const = 0;        // numbers as the file has them, else 0, 1, 2 …
                                                // at 30 fps
  virtual bool has_times() const { return false; }  // whether frames().fps is what the file says
  virtual std::vector<CachePart> parts() const { return {}; }  // empty: one mesh

  // From <path>.json, if it is there and its hash is that of the cache; reads all of the cache.
  virtual std::optional<CacheOrigin> origin() const = 0;
};

struct CacheFormat {
  std::string_view id;         // "pc2"
  std::string_view extension;  // ".pc2"
  std::string_view title;      // "Point Cache 2"
  std::string_view opened_by;  // programs that read it
  std::string_view size;       // bytes per vertex and frame
  std::string_view bound;      // largest error of a stored position

  // Opens the output (a bad path fails now, not at the last frame); refuses counts that the format
  // cannot hold. Throws Error (kOutput or kUsage).
  std::unique_ptr<CacheWriter> (*open)(const std::string& path, const CacheHeader& header);

  // Opens a cache that is there; null: the format is no source of frames. What the file says is
  // checked against its size before anything is allocated. Throws Error (kInput).
  // `mesh`: the id of one, if there are several in the file; empty: all, one after another. Throws
  // Error (kUsage) too, if there is no such mesh among several.
  std::unique_ptr<CacheReader> (*read)(const std::string& path, const std::string& mesh) = nullptr;

  // Formats of several meshes in one file; null: one each. One writer for each header, in their
  // order, which is that in which their frames must come: all of one mesh, then all of the next.
  // The headers differ in nothing but the rig. The first commit() names the file; the others do
  // nothing. bytes() and xxh128() are of the whole file, known after the last end().
  std::vector<std::unique_ptr<CacheWriter>> (*open_together)(
      const std::string& path, std::span<const CacheHeader> headers) = nullptr;

  // Whether LoadOptions::extras are wanted.
  bool keeps_looks = false;

  // What --format takes for it: "interpolation=linear|step"; empty: nothing.
  std::string_view options = "";

  // Whether it keeps normals, with these options; null: never.
  bool (*keeps_normals)(const std::map<std::string, std::string>& options) = nullptr;
  // The same of tangents, which are kept only beside normals.
  bool (*keeps_tangents)(const std::map<std::string, std::string>& options) = nullptr;

  std::string_view other_extension = "";  // of the same format: ".png"; empty: none
  // What is written beside a cache with these options, its sidecar apart; null: nothing.
  std::vector<std::string> (*companions)(
      const std::string& path, const std::map<std::string, std::string>& options) = nullptr;

  // Whether a cache of this path has an option "precision=half"; null: no path.
  bool (*has_half)(const std::string& path) = nullptr;
};

std::span<const CacheFormat> cache_formats();

// The format of an output path, by its extension (case does not matter).
// Throws Error (kUsage), naming the formats there are.
const CacheFormat& cache_format_of(const std::string& path);

// Opens a cache by its extension. Throws Error (kInput) if there is no reader for it, or if the
// file is not what its extension says: with the file, the element, the cause and a remedy. `mesh`:
// as CacheFormat::read has it; the mesh of a cache of one may have any id.
std::unique_ptr<CacheReader> open_cache(const std::string& path, const std::string& mesh = "");

// The largest distance between a stored position and the one that was computed.
struct CacheDifference {
  double max_m = 0;        // infinite if what is stored is no number
  std::int64_t frame = 0;  // position in the run
  VertexIndex vertex = 0;  // 0, in frame 0, if there is no difference
};

// The largest distance between a stored normal or tangent and the computed one: of unit vectors, so
// that it has no unit, and is the angle between them in radians where that is small.
struct NormalDifference {
  double max = 0;          // infinite if what is stored is no number
  std::int64_t frame = 0;  // position in the run
  VertexIndex vertex = 0;
};

// Takes the frames that the cache was made of, computed once more.
class CacheVerifier : public FrameSink {
 public:
  virtual CacheDifference result() const = 0;
  virtual std::optional<NormalDifference> normals() const = 0;   // none: the cache keeps none
  virtual std::optional<NormalDifference> tangents() const = 0;  // likewise
};

// Reads back a cache that is written (`end`) and has no name yet; `header` is what it was opened
// with. Throws Error (kOutput) if it cannot be read, or has other counts.
std::unique_ptr<CacheVerifier> verify_cache(const CacheWriter& writer, const CacheHeader& header);

// Whether each file of such a cache has the bytes that were written: faces, times and looks, of
// which no frame tells, too. Throws Error (kOutput) if not.
void verify_bytes(const CacheWriter& writer);

// A sink that throws Error (kInput, NON_FINITE_POSITION) at the first position of the cache,
// played, that is not finite.
std::unique_ptr<FrameSink> finite_check(const CacheReader& cache);

// Whether a file is a GLB that `bake` wrote: a cache, not a rig. False if it cannot be read.
bool is_baked_glb(const std::string& path);

}  // namespace skinbake
