#include "fit/problem.h"

#include "clip/poses/skinning.h"
#include "math/scalar.h"

namespace skinbake::fit {

namespace {

// sum += w m. Multiplies and adds: without the processor's instruction, fma is a call.
void add_scaled(double w, const Affine<double>& m, Affine<double>& sum) {
  const auto add = [w](const Vec3<double>& column, Vec3<double>& to) { to = to + w * column; };
  add(m.x, sum.x), add(m.y, sum.y), add(m.z, sum.z), add(m.translation, sum.translation);
}

}  // namespace

std::size_t Problem::frame_count() const {
  std::size_t count = 0;
  for (const ClipFrames& clip : clips) count += clip.frame_count();
  return count;
}

Vec3<double> Problem::rest_position(const ClipFrames& clip, std::size_t frame,
                                    VertexIndex v) const {
  const std::size_t first = std::size_t{v} * 3;
  const auto at = [&](const std::vector<float>& values) {
    return Vec3<double>{values[first], values[first + 1], values[first + 2]};
  };
  Vec3<double> position = at(rig->mesh->positions);
  const std::vector<MorphTarget>& targets = rig->mesh->morph_targets;
  const double* weights = clip.morph_weights.data() + frame * targets.size();
  for (std::size_t m = 0; m < targets.size(); ++m) {
    if (targets[m].positions.empty() || weights[m] == 0) continue;
    position = position + weights[m] * at(targets[m].positions);
  }
  return position;
}

Affine<double> Problem::linear_map(const ClipFrames& clip, std::size_t frame, VertexIndex v) const {
  const std::span<const Affine<double>> matrices = joints(clip, frame);
  Affine<double> map{};
  for (const Influence& i : rig->influences_of(v)) {
    add_scaled(i.weight, matrices[i.joint], map);
  }
  return map;
}

ClipFrames sample_clip(const Rig& rig, const Clip* clip, const FrameRange& frames) {
  ClipFrames sampled{clip, frames, {}, {}, {}};
  PoseSampler sampler(rig, clip, {0, 0, 0});
  SampledPose pose;
  sampled.posed_from_rest.reserve(sampled.frame_count() * rig.joints.size());
  sampled.morph_weights.reserve(sampled.frame_count() * rig.morph_weights.size());
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    sampler.sample(frames.time_s(k), pose);
    sampled.posed_from_rest.insert(sampled.posed_from_rest.end(), pose.posed_from_rest.begin(),
                                   pose.posed_from_rest.end());
    sampled.morph_weights.insert(sampled.morph_weights.end(), pose.morph_weights.begin(),
                                 pose.morph_weights.end());
  }
  return sampled;
}

}  // namespace skinbake::fit
