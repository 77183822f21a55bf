#include "jobs/view.h"

namespace skinbake::cli {

void record_views(const ResolvedOptions& resolved, std::deque<MeshJobs>& meshes) {
  const std::size_t variants = resolved.variants.size();
  std::vector<ViewDemand> demands;  // [clip]
  for (const FrameRange& frames : resolved.frames) demands.push_back({frames.frame_count, {}});
  for (const MeshJobs& mesh : meshes) {
    for (std::size_t c = 0; c < mesh.jobs.size(); ++c) {
      demands[c].rigs.insert(demands[c].rigs.end(), variants, mesh.jobs[c].rig);
    }
  }
  const std::vector<std::int64_t> strides = view_strides(demands);
  const bool has_reference = resolved.reference.kind != Reference::Kind::kNone;
  for (MeshJobs& mesh : meshes) {
    for (std::size_t c = 0; c < mesh.jobs.size(); ++c) {
      Job& job = mesh.jobs[c];
      job.view_stride = strides[c];
      for (std::size_t v = 0; v < variants; ++v) {
        job.recorders.push_back(record_view(*job.rig, job.frames, strides[c], has_reference));
      }
    }
  }
}

View recorded_view(const BakeOptions& options, const ResolvedOptions& resolved,
                   std::deque<MeshJobs>& meshes) {
  View view;
  view.space = options.frames.space;
  view.reference = resolved.reference_name;
  for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
    ViewClip& clip = view.clips.emplace_back();
    clip.id = clip_id(resolved.clips[c]);
    clip.all = resolved.frames[c];
  }
  for (MeshJobs& mesh : meshes) {
    view.meshes.push_back(mesh.record.rig);
    for (std::size_t c = 0; c < mesh.jobs.size(); ++c) {
      Job& job = mesh.jobs[c];
      view.clips[c].kept = thinned(job.frames, job.view_stride);
      view.clips[c].poses = view_poses(resolved.clips[c], view.clips[c].kept);
      for (std::size_t v = 0; v < job.recorders.size(); ++v) {
        view.clips[c].runs.push_back(
            {view.meshes.size() - 1, resolved.variants[v].name(), job.recorders[v]->take()});
      }
    }
  }
  for (std::size_t c = 0; c < view.clips.size(); ++c) {
    ViewClip& clip = view.clips[c];
    clip.skeleton = view_skeleton(view.meshes, resolved.clips[c], clip.kept, view.space);
  }
  return view;
}

}  // namespace skinbake::cli
