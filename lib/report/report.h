// The JSON report of a run. lib/report/report.schema.json fixes its layout.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bake/explain.h"
#include "base/output_file.h"
#include "compare/surface/surfaces.h"
#include "report/body.h"
#include "report/named_frames.h"
#include "report/recommendation.h"
#include "skinbake/clip.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

namespace skinbake {

// A cache that the run wrote.
struct OutputRecord {
  std::string path, format, mesh, clip, method;
  std::uint64_t bytes = 0;
  std::string xxh128;
};

// An output that was read back and compared with its frames, which were computed a second time.
struct VerificationRecord {
  std::string path, format, mesh, clip, method;
  double max_m = 0;
  double bound_m = 0;                 // the largest error that the format's precision allows
  std::optional<std::int64_t> frame;  // frame number of the largest difference; none: no difference
  VertexIndex vertex = 0;
  // Normals or tangents: lengths of the differences of unit vectors.
  struct Directions {
    double max = 0;
    double bound = 0;
    std::optional<std::int64_t> frame;
    VertexIndex vertex = 0;
  };
  std::optional<Directions> normals = {}, tangents = {};  // none: the output does not have them
  bool passed = false;                                    // every difference is within its bound
};

// The effect of an exceeded threshold on the verdict.
enum class CheckSeverity { kWarn, kFail };
std::string_view to_string(CheckSeverity severity);  // "warn", "fail"

// A limit, and the worst value of the whole run.
struct Check {
  std::string key;  // "volume.max_loss"
  CheckSeverity severity = CheckSeverity::kFail;
  double limit = 0;
  Unit unit = Unit::kRatio;
  bool is_relative = false;     // of a length: limit and value are parts of the bind diagonal
  std::optional<double> value;  // none: NaN, which exceeds every limit
  // Of error.max: the part of the vertices that may exceed the limit in a frame, and the largest
  // part that does.
  std::optional<double> share_limit = {}, share = {};
  double rank = 0;  // the number that is compared with the limit: a value, a factor or a share
  bool passed = false;
  std::int64_t failures = 0;  // pairs of mesh and run that exceed the limit
  std::string mesh, clip, method;
  std::string reference = {};         // of an error of a bake
  std::optional<std::int64_t> frame;  // frame number
  std::optional<std::int64_t> vertex, triangle = {};
  std::optional<std::array<std::int64_t, 2>> edge = {};
  std::string pose = {};     // pose_name() in this frame
  std::string joint = {};    // of a surface, the joint that moves the point most
  bool inside_face = false;  // the vertex is a point inside a face
  // Of surfaces, which are measured in both directions: clips that exceed the limit in either.
  std::optional<std::int64_t> failed_clips = {};
  // One check per method, the worst first; empty: the run has one method.
  std::vector<Check> methods = {};
  std::optional<double> time_s = {};  // of `frame`; none: by the rate of the settings
};

// A file beside the report that holds the errors per vertex of one run.
struct PerVertexFile {
  std::string path;  // file name without folders
  std::string xxh128;
};

// The name of a run in reports and paths: "dqs", or with an engine's profile "dqs@unreal-4".
std::string run_name(const std::string& method, const std::string& profile);

struct RunRecord {
  std::string clip, method;  // empty: unknown, for a cache without a sidecar
  NamedFrames frames;
  std::string reference;  // the reference of `error`
  std::optional<PositionErrorResult> error;
  std::optional<VolumeResult> volume;
  std::vector<MetricResult> metrics = {};     // the other metrics, in the order of metrics()
  std::optional<Difference> difference = {};  // its error is also in `error`
  std::string profile = {};                   // engine profile; empty: none
  const Rig* rig = nullptr;                   // with the profile's weights; null: the mesh's rig
  std::optional<PerVertexFile> per_vertex_file = {};  // for PerVertex::kNpy
  std::string method_on_mesh = {};  // the method with numbers that follow the mesh; empty: `method`
  // Whether `frames` may differ from the frames of the report's clip: clips of two characters may
  // have one name.
  bool has_own_frames = false;

  std::string name() const { return run_name(method, profile); }
};

// The sections of a run's metrics, in the order of the report. `rig`: of the mesh.
std::vector<MetricResult> sections_of(const RunRecord& run, const Rig& rig);

struct MeshRecord {
  const Rig* rig = nullptr;
  double bbox_diagonal_m = 0;
  std::vector<ModifierRecord> modifiers;  // the change by each rig modifier
  std::optional<Topology> topology;       // none: the mesh does not have triangles
  std::vector<RunRecord> runs;
  // joint_id of the joint that the mesh follows rigidly, as a sword does; empty: it is skinned by
  // several joints, or follows none.
  std::string follows_joint = {};
};

struct ClipRecord {
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
  std::string file = {};  // the file of the clip; empty: the rig's, or none
};

// How the points of the two sides of a diff are paired.
struct MatchSettings {
  Match asked = Match::kIndex;
  Match used = Match::kIndex;
  std::string reason;   // why kAuto chose it; empty: the user did
  double sampling = 0;  // of Match::kSurface
};

// The form of the errors per vertex: in the report, in NumPy files beside it, or omitted.
enum class PerVertex { kJson, kNpy, kNone };

// A file, mesh or clip that only one of two libraries has.
struct UnpairedElement {
  std::string kind;  // "file", "mesh", "clip"
  std::string file;  // of the library that has it; empty: the library is one file
  std::string name;  // of a mesh or a clip; empty: of a file
};

// A file, mesh or clip that has equal data under another name in B.
struct RenamedElement {
  std::string kind;  // "file", "mesh", "clip"
  std::string file;  // of the library that has it; empty: of a file, or the library is one file
  std::string a, b;  // its names
};

// A pair of two libraries that could not be compared.
struct FailedPair {
  std::string name;  // of the file, "knight"; of the mesh in it, "knight/Body"
  std::string clip;  // empty: all
  std::string code, message;
};

// The pairs of a diff of two libraries. Ids of its meshes are "file/mesh".
struct LibraryRecord {
  std::int64_t files = 0;  // pairs of files
  std::vector<UnpairedElement> only_a, only_b;
  std::vector<FailedPair> failed;
  bool missing_fails = false;                // whether an element without a partner fails
  std::vector<RenamedElement> renamed = {};  // which have no partner of their name

  std::size_t missing() const { return only_a.size() + only_b.size() + renamed.size(); }
};

// A difference between the data of two rigs.
struct RigDataDifference {
  std::string file;        // of a library, without extension; empty: the sides are two rigs
  std::string kind, name;  // "mesh" or "clip" and its id; "nodes" and nothing
  std::string difference;  // "WEIGHTS_0 differs at 40 vertices around 'upperarm.l'"
};

// Everything that a run measured. Rigs and clips must outlive the report.
struct Report {
  std::string command;  // "bake"
  std::vector<InputFile> inputs;
  struct Settings {
    double fps = 30;
    std::optional<std::string> frames;  // as typed
    bool loop = false;
    Space space = Space::kScene;
    Baseline baseline = Baseline::kBind;
    std::string reference;
    std::vector<std::string> modifiers;  // canonical, in the order of application
    std::string map;                     // file that maps a clip's node names; empty: none
    JointParameters joint_params = {};
    std::vector<std::string> metrics = {};    // in the order of metrics(); empty: the default ones
    std::vector<std::string> profiles = {};   // engine profiles that each method also runs with
    std::optional<MatchSettings> match = {};  // of a diff of frames
  } settings;
  std::vector<ClipRecord> clips;
  std::vector<OutputRecord> outputs;
  std::vector<VerificationRecord> verification;
  std::vector<Check> checks;
  Issues issues;
  std::vector<std::string> allowed = {};  // codes of the issues that the user has declared known
  std::vector<BodyRecord> bodies = {};    // of several meshes each
  std::vector<MeshRecord> meshes;
  PerVertex per_vertex = PerVertex::kJson;
  std::optional<LibraryRecord> library = {};  // of a diff of two libraries
  // Of a diff of two rigs; none: their data were not compared.
  std::optional<std::vector<RigDataDifference>> rig_data = {};
  std::vector<Explanation> explain = {};
  std::optional<Recommendation> recommendation = {};
};

// The names of settings in reports.
std::string_view to_string(Space space);        // "scene", "mesh"
std::string_view to_string(Baseline baseline);  // "bind", "rest", "first-frame"

// The verdict of a run, in ascending order of severity.
enum class VerdictStatus { kNone, kPass, kWarn, kFail };  // kNone: the run is without thresholds
std::string_view to_string(VerdictStatus status);         // "none", "pass", "warn", "fail"

// The worst status of the report's checks.
VerdictStatus verdict_status(const Report& report);

// The text of document_of(report).
std::string to_json(const Report& report);

// Writes the errors per vertex of a run, which must have `error`, as a NumPy array of float32
// [row][vertex] with the rows rms, max and max_frame (frame numbers). The caller commits the file.
PerVertexFile write_per_vertex(const RunRecord& run, OutputFile& file);

}  // namespace skinbake
