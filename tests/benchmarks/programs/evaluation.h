// One block of frames of a rig, sampled and ready to be skinned by the kernels.

#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "bake/block/baked_block.h"
#include "skinbake/bake.h"

namespace skinbake {

struct Evaluation {
  BakePlan plan;
  std::unique_ptr<Job> job;
  std::unique_ptr<BlockJoints> joints;

  Evaluation(const Rig& rig, const Clip& clip, const std::vector<Method>& methods) {
    plan.rig = &rig;
    plan.clip = &clip;
    plan.frames = {16, 0, 1, kFramesPerBlock};
    for (const Method& method : methods) plan.runs.push_back({method, {}});
    job = std::make_unique<Job>(plan);
    joints = std::make_unique<BlockJoints>(*job);
    JointTracker tracker(job->rigid_factors, job->sampler, plan.frames.fps, nullptr);
    std::vector<TrackedJoints> tracked;
    for (int f = 0; f < kFramesPerBlock; ++f) tracked.push_back(tracker.advance(f));
    joints->sample(*job, 0, kFramesPerBlock, tracked);
  }

  // positions, normals: [vertex][axis][frame], from vertices.first; normals may be null.
  void skin(std::size_t run, VertexRange vertices, float* positions,
            float* normals = nullptr) const {
    SkinTask<float> task = joints->skin_task<float>(*job, run, vertices);
    task.positions = positions;
    task.normals = normals;
    kernels<float>(plan.runs[run].method).skin(task);
  }
};

// Calls visit(VertexRange) for every tile of a mesh, on one thread.
template <class Visit>
void visit_tiles(VertexIndex vertex_count, const Visit& visit) {
  for (VertexIndex v = 0; v < vertex_count; v += kVerticesPerTile) {
    visit(VertexRange{v, std::min(kVerticesPerTile, vertex_count - v)});
  }
}

}  // namespace skinbake
