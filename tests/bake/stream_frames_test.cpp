#include "skinbake/frames.h"

#include <doctest/doctest.h>

#include <atomic>
#include <limits>

#include "skinbake/error.h"
#include "support/capture.h"
#include "support/frames.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::MemoryFrames;
using test::numbered_frames;

Rig rig_of(std::int64_t vertices) {
  return test::loose(
      std::vector<Vec3<double>>(static_cast<std::size_t>(vertices)), {Node{}},
      std::vector<std::vector<Influence>>(static_cast<std::size_t>(vertices), {{0, 1}}));
}

// Needs the whole mesh, and compares it with the frames of a source.
class FrameComparer final : public FrameSink {
 public:
  explicit FrameComparer(const MemoryFrames& frames) : frames_(frames) {}
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  bool needs_whole_block() const override { return true; }
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock& block, BlockState&) override {
    const std::int64_t vertices = frames_.vertex_count();
    for (std::int64_t i = 0; i < vertices * 3; ++i) {
      for (int lane = 0; lane < block.frame_count; ++lane) {
        const float expected =
            frames_
                .positions[static_cast<std::size_t>((block.first_frame + lane) * vertices * 3 + i)];
        wrong += block.positions[i * kFramesPerBlock + lane] != expected;
        ++seen;
      }
    }
  }
  void merge(const FrameBlock&, BlockState&) override {}

  std::atomic<std::int64_t> wrong = 0, seen = 0;

 private:
  const MemoryFrames& frames_;
};

}  // namespace

TEST_CASE(
    "stream_frames: sinks consume every frame and its reference, in order, with any thread count") {
  for (const std::int64_t vertices : {1, 256, 700}) {
    for (const std::int64_t frames : {1, 16, 53}) {
      const Rig rig = rig_of(vertices);
      const MemoryFrames source = numbered_frames(vertices, frames);
      MemoryFrames reference = source;
      for (float& number : reference.positions) number = -number;
      for (const int threads : {1, 2, 5}) {
        test::Capture capture(rig);
        stream_frames({&source, &reference, {&capture}, threads, {}, nullptr});
        CHECK((capture.positions == source.positions));
        CHECK((capture.reference == reference.positions));
        CHECK(std::is_sorted(capture.merged_blocks.begin(), capture.merged_blocks.end()));
      }
    }
  }
}

TEST_CASE("stream_frames: a sink that needs the whole mesh gets it") {
  const MemoryFrames source = numbered_frames(700, 53);
  FrameComparer whole(source);
  stream_frames({&source, nullptr, {&whole}, 2, {}, nullptr});
  CHECK(whole.wrong == 0);
  CHECK(whole.seen == 700 * 53 * 3);
}

TEST_CASE("stream_frames: progress counts frames, and the stream can be cancelled") {
  const MemoryFrames source = numbered_frames(3, 53);
  const Rig rig = rig_of(3);
  test::Capture capture(rig);
  std::vector<std::int64_t> done;
  stream_frames(
      {&source, nullptr, {&capture}, 2, [&](std::int64_t n) { done.push_back(n); }, nullptr});
  CHECK(done == std::vector<std::int64_t>{16, 32, 48, 53});
  const std::atomic<bool> cancelled = true;
  CHECK_THROWS_AS(stream_frames({&source, nullptr, {&capture}, 2, {}, &cancelled}), Cancelled);
  CHECK_THROWS_AS(are_identical(source, source, 2, &cancelled), Cancelled);
  std::atomic<bool> late = false;
  const auto cancel_at_the_end = [&](std::int64_t n) { late = n == 53; };
  CHECK_THROWS_AS(stream_frames({&source, nullptr, {&capture}, 2, cancel_at_the_end, &late}),
                  Cancelled);
}

TEST_CASE("are_identical: one differing or non-finite number anywhere is found") {
  for (const std::int64_t vertices : {1, 700, 60000}) {  // many frames are compared at once, or one
    const std::int64_t frames = vertices == 1 ? 200000 : 5;
    const MemoryFrames source = numbered_frames(vertices, frames);
    for (const int threads : {1, 2}) CHECK(are_identical(source, source, threads));
    for (const std::size_t at :
         {std::size_t{0}, source.positions.size() / 2, source.positions.size() - 1}) {
      CAPTURE(at);
      MemoryFrames other = source;
      other.positions[at] += 1;
      CHECK_FALSE(are_identical(source, other, 2));
      for (const float bad :
           {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        other.positions[at] = bad;
        CHECK_FALSE(are_identical(other, other, 2));
      }
    }
  }
}

}  // namespace skinbake
