// `run.volume` of the report.

#include "report/sections.h"
#include "rig/joint_tree.h"

namespace skinbake {
namespace {

void write_max_loss(const FrameRange& frames, const VolumeResult::Extremes& extremes,
                    JsonWriter& json) {
  json.key("baseline").value(extremes.baseline_m3);
  json.key("max_loss").value(extremes.max_loss);
  write_place("max_loss_at", frames, extremes.max_loss_at, json);
}

void write_total(const FrameRange& frames, const std::optional<VolumeResult::Extremes>& total,
                 JsonWriter& json) {
  const VolumeResult::Extremes extremes = total.value_or(VolumeResult::Extremes{});
  const auto write_number = [&](std::string_view key, double value) {
    json.key(key);
    total ? json.value(value) : json.null();
  };
  json.same_line();
  write_number("baseline", extremes.baseline_m3);
  write_number("max_loss", extremes.max_loss);
  json.same_line();
  write_place("max_loss_at", frames, extremes.max_loss_at, json);
  json.same_line();
  write_number("min_loss", extremes.min_loss);
  json.same_line();
  write_place("min_loss_at", frames, extremes.min_loss_at, json);
}

void write_joint(const RunContext& context, const VolumeResult::PerJoint& joint, JsonWriter& json) {
  json.begin_object();
  json.key("joint").value(joint_id(context.rig, joint.joint));
  json.key("joint_index").value(joint.joint);
  json.key("triangle_count").value(joint.triangle_count);
  write_max_loss(context.run.frames, joint, json);
  json.key("per_frame").begin_object().key("loss").numbers(joint.loss).end_object();
  json.end_object();
}

}  // namespace

void write_volume(const RunContext& context, const VolumeResult& volume, JsonWriter& json) {
  const FrameRange& frames = context.run.frames;
  json.key("volume").begin_object();
  json.key("unit").value("m3");
  write_total(frames, volume.total, json);
  json.key("per_frame").begin_object();
  json.key("volume").numbers(volume.volume_m3);
  json.key("loss").numbers(volume.loss);
  json.end_object();
  json.key("components").begin_line_array();
  for (const VolumeResult::PerComponent& component : volume.components) {
    json.begin_object().key("component").value(component.component);
    write_max_loss(frames, component, json);
    json.end_object();
  }
  json.end_array();
  json.key("joints").begin_line_array();
  for (const VolumeResult::PerJoint& joint : volume.joints) write_joint(context, joint, json);
  json.end_array();
  json.end_object();
}

}  // namespace skinbake
