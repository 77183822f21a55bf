#include "clip/twist.h"

#include <algorithm>
#include <cmath>

#include "clip/node_sampler.h"
#include "math/polar.h"
#include "math/scalar.h"
#include "math/swing_twist.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr double kRate_hz = 120;

// Between two keys of its channels a node turns by less than half a turn (slerp) or along one cubic
// arc: so many moments are enough, however far the keys are apart.
constexpr double kMostBetweenKeys = 1024;

// 9.7 hours of moments, 32 MB for each twist: no clip that was meant, but a file may say anything.
constexpr std::size_t kMostMoments = std::size_t{1} << 22;

std::vector<NodeIndex> ends_of(const Rig& rig) {
  std::vector<NodeIndex> nodes;
  for (const TwistChain& chain : rig.twists) {
    for (const JointIndex j : {chain.from, chain.to}) nodes.push_back(rig.joints[j].node);
  }
  return nodes;
}

std::vector<double> moments_of(const NodeSampler& sampler, const Clip* clip) {
  const std::vector<double> keys = key_times_of(sampler.channels());
  std::vector<double> times{0};
  for (const double key : keys) {
    const double start = times.back(), length = key - start;
    if (!(length > 0)) continue;  // a key before the start
    const double steps = std::min(std::ceil(length * kRate_hz), kMostBetweenKeys);
    if (static_cast<double>(times.size()) + steps > static_cast<double>(kMostMoments)) {
      throw Error(ErrorKind::kInput, "TWIST_TOO_LONG",
                  "clip '" + clip->id + "' is too long to follow twists through it; " +
                      "leave out --twist, or cut the clip");
    }
    for (double i = 1; i < steps; ++i) times.push_back(start + length * (i / steps));
    times.push_back(key);
  }
  return times;
}

// Some angle of the twist; none where the pose leaves it open.
std::optional<double> raw_angle(const TwistChain& chain, const Affine<double>& from,
                                const Affine<double>& to) {
  const PolarFactors polar = polar_factors(inverse(from) * to);
  if (polar.degenerate) return {};
  return twist_angle(to_quat(polar.rotation), chain.axis);
}

double follow(const TwistChain& chain, const Affine<double>& from, const Affine<double>& to,
              double before) {
  const std::optional<double> raw = raw_angle(chain, from, to);
  return raw ? nearest_turn(*raw, before) : before;
}

}  // namespace

TwistTracks::TwistTracks(const Rig& rig, const Clip* clip)
    : rig_(&rig), angles_(rig.twists.size()) {
  NodeSampler sampler(*rig.skeleton, clip, ends_of(rig));
  times_ = moments_of(sampler, clip);
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
          follow(chain, posed_from_rest(chain.from), posed_from_rest(chain.to), before));
    }
  }
}

std::size_t TwistTracks::moment_before(double time_s) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time_s);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

void TwistTracks::pose_helpers(double time_s, const Vec3<double>& centre,
                               std::vector<Affine<double>>& posed_from_rest) const {
  const std::size_t moment = moment_before(time_s);
  for (std::size_t c = 0; c < angles_.size(); ++c) {
    const TwistChain& chain = rig_->twists[c];
    const double angle =
        follow(chain, posed_from_rest[chain.from], posed_from_rest[chain.to], angles_[c][moment]);
    for (const TwistChain::Helper& helper : chain.helpers) {
      posed_from_rest[helper.joint] =
          posed_from_rest[chain.joint] *
          rotation_about(chain.axis, helper.share * angle, chain.pivot - centre);
    }
  }
}

}  // namespace skinbake
