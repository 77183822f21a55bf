// The core line of a rig: what sbs-core, sbs+, sbs++, sbs-ellipse and sbs-conic share at bind time.
//
// Source: Hiroshi Ichinohe, Yoshihiro Hagihara, Yukari Hagihara, Adiljan Yimit, Tasuku Miyoshi,
// Motoki Takagi. An implementation method for smooth 3D skin animation. Iwate University. The paper
// treats one parent and one child; what follows is that for any rig (ours).
//
//     edge     a joint (the child, 1) and the nearest joint above it that moves something (0)
//     b        the child's head
//     d_a      unit direction parent's head -> b       } one that is missing is
//     d_b      unit direction b -> the child's tip     } taken from the other
//     foot     x = min(0, (v - b) d_a) + max(0, (v - b) d_b), the arc length along the core from b;
//              c_v = b + x d_a for x < 0, b + x d_b else (the nearest point of the core would jump
//              where the core is bent at rest)
//     t        the parent's share of the vertex's two weights, w_0 / (w_0 + w_1)
//     bounds   r_0 = b - d_0 d_a and r_1 = b + d_1 d_b; what is not given by hand is found:
//                  d_0 = sqrt 5 sigma - m,  d_1 = sqrt 5 sigma + m,
//              m and sigma the mean and the deviation of x over the welded vertices that both
//              joints move, each counted w_0 w_1 (exact for a linear ramp on a uniform tube);
//              within 1 % of the shorter bone and the whole of its own
//
// A variant is a centre curve: a point gamma_rest of the vertex at rest, and the same point posed.
//
//     v' = Q (u - gamma_rest) + gamma_pose
//
// keeps the rest pose whatever the curve. A curve that depends on the foot alone takes x within
// x_t +- (d_0 + d_1) sqrt(t (1 - t) / 3), x_t = (1 - t)(d_0 + d_1) - d_0, so that the result is
// continuous as a weight goes to nothing; ramps between linear and smoothstep are not touched.
// faithful=1 takes gamma_rest = c_v and no such bounds, as the paper does.
//
// A vertex of several edges gets each of them as a correction of the linear blend:
//
//     v' = sum_i w_i M_i v + sum_edges (w_0 + w_1) (w_0 w_1 / sum_edges w w) (X - L)
//     X, L   the variant's and the linear blend's result for the edge's two joints at t and 1 - t
//
// Two influences: exactly X. No edge: linear blending.

#pragma once

#include "methods/method.h"

namespace skinbake {

// Places are relative to the bind's centre.
struct CoreEdge {
  JointIndex parent = 0, child = 0;
  Vec3<double> head{0, 0, 0};                // b
  Vec3<double> parent_axis{0, 0, 0};         // d_a; zero if there is neither bone
  Vec3<double> child_axis{0, 0, 0};          // d_b
  double parent_reach = 0, child_reach = 0;  // d_0, d_1
  double s = 0.5;                            // of sbs+
};

// What a vertex is to an edge.
struct CoreFoot {
  double t = 0;  // the parent's share
  double x = 0;  // along the core from b
};

// A variant's side of bind: numbers of one vertex and edge, [number_count].
struct CoreCurve {
  std::size_t number_count = 0;
  bool of_foot_alone = false;
  void (*describe)(const CoreEdge& edge, const CoreFoot& foot, double* numbers) = nullptr;
  Vec3<double> (*at_rest)(const CoreEdge& edge, const double* numbers) = nullptr;
};

struct CoreSettings {
  double s = 0.5;
  bool faithful = false;
};

// An edge of a vertex takes this many entries of Bound, with the indices part, parent, child, and
// their numbers in one row: t, what the edge counts, gamma_rest, then the curve's.
inline constexpr std::size_t kEntriesPerEdge = 3;
inline constexpr std::size_t kEdgeShare = 0, kEdgeCounts = 1, kEdgeRest = 2;
inline constexpr std::size_t kNumbersBeforeCurve = 5;
constexpr std::size_t numbers_per_edge(std::size_t of_curve) {
  const std::size_t numbers = kNumbersBeforeCurve + of_curve;
  return (numbers + kEntriesPerEdge - 1) / kEntriesPerEdge * kEntriesPerEdge;
}

// Parts are edges; joints parent and child, then the edge's numbers.
Bound bind_core_line(const BindInput& input, const CoreCurve& curve, const CoreSettings& settings);
CoreEdge edge_of(const PartOf& part);

inline constexpr MethodParameter kFaithful{
    .name = "faithful", .help = "1: as printed: not kept at rest", .choices = "0|1"};
inline constexpr MethodParameter kCoreParameters[] = {kFaithful};
inline constexpr MethodSetting kFaithfulSettings[] = {
    {"faithful=1", 0, kKeepsBindPose | kKeepsCommonMatrix}};
inline constexpr std::uint32_t kCoreKeeps =
    kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint | kKeepsCommonMatrix;
inline constexpr std::string_view kCoreSource =
    "Ichinohe, Hagihara, Hagihara, Yimit, Miyoshi, Takagi. An implementation method for smooth 3D "
    "skin animation. Iwate University";

// What the methods say of themselves, where they are alike.
struct CoreWords {
  std::string_view id, title;
  std::string_view source = kCoreSource;
  std::string_view preserves;
  std::span<const MethodParameter> parameters = kCoreParameters;
  std::span<const MethodSetting> settings = kFaithfulSettings;
};
constexpr MethodInfo core_info(const CoreWords& words) {
  return {.id = words.id,
          .title = words.title,
          .source = words.source,
          .preserves = words.preserves,
          .keeps = kCoreKeeps,
          .parameters = words.parameters,
          .settings = words.settings,
          .conflict = nullptr,
          .takes_joint_parameters = true};
}

}  // namespace skinbake
