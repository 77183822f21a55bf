// Measurements on frames. Each metric is a sink: give it to a MethodRun, bake, take the result.

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

// Where the worst value is. Positions in the run, not frame numbers; -1: nowhere.
struct Place {
  std::int64_t frame = -1;
  std::int64_t vertex = -1;
  std::int64_t triangle = -1;                // of the file
  std::array<std::int64_t, 2> edge{-1, -1};  // vertices
};

enum class Baseline { kBind, kRest, kFirstFrame };

// The pose that lengths and volumes are compared with: [vertex][axis] in double, metres.
struct BaselinePose {
  Baseline kind = Baseline::kBind;
  std::vector<double> positions;               // of the baseline
  double bbox_diagonal_m = 0;                  // D: always of the bind pose (lib/metrics/README.md)
  Affine<double> scene_from_bind = kIdentity;  // K, of kBind
  Issues issues;
};

// A fan of triangles that closes one component of a boundary. Its apex is the mean of the edges'
// middles, weighted by their lengths in the frame.
struct Cap {
  std::uint32_t first_edge = 0, edge_count = 0;  // of Component::boundary
  VertexIndex origin = 0;  // volumes are summed about it: the first vertex of the mesh's component
};

// A part of the surface. Vertices that the file split at seams are one again.
// lib/metrics/README.md defines every word.
struct Component {
  VertexIndex first_vertex = 0;          // lowest file index of the triangles' corners
  std::vector<std::uint32_t> triangles;  // into Topology::triangles, ascending
  // Directed boundary edges (file vertices), net uses repeated; one cap's after another's.
  std::vector<std::array<VertexIndex, 2>> boundary;
  std::vector<Cap> caps;
  bool closed = false;
  bool solid = false;            // has a volume worth the name
  double cap_area_fraction = 0;  // at the baseline
  double baseline_volume_m3 = 0;
};

// The hinge of a joint: triangles of solid components that it moves partly.
struct JointRegion {
  JointIndex joint = 0;
  // Solid: its volume is not nothing. (An open tube by nature, it may have large caps.)
  Component surface;
};

// Triangles of one component that belong to the same joint regions: a volume is summed over each
// patch once and then counted for its component and for its regions.
struct SurfacePatch {
  std::uint32_t component = 0;           // into Topology::components
  std::vector<std::uint32_t> triangles;  // into Topology::triangles, ascending
  std::vector<std::uint32_t> regions;    // into Topology::joint_regions, ascending
};

struct Topology {
  std::vector<VertexIndex> welded;                    // [vertex] representative
  std::vector<std::array<VertexIndex, 3>> triangles;  // file vertices, oriented, degenerate dropped
  std::vector<Component> components;                  // by first_vertex
  std::vector<JointRegion> joint_regions;             // by joint; none is empty
  std::vector<SurfacePatch> patches;                  // by first triangle
  std::int64_t welded_vertex_count = 0;
  std::int64_t cracked_positions = 0;  // positions at which there are different influences
  bool closed = false;
  std::int64_t boundary_edges = 0;  // net uses counted each
  std::int64_t boundary_components = 0;
  std::int64_t nonmanifold_edges = 0;  // with three or more triangles
  std::int64_t flipped_edges = 0;      // as the file has them, before turning
  std::int64_t flipped_triangles = 0;  // turned
  std::int64_t non_orientable_patches = 0;
  std::int64_t degenerate_triangles = 0;
  double cap_area_fraction = 0;
};

// Welds, orients and measures the surface of a rig at its baseline.
Topology build_topology(const Rig& rig, const BaselinePose& baseline);

// The baseline of a rig: bind (K . POSITION) from the rig alone. For kRest and kFirstFrame the
// caller passes that pose's positions [vertex][axis]. Issues come without a file.
BaselinePose bind_baseline(const Rig& rig);

// How many vertices are farther than a limit from the reference's, or not a number.
struct OverLimit {
  double limit_m = 0;
  std::int64_t vertices = 0;  // in any frame
  std::int64_t frames = 0;    // with any vertex
  std::int64_t most = 0;      // vertices in one frame
  Place most_at;              // that frame
};

// ‖x̃ − x‖ against the blocks' reference, which the plan must have. What is compared with a position
// that is not a number is not a number either, and larger than anything.
struct PositionErrorResult {
  double rms = 0, mean = 0, max = 0;
  Place max_at;
  double rms_relative = 0, max_relative = 0;  // of D
  double erms = 0;
  std::optional<double> kg_percent;  // none: the reference does not move about its mean
  struct PerFrame {
    std::vector<double> rms, mean, max;
    std::vector<std::int64_t> max_vertex;
    std::vector<double> p50, p95, p99;
  } per_frame;
  struct PerVertex {
    std::vector<double> rms, max;
    std::vector<std::int64_t> max_frame;  // position in the run
  } per_vertex;
  std::vector<OverLimit> over;  // of each limit, as given
};

class PositionErrorMetric : public FrameSink {
 public:
  virtual PositionErrorResult result() const = 0;  // after end()
};

// Takes the distances of one frame's vertices, `position` counted from the run's first: from
// several threads at once, in any order.
using DistanceRow = std::function<void(std::int64_t position, std::span<const float> distances)>;

struct ErrorOptions {
  std::vector<double> limits_m = {};  // of PositionErrorResult::over
  DistanceRow take_row = {};          // may be empty
};
std::unique_ptr<PositionErrorMetric> measure_position_error(const Rig& rig, FrameRange frames,
                                                            double bbox_diagonal_m,
                                                            ErrorOptions options = {});

// Of what is measured: its volume at the baseline and its losses over the frames.
struct VolumeExtremes {
  double baseline_m3 = 0;
  double max_loss = 0, min_loss = 0;
  Place max_loss_at, min_loss_at;
};

// loss = 1 − V / V_baseline of the solid components; negative is gained.
struct VolumeResult {
  // Outside: Clang 14 cannot make an optional of a nested struct with default values.
  using Extremes = VolumeExtremes;
  struct PerComponent : Extremes {
    std::int64_t component = 0;  // into Topology::components
  };
  struct PerJoint : Extremes {
    JointIndex joint = 0;
    std::int64_t triangle_count = 0;
    std::vector<double> loss;  // [frame]
  };
  std::optional<Extremes> total;         // none: no solid component (issue NO_VOLUME)
  std::vector<double> volume_m3, loss;   // [frame]; NaN without `total`
  std::vector<PerComponent> components;  // solid ones
  std::vector<PerJoint> joints;          // regions with a volume
  Issues issues;                         // without a file
};

class VolumeMetric : public FrameSink {
 public:
  virtual VolumeResult result() const = 0;  // after end()
};
// `topology` must outlive the metric.
std::unique_ptr<VolumeMetric> measure_volume(const Rig& rig, const Topology& topology,
                                             FrameRange frames);
// The same of a surface that may still be in the making when the bake starts: `topology` is called
// when the first block is whole, by a thread of the bake, and may wait or throw.
std::unique_ptr<VolumeMetric> measure_volume(const Rig& rig,
                                             std::function<const Topology&()> topology,
                                             FrameRange frames);

// ---- Metrics of the shape: each is one file of lib/metrics and one line of metrics.cpp.

// One key of a metric's section of the report. Numbers that are not finite are written as null;
// arrays are per frame of the metric's frames; an object or a list of them stands for itself.
struct MetricField {
  std::string_view key;
  std::variant<double, std::int64_t, std::string, Place, std::vector<double>,
               std::vector<std::int64_t>, std::vector<MetricField>,
               std::vector<std::vector<MetricField>>>
      value;
};

// What a metric found out: its section of the report, keys in the order in which they are written.
struct MetricResult {
  std::string_view id;
  std::vector<MetricField> fields;
  Issues issues = {};  // without a file
};

// What a metric is made for. What is pointed at must outlive it.
struct MetricInput {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
  Space space = Space::kScene;
  const BaselinePose* baseline = nullptr;
  // Called when the first block is whole, by a thread of the bake; may wait or throw. Not called
  // by metrics that need no triangles.
  std::function<const Topology&()> topology;
  // Below which errors between frames are good enough; none: the rate for that is not looked for.
  std::optional<double> in_between_limit_m = {};
};

class Metric : public FrameSink {
 public:
  // True if it is not fed the frames of its input but those that it asks for, as a bake each.
  virtual bool needs_other_frames() const { return false; }
  // None: it has all it needs. Asked again after each bake.
  virtual std::optional<FrameRange> next_frames() { return std::nullopt; }

  virtual MetricResult result() const = 0;  // after the last end()
};

struct MetricInfo {
  std::string_view id, unit, description;
  bool needs_triangles = false;
  // Null: `error` and `volume`, whose results have types and sections of their own.
  std::unique_ptr<Metric> (*make)(const MetricInput& input) = nullptr;
};

// Every metric, in the order of reports.
std::vector<MetricInfo> metrics();

}  // namespace skinbake
