// The main job: computes frames of a clip by one or several methods, and streams them into sinks.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/methods.h"

namespace skinbake {

// One method, and the sinks of its frames.
struct MethodRun {
  Method method;
  std::vector<FrameSink*> sinks;
  // The rig whose influences are blended; null: the plan's rig. It shares mesh, skeleton and joints
  // with the plan's rig.
  const Rig* rig = nullptr;
};

// The frames in FrameBlock::reference or FrameBlock::exact. A reference method blends the
// influences of the plan's rig.
struct Reference {
  enum class Kind {
    kNone,
    kMethod,  // `reference`: the frames of `method`
    kExact,   // `exact`: the frames of each run's own method, computed in double
    kFrames   // `reference`: existing frames, in the plan's space
  } kind = Kind::kNone;
  Method method = {};
  const FrameSource* frames = nullptr;
};

// Pointers are not owned; everything they point to must outlive the bake.
struct BakePlan {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
  Space space = Space::kScene;
  std::vector<MethodRun> runs;
  Reference reference;
  int threads = 0;  // limit of the thread count; 0: the number of processors
  // Called after each block, by one thread at a time; may be empty.
  std::function<void(std::int64_t frames_done)> progress;
  // Checked once per block and sink end; bake then throws Cancelled. May be null.
  const std::atomic<bool>* cancelled = nullptr;
  // Called while a method is bound to the rig, before the first frame, by one thread at a time;
  // `done` is 0 … 1. May be empty.
  std::function<void(std::string_view method, double done)> bind_progress = {};
  JointParameters joint_parameters = {};  // for methods with MethodInfo::takes_joint_parameters
  std::string bind_cache = {};            // folder that stores binds for later runs; empty: none
  std::function<void(const Issue&)> found = {};  // called with issues, before the first frame
};

// Throws Error (kUsage, PLAN_INVALID) with a list of the conditions that do not hold:
// - rig is not null, and has a mesh and a skeleton;
// - frames.fps is positive and finite, frames.first_frame and frames.frame_count are not negative,
//   frames.frame_step is positive;
// - the method of every run, and of a reference of kind kMethod, is a method of methods() with a
//   value in range for each of its parameters (parse_method makes them);
// - space is an enumerator;
// - no sink is null;
// - a run's rig is null, or has the mesh of the plan's rig and as many joints;
// - a reference of kind kFrames has frames, as many as the plan, with the mesh's vertex count;
// - threads is not negative.
// The conditions of Rig are not checked here: see validate.h.
void validate(const BakePlan& plan);

// Computes every frame of the plan and feeds the sinks. Poses are sampled once, and every run
// computes a tile of the mesh while it is in cache. A reference that is also a run is evaluated
// once.
//
// Memory is bounded by the mesh and the number of threads, not by the number of frames. The result
// does not depend on the number of threads. Several bakes may run at the same time.
// Throws Error (kUsage, PLAN_INVALID) as `validate` does, Error (kInput, NON_FINITE_POSITION) if a
// position is not finite, Cancelled, and the exceptions of sinks.
void bake(const BakePlan& plan);

// Computes the positions of one frame, in double, at a time of `clip` (null: the rest pose).
// Shape [vertex][axis], metres, scene space. Precondition: time_s >= 0. Throws as `bake` does.
std::vector<double> pose_positions(const Rig& rig, const Clip* clip, double time_s,
                                   const Method& method,
                                   const JointParameters& joint_parameters = {});

// Computes the positions of the plan's first frame with its first run, the same floats as `bake`
// gives to sinks. Shape [vertex][axis]. Ignores sinks, the reference and `progress`.
// Precondition: the plan has a run. Throws as `bake` does.
std::vector<double> first_frame_positions(BakePlan plan);

}  // namespace skinbake
