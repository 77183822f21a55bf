#include <cmath>
#include <string>

#include "skinbake/bake.h"
#include "skinbake/error.h"
#include "skinbake/stream_frames.h"

namespace skinbake {

namespace {

// Collects the conditions that a plan breaks.
class Conditions {
 public:
  // Returns `holds`.
  bool require(bool holds, const std::string& otherwise) {
    if (!holds) broken_ += (broken_.empty() ? "" : "; ") + otherwise;
    return holds;
  }
  void throw_if_broken() const {
    if (!broken_.empty()) throw Error("PLAN_INVALID", "the plan: " + broken_);
  }

 private:
  std::string broken_;
};

std::string indexed(const std::string& list, std::size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

void require_sinks(const std::vector<FrameSink*>& sinks, const std::string& list, Conditions& all) {
  for (std::size_t s = 0; s < sinks.size(); ++s) {
    all.require(sinks[s] != nullptr, indexed(list, s) + " is null");
  }
}

bool has_mesh(const Rig& rig) {
  return rig.mesh != nullptr && rig.skeleton != nullptr;
}

void require_method(const Method& method, const std::string& name, Conditions& all) {
  const bool is_known =
      method.index >= 0 && static_cast<std::size_t>(method.index) < methods().size();
  if (!all.require(is_known, name + ".method.index is not an index into methods()")) return;
  const std::string fault = fault_of(method);
  all.require(fault.empty(),
              name + ".method.values of '" + std::string(method.info().id) + "': " + fault);
}

void require_run(const MethodRun& run, const std::string& name, const Rig* rig, Conditions& all) {
  require_method(run.method, name, all);
  require_sinks(run.sinks, name + ".sinks", all);
  if (run.rig == nullptr || rig == nullptr) return;
  all.require(run.rig->mesh == rig->mesh && run.rig->joints.size() == rig->joints.size(),
              name + ".rig must have the mesh and the joints of the plan's rig");
}

void require_reference(const BakePlan& plan, Conditions& all) {
  if (plan.reference.kind == Reference::Kind::kMethod) {
    require_method(plan.reference.method, "reference", all);
  }
  if (plan.reference.kind != Reference::Kind::kFrames) return;
  const FrameSource* frames = plan.reference.frames;
  if (!all.require(frames != nullptr, "reference.frames is null")) return;
  all.require(frames->frame_count() == plan.frames.frame_count,
              "reference.frames must have as many frames as the plan");
  if (plan.rig == nullptr || !has_mesh(*plan.rig)) return;
  all.require(frames->vertex_count() == plan.rig->mesh->vertex_count(),
              "reference.frames must have as many vertices as the rig's mesh");
}

}  // namespace

void validate(const BakePlan& plan) {
  Conditions all;
  if (all.require(plan.rig != nullptr, "rig is null")) {
    all.require(has_mesh(*plan.rig), "rig must have a mesh and a skeleton");
  }
  all.require(plan.space == Space::kScene || plan.space == Space::kMesh,
              "space must be an enumerator of Space");
  all.require(std::isfinite(plan.frames.fps) && plan.frames.fps > 0,
              "frames.fps must be positive and finite");
  all.require(plan.frames.first_frame >= 0, "frames.first_frame must not be negative");
  all.require(plan.frames.frame_step > 0, "frames.frame_step must be positive");
  all.require(plan.frames.frame_count >= 0, "frames.frame_count must not be negative");
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    require_run(plan.runs[r], indexed("runs", r), plan.rig, all);
  }
  require_reference(plan, all);
  all.require(plan.threads >= 0, "threads must not be negative");
  all.throw_if_broken();
}

void validate(const StreamPlan& plan) {
  Conditions all;
  const bool has_frames = all.require(plan.frames != nullptr, "frames is null");
  if (has_frames && plan.reference != nullptr) {
    all.require(plan.reference->frame_count() == plan.frames->frame_count() &&
                    plan.reference->vertex_count() == plan.frames->vertex_count(),
                "reference must have as many frames and vertices as frames");
  }
  require_sinks(plan.sinks, "sinks", all);
  all.require(plan.threads >= 0, "threads must not be negative");
  all.throw_if_broken();
}

}  // namespace skinbake
