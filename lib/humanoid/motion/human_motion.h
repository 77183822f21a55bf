// Plays the poses of a human skeleton on the humanoid of a rig.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clip/clip_motion.h"
#include "humanoid/motion/pose_source.h"
#include "humanoid/pose/human_pose.h"

namespace skinbake {

// The bone of the other side, as indices in kHumanBones; a bone of the middle is its own.
std::size_t other_side(std::size_t bone);

// The inverse of ClipPoses: with P the rotation of the node above a bone at the instant and W that
// of the bone in its T-pose, both in the scene, the local rotation of the bone is
//
//     P^-1 B turn B^-1 W
//
// A bone without a turn keeps the rotation of its T-pose relative to the bone above it. A bone that
// hangs from another bone than its parent in the human skeleton, as the thighs of 3ds Max Biped
// hang from the spine, turns and moves with its parent in the human skeleton. Nodes that are no
// bones keep their rest, whatever the T-pose's clip does with them, and the hips are at the pose's
// place times the height of the rig's hips.
//
// Legs of other proportions would sink below the ground or float above it where knees are bent.
// With `stands`, the hips are lifted so that the lower foot is as high as in the pose, times the
// height of the rig's hips. The lift fades out where that foot is between a quarter and half of the
// hips' height: a body that jumps, climbs or stands on its hands is where its hips are.
class HumanMotion : public ClipMotion {
 public:
  struct Options {
    double hips_unit_m = 1;  // the length that is one height of the hips
    RootMotion root = RootMotion::kKeep;
    bool is_mirrored = false;
    bool stands = false;             // whether the lower foot keeps its height above the ground
    std::set<NodeIndex> left_alone;  // nodes of bones that move by other means
  };

  HumanMotion(std::shared_ptr<const Skeleton> skeleton, std::shared_ptr<const TPosedSkeleton> body,
              std::shared_ptr<const PoseSource> source, Options options);

  const std::vector<NodeIndex>& nodes() const override { return nodes_; }
  void sample(double time_s, std::span<NodePose> poses) const override;
  std::string pose_name(double time_s) const override { return source_->name(time_s); }
  const std::vector<double>& key_times() const override { return source_->key_times(); }

  std::vector<NodeIndex> stuck_nodes() const override;

  const PoseSource& source() const { return *source_; }

 private:
  // A bone that hangs from another bone than its parent in the human skeleton.
  struct Socket {
    std::size_t parent = 0;  // the step of that parent
    Vec3<double> place;      // of the bone in the parent's space, at rest
  };

  void find_unturned();
  void find_sockets();
  // The local rotation of a bone below a node of this rotation in the scene; none: no turn.
  std::optional<Quat<double>> turned_below(const Quat<double>& above, const HumanPose& pose,
                                           std::size_t step) const;
  // Adds scene_from_node of a step, [step]. Moves a bone with a socket there.
  void move_to_socket(std::size_t step, std::vector<Affine<double>>& scene_from_node,
                      NodePose& moved) const;
  Vec3<double> hips_translation(const HumanPose& pose, double lift_m) const;
  // How far the hips must be lifted, in metres; `poses`: of nodes(), without the lift.
  double lift_m(const HumanPose& pose, std::span<const NodePose> poses) const;

  std::shared_ptr<const Skeleton> skeleton_;
  std::shared_ptr<const TPosedSkeleton> body_;
  std::shared_ptr<const PoseSource> source_;
  Options options_;
  std::vector<BoneStep> steps_;
  std::vector<Quat<double>> unturned_;     // [step] its local rotation without a turn
  std::map<std::size_t, Socket> sockets_;  // by step
  std::vector<NodeIndex> nodes_;
  std::vector<int> index_of_;       // [node] index in nodes_; -1: the node does not move
  Affine<double> hips_from_scene_;  // of the node above the hips, at rest
};

}  // namespace skinbake
