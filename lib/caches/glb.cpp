// glTF 2.0 binary (.glb): every frame but the first is a morph target, played by a weights channel
// in which one target is on at a time. glb_layout.h and glb_file.h have the bytes.
//
// Blocks become differences from frame 0 as soon as that is there, in any order; they are appended
// in theirs, for where one ends is known only when it is known which of its targets are sparse.

#include "caches/glb.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "base/aligned_array.h"
#include "caches/cache_normals.h"
#include "caches/glb_mesh_writer.h"
#include "caches/glb_quantised.h"
#include "caches/glb_reader.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little, "GLB is written as it is in memory");

// One attribute in the frames of one block: rows [frame][vertex][axis], which become differences.
struct Rows {
  explicit Rows(std::size_t size) : numbers(size) {}
  AlignedArray<float> numbers;
  GlbDeltas deltas;
};

struct GlbState : BlockState {
  std::vector<Rows> streams;
  AlignedArray<std::uint32_t> scratch;
  bool are_deltas = false;
};

class GlbWriter final : public GlbMeshWriter {
 public:
  GlbWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : GlbMeshWriter(std::move(file), index) {
    for (std::size_t s = 0; s < mesh_.streams.size(); ++s) bases_.emplace_back(row_size());
  }

  std::unique_ptr<BlockState> new_state() const override {
    auto state = std::make_unique<GlbState>();
    const std::size_t rows = static_cast<std::size_t>(
        std::min<std::int64_t>(kFramesPerBlock, mesh_.header.frames.frame_count));
    for (std::size_t s = 0; s < mesh_.streams.size(); ++s) {
      state->streams.emplace_back(row_size() * rows);
    }
    state->scratch = AlignedArray<std::uint32_t>(row_size() / 3);
    return state;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        state_of(state).streams[0].numbers.data() + std::size_t{tile.vertices.first} * 3,
        row_size());
  }

  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override {
    normals_to_rows(tile, normals, row_size(), state_of(state).streams[1].numbers.data());
  }

  void read_tangents(const FrameBlock& tile, const float* tangents, BlockState& state) override {
    tangents_to_rows(tile, tangents, row_size(), state_of(state).streams[2].numbers.data());
  }

  void finish(const FrameBlock& block, BlockState& block_state) override {
    GlbState& state = state_of(block_state);
    state.are_deltas = false;
    if (block.first_frame == 0) {
      for (std::size_t s = 0; s < bases_.size(); ++s) {
        std::copy_n(state.streams[s].numbers.data(), row_size(), bases_[s].data());
      }
      has_base_.store(true, std::memory_order_release);
    }
    if (has_base_.load(std::memory_order_acquire)) subtract_base(block, state);
  }

  void merge(const FrameBlock& block, BlockState& block_state) override {
    GlbState& state = state_of(block_state);
    if (!state.are_deltas) subtract_base(block, state);
    if (block.first_frame == 0) append_base();
    const std::size_t first_target =
        static_cast<std::size_t>(block.first_frame == 0 ? 0 : block.first_frame - 1) *
        mesh_.primitives.size();
    for (std::size_t s = 0; s < bases_.size(); ++s) {
      GlbStream& stream = mesh_.streams[s];
      const GlbDeltas& deltas = state.streams[s].deltas;
      std::copy(deltas.targets.begin(), deltas.targets.end(),
                stream.targets.begin() + static_cast<std::ptrdiff_t>(first_target));
      GlbBlock& views = stream.blocks[static_cast<std::size_t>(block.index)];
      views.dense = append(deltas.dense);
      views.values = append(deltas.values);
      views.indices = append(deltas.indices);
    }
  }

  // A difference is rounded to float once, and once more when it is added to frame 0 again.
  double bound_m() const override {
    float largest = 0;
    const auto widen = [&](const GlbBounds& bounds) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        largest = std::max({largest, std::abs(bounds.min[axis]), std::abs(bounds.max[axis])});
      }
    };
    for (const GlbTarget& target : mesh_.streams[0].targets) widen(target.bounds);
    for (const GlbPrimitive& primitive : mesh_.primitives) widen(primitive.bounds);
    constexpr double kHalfUnit = 1.0 / (1 << 24), kRoundings = 3;  // the sum may be twice as large
    return kRoundings * kHalfUnit * std::sqrt(3.0) * largest;
  }

  // Likewise of what is 2 at most, and 1 when it is added.
  std::optional<double> normal_bound() const override {
    if (!mesh_.has_normals()) return std::nullopt;
    constexpr double kHalfUnit = 0x1p-24, kRoundings = 2;
    return kRoundings * kHalfUnit * std::sqrt(3.0);
  }

 private:
  static GlbState& state_of(BlockState& state) { return static_cast<GlbState&>(state); }

  void subtract_base(const FrameBlock& block, GlbState& state) const {
    const std::size_t first = block.first_frame == 0 ? 1 : 0;  // frame 0 is no target
    for (std::size_t s = 0; s < bases_.size(); ++s) {
      make_deltas(mesh_.primitives, bases_[s].data(), row_size(),
                  {state.streams[s].numbers.data() + first * row_size(),
                   (static_cast<std::size_t>(block.frame_count) - first) * row_size()},
                  {state.scratch.data(), state.scratch.size()}, state.streams[s].deltas);
    }
    state.are_deltas = true;
  }

  void append_base() {
    for (GlbPrimitive& primitive : mesh_.primitives) {
      const std::size_t first = std::size_t{primitive.vertices.first_vertex} * 3;
      primitive.bounds = bounds_of(bases_[0].data() + first, primitive.vertices.vertex_count);
    }
    for (std::size_t s = 0; s < bases_.size(); ++s) {
      const std::vector<float> signed_base = with_signs(bases_[s], mesh_.streams[s]);
      mesh_.streams[s].base =
          signed_base.empty() ? append({{bases_[s].data(), row_size() * sizeof(float)}})
                              : append({{signed_base.data(), signed_base.size() * sizeof(float)}});
    }
  }

  // Tangents as VEC4; empty: the stream is of others.
  std::vector<float> with_signs(const AlignedArray<float>& base, const GlbStream& stream) const {
    std::vector<float> vectors;
    if (stream.attribute != kTangents) return vectors;
    const float* next = base.data();
    for (const float sign : tangent_signs()) {
      vectors.insert(vectors.end(), {next[0], next[1], next[2], sign});
      next += 3;
    }
    return vectors;
  }

  std::vector<AlignedArray<float>> bases_;  // frame 0 of each stream
  std::atomic<bool> has_base_ = false;
};

std::vector<std::unique_ptr<CacheWriter>> open_together(const std::string& path,
                                                        std::span<const CacheHeader> headers) {
  const auto file = std::make_shared<GlbFile>(path, headers);
  std::vector<std::unique_ptr<CacheWriter>> writers;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (file->options().is_quantised()) {
      writers.push_back(make_quantised_writer(file, i));
    } else {
      writers.push_back(std::make_unique<GlbWriter>(file, i));
    }
  }
  return writers;
}

}  // namespace

std::unique_ptr<CacheWriter> open_companion_glb(const std::string& path,
                                                const CacheHeader& header) {
  auto file = std::make_shared<GlbFile>(path, std::span(&header, 1), GlbFile::WithSidecar::kNo);
  return std::make_unique<GlbWriter>(std::move(file), 0);
}

const CacheFormat kGlb{
    "glb",
    ".glb",
    "glTF 2.0 binary, morph targets",
    "three.js, Babylon.js, Blender, game engines",
    "12 bytes per vertex and frame, less where vertices rest; 8 with quantize=1, 2 to 5 with "
    "meshopt=1 too; with normals=1 up to 12 more, with quantize=1 too 8 where none of a primitive "
    "turns far; with tangents=1 as many again",
    "3.1e-7 of the largest coordinate: its way since frame 0 is rounded; with quantize=1, 1.75 / "
    "2^bits of half of frame 0's longest extent, or of the longest way from there along an axis; "
    "of a normal or tangent, 2.1e-7, with quantize=1 2.7e-5",
    [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::move(open_together(path, {&header, 1}).front());
    },
    open_glb_cache,
    open_together,
    true,
    kGlbOptions,
    [](const std::map<std::string, std::string>& options) {
      return parse_glb_options(options).normals;
    },
    [](const std::map<std::string, std::string>& options) {
      return parse_glb_options(options).tangents;
    }};

}  // namespace skinbake
