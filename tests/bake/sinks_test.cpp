// The course of a bake: the calls of its sinks, progress, cancellation and errors.

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "bake/row.h"
#include "skinbake/bake.h"
#include "skinbake/error.h"
#include "support/capture.h"
#include "support/normal_rigs.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::plan_of;
using test::Row;

// Calls a function in its end.
class Ending final : public FrameSink {
 public:
  explicit Ending(std::function<void()> at_end) : at_end_(std::move(at_end)) {}
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}
  void end() override { at_end_(); }

 private:
  std::function<void()> at_end_;
};

// Throws in one of its calls.
class Failing final : public FrameSink {
 public:
  enum class At { kConsume, kFinish, kMerge, kEnd };
  explicit Failing(At at) : at_(at) {}

  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  void consume(const FrameBlock& tile, BlockState&) override { fail(At::kConsume, tile.index); }
  void finish(const FrameBlock& block, BlockState&) override { fail(At::kFinish, block.index); }
  void merge(const FrameBlock& block, BlockState&) override { fail(At::kMerge, block.index); }
  void end() override { fail(At::kEnd, 2); }

 private:
  void fail(At at, std::int64_t block) const {
    if (at == at_ && block == 2) throw Error("OUTPUT_NOT_WRITTEN", "the disk is full");
  }
  At at_;
};

// Compares the whole block of `finish` with the tiles of `consume`.
class TileComparer final : public FrameSink {
 public:
  struct Seen : BlockState {
    std::mutex mutex;
    std::vector<float> lane0 = std::vector<float>(100000);
    VertexIndex vertices = 0;
  };
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<Seen>(); }
  bool needs_whole_block() const override { return true; }
  void consume(const FrameBlock& tile, BlockState& state) override {
    auto& seen = static_cast<Seen&>(state);
    if (tile.vertices.first % kVerticesPerTile != 0) wrong = true;
    for (VertexIndex i = 0; i < tile.vertices.count; ++i) {
      seen.lane0[tile.vertices.first + i] = *tile.position(tile.vertices.first + i);
    }
    const std::lock_guard lock(seen.mutex);
    seen.vertices += tile.vertices.count;
  }
  void finish(const FrameBlock& block, BlockState& state) override {
    auto& seen = static_cast<Seen&>(state);
    if (block.positions == nullptr || seen.vertices != block.vertices.count) wrong = true;
    for (VertexIndex v = 0; v < block.vertices.count && !wrong; ++v) {
      if (*block.position(v) != seen.lane0[v]) wrong = true;
    }
    seen.vertices = 0;
    ++finished;
  }
  void merge(const FrameBlock&, BlockState&) override {}

  std::atomic<bool> wrong = false;
  std::atomic<int> finished = 0;
};

std::string error_of(const BakePlan& plan) {
  try {
    bake(plan);
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("bake: a sink that needs whole blocks gets the positions of its tiles") {
  const Row row(3 * static_cast<int>(kVerticesPerTile) - 7);
  TileComparer sink;
  Capture beside(row.rig);
  BakePlan plan = plan_of(row.rig, &row.clip, 100);
  plan.threads = 2;
  plan.runs = {{parse_method("lbs"), {&sink, &beside}}};
  bake(plan);
  CHECK_FALSE(sink.wrong);
  CHECK(sink.finished == 7);
  CHECK((beside.positions == captured(row.rig, &row.clip, 100, "lbs").positions));
}

TEST_CASE("bake: progress rises block by block to the number of frames") {
  const Row row(600);
  Capture capture(row.rig);
  for (const int threads : {1, 7}) {
    std::vector<std::int64_t> seen;
    BakePlan plan = plan_of(row.rig, &row.clip, 100);
    plan.threads = threads;
    plan.runs = {{parse_method("lbs"), {&capture}}};
    plan.progress = [&](std::int64_t done) { seen.push_back(done); };
    bake(plan);
    CHECK(seen == std::vector<std::int64_t>{16, 32, 48, 64, 80, 96, 100});
  }
}

TEST_CASE("bake: a cancelled bake throws before its end") {
  const Row row(100);
  Capture capture(row.rig);
  std::atomic<bool> cancelled = false;
  BakePlan plan = plan_of(row.rig, &row.clip, 100000);
  plan.threads = 2;
  plan.runs = {{parse_method("lbs"), {&capture}}};
  plan.cancelled = &cancelled;
  plan.progress = [&](std::int64_t done) {
    if (done >= 160) cancelled = true;
  };
  CHECK_THROWS_AS(bake(plan), Cancelled);
  CHECK(capture.frame_count() >= 160);
  CHECK(capture.frame_count() < 1000);
}

TEST_CASE("bake: a bake that is cancelled while a sink ends throws, and ends no other sink") {
  const Row row(100);
  std::atomic<bool> cancelled = false;
  int ends = 0;
  Ending first([&] {
    cancelled = true;
    ++ends;
  });
  Ending second([&] { ++ends; });
  BakePlan plan = plan_of(row.rig, &row.clip, 20);
  plan.runs = {{parse_method("lbs"), {&first, &second}}};
  plan.cancelled = &cancelled;
  CHECK_THROWS_AS(bake(plan), Cancelled);
  CHECK(ends == 1);
}

TEST_CASE("bake: an exception of a sink reaches the caller") {
  const Row row(600);
  using At = Failing::At;
  for (const At at : {At::kConsume, At::kFinish, At::kMerge, At::kEnd}) {
    for (const int threads : {1, 2}) {
      Failing sink(at);
      BakePlan plan = plan_of(row.rig, &row.clip, 200);
      plan.threads = threads;
      plan.runs = {{parse_method("dqs"), {&sink}}};
      CHECK(error_of(plan) == "OUTPUT_NOT_WRITTEN: the disk is full");
    }
  }
}

TEST_CASE("bake: the error names the first position that is not finite, with any thread count") {
  Row row(3 * static_cast<int>(kVerticesPerTile) - 7);
  // From frame 20 on joint 1 is at infinity: positions of its vertices are not finite.
  const double infinity = std::numeric_limits<double>::infinity();
  row.clip.channels.push_back(test::channel(1, ChannelPath::kTranslation, Interpolation::kStep,
                                            {0, 20 / 30.0}, {0, 0, 0, infinity, 0, 0}, 3));
  for (const MethodInfo& method : methods()) {
    for (const int threads : {1, 2, 7}) {
      Capture capture(row.rig);
      BakePlan plan = plan_of(row.rig, &row.clip, 100);
      plan.threads = threads;
      plan.runs = {{parse_method(method.id), {&capture}}};
      const std::string said = error_of(plan);
      CHECK(said.find("NON_FINITE_POSITION: mesh 'loose', frame 20, vertex 1:") == 0);
      CHECK(capture.frame_count() == 16);  // the block before the bad one
    }
  }
}

TEST_CASE("bake: the error names the first normal that is not finite") {
  Row row(3 * static_cast<int>(kVerticesPerTile) - 7);
  const Rig rig =
      test::with_normals(row.rig, std::vector<float>(row.rig.mesh->positions.size(), 1.0F));
  // From frame 20 on joint 1 is so large that its cofactors, which turn normals, are infinite.
  row.clip.channels.push_back(test::channel(1, ChannelPath::kScale, Interpolation::kStep,
                                            {0, 20 / 30.0}, {1, 1, 1, 1e20, 1e20, 1e20}, 3));
  for (const char* method : {"lbs", "dqs", "cor"}) {
    CAPTURE(method);
    for (const int threads : {1, 7}) {
      test::NormalCapture capture(rig, NormalKind::kSkinned);
      BakePlan plan = plan_of(rig, &row.clip, 100);
      plan.threads = threads;
      plan.runs = {{parse_method(method), {&capture}}};
      const std::string said = error_of(plan);
      CHECK(said.find("frame 20, vertex 1: the normal is not a finite number") != said.npos);
    }
  }
}

TEST_CASE("bake: the error of a position that is not finite names the element that is huge") {
  const auto said = [](const Rig& rig) {
    Capture capture(rig);
    BakePlan plan = plan_of(rig, nullptr, 1);
    plan.runs = {{parse_method("lbs"), {&capture}}};
    return error_of(plan);
  };
  Rig rig = test::loose({{1, 0, 0}}, std::vector<Node>(1), {{{0, 1}}});
  rig.joints[0].joint_from_model.x.x = 1e39;
  CHECK(
      said(rig).ends_with("the inverse bind matrix of joint '#0' contains 1e+39, export it again"));
  rig.joints[0].joint_from_model.x.x = 1;
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].scale = {1e39, 1, 1};
  rig.skeleton = skeleton;
  CHECK(said(rig).ends_with("in joint '#0', which moves the vertex most, and above it"));
}

TEST_CASE("bake: the error names a joint that is huge at a neighbour, which smoothing spreads") {
  // The first vertex has joint 0 alone. Its neighbours have joint 1, whose matrix is huge.
  Rig rig = test::loose({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Node>(3),
                        {{{0, 1}}, {{1, 1}}, {{1, 1}}});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles = {{0, 1, 2}};
  rig.mesh = mesh;
  rig.joints[1].joint_from_model.x.x = 3.4e38;
  rig.joints[1].joint_from_model.translation.x = 3.4e38;
  rig.joints[2].joint_from_model.x.x = 3.5e38;  // moves no vertex
  for (const char* method : {"dm", "ddm:prune=0"}) {
    Capture capture(rig);
    BakePlan plan = plan_of(rig, nullptr, 1);
    plan.runs = {{parse_method(method), {&capture}}};
    const std::string said = error_of(plan);
    CHECK_MESSAGE(said.find("vertex 0:") != std::string::npos, said);
    CHECK_MESSAGE(
        said.ends_with("the inverse bind matrix of joint '#1' contains 3.4e+38, export it again"),
        said);
  }
}

TEST_CASE("bake: the error for a bad position names the frame's number, not its index in the run") {
  Row row(20);
  row.clip.channels = {
      test::channel(1, ChannelPath::kScale, Interpolation::kStep, {0, 1}, {1, 1, 1, NAN, 1, 1}, 3)};
  Capture capture(row.rig);
  BakePlan plan = plan_of(row.rig, &row.clip, 0);
  plan.frames = {30, 10, 5, 8};
  plan.runs = {{parse_method("lbs"), {&capture}}};
  CHECK(error_of(plan).find("frame 30, vertex 1:") != std::string::npos);
}

}  // namespace skinbake
