// Fewer influences, chosen by their effect: for each vertex the joints and weights that come
// nearest to the motion of all of its influences.
//
//     minimise   sum_f |sum_j w_j M_j(f) u - p(f)|^2 + r |w - w0|^2
//     over       w >= 0, sum w = 1, at most N weights not 0, among the twelve largest influences
//
// M_j(f) is the skinning transform of joint j at instant f, u the rest position, p(f) the position
// under linear blending with all influences, and w0 their weights. Every set of N joints is tried:
// the result is the minimum. r is 1e-2 times the mean of sum_f |M_j(f) u - p(f)|^2 over the
// candidate joints: of 0 … 1e-1, it gave the least distances on clips that were left out.
//
// A fit can be worse on motion that it has not learned from. Each clip is therefore left out in
// turn, or, of a single clip, alternate blocks of half a second, and a vertex keeps its N largest
// influences unless the weights that were fitted without the clips are nearer on them (the sum of
// squares over all frames that were left out).
//
// Doug L. James, Christopher D. Twigg. Skinning Mesh Animations. 2005: weights of given joints by
// least squares. Binh Huy Le, Zhigang Deng. Smooth Skinning Decomposition with Rigid Bones. 2012:
// the sparse convex problem, whose support they choose greedily. The exact search, the rule of the
// left-out clips and the scale of r are ours.

#pragma once

#include <atomic>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/modifiers.h"
#include "skinbake/rig.h"

namespace skinbake {

// What a fit learns from, sampled at 30 Hz, or more coarsely beyond 4096 instants. No pointer is
// null.
struct TrainingClips {
  std::vector<const Clip*> clips;   // left out in turn, in at most eight groups
  std::vector<const Clip*> always;  // never left out, unless `clips` is empty
};

inline constexpr double kUsualRidge = 1e-2;

// Which vertices keep their largest influences.
enum class KeepLargest {
  kWhereNearer,  // those where they are nearer on what was left out
  kNever,        // none: the least distance on the clips of the training
};

struct InfluenceFitOptions {
  double ridge = kUsualRidge;  // times the mean squared distance of the candidates; 0: none
  KeepLargest keep_largest = KeepLargest::kWhereNearer;
  int threads = 0;                               // 0: the number of processors
  const std::atomic<bool>* cancelled = nullptr;  // checked per range of vertices
};

// Returns at most `count` influences for each vertex. A vertex with no more keeps them. The result
// does not depend on the number of threads.
// Throws Error (kUsage): FIT_COUNT_INVALID unless count is 1 … kMostFittedInfluences,
// FIT_WITHOUT_CLIPS without clips; TOO_MANY_FRAMES; Cancelled. Thread-safe.
FittedInfluences fit_influences(const Rig& rig, int count, const TrainingClips& training,
                                const InfluenceFitOptions& options = {});

}  // namespace skinbake
