// The calls of one rig, one clip and one method: their plan, the issues of the vectors that they
// can compute, and positions as an array.

#include <new>
#include <string>

#include "bake/one_run.h"
#include "base/issue.h"
#include "frames/array_sink.h"
#include "skinbake/bake_to.h"
#include "skinbake/error.h"
#include "skinbake/validate.h"

namespace skinbake {

namespace {

constexpr std::int64_t kMostFrames = 2147483647;  // limit of cache formats and reports

void require_usable(const FrameRange& frames) {
  if (!is_frame_rate(frames.fps)) {
    throw Error("FPS_INVALID", "frames have a rate of " + std::to_string(frames.fps) +
                                   " per second; it must be from 1e-15 to 1e15");
  }
  if (frames.frame_count < 1 || frames.frame_step < 1 || frames.first_frame < 0) {
    throw Error("FRAMES_INVALID",
                "a range has " + std::to_string(frames.frame_count) + " frames from " +
                    std::to_string(frames.first_frame) + " in steps of " +
                    std::to_string(frames.frame_step) +
                    "; it must have at least one, none before 0, and a step of at least 1");
  }
  // Divides, because the product may be out of range.
  const std::int64_t steps = frames.first_frame > kMostFrames
                                 ? -1
                                 : (kMostFrames - frames.first_frame) / frames.frame_step;
  if (frames.frame_count > kMostFrames || frames.frame_count - 1 > steps) {
    throw Error("TOO_MANY_FRAMES", "a range has " + std::to_string(frames.frame_count) +
                                       " frames from " + std::to_string(frames.first_frame) +
                                       " in steps of " + std::to_string(frames.frame_step) +
                                       "; neither their count nor the last " +
                                       "frame's number may exceed " + std::to_string(kMostFrames));
  }
}

}  // namespace

BakePlan plan_one_run(const Rig& rig, const Clip* clip, const Method& method,
                      const FrameRange& frames, const BakeSettings& settings) {
  require_usable(frames);
  validate(rig);
  if (clip != nullptr) validate(*clip, rig);
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = clip;
  plan.frames = frames;
  plan.space = settings.space;
  plan.runs.push_back({method, {}});
  plan.threads = settings.threads;
  plan.progress = settings.progress;
  plan.cancelled = settings.cancelled;
  plan.joint_parameters = settings.joint_parameters;
  plan.bind_cache = settings.bind_cache;
  plan.found = settings.found;
  validate(plan);
  return plan;
}

namespace {

Issue normals_issue(const std::string& pointer, const Method& method, bool are_recomputed,
                    NormalKind wanted) {
  if (are_recomputed) {
    return make_issue("NORMALS_RECOMPUTED", "", pointer,
                      "'" + std::string(method.info().id) +
                          "' does not support normals; caches store those of the posed triangles");
  }
  return make_issue("NORMALS_UNAVAILABLE", "", pointer,
                    wanted == NormalKind::kSkinned
                        ? "the mesh does not have normals; caches do not store them"
                        : "the mesh does not have triangles to compute normals from");
}

Issue tangents_issue(const std::string& pointer, const Method& method, bool has_mesh_tangents) {
  return make_issue("TANGENTS_UNAVAILABLE", "", pointer,
                    has_mesh_tangents
                        ? "'" + std::string(method.info().id) +
                              "' does not support tangents; caches do not store them"
                        : "the mesh does not have tangents; caches do not store them");
}

}  // namespace

Issues vector_issues(const CacheFormat& format, const CacheHeader& header, const Method& method,
                     NormalKind wanted) {
  Issues issues;
  if (format.keeps_normals == nullptr || !format.keeps_normals(header.options)) return issues;
  const std::string pointer = "/nodes/" + std::to_string(header.rig->node);
  if (header.normals != wanted) {
    issues.push_back(normals_issue(pointer, method, header.normals.has_value(), wanted));
  }
  const bool keeps_tangents =
      format.keeps_tangents != nullptr && format.keeps_tangents(header.options);
  if (keeps_tangents && !header.tangents) {
    const bool has_some = header.normals && !header.rig->mesh->tangents.empty();
    issues.push_back(tangents_issue(pointer, method, has_some));
  }
  return issues;
}

BakedArray bake_to_array(const Rig& rig, const Clip* clip, const Method& method,
                         const FrameRange& frames, const BakeSettings& settings) {
  BakePlan plan = plan_one_run(rig, clip, method, frames, settings);
  BakedArray array;
  array.frames = frames;
  array.frame_count = frames.frame_count;
  array.vertex_count = rig.mesh->vertex_count();
  const std::size_t row_size = static_cast<std::size_t>(array.vertex_count) * 3;
  const auto row_count = static_cast<std::size_t>(array.frame_count);
  if (row_count > array.positions.max_size() / row_size) throw std::bad_alloc();
  array.positions.resize(row_count * row_size);
  ArraySink sink(array.positions.data(), array.vertex_count);
  plan.runs.front().sinks = {&sink};
  bake(plan);
  return array;
}

}  // namespace skinbake
