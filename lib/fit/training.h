// The joints of a rig at the instants that a fit learns from.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fit/problem.h"
#include "skinbake/fit.h"
#include "skinbake/rig.h"

namespace skinbake::fit {

// The clips are sampled at 30 Hz, so that the result depends neither on the frames nor on the rate
// of a bake. If that makes more than kMostInstants instants, or more than 256 MB, every n-th is
// taken.
inline constexpr double kTrainingRate = 30;  // Hz
inline constexpr std::size_t kMostInstants = 4096;

// Consecutive instants, by index.
struct FrameSpan {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
};

struct TrainingFrames {
  std::size_t frame_count = 0;
  std::vector<double> posed_from_rest;  // [joint][element][frame]; elements as in JointBlock
  std::vector<double> morph_weights;    // [target][frame]
  // The parts that a fit leaves out in turn, to measure what it has not learned from.
  std::vector<FrameSpan> parts;
  FrameSpan always;  // the frames after the parts, which are never left out

  // Whether something remains to learn from when a part is left out.
  bool can_leave_out() const { return parts.size() + (always.size() > 0 ? 1 : 0) > 1; }

  const double* matrices(JointIndex j) const {
    return posed_from_rest.data() + std::size_t{j} * 12 * frame_count;
  }
};

// Samples the clips. A single clip is left out by alternate blocks of half a second.
// Preconditions: there is a clip; the clips move the rig's skeleton.
TrainingFrames sample_training(const Rig& rig, const TrainingClips& clips);

// The frames of clips in which a rig has targets.
struct TargetClips {
  const Rig* rig = nullptr;
  std::vector<const ClipFrames*> clips;
  std::vector<std::size_t> places;  // [frame of all clips] in TrainingFrames; empty: in order
  std::vector<FrameSpan> parts;     // of the places, as in TrainingFrames

  std::size_t frame_count() const;  // of all clips
};

// All frames of a problem in their order, without parts.
TargetClips in_order(const Problem& problem);

// The clips of a problem in parts that are left out in turn, and other clips of its rig that never
// are. A clip that is alone is left out by alternate blocks of half a second.
TargetClips in_parts(const Problem& problem, std::span<const ClipFrames> always);

TrainingFrames training_of(const TargetClips& of);

// The targets of a vertex. Shape [axis][place].
void copy_targets(const TargetClips& of, VertexIndex v, double* targets);

// The instants of motions that have no targets yet, as sample_training takes them, but so few that
// their targets need at most 256 MB.
std::vector<ClipFrames> choose_frames(const Rig& rig, const std::vector<const Clip*>& clips);

// The position of a vertex before skinning in every frame, with its morph targets. Shape
// [axis][frame].
void rest_positions(const Rig& rig, const TrainingFrames& frames, VertexIndex v, double* positions);

// The same positions moved by a joint, in scene space. Shape [axis][frame].
void move_positions(const double* posed_from_rest, std::size_t frame_count, const double* rest,
                    double* moved);

}  // namespace skinbake::fit
