// The loops of the shape metrics, compiled once per instruction set. Each function computes a
// number for every frame of a block and sums it over edges, triangles or vertices in their order.
// `positions` is [vertex][axis][frame] of the whole mesh unless stated otherwise.

#pragma once

#include <cstdint>
#include <span>

#include "rig/surface/weld.h"
#include "skinbake/frames.h"
#include "skinbake/rig.h"

namespace skinbake {

// A number for each frame of a block.
struct alignas(64) LaneRow {
  double at[kFramesPerBlock];
  double operator[](std::size_t lane) const { return at[lane]; }
};

// The greatest or least of many numbers and its index. Of equal numbers the first counts.
struct LaneExtreme {
  LaneRow value, element;
};

// ---- edge stretch

struct StretchEdge {
  VertexIndex from = 0, to = 0;
  double length_m = 0;  // at the baseline
};
// sigma = length / length at the baseline. `log_square` treats smaller sigmas as kLeastSigma.
inline constexpr double kLeastSigma = 1e-6;
struct StretchSums {
  LaneRow change;      // sum of |sigma - 1|
  LaneRow log_square;  // sum of ln(max(sigma, kLeastSigma))^2
  LaneExtreme max, min;
};
void sum_stretch(const float* positions, std::span<const StretchEdge> edges, StretchSums& out);

// ---- triangle distortion

// A triangle at the baseline, in its plane: its first side is (x, 0), its second (u, v).
struct FlatTriangle {
  VertexIndex a = 0, b = 0, c = 0;
  double x = 0, u = 0, v = 0;
  double area_m2() const { return x * v / 2; }
};
struct DistortionSums {
  LaneRow arap, dirichlet, conformal;  // sums of area times energy
  LaneRow clamped;                     // number of triangles whose sigma_2 was clamped
  LaneExtreme worst;                   // symmetric Dirichlet energy
  LaneRow area_ratio_min, area_ratio_max;
};
void sum_distortion(const float* positions, std::span<const FlatTriangle> triangles,
                    DistortionSums& out);

// ---- dihedral angles

// An edge i -> j between the triangles (i, j, left) and (j, i, right).
struct Hinge {
  VertexIndex i = 0, j = 0, left = 0, right = 0;
  double rest_rad = 0;
};
struct HingeSums {
  LaneRow square;  // sum of change^2
  LaneRow folds;
  LaneExtreme max;  // |change|
};
void sum_hinges(const float* positions, std::span<const Hinge> hinges, HingeSums& out);
// The angle in one pose. `positions`: [vertex][axis].
double hinge_angle(const double* positions, const Hinge& hinge);

// ---- bulge

// A vertex and the joint segment from which its distance is measured.
struct SegmentVertex {
  VertexIndex vertex = 0;
  std::uint32_t segment = 0;
  double distance_m = 0;  // at the baseline
};
// A segment's start (3), its direction (3), and 1 / direction^2 or 0 if the segment is a point.
inline constexpr std::size_t kSegmentElements = 7;
struct BulgeSums {
  LaneRow bulge, collapse;  // sums of ratios
  LaneExtreme max_bulge_m, max_collapse_m;
};
// `segments`: [segment][element][frame].
void sum_bulges(const float* positions, const double* segments,
                std::span<const SegmentVertex> vertices, BulgeSums& out);
// The distance of a point from a segment in one pose.
double segment_distance(const Vec3<double>& point, const Vec3<double>& start,
                        const Vec3<double>& end);

// ---- inversions

// A triangle, its normal in the bind pose (of any length) and its joints, heaviest first.
struct RotatedTriangle {
  VertexIndex a = 0, b = 0, c = 0;
  std::uint32_t first_weight = 0, weight_count = 0;
  Vec3<double> normal{0, 0, 0};
};
struct JointWeight {
  std::uint32_t joint = 0;
  double weight = 0;
};
struct RotatedTriangles {
  std::span<const RotatedTriangle> triangles;
  std::span<const JointWeight> weights;
  const double* rotations = nullptr;  // [joint][w x y z][frame], of unit length
};
// Counts the triangles that face away from the direction into which their joints rotate them.
void count_inversions(const float* positions, const RotatedTriangles& rotated, LaneRow& out);

// ---- normal deviation

struct NormalInput {
  const float* positions = nullptr;
  const float* normals = nullptr;  // [vertex][axis][frame]
  const double* sides = nullptr;   // [joint][frame] -1 if the joint mirrors, else 1
  const CornerGroups* groups = nullptr;
};
struct NormalSums {
  LaneRow angle;    // sum
  LaneRow count;    // vertices with a geometric normal
  LaneExtreme max;  // the element is the vertex
};
struct NormalOutput {
  NormalSums* sums = nullptr;
  double* scratch = nullptr;  // [group][kGroupScratch]
  // [frame][index into CornerGroups::vertices]; -1: the vertex does not have a geometric normal.
  float* angles = nullptr;
};
void measure_normals(const NormalInput& input, const NormalOutput& out);

// ---- cross-sections

// A point on the edge between two vertices: (1 - lambda) from + lambda to.
struct CutPoint {
  VertexIndex from = 0, to = 0;
  double lambda = 0;
};
// Computes twice the area of a closed polygon, which need not be planar.
void loop_area(const float* positions, std::span<const CutPoint> loop, LaneRow& twice_area_m2);
// The same in one pose. `positions`: [vertex][axis].
double loop_area(const double* positions, std::span<const CutPoint> loop);

}  // namespace skinbake
