#include "clip/sampling/morph_sampler.h"

#include "clip/sampling/sample.h"

namespace skinbake {

MorphSampler::MorphSampler(const Rig& rig, const Clip* clip) : rig_(&rig) {
  if (clip == nullptr) return;
  motion_ = clip->motion.get();
  for (const Channel& channel : clip->channels) {
    const bool is_mine = channel.path == ChannelPath::kWeights && channel.node == rig.node;
    if (is_mine) channels_.push_back(&channel);
  }
}

void MorphSampler::sample(double time_s, std::vector<double>& weights) const {
  weights = rig_->morph_weights;
  for (const Channel* channel : channels_) {
    skinbake::sample(*channel, time_s, weights.data() + channel->first_weight);
  }
  if (motion_ != nullptr) motion_->sample_morphs(rig_->node, time_s, weights);
}

}  // namespace skinbake
