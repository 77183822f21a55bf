// The main job: frames of a clip, computed by methods, streamed into sinks.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/methods.h"

namespace skinbake {

// One method, and who wants its frames.
struct MethodRun {
  Method method;
  std::vector<FrameSink*> sinks;
  // Whose influences are blended; null: those of the plan's rig, with which it has everything else
  // in common: mesh, skeleton, joints.
  const Rig* rig = nullptr;
};

// What the blocks' `reference` or `exact` hold: nothing, a method's frames, those of each run's own
// method in double, or frames that are there already, as many as the plan's and of its space. A
// method blends the influences of the plan's rig.
struct Reference {
  enum class Kind { kNone, kMethod, kExact, kFrames } kind = Kind::kNone;
  Method method = {};
  const FrameSource* frames = nullptr;
};

struct BakePlan {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
  Space space = Space::kScene;
  std::vector<MethodRun> runs;
  Reference reference;
  int threads = 0;  // 0: as many as there are processors
  std::function<void(std::int64_t frames_done)>
      progress;                                  // from one thread at a time; may be empty
  const std::atomic<bool>* cancelled = nullptr;  // checked once a block and end; throws Cancelled
  // A method's work once per rig, before the first frame: how much of it is done, 0 … 1. From one
  // thread at a time; may be empty.
  std::function<void(std::string_view method, double done)> bind_progress = {};
  JointParameters joint_parameters = {};  // for the methods that take numbers for single joints
  std::string bind_cache = {};  // a folder where such work is kept for the next run; empty: nowhere
  std::function<void(const Issue&)> found = {};  // told of issues, before the first frame
};

// Computes every frame of the plan and feeds the sinks: poses are sampled once, and while a tile of
// the mesh is in cache every run has its turn. A reference that is also a run is evaluated once.
// Memory is bounded by the mesh and the
// number of threads, not by the number of frames; the result does not depend on the threads.
// Throws Error (kInput, NON_FINITE_POSITION) if a position is not finite, and what sinks throw.
void bake(const BakePlan& plan);

// One frame, in double: the positions of `clip` (null: the rest pose) at a time. Shape
// [vertex][axis], scene space.
std::vector<double> pose_positions(const Rig& rig, const Clip* clip, double time_s,
                                   const Method& method,
                                   const JointParameters& joint_parameters = {});

// Instruction sets that this processor can run, best first ("AVX3" is AVX-512, "AVX2", "SCALAR").
// The environment variable SKINBAKE_TARGET forces one; they all give the same bits.
std::vector<std::string> supported_targets();

// Forces an instruction set for the whole process; "" goes back to the best.
// Throws Error (kUsage) if there is no such target here.
void force_target(std::string_view name);

}  // namespace skinbake
