// The bodies of the report: the numbers of several meshes together.

#include "report/write/sections.h"

namespace skinbake {
namespace {

OrderedJson body_error_json(const BodyError& error, const NamedFrames& frames) {
  return {
      {"unit", "m"},
      {"reference", error.reference},
      {"rms", error.rms},
      {"mean", error.mean},
      {"max", error.max},
      {"max_at", place_json(error.max_at.at, frames)},
      {"max_mesh", error.max_at.mesh},
      {"rms_relative", error.rms_relative},
      {"max_relative", error.max_relative},
      {"per_frame",
       {{"rms", error.rms_of_frame}, {"mean", error.mean_of_frame}, {"max", error.max_of_frame}}}};
}

OrderedJson joint_json(const BodyVolume::Joint& joint, const NamedFrames& frames) {
  return {{"joint", joint.joint},
          {"triangle_count", joint.triangle_count},
          {"baseline", joint.extremes.baseline_m3},
          {"max_loss", joint.extremes.max_loss},
          {"max_loss_at", place_json(joint.extremes.max_loss_at, frames)},
          {"per_frame", {{"loss", joint.loss}}}};
}

OrderedJson body_volume_json(const BodyVolume& volume, const NamedFrames& frames) {
  return {{"unit", "m3"},
          {"baseline", volume.total.baseline_m3},
          {"max_loss", volume.total.max_loss},
          {"max_loss_at", place_json(volume.total.max_loss_at, frames)},
          {"min_loss", volume.total.min_loss},
          {"min_loss_at", place_json(volume.total.min_loss_at, frames)},
          {"unmeasured", volume.unmeasured},
          {"per_frame", {{"volume", volume.volume_m3}, {"loss", volume.loss}}},
          {"joints", array_json(volume.joints, [&](const BodyVolume::Joint& joint) {
             return joint_json(joint, frames);
           })}};
}

OrderedJson body_run_json(const BodyRun& run) {
  OrderedJson json{{"clip", name_json(run.clip)},
                   {"method", name_json(run.method)},
                   {"frame_count", run.frames.frame_count}};
  if (run.error) json["error"] = body_error_json(*run.error, run.frames);
  if (run.volume) json["volume"] = body_volume_json(*run.volume, run.frames);
  return json;
}

}  // namespace

OrderedJson body_json(const BodyRecord& body) {
  return {{"id", body.id},
          {"meshes", body.meshes},
          {"vertex_count", body.vertex_count},
          {"triangle_count", body.triangle_count},
          {"bbox_diagonal_m", body.bbox_diagonal_m},
          {"runs", array_json(body.runs, body_run_json)}};
}

}  // namespace skinbake
