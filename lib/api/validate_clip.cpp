#include "skinbake/validate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "clip/clip_motion.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

bool are_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

bool is_width_of(ChannelPath path, int width) {
  if (path == ChannelPath::kWeights) return width >= 1;
  return width == (path == ChannelPath::kRotation ? 4 : 3);
}

bool is_known(ChannelPath path) {
  return path == ChannelPath::kTranslation || path == ChannelPath::kRotation ||
         path == ChannelPath::kScale || path == ChannelPath::kWeights;
}

bool is_known(Interpolation interpolation) {
  return interpolation == Interpolation::kStep || interpolation == Interpolation::kLinear ||
         interpolation == Interpolation::kCubicSpline;
}

class ChannelValidator {
 public:
  ChannelValidator(const Clip& clip, std::size_t number)
      : channel_(clip.channels[number]),
        name_("clip '" + clip.id + "', channel " + std::to_string(number)) {}

  void run(const Rig& rig) const {
    const std::size_t node_count = rig.skeleton->nodes.size();
    require(channel_.node >= 0 && static_cast<std::size_t>(channel_.node) < node_count,
            "moves a node that the rig's skeleton does not have; is the clip of another file?");
    require(is_known(channel_.path) && is_known(channel_.interpolation),
            "has a path or an interpolation that is no enumerator");
    require(is_width_of(channel_.path, channel_.width),
            "has width " + std::to_string(channel_.width) + ", not that of its path: " +
                (channel_.path == ChannelPath::kWeights    ? "at least 1"
                 : channel_.path == ChannelPath::kRotation ? "4"
                                                           : "3"));
    require(channel_.first_weight >= 0, "has a first weight below 0");
    require(are_weights_of(rig),
            "moves morph targets that the rig's mesh does not have; is the "
            "clip of another file?");
    require(channel_.times != nullptr && channel_.values != nullptr, "needs times and values");
    check_keys(*channel_.times, *channel_.values);
  }

 private:
  // Weights of the rig's own node are written to the rig's morph weights; others are not read.
  bool are_weights_of(const Rig& rig) const {
    if (channel_.path != ChannelPath::kWeights || channel_.node != rig.node) return true;
    const std::int64_t end = std::int64_t{channel_.first_weight} + channel_.width;
    return end <= static_cast<std::int64_t>(rig.morph_weights.size());
  }

  void require(bool holds, const std::string& what) const {
    if (!holds) throw Error("CLIP_INVALID", name_ + " " + what);
  }

  void check_keys(const std::vector<double>& times, const std::vector<double>& values) const {
    require(!times.empty(), "needs a key");
    require(are_finite(times) && are_finite(values), "has a NaN or an infinity");
    require(std::is_sorted(times.begin(), times.end()), "has key times that descend");
    const std::size_t per_key = static_cast<std::size_t>(channel_.width) *
                                (channel_.interpolation == Interpolation::kCubicSpline ? 3 : 1);
    require(values.size() == times.size() * per_key, "has too few or too many values for its keys");
  }

  const Channel& channel_;
  std::string name_;
};

void validate(const ClipMotion& motion, const Clip& clip, const Rig& rig) {
  const auto node_count = static_cast<NodeIndex>(rig.skeleton->nodes.size());
  const std::vector<NodeIndex>& nodes = motion.nodes();
  const bool has_nodes = std::all_of(nodes.begin(), nodes.end(),
                                     [&](NodeIndex n) { return n >= 0 && n < node_count; });
  const bool has_targets = motion.least_morph_targets(rig.node) <= rig.morph_weights.size();
  if (has_nodes && has_targets) return;
  throw Error("CLIP_INVALID", "clip '" + clip.id + "' has a motion that moves " +
                                  (has_nodes ? "morph targets that the rig's mesh"
                                             : "a node that the rig's skeleton") +
                                  " does not have");
}

}  // namespace

void validate(const Clip& clip, const Rig& rig) {
  if (rig.skeleton == nullptr) {
    throw Error("RIG_INVALID", "the rig '" + rig.id + "' does not have a skeleton");
  }
  if (!std::isfinite(clip.duration_s) || clip.duration_s < 0) {
    throw Error("CLIP_INVALID", "clip '" + clip.id + "' lasts " + std::to_string(clip.duration_s) +
                                    " s, not a finite time of at least 0");
  }
  for (std::size_t c = 0; c < clip.channels.size(); ++c) {
    ChannelValidator(clip, c).run(rig);
  }
  if (clip.motion) validate(*clip.motion, clip, rig);
}

}  // namespace skinbake
