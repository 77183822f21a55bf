// The main job: computes frames of a clip by one or several methods, and streams them into sinks.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/methods.h"
#include "skinbake/rig.h"

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
// The conditions of Rig are not checked here: see rig.h.
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

// An instant of a clip, or the rest pose.
struct ClipInstant {
  const Clip* clip = nullptr;  // null: the rest pose
  double time_s = 0;           // at least 0
};

// Computes the positions of one frame, in double. Shape [vertex][axis], metres, scene space. Throws
// as `bake` does.
std::vector<double> pose_positions(const Rig& rig, const ClipInstant& instant, const Method& method,
                                   const JointParameters& joint_parameters = {});

// Computes the positions of the plan's first frame with its first run, the same floats as `bake`
// gives to sinks. Shape [vertex][axis]. Ignores sinks, the reference and `progress`.
// Precondition: the plan has a run. Throws as `bake` does.
std::vector<double> first_frame_positions(BakePlan plan);

// ---- Normals and tangents.

// The kind of normals that a bake of a mesh by a method produces where `wanted` is requested.
// kSkinned becomes kGeometric for a method that moves points without rotating their surroundings.
// None: `wanted` is kSkinned and the mesh does not have normals, or the kind is kGeometric and the
// mesh does not have triangles.
std::optional<NormalKind> available_normals(const Mesh& mesh, const Method& method,
                                            NormalKind wanted);

// Whether a bake of a mesh by a method produces tangents: the mesh has tangents, and the method
// rotates the surroundings of a point.
bool available_tangents(const Mesh& mesh, const Method& method);

// ---- A bake in one call: one rig, one clip and one method, into memory here, into a file by
// bake_to_file (caches.h). `bake` is the general form: several methods in one pass, any number of
// sinks, and a reference.

// The optional inputs of one run. Each member has the meaning of the member of BakePlan with the
// same name.
struct BakeSettings {
  Space space = Space::kScene;
  int threads = 0;  // 0: as many as there are processors

  // Receives the number of frames that are done. Calls do not overlap, but come from any thread.
  std::function<void(std::int64_t frames_done)> progress = {};
  const std::atomic<bool>* cancelled = nullptr;  // when true, the call ends with Cancelled
  JointParameters joint_parameters = {};
  std::string bind_cache = {};  // a folder that stores binds; empty: none
  // Receives issues before the first frame, also the issues of bake_to_file's cache.
  std::function<void(const Issue&)> found = {};
};

// The input of bake_to_array, bake_to_file and `measure`. Rig and clip must outlive the call.
struct OneRun {
  const Rig& rig;
  const Clip* clip = nullptr;  // null: the rest pose
  Method method = {};
  FrameRange frames = {};  // frames_of(*clip, fps) covers the clip
  BakeSettings settings = {};
};

// Positions of every frame. Row k is frame `frames.frame(k)` at `frames.time_s(k)` seconds.
struct BakedArray {
  FrameRange frames;
  std::int64_t frame_count = 0;
  std::int64_t vertex_count = 0;
  std::vector<float> positions;  // [frame][vertex][axis], metres, y up

  // The three coordinates of a vertex.
  // Precondition: 0 <= frame < frame_count, 0 <= vertex < vertex_count.
  const float* at(std::int64_t frame, std::int64_t vertex) const {
    return positions.data() + static_cast<std::size_t>(frame * vertex_count + vertex) * 3;
  }
};

// Bakes into memory. The result takes frame_count x vertex_count x 12 bytes; the bake also needs
// memory for some blocks of 16 frames.
//
// `bake` gives the same positions, bit for bit. They do not depend on the number of threads. Throws
//   Error (kUsage): FPS_INVALID, FRAMES_INVALID or TOO_MANY_FRAMES for unusable frames;
//   PLAN_INVALID if `method` is not one of methods() with values in range, or if the space or the
//   number of threads is invalid; METHOD_PARAMETER_INVALID if the method finds a value unsuitable
//   for the mesh;
//   Error (kInput): RIG_INVALID or CLIP_INVALID as `validate`; TWIST_TOO_LONG; MESH_TOO_LARGE,
//   JOINT_CHAINS_TOO_LONG or SURFACE_TANGLED if the method cannot be bound to the rig;
//   NON_FINITE_POSITION if a position is not a finite number;
//   Cancelled; std::bad_alloc.
// May be called by several threads at once, also with the same rig and clip.
BakedArray bake_to_array(const OneRun& run);

}  // namespace skinbake
