// The range of motion: poses that move each muscle over its whole range, for bodies without any
// animation.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "humanoid/motion/pose_source.h"
#include "humanoid/muscles/muscles.h"

namespace skinbake {

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

// The parts of "rom:arms" and the like; empty: there is no such name. An empty name: all parts.
std::vector<BodyPart> body_parts(std::string_view name);

}  // namespace skinbake
