// Metrics measure the frames of a bake. A metric is a sink: add it to a MethodRun, call `bake`,
// then call `result`. lib/metrics/README.md defines the terms.
//
// Lengths are in metres, volumes in cubic metres, angles in radians. Functions are thread-safe;
// a sink belongs to one bake at a time, and `result` must be called after the bake has ended.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/frames.h"

namespace skinbake {

// Units of measured numbers.
enum class Unit {
  kRatio,  // a part of a whole: 0.05 is 5 %
  kMetres,
  kCubicMetres,
  kRadians,
  kNumber,  // an energy or a count: 4 is 4
};

// The unit in JSON: "1", "m", "m3", "rad", "".
std::string_view to_string(Unit unit);

// The position of a metric's worst value. -1: does not apply.
struct Place {
  std::int64_t frame = -1;  // position in the run, counted from 0
  std::int64_t vertex = -1;
  std::int64_t triangle = -1;                // index into the file's triangles
  std::array<std::int64_t, 2> edge{-1, -1};  // its vertices
  std::string joint = {};                    // joint_id; empty: does not apply
  bool inside_face = false;                  // the vertex is a point inside a face
};

enum class Baseline { kBind, kRest, kFirstFrame };

// The pose with which lengths, areas, angles and volumes are compared.
struct BaselinePose {
  Baseline kind = Baseline::kBind;
  std::vector<double> positions;               // [vertex][axis], metres
  double bbox_diagonal_m = 0;                  // D: of the bind pose, whatever the kind
  Affine<double> scene_from_bind = kIdentity;  // K; used with kBind
  Issues issues;
};

// A fan of triangles that closes one component of a boundary. Its apex is the mean of the edges'
// midpoints, weighted by the lengths of the edges in the frame.
struct Cap {
  std::uint32_t first_edge = 0, edge_count = 0;  // range of Component::boundary
  VertexIndex origin = 0;  // volumes are summed relative to it: first vertex of the component
};

// A connected part of the welded surface.
struct Component {
  VertexIndex first_vertex = 0;          // lowest file index of the triangles' corners
  std::vector<std::uint32_t> triangles;  // indices into Topology::triangles, ascending
  std::int64_t triangle_count = 0;       // of a component; remains after keep_counts
  // Directed boundary edges (file vertices), repeated by their net uses, grouped by cap.
  std::vector<std::array<VertexIndex, 2>> boundary;
  std::vector<Cap> caps;
  bool closed = false;
  bool solid = false;            // the volume is meaningful (README.md: solid)
  double cap_area_fraction = 0;  // at the baseline
  double baseline_volume_m3 = 0;
};

// The region of a joint: the triangles of solid components that the joint moves partly.
struct JointRegion {
  JointIndex joint = 0;
  // `solid` only requires a volume here: the region is an open tube, so its caps may be large.
  Component surface;
};

// Triangles of one component that belong to the same joint regions. The volume of a patch is
// computed once and added to its component and to its regions.
struct SurfacePatch {
  std::uint32_t component = 0;           // index into Topology::components
  std::vector<std::uint32_t> triangles;  // indices into Topology::triangles, ascending
  std::vector<std::uint32_t> regions;    // indices into Topology::joint_regions, ascending
};

struct Topology {
  std::vector<VertexIndex> welded;  // [vertex] representative of its point
  // Corners are file vertices. Consistently oriented, without degenerate triangles.
  std::vector<std::array<VertexIndex, 3>> triangles;
  std::vector<Component> components;       // ordered by first_vertex
  std::vector<JointRegion> joint_regions;  // ordered by joint; not empty
  std::vector<SurfacePatch> patches;       // ordered by first triangle
  std::int64_t welded_vertex_count = 0;
  std::int64_t cracked_positions = 0;  // positions whose vertices have different influences
  bool closed = false;
  std::int64_t boundary_edges = 0;  // each counted by its net uses
  std::int64_t boundary_components = 0;
  std::int64_t nonmanifold_edges = 0;  // with three or more triangles
  std::int64_t flipped_edges = 0;      // before triangles were reversed
  std::int64_t flipped_triangles = 0;  // reversed triangles
  std::int64_t non_orientable_patches = 0;
  std::int64_t degenerate_triangles = 0;
  double cap_area_fraction = 0;
};

// Welds, orients and measures the surface of a rig at its baseline.
// Precondition: the rig is valid, and `baseline` has its vertex count.
Topology build_topology(const Rig& rig, const BaselinePose& baseline);

// Releases the lists of vertices, triangles and edges: the counts that a report states remain.
void keep_counts(Topology& topology);

// Returns the bind baseline, K . POSITION. For kRest and kFirstFrame, replace `kind` in the result,
// and `positions` by pose_positions or first_frame_positions (bake.h). Issues do not name a file.
// Throws Error (kInput, NON_FINITE_POSITION) if a coordinate is not a finite float.
// Precondition: the rig is valid.
BaselinePose bind_baseline(const Rig& rig);

// Counts vertices whose distance from the reference exceeds a limit or is NaN.
struct OverLimit {
  double limit_m = 0;
  std::int64_t vertices = 0;  // over the limit in at least one frame
  std::int64_t frames = 0;    // with at least one vertex over the limit
  std::int64_t most = 0;      // largest number of vertices over the limit in one frame
  Place most_at;              // that frame
};

// Statistics of ‖x̃ − x‖, with x the positions of the plan's reference. A distance is NaN if one of
// the two positions is, and NaN counts as larger than any number.
struct PositionErrorResult {
  double rms = 0, mean = 0, max = 0;  // metres
  Place max_at;
  double rms_relative = 0, max_relative = 0;  // divided by D
  double erms = 0;                            // README.md: ERMS
  std::optional<double> kg_percent;  // README.md: KG; none if all vertices are at one position
  struct PerFrame {
    std::vector<double> rms, mean, max;
    std::vector<std::int64_t> max_vertex;
    std::vector<double> p50, p95, p99;
  } per_frame;
  struct PerVertex {
    std::vector<double> rms, max;
    std::vector<std::int64_t> max_frame;  // position in the run
  } per_vertex;
  std::vector<OverLimit> over;  // [limit], in the order of ErrorOptions::limits_m
};

class PositionErrorMetric : public FrameSink {
 public:
  virtual PositionErrorResult result() const = 0;  // precondition: end() was called
};

// Receives the distances [vertex] of one frame, in metres. `position` counts the frames of the run
// from 0. Called by several threads at once, in any order.
using DistanceRow = std::function<void(std::int64_t position, std::span<const float> distances)>;

struct ErrorOptions {
  std::vector<double> limits_m = {};  // one OverLimit per limit
  DistanceRow take_row = {};          // may be empty
};
// Returns a metric of position errors. The plan must have a reference, or the bake throws Error
// (kUsage, REFERENCE_MISSING). `bbox_diagonal_m` is BaselinePose::bbox_diagonal_m.
std::unique_ptr<PositionErrorMetric> measure_position_error(const Rig& rig, FrameRange frames,
                                                            double bbox_diagonal_m,
                                                            ErrorOptions options = {});

// The baseline volume of a surface and its extreme losses over all frames.
struct VolumeExtremes {
  double baseline_m3 = 0;
  double max_loss = 0, min_loss = 0;
  Place max_loss_at, min_loss_at;
};

// loss = 1 − V / V_baseline of the solid components. Negative: volume was gained.
struct VolumeResult {
  // VolumeExtremes is not nested: Clang 14 rejects std::optional of a nested struct with default
  // member initialisers.
  using Extremes = VolumeExtremes;
  struct PerComponent : Extremes {
    std::int64_t component = 0;  // index into Topology::components
  };
  struct PerJoint : Extremes {
    JointIndex joint = 0;
    std::int64_t triangle_count = 0;
    std::vector<double> loss;  // [frame]
  };
  std::optional<Extremes> total;         // none if no component is solid (issue NO_VOLUME)
  std::vector<double> volume_m3, loss;   // [frame]; NaN without `total`
  std::vector<PerComponent> components;  // the solid ones
  std::vector<PerJoint> joints;          // regions that have a volume
  Issues issues;                         // do not name a file
};

class VolumeMetric : public FrameSink {
 public:
  virtual VolumeResult result() const = 0;  // precondition: end() was called
};
// Returns a metric of volumes. `rig` and `topology` must outlive it.
std::unique_ptr<VolumeMetric> measure_volume(const Rig& rig, const Topology& topology,
                                             FrameRange frames);
// The same for a topology that is computed concurrently with the bake: a thread of the bake calls
// `topology` once, when the first block is complete. The call may block or throw.
std::unique_ptr<VolumeMetric> measure_volume(const Rig& rig,
                                             std::function<const Topology&()> topology,
                                             FrameRange frames);

// ---- Sections of reports, and the metrics that are only sections. Each metric is a file of
// lib/metrics and a line of metrics.cpp.

// The number of a frame, which is counted from the start of the run here.
struct FrameOfRun {
  std::int64_t position = 0;
};

// A key and a value of a section of the report. Numbers that are not finite are written as null.
// Arrays of numbers are per frame.
struct SectionField {
  std::string_view key;
  std::variant<double, std::int64_t, std::string, bool, Place, FrameOfRun, std::vector<double>,
               std::vector<std::int64_t>, std::vector<SectionField>,
               std::vector<std::vector<SectionField>>>
      value;
};

// The section of a report that a metric writes. Fields are in the order of the report.
struct MetricResult {
  std::string_view id;
  std::vector<SectionField> fields;
  Issues issues = {};   // do not name a file
  bool applies = true;  // false: the mesh does not have what the metric measures
};

// The sections of `error` and `volume`. Errors per vertex are not part of it.
MetricResult section_of(const PositionErrorResult& error, const Rig& rig,
                        const std::string& reference);
MetricResult section_of(const VolumeResult& volume, const Rig& rig);

// The input of a metric. Everything that it points at must outlive the metric.
struct MetricInput {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
  Space space = Space::kScene;
  const BaselinePose* baseline = nullptr;
  // Called by a thread of the bake when the first block is complete; may block or throw. May be
  // empty for metrics that do not need triangles.
  std::function<const Topology&()> topology;
  // The limit of the metric's first field. With it, `in_between` searches for a sufficient rate.
  std::optional<double> limit = {};
};

class Metric : public FrameSink {
 public:
  // True if the metric consumes the frames that `next_frames` returns, not the frames of its input.
  // The caller then bakes each of these ranges into the metric.
  virtual bool needs_other_frames() const { return false; }
  // Returns the frames of the next bake, or none if the metric is complete. Called before each
  // bake.
  virtual std::optional<FrameRange> next_frames() { return std::nullopt; }

  virtual MetricResult result() const = 0;  // precondition: end() was called for the last bake
};

// The values of a number that exceed a limit.
enum class Worse {
  kMore,     // values above it
  kFarFrom1  // factors above it or below its reciprocal
};

// A number of a metric's section by which runs are judged. `volume.max_loss` is a limit of the
// number `max_loss` of the section `volume`.
struct MetricField {
  std::string_view key;
  Unit unit = Unit::kRatio;
  Worse worse = Worse::kMore;
  std::string_view of = {};  // in a sentence, what the number counts or is a part of: "triangles"
};

struct MetricInfo {
  std::string_view id;
  std::string_view description;
  std::span<const MetricField> fields = {};  // the most telling one first
  bool needs_triangles = false;
  // Null for `error` and `volume`, which have functions and result types above.
  std::unique_ptr<Metric> (*make)(const MetricInput& input) = nullptr;
};

// Returns every metric, in the order of reports.
std::vector<MetricInfo> metrics();

// The field with a path such as "error.max"; none: no metric has it.
std::optional<MetricField> metric_field(std::string_view path);

}  // namespace skinbake
