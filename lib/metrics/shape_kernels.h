// The loops of the metrics of the shape that are compiled once per instruction set: the same
// number of every frame of a block, summed over edges, triangles or vertices in their order.
// `positions` is always [vertex][axis][frame] of the whole mesh.

#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rig/corner_groups.h"
#include "skinbake/frames.h"
#include "skinbake/transform.h"

namespace skinbake {

// One number for each frame of a block.
struct alignas(64) LaneRow {
  double at[kFramesPerBlock];
  double operator[](std::size_t lane) const { return at[lane]; }
};

// The greatest or least of many numbers, and which of them it is: the first of equals.
struct LaneExtreme {
  LaneRow value, element;
};

// ---- edge stretch

struct StretchEdge {
  VertexIndex from = 0, to = 0;
  double length_m = 0;  // at the baseline
};
// sigma = length / length at the baseline.
struct StretchSums {
  LaneRow change;      // sum of |sigma - 1|
  LaneRow log_square;  // sum of ln(max(sigma, 1e-6))^2
  LaneExtreme max, min;
};
void sum_stretch(const float* positions, std::span<const StretchEdge> edges, StretchSums& out);

// ---- triangle distortion

// A triangle in the plane at the baseline: its first side is (x, 0), its second (u, v).
struct FlatTriangle {
  VertexIndex a = 0, b = 0, c = 0;
  double x = 0, u = 0, v = 0;
  double area_m2() const { return x * v / 2; }
};
struct DistortionSums {
  LaneRow arap, dirichlet, conformal;  // sums of area times energy
  LaneRow clamped;                     // how many singular values were too small
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
  LaneRow square;  // sum of the changes' squares
  LaneRow folds;
  LaneExtreme max;  // |change|
};
void sum_hinges(const float* positions, std::span<const Hinge> hinges, HingeSums& out);
// The angle of one pose, [vertex][axis].
double hinge_angle(const double* positions, const Hinge& hinge);

// ---- bulge

// A vertex and the bone whose distance it is expected to keep.
struct BoneVertex {
  VertexIndex vertex = 0;
  std::uint32_t bone = 0;
  double distance_m = 0;  // at the baseline
};
// From the bone's start, its direction, and one over the direction's square; 0: it is a point.
inline constexpr std::size_t kBoneElements = 7;
struct BulgeSums {
  LaneRow bulge, collapse;  // sums
  LaneExtreme max_bulge, max_collapse;
};
// `bones`: [bone][element][frame].
void sum_bulges(const float* positions, const double* bones, std::span<const BoneVertex> vertices,
                BulgeSums& out);
// The distance of a point from a bone of one pose.
double bone_distance(const Vec3<double>& point, const Vec3<double>& start, const Vec3<double>& end);

// ---- inversions

// A triangle, its bind normal (of any length) and the joints that turn it, heaviest first.
struct TurnedTriangle {
  VertexIndex a = 0, b = 0, c = 0;
  std::uint32_t first_weight = 0, weight_count = 0;
  Vec3<double> normal{0, 0, 0};
};
struct JointWeight {
  std::uint32_t joint = 0;
  double weight = 0;
};
struct TurnedTriangles {
  std::span<const TurnedTriangle> triangles;
  std::span<const JointWeight> weights;
  const double* rotations = nullptr;  // [joint][w x y z][frame], of unit length
};
// How many triangles face away from where their joints turn them.
void count_inversions(const float* positions, const TurnedTriangles& turned, LaneRow& out);

// ---- normal deviation

struct NormalInput {
  const float* positions = nullptr;
  const float* normals = nullptr;  // of the same shape
  const double* sides = nullptr;   // [joint][frame] -1: the joint mirrors, else 1
  const CornerGroups* groups = nullptr;
};
struct NormalSums {
  LaneRow angle;    // sum
  LaneExtreme max;  // the element is a vertex of the mesh
};
struct NormalOutput {
  NormalSums* sums = nullptr;
  double* scratch = nullptr;  // [group][kGroupScratch]
  float* angles = nullptr;    // [frame][place among the groups' vertices]
};
void measure_normals(const NormalInput& input, const NormalOutput& out);

// ---- cross-sections

// A point on the edge between two vertices: (1 - lambda) from + lambda to.
struct CutPoint {
  VertexIndex from = 0, to = 0;
  double lambda = 0;
};
// Twice the area of a closed polygon, which need not be plane.
void loop_area(const float* positions, std::span<const CutPoint> loop, LaneRow& twice_area_m2);
double loop_area(const double* positions, std::span<const CutPoint> loop);

}  // namespace skinbake
