// The JSON report: everything a run found out, in a layout that lib/report/report.schema.json
// fixes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/diff.h"
#include "skinbake/error.h"
#include "skinbake/explain.h"
#include "skinbake/gltf.h"
#include "skinbake/metrics.h"
#include "skinbake/modifiers.h"
#include "skinbake/output_file.h"
#include "skinbake/recommendation.h"

namespace skinbake {

// A cache that was written.
struct OutputRecord {
  std::string path, format, mesh, clip, method;
  std::uint64_t bytes = 0;
  std::string xxh128;
};

// An output that was read back and compared with its frames, computed once more.
struct VerificationRecord {
  std::string path, format, mesh, clip, method;
  double max_m = 0;
  double bound_m = 0;                 // what the format allows
  std::optional<std::int64_t> frame;  // of the largest difference: frame number; none: it is 0
  VertexIndex vertex = 0;
  // The same of normals or tangents: lengths, of the difference of unit vectors.
  struct Directions {
    double max = 0;
    double bound = 0;
    std::optional<std::int64_t> frame;
    VertexIndex vertex = 0;
  };
  std::optional<Directions> normals = {}, tangents = {};  // none: there are none
  bool passed = false;                                    // all
};

// A threshold of the user, held against the worst value of the whole run.
struct Check {
  std::string option;    // "--fail-volume-loss"
  std::string severity;  // "fail" or "warn"
  std::string metric;    // "volume.max_loss"
  double limit = 0;
  std::string unit;             // "m" or "1"
  std::optional<double> value;  // none: NaN, which counts as exceeded
  bool passed = false;
  std::int64_t failures = 0;  // how many (mesh, run) exceed it
  std::string mesh, clip, method;
  std::optional<std::int64_t> frame;  // frame number
  std::optional<std::int64_t> vertex;
  std::optional<double> vertex_limit_m = {};  // of "error.over": what vertices are counted against
  // The same of each method, the worst first; empty: there is one method alone.
  std::vector<Check> methods = {};
};

// `diff --self-test`: frames of a, some moved by a known distance, held against a threshold.
struct SelfTestRecord {
  std::string option;  // "--fail-max"; empty: no threshold, any difference counts
  std::optional<double> limit;
  std::string unit;
  double moved_by_m = 0;
  std::int64_t vertices = 0;    // so many of the last ones were moved,
  std::int64_t frames = 0;      // in so many of the last frames
  std::optional<double> value;  // what was measured; none: NaN
  bool expected = false;        // whether the threshold must be exceeded
  bool exceeded = false;        // whether it was
};

// Errors per vertex in a file beside the report.
struct PerVertexFile {
  std::string path;  // its name, without folders
  std::string xxh128;
};

// How reports and paths name a run: "dqs", with an engine's profile "dqs@unreal-4".
std::string run_name(const std::string& method, const std::string& profile);

struct RunRecord {
  std::string clip, method;  // empty: not known, of a cache
  FrameRange frames;
  std::string reference;  // of `error`
  std::optional<PositionErrorResult> error;
  std::optional<VolumeResult> volume;
  std::vector<MetricResult> metrics = {};     // the others, in the order of metrics()
  std::optional<Difference> difference = {};  // its error is `error`
  std::string profile = {};                   // of an engine; empty: none
  const Rig* rig = nullptr;                   // with the profile's weights; null: the mesh's
  std::optional<PerVertexFile> per_vertex_file = {};  // of `error`, with PerVertex::kNpy

  std::string name() const { return run_name(method, profile); }
};

struct MeshRecord {
  const Rig* rig = nullptr;
  double bbox_diagonal_m = 0;
  std::vector<ModifierRecord> modifiers;  // what each changed
  std::optional<Topology> topology;       // none: no triangles
  std::vector<RunRecord> runs;
};

struct ClipRecord {
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
};

enum class PerVertex { kJson, kNpy, kNone };

struct Report {
  std::string command;  // "bake"
  std::vector<InputFile> inputs;
  struct Settings {
    double fps = 30;
    std::optional<std::string> frames;  // as typed
    bool loop = false;
    std::string space = "scene";
    std::string baseline = "bind";
    std::string reference;
    std::vector<std::string> modifiers;  // canonical, in their order
    std::string map;                     // of a clip's names, as reports show paths; empty: none
    JointParameters joint_params = {};
    std::vector<std::string> metrics = {};   // in the order of metrics(); empty: the usual ones
    std::vector<std::string> profiles = {};  // every method's runs are also with these
  } settings;
  std::vector<ClipRecord> clips;
  std::vector<OutputRecord> outputs;
  std::vector<VerificationRecord> verification;  // of --verify
  std::vector<Check> checks;
  Issues issues;
  std::vector<MeshRecord> meshes;
  PerVertex per_vertex = PerVertex::kJson;
  std::vector<SelfTestRecord> self_test = {};
  std::optional<ReportChanges> changes = {};  // of two reports
  std::vector<Explanation> explain = {};
  std::optional<Recommendation> recommendation = {};
};

// The worst of "fail", "warn", "pass"; "none" without checks.
std::string verdict_status(const Report& report);

// The report's bytes: the same for the same results, on every machine and with any number of
// threads (0: as many as there are processors).
std::string to_json(const Report& report, int threads = 1);

// Writes the errors per vertex of a run, which has some, as a NumPy array of float32 [row][vertex],
// rows: rms, max, max_frame (frame numbers). The file is not yet committed.
PerVertexFile write_per_vertex(const RunRecord& run, OutputFile& file);

// The JSON Schema (2020-12) that every report validates against.
std::string_view report_schema();

std::string_view version();  // of skinbake: "0.1.0"

}  // namespace skinbake
