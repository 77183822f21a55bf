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

#include "base/bytes.h"
#include "json/json_writer.h"
#include "json/text.h"
#include "report/pages/pages.h"
#include "report/report_text.h"
#include "report/viewer/data.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

template <class Numbers>
void write_bytes(const char* key, const Numbers& numbers, JsonWriter& json) {
  json.key(key).raw('"' + base64_encoded(std::as_bytes(std::span(numbers))) + '"');
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

void write_mesh(const Rig& rig, Space space, JsonWriter& json) {
  // The bind pose is in scene space, which includes the scale of the mesh's node.
  const bool has_bind = space == Space::kScene && !rig.mesh->triangles.empty();
  const ViewFrames bind = has_bind ? bind_pose(rig) : ViewFrames{};
  json.begin_object().key("id").value(rig.id).key("vertex_count").value(rig.mesh->vertex_count());
  write_bytes("triangles", rig.mesh->triangles, json);
  write_bytes("bind_box", bind.boxes, json);
  write_bytes("bind", bind.positions, json);
  json.end_object();
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

void write_run(const ViewRun& run, JsonWriter& json) {
  json.begin_object().key("mesh").value(static_cast<std::uint64_t>(run.mesh));
  json.key("method").value(run.method);
  write_bytes("boxes", run.frames.boxes, json);
  write_bytes("positions", run.frames.positions, json);
  write_bytes("largest", run.frames.largest_m, json);
  write_bytes("errors", run.frames.errors, json);
  write_bytes("worst", run.frames.worst_m, json);
  json.end_object();
}

void write_skeleton(const ViewSkeleton& skeleton, JsonWriter& json) {
  json.key("skeleton").begin_object().key("joints").begin_array();
  for (const std::string& joint : skeleton.joints) json.value(printable(joint));
  json.end_array().key("parents").begin_line_array();
  for (const int parent : skeleton.parents) json.value(std::int64_t{parent});
  json.end_array();
  write_bytes("positions", skeleton.positions, json);
  json.end_object();
}

void write_clip(const View& view, const ViewClip& clip, JsonWriter& json) {
  json.begin_object().key("id");
  clip.id.empty() ? json.null() : json.value(clip.id);
  json.key("fps").value(clip.kept.fps).key("first_frame").value(clip.kept.first_frame);
  json.key("frame_step").value(clip.kept.frame_step);
  json.key("frame_count").value(clip.kept.frame_count).key("note").value(note_of(view, clip));
  json.key("poses").begin_array();
  for (const ViewPose& pose : clip.poses) {
    json.begin_line_array().value(pose.first).value(pose.name).end_array();
  }
  json.end_array();
  write_skeleton(clip.skeleton, json);
  json.key("runs").begin_array();
  for (const ViewRun& run : clip.runs) write_run(run, json);
  json.end_array().end_object();
}

}  // namespace

std::vector<ViewPose> view_poses(const Clip* clip, const FrameRange& kept) {
  std::vector<ViewPose> poses;
  for (std::int64_t k = 0; k < kept.frame_count; ++k) {
    std::string name = printable(pose_name(clip, kept.time_s(k)));
    const bool is_new = poses.empty() ? !name.empty() : poses.back().name != name;
    if (is_new) poses.push_back({k, std::move(name)});
  }
  return poses;
}

std::string view_data(const View& view) {
  JsonWriter json;
  json.begin_object().key("reference").value(printable(view.reference));
  json.key("meshes").begin_array();
  for (const Rig* rig : view.meshes) write_mesh(*rig, view.space, json);
  json.end_array().key("clips").begin_array();
  for (const ViewClip& clip : view.clips) write_clip(view, clip, json);
  json.end_array().end_object();
  return without_tags(json.take());
}

}  // namespace skinbake
