#include "view.h"

namespace skinbake::cli {

void require_viewer(const std::string& option) {
  if (has_viewer()) return;
  throw Error(ErrorKind::kUsage, "VIEWER_MISSING",
              option +
                  ": this build has no 3D viewer; install npm, run scripts/setup and build again, "
                  "or leave out " +
                  option);
}

void record_views(const Resolved& resolved, std::deque<MeshJobs>& meshes) {
  std::vector<ViewDemand> demands;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      demands.insert(demands.end(), resolved.methods.size(), {job.rig, job.frames.frame_count});
    }
  }
  const std::int64_t stride = view_stride(demands);
  const bool has_reference = resolved.reference.kind != Reference::Kind::kNone;
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      job.view_stride = stride;
      for (std::size_t m = 0; m < resolved.methods.size(); ++m) {
        job.recorders.push_back(record_view(*job.rig, job.frames, stride, has_reference));
      }
    }
  }
}

View recorded_view(const BakeOptions& options, const Resolved& resolved,
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
      for (std::size_t m = 0; m < job.recorders.size(); ++m) {
        view.clips[c].runs.push_back(
            {view.meshes.size() - 1, resolved.methods[m].canonical(), job.recorders[m]->take()});
      }
    }
  }
  return view;
}

}  // namespace skinbake::cli
