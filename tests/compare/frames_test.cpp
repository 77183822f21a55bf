#include <doctest/doctest.h>

#include <cmath>

#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "support/frames.h"

namespace skinbake {
namespace {

using test::MemoryFrames;
using test::numbered_frames;

struct Two {
  MemoryFrames a = numbered_frames(300, 20), b = a;
  Rig rig = rig_of_first_frame(a, "cache", {});

  Difference difference(const std::vector<double>& limits = {}, bool details = true,
                        int threads = 2) const {
    DiffPlan plan;
    plan.a = &a;
    plan.b = &b;
    plan.rig = &rig;
    plan.frames = {30, 5, 2, 20};
    plan.bbox_diagonal_m = bbox_diagonal(rig);
    plan.limits_m = limits;
    plan.details = details;
    plan.threads = threads;
    return difference_of(plan);
  }
};

}  // namespace

TEST_CASE("diff: the same frames are identical, with and without details") {
  const Two two;
  for (const bool details : {true, false}) {
    const Difference same = two.difference({0.5}, details);
    CHECK(same.identical);
    CHECK(same.vertices == 0);
    CHECK(same.frames == 0);
    CHECK(same.error.max == 0);
    CHECK(same.error.rms == 0);
    CHECK(same.error.rms_relative == 0);
    CHECK(same.error.max_relative == 0);
    CHECK(same.error.max_at.frame == 0);
    REQUIRE(same.error.over.size() == 1);
    CHECK(same.error.over[0].limit_m == 0.5);
    CHECK(same.error.over[0].vertices == 0);
    CHECK(same.error.per_vertex.max.size() == (details ? 300 : 0));
  }
}

TEST_CASE("diff: one moved vertex is found, with both its positions") {
  Two two;
  two.b.at(17, 123, 1) += 3;
  two.b.at(17, 123, 2) += 4;
  two.b.at(3, 7, 0) -= 0.25f;
  for (const int threads : {1, 2, 5}) {
    const Difference d = two.difference({0, 0.25, 1}, false, threads);
    CHECK_FALSE(d.identical);
    CHECK(d.vertices == 2);
    CHECK(d.frames == 2);
    CHECK(d.error.max == 5);
    CHECK(d.error.max_at.frame == 17);
    CHECK(d.error.max_at.vertex == 123);
    CHECK(d.error.rms == doctest::Approx(std::sqrt((25 + 0.0625) / 6000)));
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(d.a_at_max[static_cast<std::size_t>(axis)] == two.a.at(17, 123, axis));
      CHECK(d.b_at_max[static_cast<std::size_t>(axis)] == two.b.at(17, 123, axis));
    }
    CHECK(d.error.over[0].vertices == 2);
    CHECK(d.error.over[1].vertices == 1);  // an error equal to the limit is not over it
    CHECK(d.error.over[2].vertices == 1);
  }
}

TEST_CASE("diff: zeros of both signs are equal but not identical") {
  Two two;
  two.a.at(0, 0, 0) = 0.0f;
  two.b.at(0, 0, 0) = -0.0f;
  const Difference d = two.difference();
  CHECK_FALSE(d.identical);
  CHECK(d.vertices == 0);
  CHECK(d.error.max == 0);
}

TEST_CASE("diff: NaN differs, even from itself") {
  Two two;
  two.a.at(4, 9, 1) = two.b.at(4, 9, 1) = std::nanf("");
  const Difference d = two.difference({1e9}, false);
  CHECK_FALSE(d.identical);
  CHECK(d.vertices == 1);
  CHECK(d.frames == 1);
  CHECK(std::isnan(d.error.max));
  CHECK(std::isnan(d.error.rms));
  CHECK(d.error.max_at.frame == 4);
  CHECK(d.error.max_at.vertex == 9);
  CHECK(d.error.over[0].vertices == 1);
}

TEST_CASE("diff: an infinite position has an infinite error") {
  Two two;
  two.b.at(4, 9, 1) = HUGE_VALF;
  const Difference d = two.difference();
  CHECK(std::isinf(d.error.max));
  CHECK(d.error.max_at.frame == 4);
  CHECK(d.error.max_at.vertex == 9);
}

TEST_CASE("diff: the first frame gives a rig without joints") {
  const Two two;
  CHECK(two.rig.mesh->vertex_count() == 300);
  CHECK(two.rig.id == "cache");
  REQUIRE(two.rig.mesh->primitives.size() == 1);
  CHECK(two.rig.mesh->primitives[0].vertex_count == 300);
  // From (0, 1, 2) / 8 to (897, 898, 899) / 8.
  CHECK(bbox_diagonal(two.rig) == doctest::Approx(897.0 / 8 * std::sqrt(3)));
}

TEST_CASE("diff: different counts are not comparable, and the message has both") {
  try {
    require_comparable({"a.pc2", 7, 30}, {"b.pc2", 8, 30});
    FAIL("comparable");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kNotComparable);
    CHECK(std::string(error.what()) == "not comparable: a.pc2 has 7 vertices, b.pc2 has 8");
  }
  try {
    require_comparable({"a.pc2", 7, 30}, {"b.pc2", 7, 31});
    FAIL("comparable");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "not comparable: a.pc2 has 30 frames, b.pc2 has 31");
  }
  CHECK_NOTHROW(require_comparable({"a.pc2", 7, 30}, {"b.pc2", 7, 30}));
}

}  // namespace skinbake
