// The data that the viewer's script reads (viewer_frames.js): JSON with the arrays as base64.
//
//   reference what errors are measured against
//   meshes[]  id, vertex_count, triangles (uint32), bind_box (6 float32), bind (uint16, 65535ths);
//             empty bind: the stretch of edges is not available
//   clips[]   id (null: the rest pose), fps, first_frame, frame_step, frame_count, note, poses[],
//             skeleton {joints[], parents[], positions (float32)}, runs[]
//   poses[]   [index of the first frame, name]
//   runs[]    mesh, method, and the arrays of ViewFrames: boxes, positions, largest, errors, worst

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "json/print.h"
#include "json/text.h"
#include "report/pages/html.h"
#include "report/report_text.h"
#include "report/viewer/data.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

template <class Numbers>
std::string base64_of(const Numbers& numbers) {
  return base64_encoded(std::as_bytes(std::span(numbers)));
}

// The mesh at rest, as a run of one frame. Empty if float32 cannot represent a position.
ViewFrames bind_pose(const Rig& rig) {
  const std::vector<double> positions = bind_baseline(rig).positions;
  std::vector<float> block(positions.size() * kFramesPerBlock);
  for (std::size_t n = 0; n < positions.size(); ++n) {
    const auto position = static_cast<float>(positions[n]);
    if (!std::isfinite(position)) return {};
    block[n * kFramesPerBlock] = position;
  }
  const auto recorder = record_view(rig, {}, 1, false);
  const auto state = recorder->new_state();
  recorder->finish({0, 0, 1, {0, rig.mesh->vertex_count()}, block.data(), nullptr, nullptr},
                   *state);
  return recorder->take();
}

OrderedJson view_mesh_json(const Rig& rig, Space space) {
  // The bind pose is in scene space, which includes the scale of the mesh's node.
  const bool has_bind = space == Space::kScene && !rig.mesh->triangles.empty();
  const ViewFrames bind = has_bind ? bind_pose(rig) : ViewFrames{};
  return {{"id", rig.id},
          {"vertex_count", rig.mesh->vertex_count()},
          {"triangles", base64_of(rig.mesh->triangles)},
          {"bind_box", base64_of(bind.boxes)},
          {"bind", base64_of(bind.positions)}};
}

// The largest rounding error of a position: half a 65535th of the largest box.
double rounding_of(const ViewClip& clip) {
  double largest = 0;
  for (const ViewRun& run : clip.runs) {
    const std::vector<float>& boxes = run.frames.boxes;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (b % 6 < 3) largest = std::max(largest, double{boxes[b + 3]} - double{boxes[b]});
    }
  }
  return largest / 65535 / 2;
}

// "37 frames", or the range of the kept frames.
std::string shown_frames(const ViewClip& clip) {
  const FrameRange& kept = clip.kept;
  const std::string all =
      counted(static_cast<std::size_t>(clip.all.frame_count), "frame", "frames");
  if (kept.frame_count == clip.all.frame_count) return all;
  const std::string first = std::to_string(kept.first_frame);
  const std::string which = kept.frame_count == 1
                                ? "only frame " + first
                                : "frames " + first + " to " +
                                      std::to_string(kept.frame(kept.frame_count - 1)) +
                                      " in steps of " + std::to_string(kept.frame_step);
  return which + " (" + std::to_string(kept.frame_count) + " of " + all +
         "), which keeps the page small";
}

std::string note_of(const View& view, const ViewClip& clip) {
  std::string note = shown_frames(clip);
  note += "; positions are rounded by " + short_number(rounding_of(clip)) + " m at most";
  const bool has_errors = std::any_of(clip.runs.begin(), clip.runs.end(), [](const ViewRun& run) {
    return !run.frames.largest_m.empty();
  });
  note += has_errors ? "; errors are against " + view.reference
                     : "; there is no reference to measure errors against";
  return note;
}

OrderedJson view_run_json(const ViewRun& run) {
  return {{"mesh", run.mesh},
          {"method", run.method},
          {"boxes", base64_of(run.frames.boxes)},
          {"positions", base64_of(run.frames.positions)},
          {"largest", base64_of(run.frames.largest_m)},
          {"errors", base64_of(run.frames.errors)},
          {"worst", base64_of(run.frames.worst_m)}};
}

OrderedJson view_clip_json(const View& view, const ViewClip& clip) {
  OrderedJson joints = OrderedJson::array(), poses = OrderedJson::array();
  for (const std::string& joint : clip.skeleton.joints) joints.push_back(printable(joint));
  for (const ViewPose& pose : clip.poses) {
    poses.push_back(OrderedJson::array({pose.first, pose.name}));
  }
  OrderedJson json{{"id", name_json(clip.id)},
                   {"fps", clip.kept.fps},
                   {"first_frame", clip.kept.first_frame},
                   {"frame_step", clip.kept.frame_step},
                   {"frame_count", clip.kept.frame_count},
                   {"note", note_of(view, clip)},
                   {"poses", std::move(poses)},
                   {"skeleton",
                    {{"joints", std::move(joints)},
                     {"parents", clip.skeleton.parents},
                     {"positions", base64_of(clip.skeleton.positions)}}},
                   {"runs", OrderedJson::array()}};
  for (const ViewRun& run : clip.runs) json["runs"].push_back(view_run_json(run));
  return json;
}

}  // namespace

std::vector<ViewPose> view_poses(const Clip* clip, const FrameRange& kept) {
  std::vector<ViewPose> poses;
  for (std::int64_t k = 0; k < kept.frame_count; ++k) {
    std::string name = printable(pose_name(clip, kept.sample_time_s(k)));
    const bool is_new = poses.empty() ? !name.empty() : poses.back().name != name;
    if (is_new) poses.push_back({k, std::move(name)});
  }
  return poses;
}

std::string view_data(const View& view) {
  OrderedJson json{{"reference", printable(view.reference)},
                   {"meshes", OrderedJson::array()},
                   {"clips", OrderedJson::array()}};
  for (const Rig* rig : view.meshes) json["meshes"].push_back(view_mesh_json(*rig, view.space));
  for (const ViewClip& clip : view.clips) json["clips"].push_back(view_clip_json(view, clip));
  return without_tags(print(json));
}

}  // namespace skinbake
