#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "bake/job.h"
#include "bake/relax.h"
#include "skinbake/bake.h"
#include "skinbake/metrics.h"
#include "support/rigs.h"

namespace skinbake::test {
namespace {

BakePlan method_plan(const Rig& rig, const char* method) {
  BakePlan plan;
  plan.rig = &rig;
  plan.runs = {{parse_method(method), {}}};
  return plan;
}

template <class T>
std::uint64_t bytes_in(const BindNumbers<T>& data) {
  return data.first_entry.size() * sizeof(std::uint32_t) +
         data.indices.size() * sizeof(std::uint32_t) + data.numbers.size() * sizeof(T);
}

}  // namespace

TEST_CASE("bake memory: the memory of a packed rig is that of its arrays, or a little more") {
  for (const int joints : {2, 30}) {
    const Rig rig = tube({.rings = 60, .segments = 40, .joints = joints, .influences = 2});
    const PackedRig<float> packed(rig, centre_of(*rig.mesh));
    const std::uint64_t arrays = packed.positions.size() * sizeof(float) +
                                 packed.first_influence.size() * sizeof(std::uint32_t) +
                                 packed.influences.size() * sizeof(PackedInfluence<float>) +
                                 packed.moments.size() * sizeof(Moment<float>) +
                                 packed.runs.size() * sizeof(MomentRun);
    CHECK(PackedRig<float>::bytes_of(rig) >= arrays);
    CHECK(PackedRig<float>::bytes_of(rig) < 2 * arrays);
  }
}

TEST_CASE("bake memory: the memory of a bind is not below that of its entries") {
  const Rig rig = tube({.rings = 60, .segments = 40, .joints = 12, .influences = 4});
  for (const MethodInfo& info : methods()) {
    CAPTURE(info.id);
    const BakePlan plan = method_plan(rig, std::string(info.id).c_str());
    const Job job(plan);
    std::uint64_t binds = 0;
    for (const BoundMethod& method : job.methods) binds += bytes_in(method.numbers);
    CHECK(memory_of(plan).rigs >= binds + PackedRig<float>::bytes_of(rig));
  }
}

TEST_CASE("bake memory: a block has the arrays of a method that relaxes, and the states of sinks") {
  const Rig rig = tube_of_many_tiles();
  BakePlan plan = method_plan(rig, "lbs");
  const std::uint64_t linear = memory_of(plan).block;
  CHECK(memory_of(method_plan(rig, "dm")).block >=
        linear + RelaxBuffers<float>::bytes_of(*rig.mesh));
  const auto metric = measure_position_error(rig, plan.frames, 1);
  plan.runs.front().sinks = {metric.get()};
  CHECK(memory_of(plan).block == linear + error_memory(rig.mesh->vertex_count()).state);
  plan.reference.kind = Reference::Kind::kExact;
  CHECK(memory_of(plan).rigs > memory_of(method_plan(rig, "lbs")).rigs);
}

}  // namespace skinbake::test
