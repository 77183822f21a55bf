#include "caches/glb/timeline.h"

#include <doctest/doctest.h>

#include <array>

namespace skinbake {
namespace {

GlbTimeline planned(const std::vector<std::int64_t>& counts, std::size_t max_targets) {
  return plan_timeline(counts, max_targets);
}

std::vector<std::array<std::size_t, 2>> parts_of(const GlbTimeline& timeline) {
  std::vector<std::array<std::size_t, 2>> parts;
  for (const GlbFrameSpan& part : timeline.parts) parts.push_back({part.first, part.end});
  return parts;
}

using Parts = std::vector<std::array<std::size_t, 2>>;

TEST_CASE("GLB timeline: without a limit, one part has the frames of all clips") {
  CHECK(parts_of(planned({1}, 0)) == Parts{{0, 1}});
  CHECK(parts_of(planned({5000, 1, 7}, 0)) == Parts{{0, 5008}});
}

TEST_CASE("GLB timeline: a long clip is cut, and neighbours share a frame") {
  CHECK(parts_of(planned({17}, 16)) == Parts{{0, 17}});
  CHECK(parts_of(planned({18}, 16)) == Parts{{0, 17}, {16, 18}});
  CHECK(parts_of(planned({33}, 16)) == Parts{{0, 17}, {16, 33}});
  CHECK(parts_of(planned({34}, 16)) == Parts{{0, 17}, {16, 33}, {32, 34}});
  CHECK(parts_of(planned({2049}, 2048)) == Parts{{0, 2049}});
  CHECK(parts_of(planned({2050}, 2048)) == Parts{{0, 2049}, {2048, 2050}});
}

TEST_CASE("GLB timeline: clips share a part as long as it has room") {
  CHECK(parts_of(planned({10, 7}, 16)) == Parts{{0, 17}});
  CHECK(parts_of(planned({10, 8}, 16)) == Parts{{0, 10}, {10, 18}});
  CHECK(parts_of(planned({10, 20, 3, 4}, 16)) == Parts{{0, 10}, {10, 27}, {26, 30}, {30, 37}});
  CHECK(parts_of(planned({1, 1}, 16)) == Parts{{0, 2}});
}

TEST_CASE("GLB timeline: each frame is the base or a target of the parts that show it") {
  const GlbTimeline timeline = planned({10, 20, 3}, 16);
  CHECK(timeline.frame_count() == 33);
  CHECK(timeline.part_of_base(0) == 0);
  CHECK_FALSE(timeline.part_of_target(0).has_value());
  CHECK(timeline.part_of_target(9) == 0);
  CHECK(timeline.part_of_base(10) == 1);
  CHECK_FALSE(timeline.part_of_target(10).has_value());
  CHECK(timeline.part_of_target(26) == 1);
  CHECK(timeline.part_of_base(26) == 2);  // shared by both parts
  CHECK(timeline.part_of_target(27) == 2);
  CHECK(timeline.shown(1, 1).count() == 17);
  CHECK(timeline.shown(2, 1).count() == 4);
  CHECK(timeline.shown(0, 1).count() == 0);
}

TEST_CASE("GLB timeline: blocks do not cross clips, and are found among many clips at once") {
  std::vector<std::int64_t> counts{10, 20, 33, 1};
  counts.resize(200000, 2);
  const GlbTimeline timeline = planned(counts, 16);
  std::size_t frame = 0, block = 0, wrong = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    wrong += timeline.first_block(c) != block;
    for (std::int64_t f = 0; f < counts[c]; ++f, ++frame) {
      wrong += timeline.block_of(frame) != block + static_cast<std::size_t>(f) / 16;
    }
    block += static_cast<std::size_t>((counts[c] + 15) / 16);
  }
  CHECK(wrong == 0);
  CHECK(timeline.block_count() == block);
}

TEST_CASE("GLB timeline: the parts of a clip are those that show its frames") {
  for (const std::int64_t most : {0, 16, 32}) {
    const GlbTimeline timeline = planned({10, 20, 3, 1, 1, 17, 49, 2, 16, 15, 1, 33}, most);
    for (std::size_t clip = 0; clip < timeline.clips.size(); ++clip) {
      const GlbTimeline::Parts shown = timeline.parts_of(clip);
      for (std::size_t part = 0; part < timeline.parts.size(); ++part) {
        const bool is_shown = shown.first <= part && part < shown.end;
        CHECK(is_shown == (timeline.shown(part, clip).count() > 0));
      }
    }
    for (std::size_t part = 0; part < timeline.parts.size(); ++part) {
      const GlbFrameSpan& frames = timeline.parts[part];
      CHECK(timeline.part_of_base(frames.first) == part);
      for (std::size_t f = frames.first + 1; f < frames.end; ++f) {
        CHECK(timeline.part_of_target(f) == part);
      }
    }
    CHECK_FALSE(timeline.part_of_base(1).has_value());
    CHECK_FALSE(timeline.part_of_base(timeline.frame_count()).has_value());
    CHECK_FALSE(timeline.part_of_target(0).has_value());
    CHECK_FALSE(timeline.part_of_target(timeline.frame_count()).has_value());
  }
}

TEST_CASE("GLB timeline: blocks do not cross clips, and begin with the bases") {
  const GlbTimeline timeline = planned({17, 16, 40}, 16);
  CHECK(timeline.block_count() == 2 + 1 + 3);
  CHECK(timeline.first_block(2) == 3);
  CHECK(timeline.block_of(16) == 1);
  CHECK(timeline.block_of(17) == 2);
  CHECK(timeline.block_of(33 + 16) == 4);
  for (const GlbFrameSpan& part : timeline.parts) {
    if (part.first == 0) continue;
    CHECK(timeline.block_of(part.first) == timeline.block_of(part.first - 1) + 1);
  }
}

}  // namespace
}  // namespace skinbake
