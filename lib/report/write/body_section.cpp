// The bodies of the report: the numbers of several meshes together.

#include "report/write/sections.h"

namespace skinbake {
namespace {

void write_body_error(const NamedFrames& frames, const BodyError& error, JsonWriter& json) {
  json.key("error").begin_object();
  json.key("unit").value("m");
  json.same_line().key("reference").value(error.reference);
  json.key("rms").value(error.rms);
  json.same_line().key("mean").value(error.mean);
  json.same_line().key("max").value(error.max);
  json.same_line();
  write_place("max_at", frames, error.max_at.at, json);
  json.same_line().key("max_mesh").value(error.max_at.mesh);
  json.key("rms_relative").value(error.rms_relative);
  json.same_line().key("max_relative").value(error.max_relative);
  json.key("per_frame").begin_object();
  json.key("rms").numbers(error.rms_of_frame);
  json.key("mean").numbers(error.mean_of_frame);
  json.key("max").numbers(error.max_of_frame);
  json.end_object();
  json.end_object();
}

void write_joint(const NamedFrames& frames, const BodyVolume::Joint& joint, JsonWriter& json) {
  json.begin_object();
  json.key("joint").value(joint.joint);
  json.key("triangle_count").value(joint.triangle_count);
  json.key("baseline").value(joint.extremes.baseline_m3);
  json.key("max_loss").value(joint.extremes.max_loss);
  write_place("max_loss_at", frames, joint.extremes.max_loss_at, json);
  json.key("per_frame").begin_object().key("loss").numbers(joint.loss).end_object();
  json.end_object();
}

void write_body_volume(const NamedFrames& frames, const BodyVolume& volume, JsonWriter& json) {
  json.key("volume").begin_object();
  json.key("unit").value("m3");
  json.same_line().key("baseline").value(volume.total.baseline_m3);
  json.key("max_loss").value(volume.total.max_loss);
  json.same_line();
  write_place("max_loss_at", frames, volume.total.max_loss_at, json);
  json.same_line().key("min_loss").value(volume.total.min_loss);
  json.same_line();
  write_place("min_loss_at", frames, volume.total.min_loss_at, json);
  json.key("unmeasured").strings(volume.unmeasured);
  json.key("per_frame").begin_object();
  json.key("volume").numbers(volume.volume_m3);
  json.key("loss").numbers(volume.loss);
  json.end_object();
  json.key("joints").begin_line_array();
  for (const BodyVolume::Joint& joint : volume.joints) write_joint(frames, joint, json);
  json.end_array();
  json.end_object();
}

}  // namespace

void write_body(const BodyRecord& body, JsonWriter& json) {
  json.begin_object();
  json.key("id").value(body.id);
  json.key("meshes").strings(body.meshes);
  json.key("vertex_count").value(body.vertex_count);
  json.same_line().key("triangle_count").value(body.triangle_count);
  json.same_line().key("bbox_diagonal_m").value(body.bbox_diagonal_m);
  json.key("runs").begin_array();
  for (const BodyRun& run : body.runs) {
    json.begin_object();
    write_name("clip", run.clip, json);
    json.same_line();
    write_name("method", run.method, json);
    json.same_line().key("frame_count").value(run.frames.frame_count);
    if (run.error) write_body_error(run.frames, *run.error, json);
    if (run.volume) write_body_volume(run.frames, *run.volume, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace skinbake
