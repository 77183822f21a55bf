#include "fit/training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clip/poses/skinning.h"
#include "fit/influences/vertex_fit.h"

namespace skinbake::fit {

namespace {

constexpr std::size_t kElements = 12, kAxes = 3;
constexpr std::size_t kMostNumbers = std::size_t{1} << 25;  // of all matrices: 256 MB
constexpr std::size_t kMostTargets = std::size_t{1} << 26;  // numbers in float32: 256 MB
constexpr std::size_t kMostGroups = 8;
constexpr double kBlockSeconds = 0.5;

// The instants of one clip that are sampled.
struct Instants {
  const Clip* clip;
  std::vector<double> times_s;
};

// Every n-th frame of the clips, as if they were one after the other. A clip may get none.
std::vector<FrameRange> choose_ranges(const std::vector<const Clip*>& clips, std::size_t most) {
  std::int64_t total = 0;
  for (const Clip* clip : clips) total += frames_of(*clip, kTrainingRate).frame_count;
  const auto limit = static_cast<std::int64_t>(most);
  const std::int64_t step = std::max<std::int64_t>(1, (total + limit - 1) / limit);
  std::vector<FrameRange> chosen;
  std::int64_t next = 0;  // frames until the next instant
  for (const Clip* clip : clips) {
    const std::int64_t frames = frames_of(*clip, kTrainingRate).frame_count;
    const std::int64_t count = next < frames ? (frames - next + step - 1) / step : 0;
    chosen.push_back({kTrainingRate, next, step, count});
    next += count * step - frames;
  }
  return chosen;
}

std::vector<Instants> choose_instants(const std::vector<const Clip*>& clips, std::size_t most) {
  const std::vector<FrameRange> ranges = choose_ranges(clips, most);
  std::vector<Instants> chosen;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    Instants& instants = chosen.emplace_back(Instants{clips[c], {}});
    for (std::int64_t k = 0; k < ranges[c].frame_count; ++k) {
      instants.times_s.push_back(ranges[c].sample_time_s(k));
    }
  }
  return chosen;
}

// The part to which an instant belongs: blocks of half a second alternate between two parts.
std::size_t block_part(double time_s) {
  const auto block = static_cast<std::int64_t>(std::floor(time_s / kBlockSeconds));
  return static_cast<std::size_t>(block % 2);
}

std::vector<const Clip*> joined(const std::vector<const Clip*>& a,
                                const std::vector<const Clip*>& b) {
  std::vector<const Clip*> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// The instants of each part, in the order of TrainingFrames. The last are never left out.
std::vector<std::vector<Instants>> parted(const TrainingClips& clips, std::size_t most) {
  const std::vector<Instants> all = choose_instants(joined(clips.clips, clips.always), most);
  const std::size_t left_out = clips.clips.empty() ? all.size() : clips.clips.size();
  const bool in_blocks = all.size() == 1;
  const std::size_t groups = in_blocks ? 2 : std::min(left_out, kMostGroups);
  std::vector<std::vector<Instants>> parts(groups + 1);
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (c >= left_out) {
      parts.back().push_back(all[c]);
    } else if (!in_blocks) {
      parts[c * groups / left_out].push_back(all[c]);
    } else {
      for (auto& part : {&parts[0], &parts[1]}) part->push_back({all[c].clip, {}});
      for (const double time_s : all[c].times_s) {
        parts[block_part(time_s)].front().times_s.push_back(time_s);
      }
    }
  }
  return parts;
}

std::size_t count_of(const std::vector<Instants>& part) {
  std::size_t count = 0;
  for (const Instants& instants : part) count += instants.times_s.size();
  return count;
}

void store(const Affine<double>& m, std::size_t joint, std::size_t frame, TrainingFrames& to) {
  const double elements[kElements] = {m.x.x, m.x.y,           m.x.z,           m.y.x,
                                      m.y.y, m.y.z,           m.z.x,           m.z.y,
                                      m.z.z, m.translation.x, m.translation.y, m.translation.z};
  double* const row = to.posed_from_rest.data() + joint * kElements * to.frame_count + frame;
  for (std::size_t e = 0; e < kElements; ++e) row[e * to.frame_count] = elements[e];
}

void allocate(const Rig& rig, std::size_t frame_count, TrainingFrames& frames) {
  frames.frame_count = frame_count;
  frames.posed_from_rest.resize(rig.joints.size() * kElements * frame_count);
  frames.morph_weights.resize(rig.morph_weights.size() * frame_count);
}

std::size_t most_instants(const Rig& rig) {
  const std::size_t numbers = kElements * rig.joints.size() + rig.morph_weights.size();
  return std::clamp<std::size_t>(kMostNumbers / numbers, 1, kMostInstants);
}

// As many instants, but so few that the targets of the mesh fit.
std::size_t most_targets(const Rig& rig) {
  const std::size_t numbers = kAxes * rig.mesh->vertex_count();
  return std::clamp<std::size_t>(kMostTargets / numbers, 1, most_instants(rig));
}

class Sampling {
 public:
  Sampling(const Rig& rig, std::size_t frame_count) : rig_(rig) {
    allocate(rig, frame_count, frames_);
  }

  FrameSpan add(const std::vector<Instants>& part) {
    const std::size_t begin = frame_;
    for (const Instants& instants : part) {
      PoseSampler sampler(rig_, instants.clip, {0, 0, 0});
      for (const double time_s : instants.times_s) {
        sampler.sample(time_s, pose_);
        store();
      }
    }
    return {begin, frame_};
  }

  TrainingFrames& frames() { return frames_; }

 private:
  void store() {
    for (std::size_t j = 0; j < pose_.posed_from_rest.size(); ++j) {
      fit::store(pose_.posed_from_rest[j], j, frame_, frames_);
    }
    for (std::size_t m = 0; m < pose_.morph_weights.size(); ++m) {
      frames_.morph_weights[m * frames_.frame_count + frame_] = pose_.morph_weights[m];
    }
    ++frame_;
  }

  const Rig& rig_;
  TrainingFrames frames_;
  SampledPose pose_;
  std::size_t frame_ = 0;
};

// One clip after the other, in at most kMostGroups groups.
void set_groups(TargetClips& of) {
  const std::size_t clips = of.clips.size(), groups = std::min(clips, kMostGroups);
  of.parts.resize(groups);
  for (std::size_t c = 0; c < clips; ++c) {
    FrameSpan& part = of.parts[c * groups / clips];
    if (part.size() == 0) part.begin = of.places.size();
    for (std::size_t f = 0; f < of.clips[c]->frame_count(); ++f) {
      of.places.push_back(of.places.size());
    }
    part.end = of.places.size();
  }
}

// Alternate blocks of the only clip: first the frames of one part, then of the other.
void set_blocks(TargetClips& of) {
  const ClipFrames& clip = *of.clips.front();
  const double start_s = clip.frames.time_s(0);
  of.places.resize(clip.frame_count());
  std::size_t place = 0;
  for (std::size_t part = 0; part < 2; ++part) {
    const std::size_t first = place;
    for (std::size_t f = 0; f < of.places.size(); ++f) {
      const double time_s = clip.frames.time_s(static_cast<std::int64_t>(f)) - start_s;
      if (block_part(time_s) == part) of.places[f] = place++;
    }
    if (place > first) of.parts.push_back({first, place});
  }
}

}  // namespace

TrainingFrames sample_training(const Rig& rig, const TrainingClips& clips) {
  const std::vector<std::vector<Instants>> parts = parted(clips, most_instants(rig));
  std::size_t count = 0;
  for (const std::vector<Instants>& part : parts) count += count_of(part);
  Sampling sampling(rig, count);
  for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
    const FrameSpan span = sampling.add(parts[p]);
    if (span.size() > 0) sampling.frames().parts.push_back(span);
  }
  sampling.frames().always = sampling.add(parts.back());
  return std::move(sampling.frames());
}

std::size_t TargetClips::frame_count() const {
  std::size_t count = 0;
  for (const ClipFrames* clip : clips) count += clip->frame_count();
  return count;
}

TargetClips in_order(const Problem& problem) {
  TargetClips ordered{problem.rig, {}, {}, {}};
  for (const ClipFrames& clip : problem.clips) ordered.clips.push_back(&clip);
  return ordered;
}

TargetClips in_parts(const Problem& problem, std::span<const ClipFrames> always) {
  TargetClips parted = in_order(problem);
  if (problem.clips.size() == 1 && always.empty()) {
    set_blocks(parted);
  } else {
    set_groups(parted);
  }
  for (const ClipFrames& clip : always) {
    parted.clips.push_back(&clip);
    for (std::size_t f = 0; f < clip.frame_count(); ++f)
      parted.places.push_back(parted.places.size());
  }
  return parted;
}

TrainingFrames training_of(const TargetClips& of) {
  const Rig& rig = *of.rig;
  TrainingFrames frames;
  allocate(rig, of.frame_count(), frames);
  const std::size_t joints = rig.joints.size(), morphs = rig.morph_weights.size();
  std::size_t frame = 0;
  for (const ClipFrames* clip : of.clips) {
    for (std::size_t f = 0; f < clip->frame_count(); ++f, ++frame) {
      const std::size_t place = of.places.empty() ? frame : of.places[frame];
      for (std::size_t j = 0; j < joints; ++j) {
        store(clip->posed_from_rest[f * joints + j], j, place, frames);
      }
      for (std::size_t m = 0; m < morphs; ++m) {
        frames.morph_weights[m * frames.frame_count + place] = clip->morph_weights[f * morphs + m];
      }
    }
  }
  frames.parts = of.parts;
  frames.always = {of.parts.empty() ? 0 : of.parts.back().end, frames.frame_count};
  return frames;
}

void copy_targets(const TargetClips& of, VertexIndex v, double* targets) {
  const std::size_t count = of.frame_count(), vertices = of.rig->mesh->vertex_count();
  std::size_t frame = 0;
  for (const ClipFrames* clip : of.clips) {
    for (std::size_t f = 0; f < clip->frame_count(); ++f, ++frame) {
      const std::size_t place = of.places.empty() ? frame : of.places[frame];
      const float* const p = clip->targets.data() + (f * vertices + v) * kAxes;
      for (std::size_t axis = 0; axis < kAxes; ++axis) targets[axis * count + place] = p[axis];
    }
  }
}

std::vector<ClipFrames> choose_frames(const Rig& rig, const std::vector<const Clip*>& clips) {
  const std::vector<FrameRange> ranges = choose_ranges(clips, most_targets(rig));
  std::vector<ClipFrames> chosen;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (ranges[c].frame_count > 0) chosen.push_back(sample_clip(rig, clips[c], ranges[c]));
  }
  return chosen;
}

void rest_positions(const Rig& rig, const TrainingFrames& frames, VertexIndex v,
                    double* positions) {
  const Mesh& mesh = *rig.mesh;
  const std::size_t count = frames.frame_count;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::size_t at = std::size_t{v} * kAxes + axis;
    double* const row = positions + axis * count;
    std::fill(row, row + count, double{mesh.positions[at]});
    for (std::size_t m = 0; m < mesh.morph_targets.size(); ++m) {
      const std::vector<float>& moved = mesh.morph_targets[m].positions;
      if (moved.empty() || moved[at] == 0) continue;
      const double* const weights = frames.morph_weights.data() + m * count;
      for (std::size_t f = 0; f < count; ++f) row[f] += weights[f] * double{moved[at]};
    }
  }
}

void move_positions(const double* posed_from_rest, std::size_t frame_count, const double* rest,
                    double* moved) {
  const std::size_t n = frame_count;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double* const x = posed_from_rest + axis * n;
    const double* const y = x + kAxes * n;
    const double* const z = y + kAxes * n;
    const double* const translation = z + kAxes * n;
    double* const to = moved + axis * n;
    for (std::size_t f = 0; f < n; ++f) {
      to[f] = x[f] * rest[f] + y[f] * rest[n + f] + z[f] * rest[2 * n + f] + translation[f];
    }
  }
}

}  // namespace skinbake::fit
