// The core line of a rig: the bind of methods sbs-core, sbs+, sbs++, sbs-ellipse and sbs-conic.
//
// Source: Hiroshi Ichinohe, Yoshihiro Hagihara, Yukari Hagihara, Adiljan Yimit, Tasuku Miyoshi,
// Motoki Takagi. An implementation method for smooth 3D skin animation. Iwate University. The paper
// treats one parent and one child; the generalisation to any rig is ours.
//
//     edge     a joint (the child, 1) and its nearest ancestor with weight (the parent, 0)
//     b        the child's head
//     d_a      unit direction parent's head -> b       } a missing direction
//     d_b      unit direction b -> the child's tip     } is replaced by the other
//     foot     x = min(0, (v - b) d_a) + max(0, (v - b) d_b), the arc length along the core from b;
//              c_v = b + x d_a for x < 0, else b + x d_b (the nearest point of the core would be
//              discontinuous where the core is bent at rest)
//     t        the parent's share of the vertex's two weights, w_0 / (w_0 + w_1)
//     bounds   r_0 = b - d_0 d_a and r_1 = b + d_1 d_b. Unless they are joint parameters,
//                  d_0 = sqrt 5 sigma - m,  d_1 = sqrt 5 sigma + m,
//              with m and sigma the mean and the standard deviation of x over the welded vertices
//              that both joints move, weighted by w_0 w_1 (exact for a linear ramp on a uniform
//              tube). They are clamped to between 1 % of the shorter bone and the length of their
//              own bone
//
// A variant is defined by its centre curve: a point gamma_rest of the vertex at rest, and the same
// point posed.
//
//     v' = Q (u - gamma_rest) + gamma_pose
//
// This formula keeps the rest pose for any curve. For curves that depend on the foot alone, x is
// clamped to x_t +- (d_0 + d_1) sqrt(t (1 - t) / 3), x_t = (1 - t)(d_0 + d_1) - d_0, so that the
// result is continuous as a weight approaches zero; ramps between linear and smoothstep are not
// changed. With faithful=1, gamma_rest is c_v, which is not clamped, as in the paper.
//
// For a vertex with several edges each edge is a correction of the linear blend:
//
//     v' = sum_i w_i M_i v + sum_edges (w_0 + w_1) (w_0 w_1 / sum_edges w w) (X - L)
//     X, L   the variant's and the linear blend's result for the edge's two joints at t and 1 - t
//
// A vertex with two influences and one edge gets exactly X; a vertex without edges is blended
// linearly.

#pragma once

#include "methods/method.h"

namespace skinbake {

// Positions are relative to the bind's centre.
struct CoreEdge {
  JointIndex parent = 0, child = 0;
  Vec3<double> head{0, 0, 0};                // b
  Vec3<double> parent_axis{0, 0, 0};         // d_a; zero if both lengths are zero
  Vec3<double> child_axis{0, 0, 0};          // d_b
  double parent_reach = 0, child_reach = 0;  // d_0, d_1
  double s = 0.5;                            // parameter s of sbs+
};

// A vertex relative to an edge.
struct CoreFoot {
  double t = 0;  // the parent's share
  double x = 0;  // along the core from b
};

// The data that a variant adds to the bind: number_count numbers for each vertex and edge.
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

// The layout of BindData: an edge of a vertex has kEntriesPerEdge entries, whose indices are part,
// parent and child, and whose numbers form one row: t, the edge's weight in the sum, gamma_rest,
// then the curve's numbers.
inline constexpr std::size_t kEntriesPerEdge = 3;
inline constexpr std::size_t kEdgeShare = 0, kEdgeCounts = 1, kEdgeRest = 2;
inline constexpr std::size_t kNumbersBeforeCurve = 5;
constexpr std::size_t numbers_per_edge(std::size_t of_curve) {
  const std::size_t numbers = kNumbersBeforeCurve + of_curve;
  return (numbers + kEntriesPerEdge - 1) / kEntriesPerEdge * kEntriesPerEdge;
}

// Binds a core-line method. The parts are the edges: the joints are parent and child; edge_of reads
// the numbers.
BindData bind_core_line(const BindInput& input, const CoreCurve& curve,
                        const CoreSettings& settings);
CoreEdge edge_of(const PartOf& part);

inline constexpr MethodParameter kFaithful{
    .name = "faithful",
    .help = "1: the formula as printed in the paper, which does not keep the rest pose",
    .choices = "0|1"};
inline constexpr MethodParameter kCoreParameters[] = {kFaithful};
inline constexpr MethodSetting kFaithfulSettings[] = {
    {"faithful=1", 0, kKeepsBindPose | kKeepsCommonMatrix}};
inline constexpr std::uint32_t kCoreKeeps =
    kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint | kKeepsCommonMatrix;
inline constexpr std::string_view kCoreSource =
    "Ichinohe, Hagihara, Hagihara, Yimit, Miyoshi, Takagi. An implementation method for smooth 3D "
    "skin animation. Iwate University";

// The members of MethodInfo in which core-line methods differ.
struct CoreMethodInfo {
  std::string_view id, title;
  std::string_view source = kCoreSource;
  std::string_view preserves;
  std::span<const MethodParameter> parameters = kCoreParameters;
  std::span<const MethodSetting> settings = kFaithfulSettings;
};
constexpr MethodInfo core_info(const CoreMethodInfo& info) {
  return {.id = info.id,
          .title = info.title,
          .source = info.source,
          .preserves = info.preserves,
          .keeps = kCoreKeeps,
          .parameters = info.parameters,
          .settings = info.settings,
          .conflict = nullptr,
          .takes_joint_parameters = true};
}

}  // namespace skinbake
