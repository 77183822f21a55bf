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
#include "caches/glb_mesh_writer.h"
#include "caches/glb_quantised.h"
#include "caches/glb_reader.h"
#include "frames/transpose.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little, "GLB is written as it is in memory");

struct Rows : BlockState {
  Rows(std::size_t row_size, std::size_t vertices)
      : positions(row_size * kFramesPerBlock), scratch(vertices) {}
  AlignedArray<float> positions;  // [frame][vertex][axis]
  AlignedArray<std::uint32_t> scratch;
  GlbDeltas deltas;
  bool are_deltas = false;
};

class GlbWriter final : public GlbMeshWriter {
 public:
  GlbWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : GlbMeshWriter(std::move(file), index), base_(row_size()) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<Rows>(row_size(), row_size() / 3);
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
                      rows_of(state).positions.data() + std::size_t{tile.vertices.first} * 3,
                      row_size());
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    Rows& rows = rows_of(state);
    rows.are_deltas = false;
    if (block.first_frame == 0) {
      std::copy_n(rows.positions.data(), row_size(), base_.data());
      has_base_.store(true, std::memory_order_release);
    }
    if (has_base_.load(std::memory_order_acquire)) subtract_base(block, rows);
  }

  void merge(const FrameBlock& block, BlockState& state) override {
    Rows& rows = rows_of(state);
    if (!rows.are_deltas) subtract_base(block, rows);
    if (block.first_frame == 0) append_base();
    const std::size_t first_target =
        static_cast<std::size_t>(block.first_frame == 0 ? 0 : block.first_frame - 1) *
        mesh_.primitives.size();
    std::copy(rows.deltas.targets.begin(), rows.deltas.targets.end(),
              mesh_.targets.begin() + static_cast<std::ptrdiff_t>(first_target));
    GlbBlock& views = mesh_.blocks[static_cast<std::size_t>(block.index)];
    views.dense = append(rows.deltas.dense);
    views.values = append(rows.deltas.values);
    views.indices = append(rows.deltas.indices);
  }

  // A difference is rounded to float once, and once more when it is added to frame 0 again.
  double bound_m() const override {
    float largest = 0;
    const auto widen = [&](const GlbBounds& bounds) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        largest = std::max({largest, std::abs(bounds.min[axis]), std::abs(bounds.max[axis])});
      }
    };
    for (const GlbTarget& target : mesh_.targets) widen(target.bounds);
    for (const GlbPrimitive& primitive : mesh_.primitives) widen(primitive.bounds);
    constexpr double kHalfUnit = 1.0 / (1 << 24), kRoundings = 3;  // the sum may be twice as large
    return kRoundings * kHalfUnit * std::sqrt(3.0) * largest;
  }

 private:
  static Rows& rows_of(BlockState& state) { return static_cast<Rows&>(state); }

  void subtract_base(const FrameBlock& block, Rows& rows) const {
    const std::size_t first = block.first_frame == 0 ? 1 : 0;  // frame 0 is no target
    make_deltas(mesh_.primitives, base_.data(), row_size(),
                {rows.positions.data() + first * row_size(),
                 (static_cast<std::size_t>(block.frame_count) - first) * row_size()},
                {rows.scratch.data(), rows.scratch.size()}, rows.deltas);
    rows.are_deltas = true;
  }

  void append_base() {
    for (GlbPrimitive& primitive : mesh_.primitives) {
      primitive.bounds = bounds_of(base_.data() + std::size_t{primitive.vertices.first_vertex} * 3,
                                   primitive.vertices.vertex_count);
    }
    mesh_.base = append({{base_.data(), row_size() * sizeof(float)}});
  }

  AlignedArray<float> base_;
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
    "meshopt=1 too",
    "3.1e-7 of the largest coordinate: its way since frame 0 is rounded; with quantize=1, 1.75 / "
    "2^bits of half of frame 0's longest extent, or of the longest way from there along an axis",
    [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::move(open_together(path, {&header, 1}).front());
    },
    open_glb_cache,
    open_together,
    true,
    kGlbOptions};

}  // namespace skinbake
