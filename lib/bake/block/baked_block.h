// A block of frames that is being computed: its joints, its positions, and methods that smooth
// them.

#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "bake/block/block_loop.h"
#include "bake/job.h"
#include "clip/poses/rigid_pose.h"
#include "frames/corner_normals.h"

namespace skinbake {

// ---- The joints of a block of frames, and the kernels' tasks that skin vertices with them.

// The joints of one block: sampled in double, stored for lanes, prepared for each method.
class BlockJoints {
 public:
  explicit BlockJoints(const Job& job);

  // Samples the joints and prepares them for each method. `tracked`: the tracked joints of each
  // frame; empty unless Job::needs_tracking.
  void sample(const Job& job, std::int64_t first_frame, int frame_count,
              std::span<const TrackedJoints> tracked);

  // [joint][frame] -1 where the joint mirrors, else 1.
  void find_sides(double* sides) const;

  // Prepares the sampled joints for each method. `sample` calls it; benchmarks measure it alone.
  void prepare(const Job& job);

  // The task that skins `vertices` with methods[m]; its output is not set. T is float, or double
  // for the runs of an exact reference and the methods that they relax.
  template <class T>
  SkinTask<T> skin_task(const Job& job, std::size_t m, VertexRange vertices) const;

  // The task of a method that relaxes; its sweep and arrays are not set.
  template <class T>
  RelaxTask<T> relax_task(const Job& job, std::size_t m, VertexRange vertices) const;

 private:
  // The joints for one scale pivot. Methods that are not rigid read the first set.
  struct Joints {
    RigidPose rigid;
    std::optional<JointBlock<float>> block;
    std::optional<JointBlock<double>> exact;

    template <class T>
    const JointBlock<T>& of() const {
      if constexpr (std::is_same_v<T, float>) return *block;
      if constexpr (std::is_same_v<T, double>) return *exact;
    }
  };
  // A method's own form of the joints (empty if it reads them as they are), and its parts.
  template <class T>
  struct MethodForm {
    AlignedArray<T> joints, parts;
  };
  struct MethodForms {
    MethodForm<float> block;
    MethodForm<double> exact;

    template <class T>
    const MethodForm<T>& of() const {
      if constexpr (std::is_same_v<T, float>) return block;
      if constexpr (std::is_same_v<T, double>) return exact;
    }
  };

  void sample_lane(const Job& job, int lane, bool repeated, const TrackedJoints* tracked);
  void pose_joints(const Job& job, std::size_t m, int lane, const TrackedJoints* tracked);
  void pose_joints(const Job& job, std::size_t m, const TrackedJoints* tracked, bool stretched);
  static bool prepares_exact(const Job& job, std::size_t m);
  const Joints& joints_of(const Job& job, std::size_t m) const;
  template <class T>
  const T* method_joints(const Job& job, std::size_t m) const;
  template <class T, class Task>
  void set_inputs(const Job& job, std::size_t m, VertexRange vertices, Task& task) const;
  template <class T>
  void prepare_method(const Job& job, std::size_t m, bool stretched, MethodForm<T>& form) const;

  PoseSampler sampler_;
  SampledPose pose_;
  Joints about_joints_, about_origin_;
  std::vector<MethodForms> method_forms_;  // [method]
  std::vector<double> posed_;              // output of MethodHooks::pose_joints
};

// ---- Evaluates methods that smooth the result of another method: the whole mesh, sweep by sweep.

// The whole mesh several times, [vertex][axis][frame]: after sweep 0, each sweep reads `from` and
// writes `to`.
template <class T>
struct RelaxBuffers {
  AlignedArray<T> base, first, from, to;  // SurfaceArrays
  AlignedArray<T> rest_base, rest;        // empty without morph targets
};

// The positions of methods[m], which relaxes, for a block whose joints are sampled. They lie in
// `buffers`, which are allocated at their first use. `is_finite`: whether all positions of all
// sweeps are finite. T is float, or double for the exact reference.
template <class T>
const T* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                           RelaxBuffers<T>& buffers, bool& is_finite);

// ---- A block of frames that is being computed.

// The first position or normal that is not finite, by frame, then by vertex.
struct BadPoint {
  const char* name = "";    // "position" or "normal"
  std::int64_t frame = -1;  // lane; -1: all are finite
  VertexIndex vertex = 0;
};

struct BakedBlock final : BlockInFlight {
  // A sink that reads normals.
  struct Reader {
    NormalReader* sink;
    BlockState* state;
    NormalKind kind;
    bool needs_whole;
    bool wants_tangents;
  };
  struct Run {
    AlignedArray<float> whole;  // [vertex][axis][frame]; empty unless a sink needs the whole mesh
    // Whether skinned normals, and their tangents, are computed tile by tile.
    bool has_skinned = false, has_tangents = false;
    // Whether primitives without normals get geometric ones among the skinned normals.
    bool fills_skinned = false;
    // Skinned normals and tangents of the whole mesh; empty unless Job::keeps_skinned().
    AlignedArray<float> normals, tangents;
    // Normals of the triangles, and their tangents; empty unless a sink reads them and the mesh has
    // them. The tangents are transformed tile by tile, and made perpendicular to the normals
    // afterwards.
    AlignedArray<float> geometric, geometric_tangents;
    std::vector<Reader> readers;
  };
  // The whole mesh of a method that relaxes, computed before the tiles; null for other methods.
  struct Relaxed {
    RelaxBuffers<float> buffers;
    RelaxBuffers<double> exact_buffers;
    const float* positions = nullptr;
    const double* exact = nullptr;
    bool is_finite = true;
  };

  explicit BakedBlock(const Job& job);

  // Allocates the arrays that the sinks of each run need. Precondition: `states` are set.
  void add_runs(const Job& job, const SinksOfRuns& sinks);

  // Updates `bad`. name: "position" or "normal"; points: [vertex][axis][frame]. Thread-safe.
  void find_bad(const char* name, VertexRange of, const float* points);

  BlockJoints joints;
  std::vector<TrackedJoints> tracked;   // [lane]; empty unless a method needs them
  std::optional<SourceRows> reference;  // if the reference is frames
  std::vector<Run> runs;
  std::vector<Relaxed> relaxed;      // [method]
  AlignedArray<double> corner_sums;  // scratch and sides of CornerNormalTask, for geometric normals
  AlignedArray<double> sides;
  std::mutex bad_mutex;
  BadPoint bad;
};

}  // namespace skinbake
