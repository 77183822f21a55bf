// Checks of clips: validity, whether a clip ends in the pose in which it begins, and whether frames
// reach its end.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/issue.h"
#include "clip/clip_motion.h"
#include "clip/frame_rates.h"
#include "clip/poses/skinning.h"
#include "math/bounds.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "skinbake/clip.h"
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
            "has width " + std::to_string(channel_.width) + ", but its path requires " +
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
  require_read(clip);
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

// ---- Whether a clip ends in the pose in which it begins.

namespace {

// Exporters round the keys of the last frame differently than the keys of the first.
constexpr double kTolerance = 1e-3;

double diagonal_of(const Box& box) {
  const double x = double(box.max[0]) - box.min[0], y = double(box.max[1]) - box.min[1];
  const double z = double(box.max[2]) - box.min[2];
  return std::sqrt(x * x + y * y + z * z);
}

// [joint] The box around the rest positions of its vertices.
std::vector<Box> boxes_of(const Rig& rig) {
  std::vector<Box> boxes(rig.joints.size());
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const float* position = &rig.mesh->positions[std::size_t{3} * v];
    boxes[rig.influences_of(v).front().joint].add(position);
  }
  return boxes;
}

// The farthest that a corner of the box is between two transforms.
double largest_move(const Box& box, const Affine<double>& a, const Affine<double>& b) {
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](std::size_t axis) {
      return double((corner >> axis & 1) != 0 ? box.max[axis] : box.min[axis]);
    };
    const Vec3<double> point{side(0), side(1), side(2)};
    largest = std::max(largest, norm(b * point - a * point));
  }
  return largest;
}

// The box around the vertices where the joints with their largest weights pose them, so that a
// scale of the rig counts as it does in the moves.
Box posed_box(const Rig& rig, const SampledPose& pose) {
  Box box;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const float* p = &rig.mesh->positions[std::size_t{3} * v];
    const Vec3<double> place =
        pose.posed_from_rest[rig.influences_of(v).front().joint] * Vec3<double>{p[0], p[1], p[2]};
    const std::array<float, 3> point{static_cast<float>(place.x), static_cast<float>(place.y),
                                     static_cast<float>(place.z)};
    box.add(point.data());
  }
  return box;
}

// [vertex] How the morph targets move the rest positions from one instant to the other; empty: they
// do not.
std::vector<Vec3<double>> morph_moves(const Rig& rig, const SampledPose& first,
                                      const SampledPose& last) {
  std::vector<Vec3<double>> moves;
  for (std::size_t t = 0; t < first.morph_weights.size(); ++t) {
    const std::vector<float>& target = rig.mesh->morph_targets[t].positions;
    const double change = last.morph_weights[t] - first.morph_weights[t];
    if (change == 0 || target.empty()) continue;
    moves.resize(target.size() / 3);
    for (std::size_t v = 0; v < moves.size(); ++v) {
      const float* d = &target[3 * v];
      moves[v] = moves[v] + change * Vec3<double>{d[0], d[1], d[2]};
    }
  }
  return moves;
}

// The farthest that the morph targets move a vertex, in metres of the first pose.
double largest_morph(const Rig& rig, const SampledPose& first, const SampledPose& last) {
  const std::vector<Vec3<double>> moves = morph_moves(rig, first, last);
  double largest = 0;
  for (std::size_t v = 0; v < moves.size(); ++v) {
    const JointIndex joint = rig.influences_of(static_cast<VertexIndex>(v)).front().joint;
    largest = std::max(largest, norm(rotate(first.posed_from_rest[joint], moves[v])));
  }
  return largest;
}

// The parts of a clip that move single rigs. A sampler looks at all channels of its clip; for a
// scene of many meshes, that would take the product of the numbers of meshes and channels.
class ClipParts {
 public:
  explicit ClipParts(const Clip& clip) : channels_(clip.channels), part_(clip) {
    part_.channels.clear();
    for (std::size_t c = 0; c < channels_.size(); ++c) by_node_[channels_[c].node].push_back(c);
  }

  // The clip with the channels of the rig's nodes and their ancestors.
  Clip of(const Rig& rig) const {
    std::set<NodeIndex> nodes;
    const auto add = [&](NodeIndex n) {
      while (n >= 0 && nodes.insert(n).second) n = rig.skeleton->nodes[n].parent;
    };
    add(rig.node);
    for (const Joint& joint : rig.joints) add(joint.node);
    std::vector<std::size_t> kept;
    for (const NodeIndex n : nodes) {
      const auto found = by_node_.find(n);
      if (found != by_node_.end())
        kept.insert(kept.end(), found->second.begin(), found->second.end());
    }
    std::sort(kept.begin(), kept.end());
    Clip part = part_;
    for (const std::size_t c : kept) part.channels.push_back(channels_[c]);
    return part;
  }

 private:
  const std::vector<Channel>& channels_;
  Clip part_;  // without channels
  std::map<NodeIndex, std::vector<std::size_t>> by_node_;
};

// The farthest move of a rig that has vertices.
PoseGap gap_of(const Rig& rig, const Clip& clip, double from_s, double to_s) {
  PoseGap gap;
  gap.rig = &rig;
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose first, last;
  sampler.sample(from_s, first);
  sampler.sample(to_s, last);
  const std::vector<Box> boxes = boxes_of(rig);
  bool has_joint = false;
  for (JointIndex j = 0; j < boxes.size(); ++j) {
    if (boxes[j].min[0] > boxes[j].max[0]) continue;
    const double metres = largest_move(boxes[j], first.posed_from_rest[j], last.posed_from_rest[j]);
    if (has_joint && !(metres > gap.metres)) continue;
    gap = {&rig, joint_id(rig, j), metres, 0};
    has_joint = true;
  }
  const double morphed = largest_morph(rig, first, last);
  if (morphed > gap.metres) gap = {&rig, "", morphed, 0};
  if (gap.metres > 0) gap.relative = gap.metres / diagonal_of(posed_box(rig, first));
  return gap;
}

std::string number_text(const char* format, double number) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

// "joint 'hand' of mesh 'Body' moves its vertices by up to 0.1 m".
std::string move_text(const PoseGap& gap) {
  const std::string of_mesh = " of mesh '" + gap.rig->id + "' ";
  return (gap.joint.empty() ? "the morph targets" + of_mesh + "move"
                            : "joint '" + gap.joint + "'" + of_mesh + "moves") +
         " its vertices by up to " + number_text("%.4g m", gap.metres);
}

}  // namespace

std::vector<PoseGap> pose_gaps(std::span<const Rig* const> rigs, const Clip& clip, double from_s,
                               double to_s) {
  const ClipParts parts(clip);
  std::vector<PoseGap> gaps;
  for (const Rig* rig : rigs) {
    if (rig->mesh->vertex_count() == 0) continue;
    gaps.push_back(gap_of(*rig, parts.of(*rig), from_s, to_s));
  }
  return gaps;
}

namespace {

// Of the gaps that are wider than the tolerance, the widest; null: a loop of all meshes is closed.
const PoseGap* widest_open(const std::vector<PoseGap>& gaps) {
  const PoseGap* widest = nullptr;
  for (const PoseGap& gap : gaps) {
    const bool is_open = gap.relative > kTolerance;
    if (is_open && (widest == nullptr || gap.metres > widest->metres)) widest = &gap;
  }
  return widest;
}

Issues open_loop(std::span<const Rig* const> rigs, const Clip& clip, double to_s,
                 const std::string& instant, const std::string& file) {
  const std::vector<PoseGap> gaps = pose_gaps(rigs, clip, 0, to_s);
  const PoseGap* const gap = widest_open(gaps);
  if (gap == nullptr) return {};
  std::string message =
      "clip '" + clip.id + "': " + instant + " does not repeat frame 0; " + move_text(*gap);
  if (std::isfinite(gap->relative)) {  // the diagonal is not 0
    message += number_text(", %.3g %% of the diagonal", 100 * gap->relative);
  }
  return {make_issue("LOOP_OPEN", file, "", std::move(message))};
}

}  // namespace

Issues loop_issues(std::span<const Rig* const> rigs, const Clip& clip, double fps,
                   const std::string& file) {
  const std::int64_t last = last_frame(clip.duration_s, fps);
  const FrameRange frames = sampled_to_end({fps, 0, 1, last + 1}, clip);
  Issues found =
      open_loop(rigs, clip, frames.sample_time_s(last), "frame " + std::to_string(last), file);
  if (!found.empty() || last == 0 || !(end_lost_s(clip.duration_s, fps) > 0)) return found;
  return open_loop(rigs, clip, clip.duration_s, number_text("the end at %.6g s", clip.duration_s),
                   file);
}

// ---- Whether frames reach the end of a clip.

namespace {

// The usual rate with a frame at the end of each clip that is nearest to `fps` by its ratio.
std::optional<double> rate_with_ends(std::span<const Clip* const> clips, double fps) {
  std::optional<double> nearest;
  const auto ratio = [fps](double hz) { return std::max(hz / fps, fps / hz); };
  for (const double hz : clip_rates_hz()) {
    const bool has_all = std::ranges::all_of(clips, [hz](const Clip* clip) {
      return clip == nullptr || is_on_frame(clip->duration_s, hz);
    });
    if (has_all && (!nearest || ratio(hz) <= ratio(*nearest))) nearest = hz;
  }
  return nearest;
}

std::string rate_remedy(const Clip& clip, std::span<const Clip* const> together, double fps) {
  const Clip* const alone = &clip;
  if (together.size() > 1) {
    const auto rate = rate_with_ends(together, fps);
    if (rate) return "at " + rate_text(*rate) + " fps every clip of the run has a frame at its end";
  }
  const auto rate = rate_with_ends({&alone, 1}, fps);
  if (!rate) return "no usual rate up to 240 fps has a frame there";
  return "at " + rate_text(*rate) + " fps there is a frame" +
         (together.size() > 1 ? ", but not at the end of every clip of the run" : "");
}

}  // namespace

Issues end_issues(std::span<const Rig* const> rigs, const Clip& clip, const FrameRange& frames,
                  const std::string& file, std::span<const Clip* const> together) {
  const std::int64_t last = last_frame(clip.duration_s, frames.fps);
  const double lost_s = end_lost_s(clip.duration_s, frames.fps);
  if (last == 0 || !(lost_s > 0) || frames.frame(frames.frame_count - 1) != last) return {};
  const std::vector<PoseGap> gaps =
      pose_gaps(rigs, clip, static_cast<double>(last) / frames.fps, clip.duration_s);
  const auto gap = std::ranges::max_element(gaps, {}, &PoseGap::metres);
  std::string message = "clip '" + clip.id + "' ends at " +
                        number_text("%.6g s, ", clip.duration_s) + number_text("%.3g s", lost_s) +
                        " after its last frame, " + std::to_string(last) + " at " +
                        rate_text(frames.fps) + " fps";
  if (gap != gaps.end()) {
    message += gap->metres > 0 ? "; until then " + move_text(*gap) : ", in the pose of that frame";
  }
  return {make_issue("CLIP_END_BETWEEN_FRAMES", file, "",
                     message + "; " + rate_remedy(clip, together, frames.fps))};
}

}  // namespace skinbake
