// The calls of sinks that read normals: by tiles, or whole.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "support/capture.h"
#include "support/normal_rigs.h"

namespace skinbake {
namespace {

using enum NormalKind;
using test::plan_of;
using test::with_normals;
using test::with_tangents;

// One attribute of one block, as a reader received it.
struct Given {
  explicit Given(VertexIndex vertices) : lanes(vertices * kNumbers), times(vertices) {}

  // `some` is null if the mesh does not have the attribute.
  void take(const FrameBlock& tile, const float* some) {
    for (VertexIndex i = 0; i < tile.vertices.count; ++i) ++times[tile.vertices.first + i];
    has_some = some != nullptr;
    if (some == nullptr) return;
    std::copy_n(some, tile.vertices.count * kNumbers,
                lanes.data() + tile.vertices.first * kNumbers);
  }

  void clear() {
    for (std::atomic<int>& n : times) n = 0;
  }

  static constexpr std::size_t kNumbers = std::size_t{3} * kFramesPerBlock;
  std::vector<float> lanes;
  std::deque<std::atomic<int>> times;  // [vertex] number of reads
  std::atomic<bool> has_some = false;
};

struct ReaderState : BlockState {
  explicit ReaderState(VertexIndex vertices)
      : normals(vertices), tangents(vertices), consumed(vertices) {}
  Given normals, tangents;
  std::deque<std::atomic<int>> consumed;              // [vertex]
  std::atomic<const float*> whole_normals = nullptr;  // the array that was read
  std::atomic<VertexIndex> largest_range = 0;
  std::atomic<bool> too_early = false;  // a call before the tile's consume, or after finish
  bool finished = false;
};

class Reader final : public FrameSink, public NormalReader {
 public:
  Reader(const Rig& rig, NormalKind kind, bool whole)
      : vertices_(rig.mesh->vertex_count()), kind_(kind), whole_(whole) {}

  std::optional<NormalKind> wanted_normals() const override { return kind_; }
  bool needs_whole_normals() const override { return whole_; }
  bool wants_tangents() const override { return true; }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<ReaderState>(vertices_);
  }
  void consume(const FrameBlock& tile, BlockState& state) override {
    for (VertexIndex i = 0; i < tile.vertices.count; ++i) {
      ++of(state).consumed[tile.vertices.first + i];
    }
  }
  void read_normals(const FrameBlock& tile, const float* some, BlockState& state) override {
    ReaderState& mine = of(state);
    for (VertexIndex i = 0; i < tile.vertices.count; ++i) {
      if (mine.consumed[tile.vertices.first + i] != 1) mine.too_early = true;
    }
    if (mine.finished) mine.too_early = true;
    VertexIndex largest = mine.largest_range;
    while (tile.vertices.count > largest &&
           !mine.largest_range.compare_exchange_weak(largest, tile.vertices.count)) {
    }
    mine.whole_normals = some;
    mine.normals.take(tile, some);
  }
  void read_tangents(const FrameBlock& tile, const float* some, BlockState& state) override {
    ReaderState& mine = of(state);
    for (VertexIndex i = 0; i < tile.vertices.count; ++i) {
      const VertexIndex v = tile.vertices.first + i;
      if (mine.tangents.times[v] + 1 != mine.normals.times[v]) mine.too_early = true;
    }
    mine.tangents.take(tile, some);
  }
  void finish(const FrameBlock&, BlockState& state) override { of(state).finished = true; }
  void merge(const FrameBlock&, BlockState& state) override {
    ReaderState& mine = of(state);
    const auto once = [](const std::deque<std::atomic<int>>& times) {
      return std::all_of(times.begin(), times.end(), [](int n) { return n == 1; });
    };
    covers &= once(mine.normals.times) && once(mine.tangents.times);
    in_order &= !mine.too_early;
    largest_range = std::max(largest_range, mine.largest_range.load());
    // Whole arrays stay valid until merge.
    if (whole_ && mine.normals.has_some) {
      stays &= std::equal(mine.normals.lanes.begin(), mine.normals.lanes.end(),
                          mine.whole_normals.load());
    }
    append(mine.normals, normals);
    append(mine.tangents, tangents);
    mine.normals.clear(), mine.tangents.clear();
    for (std::atomic<int>& n : mine.consumed) n = 0;
    mine.finished = false;
  }

  std::vector<float> normals, tangents;  // [block][vertex][axis][frame]
  bool covers = true, in_order = true, stays = true;
  VertexIndex largest_range = 0;

 private:
  static ReaderState& of(BlockState& state) { return static_cast<ReaderState&>(state); }

  static void append(const Given& from, std::vector<float>& to) {
    if (from.has_some) to.insert(to.end(), from.lanes.begin(), from.lanes.end());
  }

  VertexIndex vertices_;
  NormalKind kind_;
  bool whole_;
};

// A mesh of more than two tiles, the last of them incomplete.
Rig tube_with_tangents() {
  const Rig tube = test::tube({.rings = 50, .segments = 13, .joints = 3});
  std::vector<float> around;
  for (std::size_t i = 0; i < tube.mesh->normals.size(); i += 3) {
    const float* n = tube.mesh->normals.data() + i;
    around.insert(around.end(), {n[1], n[2], n[0], 1});
  }
  return with_tangents(tube, around);
}

void bake_into(const Rig& rig, const Clip& clip, int threads, std::vector<FrameSink*> sinks,
               const char* method = "lbs") {
  BakePlan plan = plan_of(rig, &clip, 5 * kFramesPerBlock + 3);
  plan.threads = threads;
  plan.runs = {{parse_method(method), std::move(sinks)}};
  bake(plan);
}

}  // namespace

TEST_CASE("normal readers: each vertex is read once, with the same numbers by tiles or whole") {
  const Rig rig = tube_with_tangents();
  const Clip clip = test::turning_clip(rig, {1, 2, 3}, 2, 3);
  REQUIRE(rig.mesh->vertex_count() > 2 * kVerticesPerTile);
  for (const NormalKind kind : {kSkinned, kGeometric}) {
    const auto expected = test::captured_normals(plan_of(rig, &clip, 1), kind);
    std::vector<float> normals, tangents;  // by one thread
    for (const int threads : {1, 2, 5}) {
      CAPTURE(threads);
      // `tiles` is the only reader of its bake. `beside` shares a bake with `whole`, which needs
      // normals of the whole mesh.
      Reader tiles(rig, kind, false), whole(rig, kind, true), beside(rig, kind, false);
      bake_into(rig, clip, threads, {&tiles});
      bake_into(rig, clip, threads, {&whole, &beside});
      for (const Reader* reader : {&tiles, &whole, &beside}) {
        CHECK(reader->covers);
        CHECK(reader->in_order);
        CHECK(reader->stays);
        CHECK(reader->normals.size() ==
              6 * std::size_t{rig.mesh->vertex_count()} * Given::kNumbers);
        CHECK(reader->tangents.size() == reader->normals.size());
      }
      CHECK(tiles.largest_range == kVerticesPerTile);
      CHECK(beside.largest_range == kVerticesPerTile);
      CHECK(whole.largest_range == rig.mesh->vertex_count());
      if (threads == 1) normals = whole.normals, tangents = whole.tangents;
      for (const Reader* reader : {&tiles, &whole, &beside}) {
        CHECK(reader->normals == normals);
        CHECK(reader->tangents == tangents);
      }
    }
    for (std::size_t i = 0; i < expected.normals.size(); ++i) {  // frame 0
      CHECK(normals[i * kFramesPerBlock] == expected.normals[i]);
      CHECK(tangents[i * kFramesPerBlock] == expected.tangents[i]);
    }
  }
}

TEST_CASE("normal readers: both kinds together equal each kind alone") {
  const Rig rig = tube_with_tangents();
  const Clip clip = test::turning_clip(rig, {1, 2, 3}, 2, 3);
  Reader skinned(rig, kSkinned, false), geometric(rig, kGeometric, false);
  bake_into(rig, clip, 3, {&skinned});
  bake_into(rig, clip, 3, {&geometric});
  REQUIRE(skinned.normals != geometric.normals);
  for (const bool whole : {false, true}) {
    Reader first(rig, kGeometric, whole), second(rig, kSkinned, !whole);
    bake_into(rig, clip, 3, {&first, &second});
    CHECK(first.normals == geometric.normals);
    CHECK(first.tangents == geometric.tangents);
    CHECK(second.normals == skinned.normals);
    CHECK(second.tangents == skinned.tangents);
  }
}

TEST_CASE("normal readers: a primitive without normals gets those of its triangles") {
  const Rig rig = tube_with_tangents();
  const Clip clip = test::turning_clip(rig, {1, 2, 3}, 2, 3);
  Reader skinned(rig, kSkinned, true), geometric(rig, kGeometric, true);
  bake_into(rig, clip, 1, {&skinned, &geometric});
  const VertexIndex vertices = rig.mesh->vertex_count(), first = 101, end = 401;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->primitives = {{0, first}, {first, end - first}, {end, vertices - end}};
  std::fill_n(mesh->normals.begin() + 3 * first, 3 * (end - first), 0.0F);
  for (VertexIndex v = first; v < end; ++v) mesh->tangents[4 * v + 3] = 0;
  Rig mixed = rig;
  mixed.mesh = mesh;
  for (const int threads : {1, 3}) {
    Reader tiles(mixed, kSkinned, false), whole(mixed, kSkinned, true);
    Reader beside(mixed, kGeometric, false);
    bake_into(mixed, clip, threads, {&tiles});
    bake_into(mixed, clip, threads, {&whole, &beside});
    CHECK(beside.normals == geometric.normals);
    for (const Reader* reader : {&tiles, &whole}) {
      CHECK(reader->covers);
      CHECK(reader->in_order);
      CHECK(reader->stays);
      REQUIRE(reader->normals.size() == skinned.normals.size());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < skinned.normals.size(); ++i) {
        const std::size_t v = i / Given::kNumbers % vertices;
        const bool is_filled = v >= first && v < end;
        wrong += reader->normals[i] != (is_filled ? geometric : skinned).normals[i];
        wrong += reader->tangents[i] != (is_filled ? 0 : skinned.tangents[i]);
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("normal readers: of a mesh without normals they read null for every vertex") {
  const Rig rig = tube_with_tangents();
  const Rig bare = with_tangents(with_normals(rig, {}), {});
  const Clip clip = test::turning_clip(rig, {1, 2, 3}, 2, 3);
  for (const bool whole : {false, true}) {
    for (const auto& [of, method] : {std::pair(&bare, "lbs"), std::pair(&rig, "dm")}) {
      Reader reader(*of, kSkinned, whole);
      bake_into(*of, clip, 2, {&reader}, method);
      CHECK(reader.covers);
      CHECK(reader.in_order);
      CHECK(reader.normals.empty());
      CHECK(reader.tangents.empty());
    }
  }
}

}  // namespace skinbake
