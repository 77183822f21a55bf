// What a GLB cannot hold, and bakes that fail: nothing is left of them.

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/capture.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"
#include "support/two_by_two.h"

namespace skinbake {
namespace {

using test::plan_of;
using test::TemporaryFolder;
using test::TwoByTwo;

std::string code_of_opening(const CacheHeader& header) {
  const TemporaryFolder folder;
  try {
    cache_format_of("a.glb").open(folder / "a.glb", header);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    CHECK(folder.entry_count() == 0);
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("glb: what it cannot hold is refused before anything is written") {
  const TwoByTwo two;
  CHECK(code_of_opening(two.header(46341)).empty());
  CHECK(code_of_opening(two.header(46342)) == "CACHE_TOO_LARGE");
  CHECK(code_of_opening(two.header(std::int64_t{1} << 62)) == "CACHE_TOO_LARGE");
  const Rig large = test::tube({.rings = 1000, .segments = 100});
  CacheHeader header = two.header(3570);
  header.rig = &large;
  CHECK(code_of_opening(header).empty());
  header.frames.frame_count = 3580;
  CHECK(code_of_opening(header) == "CACHE_TOO_LARGE");
}

TEST_CASE("glb: times that are one float are refused") {
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.frames = {1000, 1 << 24, 1, 3};
  CHECK(code_of_opening(header) == "CACHE_TIMES_COLLIDE");
}

TEST_CASE("glb: options that it does not know are refused") {
  const TwoByTwo two;
  CacheHeader header = two.header(3);
  header.options = {{"interpolation", "cubic"}};
  CHECK(code_of_opening(header) == "FORMAT_OPTION_UNKNOWN");
  header.options = {{"quality", "1"}};
  CHECK(code_of_opening(header) == "FORMAT_OPTION_UNKNOWN");
}

TEST_CASE("glb: a bake that fails leaves nothing") {
  const TemporaryFolder folder;
  const TwoByTwo two;
  {
    const auto writer = test::open_writer(folder / "a.glb", two.header(2));
    BakePlan plan = plan_of(two.rig, &two.clip, 2);
    const std::atomic<bool> cancelled = true;
    plan.cancelled = &cancelled;
    CHECK_THROWS_AS(test::bake_into(*writer, plan), Cancelled);
  }
  CHECK(folder.entry_count() == 0);
}

}  // namespace skinbake
