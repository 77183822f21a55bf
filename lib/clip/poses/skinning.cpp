// Twist angles over time, and skinning transforms at an instant.

#include <algorithm>
#include <cmath>
#include <limits>

#include "clip/poses/skinning.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr double kRate_hz = 120;

// Between two keys of its channels a node rotates by less than half a turn (slerp) or along one
// cubic curve. Therefore this number of samples suffices, even if the keys are far apart.
constexpr double kMostBetweenKeys = 1024;

// The samples of all twists, 32 MB: more than an hour of eight twists, but files are untrusted.
constexpr std::size_t kMostSamples = std::size_t{1} << 22;

std::vector<NodeIndex> ends_of(const Rig& rig) {
  std::vector<NodeIndex> nodes;
  for (const TwistChain& chain : rig.twists) {
    for (const JointIndex j : {chain.from, chain.to}) nodes.push_back(rig.joints[j].node);
  }
  return nodes;
}

std::vector<double> sample_times(const NodeSampler& sampler, const Clip* clip, std::size_t twists) {
  const auto most = static_cast<double>(kMostSamples / (1 + twists));  // 1: the times
  const std::vector<double> keys = key_times_of(sampler.channels(), sampler.motion());
  std::vector<double> times{0};
  for (const double key : keys) {
    const double start = times.back(), length = key - start;
    if (!(length > 0)) continue;  // the key is before the start of the clip
    const double steps = std::min(std::ceil(length * kRate_hz), kMostBetweenKeys);
    if (static_cast<double>(times.size()) + steps > most) {
      throw Error("TWIST_TOO_LONG",
                  "clip '" + clip->id + "' is too long to track twists through it");
    }
    for (double i = 1; i < steps; ++i) times.push_back(start + length * (i / steps));
    times.push_back(key);
  }
  return times;
}

// Returns the angle of the twist up to whole turns, or none if the pose does not determine it.
std::optional<double> raw_angle(const TwistChain& chain, const Affine<double>& from,
                                const Affine<double>& to) {
  const PolarFactors polar = polar_factors(inverse(from) * to);
  if (polar.degenerate) return {};
  return twist_angle(to_quat(polar.rotation), chain.axis);
}

// Returns the angle of the twist that is nearest to the previous angle.
double track(const TwistChain& chain, const Affine<double>& from, const Affine<double>& to,
             double before) {
  const std::optional<double> raw = raw_angle(chain, from, to);
  return raw ? nearest_turn(*raw, before) : before;
}

}  // namespace

TwistTracks::TwistTracks(const Rig& rig, const Clip* clip)
    : rig_(&rig), angles_(rig.twists.size()) {
  NodeSampler sampler(*rig.skeleton, clip, ends_of(rig));
  times_ = sample_times(sampler, clip, rig.twists.size());
  const auto posed_from_rest = [&](JointIndex j) {
    return sampler.scene_from_node(rig.joints[j].node) * rig.joints[j].joint_from_model;
  };
  for (std::vector<double>& angles : angles_) angles.reserve(times_.size());
  for (const double time : times_) {
    sampler.sample(time);
    for (std::size_t c = 0; c < angles_.size(); ++c) {
      const TwistChain& chain = rig.twists[c];
      const double before = angles_[c].empty() ? 0 : angles_[c].back();
      angles_[c].push_back(
          track(chain, posed_from_rest(chain.from), posed_from_rest(chain.to), before));
    }
  }
}

std::size_t TwistTracks::sample_before(double time_s) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time_s);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

void TwistTracks::pose_helpers(double time_s, const Vec3<double>& centre,
                               std::vector<Affine<double>>& posed_from_rest) const {
  const std::size_t sample = sample_before(time_s);
  for (std::size_t c = 0; c < angles_.size(); ++c) {
    const TwistChain& chain = rig_->twists[c];
    const double angle =
        track(chain, posed_from_rest[chain.from], posed_from_rest[chain.to], angles_[c][sample]);
    for (const TwistChain::Helper& helper : chain.helpers) {
      posed_from_rest[helper.joint] =
          posed_from_rest[chain.joint] *
          rotation_about(chain.axis, helper.share * angle, chain.pivot - centre);
    }
  }
}

namespace {

std::vector<NodeIndex> posed_nodes(const Rig& rig) {
  std::vector<NodeIndex> nodes{rig.node};
  for (const Joint& joint : rig.joints) nodes.push_back(joint.node);
  return nodes;
}

}  // namespace

namespace {

// A node below a flat one has a transform whose determinant is rounding error, relative to the
// lengths of its columns. No exporter's scales differ so much.
constexpr double kFlat = 1e-12;

bool is_flat(const Affine<double>& m) {
  return !(std::abs(determinant(m)) > kFlat * norm(m.x) * norm(m.y) * norm(m.z));
}

}  // namespace

void to_mesh_space(SampledPose& pose) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Vec3<double> none{kNone, kNone, kNone};
  const bool has_inverse = !is_flat(pose.scene_from_mesh);
  const Affine<double> mesh_from_scene =
      has_inverse ? inverse(pose.scene_from_mesh) : Affine<double>{none, none, none, none};
  for (Affine<double>& m : pose.posed_from_rest) m = mesh_from_scene * m;
}

PoseSampler::PoseSampler(const Rig& rig, const Clip* clip, const Vec3<double>& centre)
    : rig_(&rig),
      centre_(centre),
      nodes_(*rig.skeleton, clip, posed_nodes(rig)),
      morphs_(rig, clip) {
  const Affine<double> rest_from_centred{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, centre};
  for (const Joint& joint : rig.joints) {
    joint_from_centred_.push_back(joint.joint_from_model * rest_from_centred);
  }
  if (!rig.twists.empty()) twists_ = std::make_shared<const TwistTracks>(rig, clip);
}

void PoseSampler::sample(double time_s, SampledPose& pose) {
  morphs_.sample(time_s, pose.morph_weights);
  nodes_.sample(time_s);
  pose.scene_from_mesh = nodes_.scene_from_node(rig_->node);
  pose.posed_from_rest.resize(rig_->joints.size());
  for (std::size_t j = 0; j < rig_->joints.size(); ++j) {
    pose.posed_from_rest[j] = nodes_.scene_from_node(rig_->joints[j].node) * joint_from_centred_[j];
  }
  if (twists_) twists_->pose_helpers(time_s, centre_, pose.posed_from_rest);
}

std::vector<double> PoseSampler::key_times() const {
  return key_times_of(nodes_.channels(), nodes_.motion());
}

bool PoseSampler::has_scale_splines() const {
  const std::vector<const Channel*>& channels = nodes_.channels();
  return std::any_of(channels.begin(), channels.end(), [](const Channel* c) {
    return c->path == ChannelPath::kScale && c->interpolation == Interpolation::kCubicSpline;
  });
}

}  // namespace skinbake
