// Poses of the human skeleton over time: of a clip, of the range of motion, or of a list of poses;
// and the frames in which their muscles leave their ranges.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clip/sampling/node_sampler.h"
#include "humanoid/muscles/muscles.h"
#include "humanoid/pose/human_pose.h"
#include "skinbake/clip.h"

namespace skinbake {

class PoseSource {
 public:
  PoseSource() = default;
  virtual ~PoseSource() = default;
  PoseSource(const PoseSource&) = delete;
  PoseSource& operator=(const PoseSource&) = delete;

  // The pose at an instant; before the first and after the last instant, the first and the last
  // pose. Thread-safe.
  virtual HumanPose pose(double time_s) const = 0;

  // The instants between which poses change smoothly, in seconds: ascending and distinct.
  virtual const std::vector<double>& key_times() const = 0;

  // What the pose at an instant is called: "forearm twist at +90 degrees"; empty: it has no name.
  virtual std::string name(double /*time_s*/) const { return ""; }
};

// ---- The poses of a humanoid that a clip moves.

// With W the rotation of a bone in its T-pose, R its rotation at an instant, both in the scene, and
// B that from the character's frame to the scene, the bone's turn is
//
//     B^-1 R W^-1 B
//
// R includes the rotations of nodes between bones, such as a root. Scales do not turn.
class ClipPoses : public PoseSource {
 public:
  // `hips_unit_m` is the length that counts as one height of the hips.
  ClipPoses(std::shared_ptr<const Skeleton> skeleton, Clip clip,
            std::shared_ptr<const TPosedSkeleton> body, double hips_unit_m);

  HumanPose pose(double time_s) const override;
  const std::vector<double>& key_times() const override { return key_times_; }

  // Whether the clip moves a bone, or a node above one.
  bool is_moving() const { return !sampler_.channels().empty(); }

 private:
  bool is_hips_moved() const;
  // [step] in the scene
  std::vector<Quat<double>> rotations_at(const NodeSampler& sampler) const;

  std::shared_ptr<const Skeleton> skeleton_;
  Clip clip_;
  std::shared_ptr<const TPosedSkeleton> body_;
  double hips_unit_m_;
  std::vector<BoneStep> steps_;
  NodeSampler sampler_;  // copied for each pose
  std::vector<double> key_times_;
  bool moves_hips_;  // whether the clip moves the place of the hips; else they stay where they rest
};

// ---- A list of poses that follow each other in time.

// Of the name of a pose: reports have it beside every worst value.
inline constexpr std::size_t kMostPoseNameBytes = 256;

struct NamedPose {
  std::string name;
  // How long the pose takes to become the next one, in seconds; none: the next frame shows the next
  // pose. After the last pose, how long it stays.
  std::optional<double> hold_s;
  BoneRotations rotations;
  // As in HumanPose; none: where the pose before has them, or where they rest.
  std::optional<Vec3<double>> hips;
};

// Pose 0 is at the beginning. A pose without hold_s stays for one frame; a pose with hold_s blends
// into the next one at constant speed, each bone along the shortest arc.
class PoseList final : public PoseSource {
 public:
  // `hips_at_rest`: the place of hips that no pose has moved. Preconditions: at least one pose;
  // fps > 0; each hold_s is at least 1e-3; rotations have unit length.
  PoseList(std::vector<NamedPose> poses, double fps, const Vec3<double>& hips_at_rest);

  HumanPose pose(double time_s) const override;
  const std::vector<double>& key_times() const override { return key_times_; }
  // The name of the pose that is shown, or of the nearer one of two poses that are blended.
  std::string name(double time_s) const override;

 private:
  // The pose at an instant: between poses `from` and from + 1.
  struct Place {
    std::size_t from = 0;
    double share = 0;  // of the next pose
  };
  Place place(double time_s) const;

  std::vector<NamedPose> poses_;
  Vec3<double> hips_at_rest_;
  std::vector<double> key_times_;  // [pose], and the end of a last pose that stays
};

// ---- The range of motion: poses that move each muscle over its whole range, for bodies without
// any animation.

// Each muscle moves from the T-pose to its greatest angle, back, to its least angle and back, at
// constant speed for one second each; left and right move together. A side of a range that is
// empty is left out. Then follow poses in which several muscles are at an end of their range, where
// skinning fails most: elbow bent and forearm twisted, arm raised and twisted, wrist bent both
// ways, hip and knee bent.
class RangeOfMotion final : public PoseSource {
 public:
  // Moves the muscles of `parts` whose bones are among `bones`.
  RangeOfMotion(std::span<const BodyPart> parts, std::span<const HumanoidBone> bones,
                const MuscleRanges& ranges);

  // Whether there is no muscle to move; the only pose is the T-pose.
  bool is_empty() const { return legs_.empty(); }

  HumanPose pose(double time_s) const override;
  const std::vector<double>& key_times() const override { return key_times_; }
  // "T-pose", "forearm twist at +45°", "forearm stretch at -160°, forearm twist at +90°".
  std::string name(double time_s) const override;

 private:
  // A way from the T-pose to some angles and back.
  struct Leg {
    std::vector<const Muscle*> muscles;  // that move
    PerMuscle<double> degrees{};         // at its end
  };
  // The ends of one or several muscles: "+ArmDownUp". Sides are added.
  void add_leg(std::span<const std::string_view> ends);
  // The leg at an instant, and the share of its angles; null: the T-pose.
  std::pair<const Leg*, double> place(double time_s) const;

  PerMuscle<bool> moves_{};
  PerMuscle<MuscleRange> ranges_{};
  std::vector<Leg> legs_;
  std::vector<double> key_times_;
};

// The parts of "rom:arms" and the like; empty: the name is unknown. An empty name: all parts.
std::vector<BodyPart> body_parts(std::string_view name);

// ---- The frames in which the muscles of a motion leave their ranges.

// Frames first, first + step, … last of a frame range.
struct FrameRun {
  std::int64_t first = 0, last = 0;
};

// A muscle that leaves its range.
struct MuscleExcess {
  const Muscle* muscle = nullptr;
  MuscleRange range;           // that it should keep
  std::vector<FrameRun> runs;  // all frames outside the range, ascending
  std::int64_t frames = 0;     // their number
  std::int64_t worst_frame = 0;
  double worst_angle_deg = 0;   // of the muscle in that frame
  double worst_excess_deg = 0;  // beyond the range, positive
};

// The muscles that leave their range by more than 0.001 degrees in one of the frames: the greatest
// excess first. Frames of float keys miss an end of a range by less.
std::vector<MuscleExcess> muscles_outside(const PoseSource& motion, const FrameRange& frames,
                                          const MuscleRanges& ranges);

}  // namespace skinbake
