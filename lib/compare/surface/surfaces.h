// Compares the surfaces of two files of one character whose vertices do not pair, as an optimiser
// leaves them: welded, reordered, split, quantised or simplified. Points are paired once, in the
// bind pose; every frame then compares each point with its partner.
//
// Lengths are in metres. Functions are thread-safe, and their results do not depend on the number
// of threads.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/frames.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

namespace skinbake {

// A point of a surface: the weighted mean of three vertices. A vertex is {v, v, v}, {1, 0, 0}.
// Weights are multiples of 2^-24 that sum to 1: sums of float32 positions are then exact in double,
// and do not depend on the order of the corners.
struct SurfacePoint {
  std::array<VertexIndex, 3> corners{};
  std::array<float, 3> weights{1, 0, 0};

  bool is_vertex() const { return weights[0] == 1; }
};

// A node that moves vertices.
struct SurfaceJoint {
  std::string name;                     // "#<node>" without a name
  bool has_name = false;                // the file names the node
  Vec3<double> rest_position{0, 0, 0};  // scene, metres
};

// The meshes of a scene in their bind pose, one after another. The bind pose of a mesh is
// BaselinePose, with one joint for both files as the joint of K.
struct BindSurface {
  std::vector<Vec3<double>> positions;  // [vertex] rounded to float32
  std::vector<Vec3<double>> normals;    // [vertex] of the file; 0 without normals
  // [vertex] Where morph target t of the mesh moves the vertex with the weight 1 / (t + 1), all
  // targets together. Vertices with one position, and one of these, follow the targets alike.
  std::vector<Vec3<double>> morphed;
  std::vector<std::array<VertexIndex, 3>> triangles;  // file order
  std::vector<std::uint32_t> first_influence;         // [vertex + 1]
  std::vector<Influence> influences;                  // Influence::joint is an index into `joints`
  std::vector<SurfaceJoint> joints;                   // by node
  // [joint] Equal numbers in two surfaces stand for the same joint.
  std::vector<std::uint32_t> joint_ids;
  std::uint32_t joint_id_count = 0;  // of both surfaces
  double diagonal_m = 0;             // of the bounding box

  VertexIndex vertex_count() const { return static_cast<VertexIndex>(positions.size()); }
  Vec3<double> position(const SurfacePoint& point) const;
  std::span<const Influence> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }
};

// The bind surfaces of two files. Joints pair by name, then by rest position. Rigs of one side
// share their skeleton. Throws Error (kInput, NON_FINITE_POSITION) if a position is not a finite
// number. Precondition: both sides have a rig, and all rigs are valid.
struct BindSurfaces {
  BindSurface a, b;
};
BindSurfaces bind_surfaces(std::span<const Rig* const> a, std::span<const Rig* const> b);

// How the points of two surfaces are paired.
enum class Match {
  kIndex,    // vertex i with vertex i
  kOrder,    // the same vertices in another order
  kSurface,  // points of each surface with the closest points of the other
  kAuto,     // the first of these that fits; index and order only if the triangles are the same too
};
std::string_view to_string(Match match);  // "index", "order", "surface", "auto"

// Points of one surface, and their partners on another. The vertices come first, in their order;
// then points inside long edges and large faces.
struct PointPairs {
  std::vector<SurfacePoint> points, partners;
  std::int64_t facing_away = 0;  // points whose partner's normal differs by more than 60 degrees
};

// The distance of the pairs in the bind pose, and their largest.
struct PairDistance {
  double rms = 0, max = 0;
  std::size_t worst = 0;  // index of the pair
};
PairDistance bind_distance(const PointPairs& pairs, const BindSurface& of,
                           const BindSurface& other);

struct MatchPlan {
  Match match = Match::kAuto;
  double sampling = 0.005;  // the longest edge of the sampling, as a part of the diagonal
  int threads = 0;          // 0: one per processor
  std::array<std::string, 2> names{"A", "B"};    // in messages
  std::array<std::size_t, 2> mesh_counts{1, 1};  // that --mesh chooses from, in messages
  // Receives the part of the closest points that is found. Calls do not overlap, but come from any
  // thread.
  std::function<void(double part)> progress = {};
  // The distances to triangles that a search of one surface may look at: some fifty for each point,
  // but all triangles at a place for each point there. This is a few minutes.
  std::uint64_t most_distances = 2'000'000'000;
};

// Points are equal that are no farther apart than this part of the diagonal of A. Positions are
// float32, and so are the weights of a point in its face: each is rounded by up to 6e-8 of its
// value, and a frame sums about a dozen of them.
inline constexpr double kEqualPart = 1e-6;

// The area of the triangles in the bind pose, square metres. A triangle counts as often as it is
// there.
double surface_area(const BindSurface& surface);

// The triangles that only one of two surfaces has.
struct TriangleDifference {
  std::int64_t only_a = 0, only_b = 0;

  bool any() const { return only_a > 0 || only_b > 0; }
};

// The pairs of two surfaces.
struct MatchedSurfaces {
  Match match = Match::kIndex;  // never kAuto
  std::string reason;           // why kAuto chose it; empty: the caller did
  PointPairs a_to_b;
  std::optional<PointPairs> b_to_a;  // only with kSurface: the other matches are bijective
  // The largest distance of `index` in the bind pose, if the counts are equal.
  std::optional<double> index_distance_m;
  TriangleDifference triangles;  // none if the vertices do not pair
};

// Pairs the points of two surfaces in the bind pose.
// Throws Error (kNotComparable):
//   NOT_COMPARABLE       kIndex: the counts of vertices differ; kOrder: the vertices are not the
//                        same; kSurface: a side has no triangles, one is more than 5 times as
//                        large as the other, or the bind poses are farther apart than 10 % of the
//                        diagonal; all but kIndex: the vertices of A are at one point.
MatchedSurfaces match_surfaces(const BindSurfaces& surfaces, const MatchPlan& plan);

// The vertex of b that is each vertex of a. None: they are not the same vertices.
std::optional<std::vector<VertexIndex>> match_order(const BindSurface& a, const BindSurface& b);

// Compares the triangles between vertices that pair by index. Triangles are sets of three corners
// with a direction: they may begin at any corner. Triangles with two equal corners do not count. A
// triangle that is there twice pairs with two.
TriangleDifference triangle_difference(std::span<const std::array<VertexIndex, 3>> a,
                                       std::span<const std::array<VertexIndex, 3>> b);

// The same for vertices in another order. Vertices of a that are at one place in every frame count
// as one: they differ by normals or texture coordinates. `b_of_a`: by match_order.
TriangleDifference triangle_difference(const BindSurface& a, const BindSurface& b,
                                       std::span<const VertexIndex> b_of_a);

// The greatest distance of vertices with equal indices, if the counts are equal.
std::optional<double> index_distance(const BindSurface& a, const BindSurface& b);

// Whether b has the vertices of a in another order, exactly or about: by index they are far apart,
// by place they are near. False if the counts differ.
bool have_another_order(const BindSurfaces& surfaces);

// The vertices of one frame: x, y, z of each.
struct FrameVertices {
  std::span<const float> positions;
  std::span<const std::array<VertexIndex, 3>> triangles;  // empty: unknown
};
// The same for the vertices of one frame of two files, without regard to joints. False if a
// position is not a finite number. Without triangles, only the same vertices are found.
bool have_another_order(const FrameVertices& a, const FrameVertices& b);

// The joint that moves a point most; ties: the lower index.
std::uint32_t heaviest_joint(const BindSurface& surface, const SurfacePoint& point);

// The points of a surface in each frame of its vertices. `points` and `vertices` must outlive it.
std::unique_ptr<FrameSource> frames_of_points(const FrameSource& vertices,
                                              std::span<const SurfacePoint> points);

// The vertices of a surface, each moved by the vector from a point to the point's partner. The
// point is, of all points of faces around the vertex, the farthest from its partner in the frame:
// the distance from `vertices` is the largest around each vertex. All arguments must outlive it.
std::unique_ptr<FrameSource> frames_of_worst_around(const FrameSource& vertices,
                                                    const FrameSource& other_vertices,
                                                    const PointPairs& pairs);

// The first frames of several sources, with the vertices of one after another. Preconditions: there
// is a source; every source has as many frames. The sources must outlive the result.
std::unique_ptr<FrameSource> joined_frames(std::vector<const FrameSource*> sources,
                                           std::int64_t frame_count);

}  // namespace skinbake
