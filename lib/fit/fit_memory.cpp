#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "clip/sampling/node_sampler.h"
#include "fit/changes_memory.h"
#include "fit/correctives/basis.h"
#include "fit/correctives/residuals.h"
#include "fit/influences/vertex_fit.h"
#include "fit/training.h"
#include "skinbake/fit.h"
#include "skinbake/memory.h"

namespace skinbake {

namespace {

// The most keys of merge_weights() that are not at a frame: those of the clip, and those before its
// jumps.
std::uint64_t keys_beside_frames(const Rig& rig, const Clip& clip) {
  const MorphSampler sampler(rig, &clip);
  std::vector<double> times;
  const std::vector<double>* last = nullptr;
  bool has_jumps = false;
  for (const Channel* channel : sampler.channels()) {
    has_jumps = has_jumps || channel->interpolation == Interpolation::kStep;
    if (channel->times.get() == last) continue;  // channels often share their times
    last = channel->times.get();
    times.insert(times.end(), last->begin(), last->end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return std::uint64_t{times.size()} * (has_jumps ? 2 : 1);
}

// The counts of a plan on which its memory depends.
struct FitCounts {
  std::uint64_t vertices = 0, joints = 0, helpers = 0;
  std::uint64_t own_targets = 0, added_targets = 0;  // of the file, and of the fit
  std::uint64_t frames = 0, most_frames = 0;         // of all clips, and of the longest
  std::uint64_t keys = 0, most_keys = 0;             // of the weights, likewise

  explicit FitCounts(const FitPlan& plan)
      : vertices(plan.rig->mesh->vertex_count()),
        joints(plan.rig->joints.size()),
        helpers(static_cast<std::uint64_t>(plan.helpers)),
        own_targets(plan.rig->morph_weights.size()),
        added_targets(static_cast<std::uint64_t>(plan.correctives.value_or(plan.max_correctives))) {
    for (const FitClip& clip : plan.clips) {
      const auto of_clip = static_cast<std::uint64_t>(clip.frames.frame_count);
      const std::uint64_t keys_of_clip =
          saturated_sum(of_clip, keys_beside_frames(*plan.rig, *clip.clip));
      frames = saturated_sum(frames, of_clip);
      most_frames = std::max(most_frames, of_clip);
      keys = saturated_sum(keys, keys_of_clip);
      most_keys = std::max(most_keys, keys_of_clip);
    }
  }

  // No more than there are frames.
  std::uint64_t written_targets() const { return std::min(added_targets, frames); }
  // A clip without added targets does not get keys of weights.
  std::uint64_t weights_of_key() const {
    return written_targets() > 0 ? own_targets + written_targets() : 0;
  }
};

std::uint64_t threads_of(const FitPlan& plan) {
  return plan.threads > 0 ? static_cast<std::uint64_t>(plan.threads)
                          : std::thread::hardware_concurrency();
}

bool may_change_joints(const FitPlan& plan) {
  return plan.influences || plan.helpers > 0;
}

}  // namespace

std::uint64_t memory_of_changes(const FitPlan& plan) {
  const FitCounts of(plan);
  // The base of the targets is a further array of positions, with --normals also of normals.
  const std::uint64_t arrays = (of.written_targets() + 1) * (plan.normals ? 2 : 1);
  std::uint64_t bytes = saturated_product(12 * of.vertices, arrays);
  bytes =
      saturated_sum(bytes, saturated_product(sizeof(float) * (of.weights_of_key() + 1), of.keys));
  bytes = saturated_sum(bytes, saturated_product(7 * sizeof(float) * of.helpers, of.frames));
  if (!may_change_joints(plan)) return bytes;
  const auto most = static_cast<std::uint64_t>(plan.influences.value_or(4));
  const std::uint64_t influences = plan.rig->influences.size() + most * of.vertices;
  return saturated_sum(bytes, sizeof(Influence) * influences + sizeof(std::uint32_t) * of.vertices);
}

MemoryNeed memory_of(const FitPlan& plan) {
  const FitCounts of(plan);
  std::uint64_t bytes = 0;
  const auto add = [&](std::uint64_t of_each, std::uint64_t count) {
    bytes = saturated_sum(bytes, saturated_product(of_each, count));
  };
  // The targets of all clips, and the in-between frames of one.
  add(12 * of.vertices, saturated_sum(of.frames, of.most_frames));
  // The joints and the weights of the file's targets, which are sampled again or sorted if the
  // joints change.
  const std::uint64_t of_frame =
      of.joints * sizeof(Affine<double>) + of.own_targets * sizeof(double);
  add(of_frame, of.frames);
  if (may_change_joints(plan)) add(of_frame, of.frames);
  if (plan.influences) {
    add(fit::training_memory(*plan.rig, plan.training), 1);
    // A fitter of each thread, and the results of the vertices.
    const std::uint64_t of_fitters = threads_of(plan) * fit::VertexFitter::kBytesOfFrame;
    add(of_fitters, saturated_sum(of.frames, fit::training_frames(*plan.rig, plan.training)));
    add(sizeof(fit::VertexFit) + fit::kMostCandidates * sizeof(Influence), of.vertices);
  }
  // Helpers need the targets in double, and matrices of their own.
  if (plan.helpers > 0) {
    add(24 * of.vertices, of.frames);
    add(4 * sizeof(Affine<double>) * of.helpers, of.frames);
  }
  // Targets as they are searched, as they are written and in the rig that is measured.
  add(4 * 12 * of.vertices, of.written_targets());
  add(4 * sizeof(double) * of.added_targets, of.frames);
  // That rig has a copy of the mesh, and its clip the keys in double.
  if (of.written_targets() > 0) add(memory_of(*plan.rig->mesh), 1);
  add(sizeof(float) * of.weights_of_key(), of.keys);
  add(sizeof(double) * of.weights_of_key(), of.most_keys);
  add(fit::Residuals::memory(of.vertices, of.frames), 1);
  add(fit::basis_memory(of.frames), 1);
  return {"the fit", bytes};
}

}  // namespace skinbake
