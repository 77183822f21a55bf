#include "skinbake/validate.h"

#include <algorithm>
#include <cmath>
#include <string>

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

class ChannelValidator {
 public:
  ChannelValidator(const Clip& clip, std::size_t number)
      : channel_(clip.channels[number]),
        name_("clip '" + clip.id + "', channel " + std::to_string(number)) {}

  void run(std::size_t node_count) const {
    require(channel_.node >= 0 && static_cast<std::size_t>(channel_.node) < node_count,
            "moves a node that the rig's skeleton does not have; is the clip of another file?");
    require(is_width_of(channel_.path, channel_.width), "has a width that its path does not have");
    require(channel_.first_weight >= 0, "has a first weight below 0");
    require(channel_.times != nullptr && channel_.values != nullptr, "has no times or no values");
    check_keys(*channel_.times, *channel_.values);
  }

 private:
  void require(bool holds, const char* what) const {
    if (!holds) throw Error(ErrorKind::kInput, "CLIP_INVALID", name_ + " " + what);
  }

  void check_keys(const std::vector<double>& times, const std::vector<double>& values) const {
    require(!times.empty(), "has no keys");
    require(are_finite(times) && are_finite(values), "has a NaN or an infinity");
    require(std::is_sorted(times.begin(), times.end()), "has key times that descend");
    const std::size_t per_key = static_cast<std::size_t>(channel_.width) *
                                (channel_.interpolation == Interpolation::kCubicSpline ? 3 : 1);
    require(values.size() == times.size() * per_key, "has too few or too many values for its keys");
  }

  const Channel& channel_;
  std::string name_;
};

}  // namespace

void validate(const Clip& clip, const Rig& rig) {
  for (std::size_t c = 0; c < clip.channels.size(); ++c) {
    ChannelValidator(clip, c).run(rig.skeleton->nodes.size());
  }
}

}  // namespace skinbake
