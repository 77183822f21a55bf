#include "bake/bake_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "bake/job.h"
#include "bake/relax.h"
#include "clip/poses/joint_block.h"
#include "frames/corner_normals.h"

namespace skinbake {

namespace {

// A method of a plan, and the rig that it is bound to.
struct Use {
  Method method;
  const Rig* rig;
};

bool relaxes(const Method& method) {
  const auto count = hooks(method).sweep_count;
  return count != nullptr && count(method.values) > 0;
}

bool has_exact(const BakePlan& plan) {
  return plan.reference.kind == Reference::Kind::kExact;
}

// The methods that the bake binds, each once (Job).
std::vector<Use> uses_of(const BakePlan& plan) {
  std::vector<Use> uses;
  const auto add = [&](const Method& method, const Rig* rig) {
    const bool is_known = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.method == method && use.rig == rig;
    });
    if (!is_known) uses.push_back({method, rig});
  };
  for (const MethodRun& run : plan.runs) {
    const Rig* const rig = run.rig == nullptr ? plan.rig : run.rig;
    add(on_mesh(run.method, *rig), rig);
  }
  if (plan.reference.kind == Reference::Kind::kMethod) {
    add(on_mesh(plan.reference.method, *plan.rig), plan.rig);
  }
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!relaxes(uses[i].method)) continue;
    const int base = hooks(uses[i].method).base(uses[i].method.values);
    add(parse_method(methods()[static_cast<std::size_t>(base)].id), uses[i].rig);
  }
  return uses;
}

// A bind whose method does not state its size has a dozen numbers for each vertex and influence.
BindSize size_of_bind(const Use& use) {
  if (const auto size = hooks(use.method).bind_size) return size(*use.rig, use.method.values);
  constexpr std::uint64_t kOfVertex = 64, kOfInfluence = 32;
  const std::uint64_t vertices = use.rig->mesh->vertex_count();
  const std::uint64_t influences = use.rig->influences.size();
  return {vertices + influences, 12, kOfVertex * vertices + kOfInfluence * influences, 0};
}

// The joints of a block: those that kernels read, about joints and about the origin, the forms of
// each method, and the pose of a frame in double with its samplers.
std::uint64_t joint_bytes(const BakePlan& plan, const std::vector<Use>& uses) {
  constexpr std::uint64_t kOfJoint = 16 * sizeof(Affine<double>);
  constexpr std::uint64_t kOfNode = 2 * sizeof(Affine<double>);
  const std::size_t joints = plan.rig->joints.size();
  const std::size_t morphs = plan.rig->morph_weights.size();
  const std::uint64_t lanes =
      JointBlock<float>::bytes_of(joints, morphs) + JointBlock<double>::bytes_of(joints, morphs);
  std::uint64_t elements = 0;
  for (const Use& use : uses) elements += kernels<float>(use.method).elements_per_joint;
  return 2 * lanes + joints * elements * kFramesPerBlock * (sizeof(float) + sizeof(double)) +
         joints * kOfJoint + plan.rig->skeleton->nodes.size() * kOfNode;
}

// The arrays of the whole mesh that normals and tangents of a run need (add_room_for_normals).
std::uint64_t normal_bytes(const BakePlan& plan, const std::vector<FrameSink*>& sinks) {
  const Mesh& mesh = *plan.rig->mesh;
  const std::uint64_t positions = mesh.positions.size() * kFramesPerBlock * sizeof(float);
  bool skinned = false, geometric = false, tangents = false;
  for (const FrameSink* sink : sinks) {
    const std::optional<NormalKind> kind = wanted_normals(sink);
    if (!kind) continue;
    const auto& reader = dynamic_cast<const NormalReader&>(*sink);
    geometric = geometric || *kind == NormalKind::kGeometric;
    skinned = skinned || (*kind == NormalKind::kSkinned && reader.needs_whole_normals());
    tangents = tangents || (reader.wants_tangents() && !mesh.tangents.empty());
  }
  const std::uint64_t arrays = (skinned ? 1 : 0) + (geometric ? 1 : 0);
  return positions * arrays * (tangents ? 2 : 1);
}

bool wants_geometric(const SinksOfRuns& sinks) {
  for (const std::vector<FrameSink*>& of_run : sinks) {
    for (const FrameSink* sink : of_run) {
      if (wanted_normals(sink) == NormalKind::kGeometric) return true;
    }
  }
  return false;
}

}  // namespace

std::uint64_t bytes_of_part(const Method& method) {
  return kernels<float>(method).elements_per_part * kFramesPerBlock *
         (sizeof(float) + sizeof(double));
}

std::uint64_t block_bytes(const BakePlan& plan, const SinksOfRuns& sinks) {
  const Mesh& mesh = *plan.rig->mesh;
  const std::uint64_t positions = mesh.positions.size() * kFramesPerBlock * sizeof(float);
  const std::vector<Use> uses = uses_of(plan);
  std::uint64_t bytes = joint_bytes(plan, uses);
  for (const Use& use : uses) {
    if (!relaxes(use.method)) continue;
    bytes += RelaxBuffers<float>::bytes_of(mesh);
    if (has_exact(plan)) bytes += RelaxBuffers<double>::bytes_of(mesh);
  }
  for (std::size_t r = 0; r < sinks.size(); ++r) {
    const bool needs_whole = std::any_of(sinks[r].begin(), sinks[r].end(), [](const FrameSink* s) {
      return s->needs_whole_block() || wanted_normals(s) == NormalKind::kGeometric;
    });
    if (needs_whole && !relaxes(plan.runs[r].method)) bytes += positions;
    bytes += normal_bytes(plan, sinks[r]) + state_bytes(sinks[r]);
  }
  if (plan.reference.kind == Reference::Kind::kFrames) bytes += positions;
  if (wants_geometric(sinks)) bytes += mesh.vertex_count() * kGroupScratch * sizeof(double);
  return bytes;
}

std::uint64_t block_memory_of(const BakePlan& plan) {
  SinksOfRuns sinks;
  for (const MethodRun& run : plan.runs) sinks.push_back(run.sinks);
  return block_bytes(plan, sinks);
}

BakeMemory memory_of(const BakePlan& plan) {
  BakeMemory memory;
  SinksOfRuns sinks;
  std::vector<const Rig*> packed;
  const auto pack = [&](const Rig* rig) {
    if (rig == nullptr || std::find(packed.begin(), packed.end(), rig) != packed.end()) return;
    packed.push_back(rig);
    memory.rigs += PackedRig<float>::bytes_of(*rig);
    if (has_exact(plan)) memory.rigs += PackedRig<double>::bytes_of(*rig);
  };
  pack(plan.rig);
  for (const MethodRun& run : plan.runs) {
    pack(run.rig);
    sinks.push_back(run.sinks);
  }
  const auto threads = static_cast<std::uint64_t>(
      plan.threads > 0 ? plan.threads : tbb::info::default_concurrency());
  for (const Use& use : uses_of(plan)) {
    if (hooks(use.method).bind == nullptr) continue;
    const BindSize size = size_of_bind(use);
    const std::uint64_t starts =
        (std::uint64_t{use.rig->mesh->vertex_count()} + 1) * 2 * sizeof(std::uint32_t);
    const std::uint64_t kept =
        starts + size.bytes<float>() + (has_exact(plan) ? size.bytes<double>() : 0);
    memory.rigs += kept;
    memory.bind = std::max(memory.bind, size.scratch + threads * size.scratch_of_thread +
                                            (has_exact(plan) ? 0 : size.bytes<double>()));
  }
  if (wants_geometric(sinks)) {
    const Mesh& mesh = *plan.rig->mesh;
    memory.rigs += mesh.triangles.size() * sizeof(CornerTriangle) +
                   mesh.vertex_count() * (sizeof(CornerVertex) + 2 * sizeof(VertexIndex));
  }
  memory.block = block_bytes(plan, sinks);
  return memory;
}

}  // namespace skinbake
