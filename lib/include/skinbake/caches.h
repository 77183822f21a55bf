// Vertex caches: files that hold the vertex positions of every frame.
//
//   write   const CacheFormat& format = cache_format_of(path);
//           auto writer = format.open(path, header);    a FrameSink for `bake` or `stream_frames`
//           writer->commit();                           once all frames are in: names the file
//   read    auto reader = open_cache(path);             a FrameSource
//
// One run at a time drives a writer. FrameSink states which functions of a writer run concurrently.
// The const functions of a reader may be called by several threads at once.

#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/bake.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"

namespace skinbake {

class OutputFile;
struct BakedDocument;

// Whether positions of rigs in this unit are float32 numbers that neither vanish nor overflow.
constexpr bool is_scale(double units_per_metre) {
  return units_per_metre >= 1e-30 && units_per_metre <= 1e30;
}

// The axes and the unit of stored positions. Rigs are in metres with y up; both systems are
// right-handed.
struct CacheAxes {
  enum class Up { kY, kZ } up = Up::kY;  // kZ: (x, y, z) is stored as (x, -z, y)
  double scale = 1;                      // units per metre; is_scale()

  bool are_rig_axes() const { return up == Up::kY && scale == 1; }
};

// Options of a format, by name, as text: {"bits": "14", "quantize": "1"}.
using CacheOptions = std::map<std::string, std::string>;

// The mesh of a cache whose frames come from another cache.
struct CacheMesh {
  std::string id;                    // empty: unknown
  std::optional<std::int64_t> node;  // index in the rig's file
  std::string node_name, mesh_name;  // empty: none
  std::int64_t vertex_count = 0;
  std::vector<Primitive> primitives;
};

// One of several clips in a cache, whose frames follow one another.
struct CacheClip {
  std::string clip;  // id
  std::int64_t first_frame = 0, frame_step = 1, frame_count = 0;
  double end_s = std::numeric_limits<double>::infinity();  // as in FrameRange
};

// The mesh, the frames and the settings with which a writer is opened. The sidecar records them.
struct CacheHeader {
  const Rig* rig = nullptr;  // null: the frames come from another cache, whose mesh is `mesh`
  std::string clip;          // id; empty: the rest pose
  // fps 0: unknown. The last frame may be the end of the clip, between two frames, only in a format
  // with holds_times.
  FrameRange frames;
  Space space = Space::kScene;
  std::string method;                  // canonical name
  std::vector<InputFile> inputs;       // stored with the names of the files, without their folders
  std::vector<std::string> modifiers;  // canonical names, in the order of their application
  CacheAxes axes = {};  // axes of the stored positions; the writer is given rig axes and converts
  CacheMesh mesh = {};
  // The axes of the positions that the writer is given. They differ from rig axes only if the
  // frames come from another cache. None: axes and space are unknown.
  std::optional<CacheAxes> source_axes = CacheAxes{};

  std::int64_t vertex_count() const {
    return rig != nullptr ? std::int64_t{rig->mesh->vertex_count()} : mesh.vertex_count;
  }

  // Asset::appearance, for a format with keeps_materials; null: none.
  std::shared_ptr<const BakedDocument> appearance = {};
  CacheOptions options = {};
  // The kind of normals that a format with normals stores (see available_normals); none: the mesh
  // does not have normals to store. The bake passes them to a writer that is a NormalReader.
  std::optional<NormalKind> normals = {};
  // Whether a format with tangents stores them beside the normals (see available_tangents).
  bool tangents = false;
  // Interrupts a writer whose end() takes long: end() then throws Cancelled. As in BakePlan.
  const std::atomic<bool>* cancelled = nullptr;
  // The canonical name of the method with the numbers that it chose for the mesh (on_mesh). Empty:
  // `method`.
  std::string method_on_mesh = {};
  // The clips, if the frames come from another cache of several; empty: there is one. A format that
  // holds clips is given a header for each instead.
  std::vector<CacheClip> clips = {};
  // The number of frames of the whole clip at this rate, without its end between two frames, of
  // which `frames` may be a part; 0: not known. The sidecar states it if frames are missing, so
  // that merged parts can be counted.
  std::int64_t clip_frame_count = 0;
};

// Frames as a file stores them: positions, and optionally normals and tangents.
class StoredFrames : public FrameSource {
 public:
  // Whether at least one primitive has normals. `read_normals` fills rows as `read` does: `count`
  // frames from `first_frame` on, [frame][vertex][axis], with zeros for primitives without normals.
  // Preconditions of read_normals: has_normals() is true, and the preconditions of `read`. Throws
  // Error (kInput).
  virtual bool has_normals() const { return false; }
  virtual void read_normals(std::int64_t /*first_frame*/, std::int64_t /*count*/,
                            float* /*rows*/) const {}

  // The same of tangents.
  virtual bool has_tangents() const { return false; }
  virtual void read_tangents(std::int64_t /*first_frame*/, std::int64_t /*count*/,
                             float* /*rows*/) const {}
  // The signs w of the tangents, [vertex], which are the same in all frames: 1 or -1; 0 in
  // primitives without tangents.
  virtual std::vector<float> tangent_signs() const { return {}; }
};

// A complete file that commit() has not named yet.
struct WrittenFile {
  std::string path;           // the name that commit() gives it
  std::string readable_path;  // a path under which this process can read it now
  std::string xxh128;         // hash of the bytes that were written
};

// Writes one mesh of a cache. No file appears under its final name before commit(). A writer that
// is destroyed without commit() leaves no file, and an older file with the same name stays
// unchanged.
class CacheWriter : public FrameSink {
 public:
  // Gives the cache, its auxiliary files and its sidecar (<path>.json) their names, all or none.
  // Precondition: end() has returned. Throws Error (kOutput).
  void commit();

  // Flushes the files to the disk (fsync), so that they survive a power cut; before commit().
  // Throws Error (kOutput).
  void sync();

  // All files, for a commit together with other outputs (base/output_file.h).
  virtual std::vector<OutputFile*> files() = 0;

  virtual const std::string& path() const = 0;
  virtual std::uint64_t bytes() const = 0;  // size of the whole file; after end()
  virtual std::string xxh128() const = 0;   // hash of the whole file; after end()
  // Size of the auxiliary files (CacheFormat::auxiliary_files); after end().
  virtual std::uint64_t auxiliary_bytes() const { return 0; }

  // For a writer of one of several clips in a file: a sink that gets all frames of all clips, one
  // clip after another in the order of the headers, before the first writer gets any. Its end() is
  // called after each clip. The writers of a mesh return the same sink, and no prepass(). Null: the
  // writer does not need it.
  virtual FrameSink* joint_prepass() { return nullptr; }

  // The functions below serve `verify_cache`. Precondition: end() has returned, and commit() has
  // not been called.

  // A path under which this process can read the cache.
  virtual std::string readable_path() const = 0;
  // The frames as the written files contain them. `mesh`: the id of the mesh, if the file has
  // several. Throws Error (kInput) if the file is not a valid cache.
  virtual std::unique_ptr<StoredFrames> read_back(const std::string& mesh) const;
  // All files without the sidecar.
  virtual std::vector<WrittenFile> written_files() const {
    return {{path(), readable_path(), xxh128()}};
  }
  // The largest error of a stored position, metres.
  virtual double bound_m() const = 0;
  // The largest error of a stored normal or tangent, as in NormalDifference; none: the cache does
  // not store these vectors.
  virtual std::optional<double> normal_bound() const { return std::nullopt; }
  virtual std::optional<double> tangent_bound() const { return std::nullopt; }
};

// The origin of a cache, as its sidecar states it: mesh, clip, frames, method and inputs.
struct CacheProvenance {
  std::string mesh;                   // id; empty: several meshes, one after another
  std::string mesh_name;              // empty: none
  std::vector<Primitive> primitives;  // they cover the vertices; empty: unknown
  std::string clip;                   // id; empty: the rest pose
  FrameRange frames;
  Space space = Space::kScene;
  std::string method;
  std::optional<std::int64_t> node;  // the mesh's node in the rig's file
  std::string node_name;             // empty: none
  std::vector<InputFile> inputs;
  std::vector<std::string> modifiers;
  CacheAxes axes;                   // axes of the stored positions
  std::string method_on_mesh = {};  // as in CacheHeader; empty: also if the meshes of all differ
  // False: the cache was converted from a cache without a sidecar. Only the frames, of which fps 0
  // is unknown, and the inputs are known.
  bool is_complete = true;
  CacheOptions options = {};          // of the format, that were given
  std::vector<CacheClip> clips = {};  // of a cache of several; empty: there is one
  // The number of frames of the whole clip, of which the cache has a part; 0: it has all of them,
  // or an older version has written the sidecar.
  std::int64_t clip_frame_count = 0;
};

// One of several meshes in a cache, whose vertices follow one another.
struct CachePart {
  std::string mesh;  // id
  std::int64_t first_vertex = 0, vertex_count = 0;
};

struct CacheFormat;

// The frames of a cache file.
class CacheReader : public StoredFrames {
 public:
  virtual const std::string& path() const = 0;  // as the caller named it
  virtual const CacheFormat& format() const = 0;
  virtual std::uint64_t bytes() const = 0;  // size of the file
  // The hash of the file. The first call reads the whole file. Throws Error (kInput).
  virtual std::string xxh128() const = 0;
  // Frame numbers as the file states them, else 0, 1, 2 … at 30 fps.
  virtual FrameRange frames() const = 0;
  virtual bool has_times() const { return false; }  // whether the file itself states frames().fps
  virtual std::vector<CachePart> parts() const { return {}; }  // empty: one mesh
  // The clips as the file itself names them, one after another; empty: it does not.
  virtual std::vector<CacheClip> clips() const { return {}; }

  // The provenance that the sidecar <path>.json states, if its hash is the hash of the cache. Reads
  // the whole cache to compute the hash. None: the sidecar is missing, stale, invalid or
  // incomplete. Throws Error (kInput).
  virtual std::optional<CacheProvenance> provenance() const = 0;

  // The same, but an incomplete sidecar counts too.
  virtual std::optional<CacheProvenance> known_provenance() const = 0;

  // The provenance that the sidecar states, unverified: the cache is not read, and its hash is not
  // compared. A stale sidecar is accepted if the cache has the size that it states.
  virtual std::optional<CacheProvenance> claimed_provenance() const = 0;
};

// A file format, and how to write and read it.
struct CacheFormat {
  std::string_view id;         // "pc2"
  std::string_view extension;  // ".pc2"
  std::string_view title;      // "Point Cache 2"
  std::string_view opened_by;  // programs that read it
  std::string_view size;       // bytes per vertex and frame
  std::string_view bound;      // largest error of a stored position

  // Opens the output, so that a bad path fails before the first frame is evaluated. Throws Error
  // (kOutput if the files cannot be written; kUsage if the format cannot hold the counts or does
  // not have an option).
  std::unique_ptr<CacheWriter> (*open)(const std::string& path, const CacheHeader& header);

  // Opens an existing cache; null: the format is write-only. Every count in the file is checked
  // against the file's size before memory is allocated.
  // `mesh`: id of one mesh in a file of several; empty: all of them, one after another.
  // Throws Error (kInput if the file is invalid; kUsage if the file does not have the mesh).
  std::unique_ptr<CacheReader> (*read)(const std::string& path, const std::string& mesh) = nullptr;

  // Opens one file for several meshes or clips and returns one writer for each header; null: a file
  // holds one mesh and one clip. The headers differ only in rig, clip and frames: [mesh][clip], the
  // same clips of each mesh. They are written one after another, in this order. The first commit()
  // names the file, the others do nothing. bytes() and xxh128() describe the whole file; they are
  // known after the last end(). Errors as for `open`.
  std::vector<std::unique_ptr<CacheWriter>> (*open_together)(
      const std::string& path, std::span<const CacheHeader> headers) = nullptr;
  bool holds_meshes = false;   // whether open_together takes several meshes
  bool holds_clips = false;    // whether open_together takes several clips
  bool holds_times = false;    // whether a file states the times of its frames
  bool holds_numbers = false;  // whether a file states the numbers of its frames

  // Whether the format stores CacheHeader::appearance.
  bool keeps_materials = false;
  bool keeps_colours = false;  // of vertices

  // The options of the format (CacheHeader::options). Each is a word or a whole number.
  std::span<const MethodParameter> options = {};

  // Whether a cache with these options stores normals, and tangents beside them; null: never. Both
  // throw Error (kUsage) if the format does not have an option.
  bool (*keeps_normals)(const CacheOptions& options) = nullptr;
  bool (*keeps_tangents)(const CacheOptions& options) = nullptr;

  std::string_view other_extension = "";  // a second extension of the format: ".png"; empty: none

  // The files that are written beside a cache with these options, without the sidecar; null: none.
  // Throws as keeps_normals does.
  std::vector<std::string> (*auxiliary_files)(const std::string& path,
                                              const CacheOptions& options) = nullptr;
  // The same with the options that add the most files; null: none.
  std::vector<std::string> (*possible_auxiliary_files)(const std::string& path) = nullptr;

  // Whether a cache at this path has the option "precision=half"; null: never.
  bool (*supports_half_precision)(const std::string& path) = nullptr;

  // The limits of common programs that a file with these headers (as of open_together) exceeds;
  // null: none. The issues refer to the file that will be at `path`.
  Issues (*find_issues)(const std::string& path, std::span<const CacheHeader> headers) = nullptr;
};

// Every format, in the order shown to users.
std::span<const CacheFormat> cache_formats();

// Finds a format by its id, or by the extension of a path (in any case). Null: none.
const CacheFormat* find_cache_format(std::string_view id);
const CacheFormat* find_cache_format_of(const std::string& path);

// The format of an output path.
// Throws Error (kUsage, FORMAT_UNKNOWN) that names the known extensions.
const CacheFormat& cache_format_of(const std::string& path);

// The values of an option: "linear|step"; of a whole number "8|9|…|16".
std::string values_of_option(const MethodParameter& option);

// All options of a format with their values: "interpolation=linear|step, quantize=0|1".
std::string options_text(const CacheFormat& format);

// Opens a cache by its extension. `mesh`: as for CacheFormat::read; a cache of a
// single mesh ignores `mesh`. Throws Error (kInput) if no format with this extension can be read,
// if the file is invalid; kUsage if the file does not have the mesh.
std::unique_ptr<CacheReader> open_cache(const std::string& path, const std::string& mesh = "");

// The positions of a cache in rig axes (metres, y up), converted back from the axes that its
// verified sidecar states, each rounded once to float. Null: the cache is in rig axes, or its axes
// are unknown; read the cache itself. Hashes the whole cache only if the sidecar claims other axes.
// `cache` must outlive the result. Throws Error (kInput).
std::unique_ptr<FrameSource> in_rig_axes(const CacheReader& cache);

// The largest distance between a stored position and the computed one.
struct CacheDifference {
  double max_m = 0;        // infinite if the stored position is not a number
  std::int64_t frame = 0;  // position in the run
  VertexIndex vertex = 0;  // without a difference: vertex 0 in frame 0
};

// The largest distance between a stored normal or tangent and the computed one. Both are unit
// vectors, so the distance is without unit; small distances are the angle in radians.
struct NormalDifference {
  double max = 0;          // infinite if the stored vector is not a number
  std::int64_t frame = 0;  // position in the run
  VertexIndex vertex = 0;
};

// A sink that compares a cache with its frames, computed once more.
class CacheVerifier : public FrameSink {
 public:
  virtual CacheDifference result() const = 0;
  // None: the cache does not have normals, or tangents.
  virtual std::optional<NormalDifference> normals() const = 0;
  virtual std::optional<NormalDifference> tangents() const = 0;
};

// Reads back a cache after `end` and before `commit`. `header`: the header with which the writer
// was opened. Throws Error (kOutput, VERIFICATION_FAILED) if the cache cannot be read or has other
// counts.
std::unique_ptr<CacheVerifier> verify_cache(const CacheWriter& writer, const CacheHeader& header);

// Compares the content of every written file with its hash. The hash also covers content other than
// frames: faces, times and materials. Throws Error (kOutput, VERIFICATION_FAILED) if they differ.
void verify_bytes(const CacheWriter& writer);

// A sink that throws Error (kInput, NON_FINITE_POSITION) at the first position that is not finite.
// The run must stream the frames of `cache`.
std::unique_ptr<FrameSink> finite_check(const CacheReader& cache);

// Whether a file is a GLB that `bake` wrote: a cache, not a rig. False if it cannot be read.
bool is_baked_glb(const std::string& path);

// ---- A bake into a file in one call.

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

// Returns the issues of a cache's requested normals and tangents: NORMALS_UNAVAILABLE or
// TANGENTS_UNAVAILABLE if the mesh or the method does not have them, NORMALS_RECOMPUTED if they are
// of another kind than `wanted`. `header`: with the vectors that the cache gets. Thread-safe.
Issues vector_issues(const CacheFormat& format, const CacheHeader& header, const Method& method,
                     NormalKind wanted);

// Returns the issues of colours and texture coordinates that morph targets change in the frames,
// and that a cache with CacheHeader::appearance keeps as they are without the targets
// (MORPHED_ATTRIBUTE_KEPT). `clip`: of the header; null: the rest pose. Thread-safe.
Issues appearance_issues(const CacheFormat& format, const CacheHeader& header, const Clip* clip);

// Bakes into a cache file; the extension of `path` chooses the format (cache_formats()).
//
// Atomic: the cache and then its sidecar get their names after the last frame. A call that throws
// leaves no file and does not touch an older one. Memory is bounded by the mesh and the number of
// threads, not by the number of frames.
// Throws the exceptions of bake_to_array, and
//   Error (kUsage): FORMAT_UNKNOWN, FORMAT_OPTION_UNKNOWN, AXES_INVALID; OUTPUT_IS_INPUT if the
//   path is one of CacheSettings::files; CACHE_TOO_LARGE, CACHE_UNSUITABLE or CACHE_TIMES_COLLIDE
//   if the format cannot store these frames or vertices; Error (kOutput): OUTPUT_NOT_WRITTEN.
// May be called by several threads at once, with different paths.
BakedFile bake_to_file(const OneRun& run, const std::string& path, const CacheSettings& cache = {});

// ---- Goldens: signatures of caches that fit into a repository. A golden has the exact hash of
// every block of 16 frames, and the positions of a few vertices in every frame, about 1 % of the
// cache. lib/batch/README.md describes the file.

// Vertices that stand for a mesh.
struct GoldenSample {
  std::vector<VertexIndex> vertices;  // ascending
  std::vector<std::string> joints;    // [vertex] with the largest weight; empty: unknown
};

struct Golden {
  std::string format;  // of the cache
  std::uint64_t bytes = 0;
  std::string xxh128;              // of the file
  std::string mesh, clip, method;  // by its sidecar; empty: unknown
  std::int64_t vertex_count = 0;
  FrameRange frames;
  std::vector<std::string>
      blocks;  // [block] XXH128 of its positions, float32 [frame][vertex][axis]
  GoldenSample sample;
  double quantum_m = 0;          // positions are multiples of it; 0: as in the cache
  std::vector<float> positions;  // [sample][frame][axis], metres, y up
  // [block] XXH128 of the positions of the sample as in the cache, [sample][frame][axis]; empty
  // without a quantum. They tell whether the sample has moved by less than a quantum; if a golden
  // with a quantum lacks them, every block that differs has changed outside the sample.
  std::vector<std::string> sample_blocks = {};
  // By the sidecar; none: unknown, as in goldens of older versions.
  std::optional<Space> space = {};
  std::vector<CacheClip> clips = {};  // of a cache of several; empty: it has one, or unknown ones
};

struct GoldenOptions {
  std::int64_t vertices = 0;  // of the sample; 0: one of a hundred, 8 … 64
  double quantum_m = 0;
};

// Signs a cache. `rig`: the mesh that was baked, or null. Throws Error: kInput if the cache cannot
// be read or has a position that is not a number (NON_FINITE_POSITION);
// kNotComparable if the rig has another number of vertices; kUsage (QUANTUM_INVALID) if a position
// is not within 2^22 quanta.
Golden make_golden(const CacheReader& cache, const Rig* rig, const GoldenOptions& options);

std::string golden_text(const Golden& golden);
// Parses an untrusted golden. `name` stands for the file in messages. Throws Error (kInput):
// GOLDEN_INVALID.
Golden parse_golden(std::string_view text, const std::string& name);
Golden read_golden(const std::string& path);

// How a cache differs from its golden.
struct GoldenDifference {
  bool identical = false;   // every position, by the hashes
  bool by_sidecar = false;  // the sidecar says so; the cache is missing
  std::int64_t blocks = 0;  // that differ
  // Of those, blocks whose sample is equal, bit by bit: they have changed outside the sample, by an
  // unknown distance.
  std::int64_t unseen_blocks = 0;
  std::optional<std::int64_t> first_block;
  // Of the sample, metres; infinite if any position of the cache that differs is not a number.
  double max_m = 0;
  std::int64_t frame = 0;  // number of the frame of the largest distance
  VertexIndex vertex = 0;
  std::string joint;
  // All vertices of the sample are in the cache in every frame, but some at other indices.
  bool is_reordered = false;
};

// Compares a cache with its golden. Throws Error: kInput if the cache cannot be read;
// kNotComparable if the counts differ.
GoldenDifference compare_with_golden(const Golden& golden, const CacheReader& cache);

}  // namespace skinbake
