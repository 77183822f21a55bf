// Names of binds, and binds on several threads.

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bake/bind/bind.h"
#include "bake/bind/bind_cache.h"
#include "bake/kernels/kernels.h"
#include "base/bytes.h"
#include "rig/joint_tree.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Increased when a method's bind changes, so that older binds are not found.
constexpr std::uint32_t kBindVersion = 5;

template <class T>
void add(Xxh128& hash, std::span<const T> numbers) {
  static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
  const std::uint64_t count = numbers.size();
  hash.update(&count, sizeof count);
  hash.update(numbers.data(), numbers.size_bytes());
}

void add_text(Xxh128& hash, std::string_view text) {
  add(hash, std::span<const char>(text.data(), text.size()));
}

void add_mesh(Xxh128& hash, const Mesh& mesh) {
  add(hash, std::span<const float>(mesh.positions));
  for (const auto& triangle : mesh.triangles) add(hash, std::span<const VertexIndex>(triangle));
  for (const MorphTarget& target : mesh.morph_targets) {
    add(hash, std::span<const float>(target.positions));
  }
}

void add_joints(Xxh128& hash, const Rig& rig) {
  std::vector<NodeIndex> tree;
  for (const Joint& joint : rig.joints) tree.push_back(joint.node);
  for (const Node& node : rig.skeleton->nodes) tree.push_back(node.parent);
  add(hash, std::span<const NodeIndex>(tree));
  for (const Joint& joint : rig.joints) {
    add(hash, std::span<const double>(&joint.joint_from_model.x.x, 12));
  }
  add(hash, std::span<const std::uint32_t>(rig.first_influence));
  std::vector<JointIndex> joints;
  std::vector<double> weights;
  for (const Influence& i : rig.influences) {
    joints.push_back(i.joint);
    weights.push_back(i.weight);
  }
  add(hash, std::span<const JointIndex>(joints));
  add(hash, std::span<const double>(weights));
}

}  // namespace

std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan) {
  Xxh128 hash;
  hash.update(&kBindVersion, sizeof kBindVersion);
  add_text(hash, method.canonical());
  for (const auto& [joint, numbers] : plan.joint_parameters) {
    add_text(hash, joint);
    for (const auto& [name, number] : numbers) {
      add_text(hash, name);
      hash.update(&number, sizeof number);
    }
  }
  // Joint parameters refer to joints by name, so the hash includes the names.
  if (!plan.joint_parameters.empty()) {
    for (JointIndex j = 0; j < rig.joints.size(); ++j) add_text(hash, joint_id(rig, j));
  }
  add_mesh(hash, *rig.mesh);
  add_joints(hash, rig);
  return hash.hex();
}

namespace {

// Number of times that one pass over the vertices reports progress and checks for cancellation.
constexpr std::size_t kSteps = 200;

// One thread binds a mesh of fewer vertices: a second thread would take longer to begin.
constexpr VertexIndex kVerticesForThreads = 64;

// Runs the passes of one bind, and reports the progress of all together.
class Passes {
 public:
  Passes(const Method& method, const Rig& rig, const BakePlan& plan)
      : method_(method), rig_(rig), plan_(plan) {}

  // until: the part of the bind that is done after this pass (ParallelFor).
  void run(std::size_t count, const ParallelFor::Work& work, double until) {
    from_ = until_;
    until_ = until == ParallelFor::kHalfOfTheRest ? (from_ + 1) / 2 : std::clamp(until, from_, 1.0);
    done_ = 0;
    const bool is_small = rig_.mesh->vertex_count() < kVerticesForThreads;
    const std::size_t grain = std::max<std::size_t>(1, is_small ? count : count / kSteps);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
      if (plan_.cancelled != nullptr && plan_.cancelled->load()) throw Cancelled();
      work(range.begin(), range.end());
      report(range.size(), count);
    });
  }

 private:
  void report(std::size_t some, std::size_t count) {
    if (!plan_.bind_progress) return;
    const std::lock_guard lock(mutex_);
    done_ += some;
    const double part = static_cast<double>(done_) / static_cast<double>(count);
    plan_.bind_progress(method_.info().id, std::lerp(from_, until_, part));
  }

  const Method& method_;
  const Rig& rig_;
  const BakePlan& plan_;
  std::mutex mutex_;
  double from_ = 0, until_ = 0;  // parts of the bind: this pass
  std::size_t done_ = 0;         // of this pass
};

}  // namespace

BindData bind_method(const Method& method, const BindTarget& to, const BakePlan& plan) {
  const MethodHooks& of = hooks(method);
  if (of.bind == nullptr) return {};
  Passes passes(method, to.rig, plan);
  const auto in_parallel = [&](std::size_t count, const ParallelFor::Work& work, double until) {
    passes.run(count, work, until);
  };
  const BindInput input{to.rig,     to.tree, to.centre, method.values, plan.joint_parameters,
                        in_parallel};
  if (plan.bind_cache.empty() || of.bind_form == nullptr) return of.bind(input);
  const std::string key = bind_key(method, to.rig, plan);
  BindCache cache(plan, {input, of.bind_form(input), key});
  if (auto cached = cache.load()) return std::move(*cached);
  BindData bind_data = of.bind(input);
  cache.store(bind_data);
  return bind_data;
}

template <class T>
BindNumbers<T> rounded(const BindData& bind_data) {
  const auto numbers = [](const std::vector<double>& from) {
    std::vector<T> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<T>(from[i]);
    return to;
  };
  return {bind_data.numbers_per_entry, bind_data.first_entry,          bind_data.indices,
          numbers(bind_data.numbers),  bind_data.numbers_per_part,     bind_data.first_part_joint,
          bind_data.part_joints,       numbers(bind_data.part_numbers)};
}

template BindNumbers<float> rounded(const BindData& bind_data);

}  // namespace skinbake
