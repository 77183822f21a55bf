#include "bake/bind/bind.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "bake/bind/bind_cache.h"
#include "bake/bind/bind_key.h"
#include "bake/kernels/kernels.h"
#include "skinbake/error.h"

namespace skinbake {

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
