#include "skinbake/memory.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace skinbake;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

std::string refusal(const MemoryPlan& plan, const MemoryShare& share) {
  try {
    plan.require(share, "mesh 'Body'", "bake fewer meshes", {"rig.glb", "/nodes/2"});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "MEMORY_LIMIT");
    return error.what();
  }
  return "within the limit";
}

}  // namespace

TEST_CASE("memory plan: held bytes are summed, and of consecutive uses the largest counts") {
  MemoryPlan plan;
  CHECK(plan.bytes() == 0);
  plan.hold("the mesh", 10);
  plan.hold("the mesh", 5);
  plan.hold("caches", 7);
  plan.use("the bind", 20);
  plan.use("16 frames", 30);
  plan.use("the text", 25);
  CHECK(plan.held() == 22);
  CHECK(plan.bytes() == 52);
  CHECK(plan.largest().consumer == "16 frames");
  plan.hold("the mesh", 16);
  CHECK(plan.largest().consumer == "the mesh");
  CHECK(plan.largest().bytes == 31);
}

TEST_CASE("memory plan: bytes saturate") {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  MemoryPlan plan;
  plan.hold("the mesh", kMost);
  plan.hold("the mesh", kMost);
  plan.use("16 frames", kMost);
  CHECK(plan.bytes() == kMost);
}

TEST_CASE("memory plan: a refusal names the need, the limit, the largest part and the remedy") {
  MemoryPlan plan;
  plan.hold("the mesh", 3 * kMiB);
  plan.use("16 frames of the mesh", 5 * kMiB + 1);
  CHECK(refusal(plan, 9 * kMiB) == "within the limit");
  CHECK(refusal(plan, 8 * kMiB + 1) == "within the limit");
  CHECK(refusal(plan, 8 * kMiB) ==
        "rig.glb /nodes/2: mesh 'Body' needs 8 MiB of memory, more than the limit of 8 MiB; the "
        "largest part, 5 MiB, is 16 frames of the mesh; raise the limit to 9 MiB or more, or bake "
        "fewer meshes");
}

TEST_CASE("memory plan: the files before count in the sum that a message names") {
  MemoryPlan plan;
  plan.hold("the poses", 3 * kMiB);
  CHECK(MemoryShare(8 * kMiB, 5 * kMiB).left() == 3 * kMiB);
  CHECK(MemoryShare(8 * kMiB, 9 * kMiB).left() == 0);
  CHECK(MemoryShare(8 * kMiB).after(kMiB).left() == 7 * kMiB);
  CHECK(refusal(plan, {8 * kMiB, 5 * kMiB}) == "within the limit");
  CHECK(refusal(plan, {8 * kMiB, 6 * kMiB}) ==
        "rig.glb /nodes/2: mesh 'Body' needs 9 MiB of memory, more than the limit of 8 MiB; the "
        "largest part, 6 MiB, is the files before it; raise the limit to 9 MiB or more, or bake "
        "fewer meshes");
}

TEST_CASE("memory plan: messages name needs and limits with the memory of the program") {
  MemoryPlan plan;
  plan.hold("the mesh", 3 * kMiB);
  set_program_memory(16 * kMiB);
  const std::string some = refusal(plan, 2 * kMiB), none = refusal(plan, 0);
  set_program_memory(0);
  CHECK(some ==
        "rig.glb /nodes/2: mesh 'Body' needs 19 MiB of memory, more than the limit of 18 MiB; the "
        "largest part, 3 MiB, is the mesh; raise the limit to 19 MiB or more, or bake fewer "
        "meshes");
  CHECK(none ==
        "rig.glb /nodes/2: mesh 'Body' needs 19 MiB of memory, more than the limit, which does not "
        "exceed the 16 MiB of the program itself; the largest part, 3 MiB, is the mesh; raise the "
        "limit to 19 MiB or more, or bake fewer meshes");
}

TEST_CASE("memory plan: a limit that a message recommends is a whole number of units") {
  CHECK(raised_limit(1) == "raise the limit to 1 MiB or more");
  CHECK(raised_limit(kMiB) == "raise the limit to 1 MiB or more");
  CHECK(raised_limit(5 * 1024 * kMiB + 1) == "raise the limit to 5121 MiB or more");
  CHECK(raised_limit(17 * 1024 * kMiB + 1) == "raise the limit to 18 GiB or more");
}
