// Helper joints: their motions, and the joints with keys that have these motions.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fit/parallel.h"
#include "fit/problem.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake::fit {

// ---- Helper joints: joints whose rigid motion is chosen so that linear blending comes nearer to
// the targets of a problem.
//
// Greedy: the vertex with the largest residual and its neighbours seed a helper, which moves as
// they do. Then alternate
//
//     the motion     H(f) = argmin sum_i w_ih^2 |H u_i - q_i(f)|^2    over rigid maps, per frame,
//                                     that mirror as the joints of the seed do
//                    q_i  = (target_i - sum_(j != h) w_ij M_j u_i) / w_ih
//     the weights    of all vertices with a residual, exactly (fit/influences/vertex_fit.h), with
//                    the helper as a candidate beside the joints of the vertex
//
// A helper stays only if the largest residual falls, in its best iterate. fit_rig measures helpers
// again as they are written. Copies of a vertex at a seam have the same target, rest position and
// influences, and therefore get the same weights.
//
// Binh Huy Le, Zhigang Deng. Smooth Skinning Decomposition with Rigid Bones. 2012: the alternation
// and the motion, for all joints. Joints that exist and greedy seeds are ours.

struct Helper {
  Vec3<double> centre{0, 0, 0};  // of its vertices in bind space
  double sign = 1;               // -1: the joints of its vertices mirror them
  // [frame of all clips] R and t of posed_from_rest, p -> sign R p + t.
  std::vector<Rigid<double>> motions;

  Affine<double> posed_from_rest(std::size_t frame) const;
};

struct HelperOptions {
  std::size_t most = 4;        // helpers
  double max_error_m = 0;      // no helper is added once it is met
  std::size_t influences = 4;  // of a vertex, or as many as it has if these are more
};

// Influences are in the form of Rig; joint indices from rig.joints.size() on are helpers.
struct HelperFit {
  std::vector<Helper> helpers;
  std::vector<std::uint32_t> first_influence;
  std::vector<Influence> influences;
  double max_before_m = 0, max_after_m = 0;
};

// The result does not depend on the number of threads.
// Precondition: every clip has targets.
HelperFit fit_helpers(const Problem& problem, const HelperOptions& options, const Workers& workers);

// ---- Turns the motions of helpers into joints with keys.

// Sets the helpers, the influences and the helpers' keys of the changes. Their clips are the clips
// of the problem. A helper is a child of the joint that moves most of its vertices and follows it
// in clips that do not have keys of the helper. `name`: helpers are called name.0, name.1 … Throws
// Error (kInput, HELPERS_IMPOSSIBLE) if every joint of a helper's vertices is sheared or changes
// its scale.
void add_helper_joints(const Problem& problem, const HelperFit& fit, const std::string& name,
                       RigChanges& changes);

// Whether a helper can be a child of the joint in all frames of the problem.
bool can_have_helper(const Problem& problem, JointIndex joint);

}  // namespace skinbake::fit
