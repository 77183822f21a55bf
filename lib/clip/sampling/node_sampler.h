// The state of nodes at an instant of a clip: global transforms by forward kinematics, and morph
// weights.

#pragma once

#include <unordered_map>
#include <vector>

#include "clip/clip_motion.h"
#include "skinbake/clip.h"

namespace skinbake {

// ---- The morph weights of a mesh node at an instant of a clip.

// Thread-safe.
class MorphSampler {
 public:
  // `clip` may be null: the weights at rest. The rig and the clip must outlive the sampler.
  MorphSampler(const Rig& rig, const Clip* clip);

  // Replaces `weights` by the weights at the instant, [target].
  void sample(double time_s, std::vector<double>& weights) const;

  // The channels that move the weights.
  const std::vector<const Channel*>& channels() const { return channels_; }

 private:
  const Rig* rig_;
  std::vector<const Channel*> channels_;
  const ClipMotion* motion_ = nullptr;  // null: channels alone move the clip
};

// ---- Forward kinematics: the global transforms of nodes at an instant of a clip.

// Computes global transforms of nodes. Not thread-safe: each thread uses its own copy.
class NodeSampler {
 public:
  // Samples the nodes of `requested` and their ancestors. `clip` may be null: the rest pose. The
  // skeleton and the clip must outlive the sampler.
  NodeSampler(const Skeleton& skeleton, const Clip* clip, const std::vector<NodeIndex>& requested);

  void sample(double time_s);

  // The global transform of a requested node or of its ancestor, at the time sampled last.
  const Affine<double>& scene_from_node(NodeIndex n) const { return globals_[slots_.at(n)]; }

  // The local rotation of a requested node or of its ancestor, at the time sampled last. A node
  // with a matrix has none: the identity.
  const Quat<double>& local_rotation(NodeIndex n) const { return local(n).rotation; }

  // The parts of the local transform of a node, which a node with a matrix does not have.
  struct Local {
    Vec3<double> translation;
    Quat<double> rotation;
    Vec3<double> scale;
  };
  const Local& local(NodeIndex n) const { return locals_[slots_.at(n)]; }

  // The channels that move a sampled node.
  const std::vector<const Channel*>& channels() const { return channels_; }
  // True if the clip turns and moves the sampled nodes and does not scale them, and every scale at
  // rest is one number for all axes: then each transform has one stretch at all instants.
  bool keeps_stretch() const;
  // True if transforms that are rotations times one scale at all keys may be others between keys: a
  // scale moves, or a node turns below a scale that differs between the axes. `neglected`: relative
  // differences of scales.
  bool may_stretch_between_keys(double neglected) const;
  // What moves sampled nodes besides the channels; null: nothing.
  const ClipMotion* motion() const { return motion_; }

 private:
  void add_with_ancestors(NodeIndex n);
  void add_motion(const ClipMotion& motion);
  void sample_motion(double time_s);
  std::vector<bool> turning() const;

  const Skeleton* skeleton_;
  // The sampled nodes, parents first. A scene may have tens of thousands of meshes: each samples
  // its own nodes only.
  std::vector<NodeIndex> needed_;
  std::unordered_map<NodeIndex, std::size_t> slots_;  // a node's place in needed_
  std::vector<const Channel*> channels_;
  const ClipMotion* motion_ = nullptr;
  std::vector<ClipMotion::NodePose> poses_;  // [node of the motion]
  std::vector<Local> locals_;                // [slot]
  std::vector<Affine<double>> globals_;      // [slot] scene_from_node
};

// Returns 0 and the distinct key times of the channels and of the motion, which may be null,
// ascending.
std::vector<double> key_times_of(const std::vector<const Channel*>& channels,
                                 const ClipMotion* motion);

}  // namespace skinbake
