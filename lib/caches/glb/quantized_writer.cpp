// quantize=1: positions on a grid of int16.
//
// The grid depends on all frames, so a prepass computes their range. Then blocks become targets in
// any order, and are appended in order. Normals and tangents are quantized in the same way, on the
// grid of normalized int16, which needs no node transform; their frame 0 is known once the first
// block is finished.

#include "caches/glb/quantized_writer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>

#include "base/aligned_array.h"
#include "caches/glb/quantizer.h"
#include "caches/mesh_cache.h"
#include "caches/range_prepass.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Rounds to float, upwards, so that the coordinate of largest magnitude stays on the grid.
float rounded_up(double x) {
  if (x > std::numeric_limits<float>::max()) return std::numeric_limits<float>::infinity();
  const auto near = static_cast<float>(x);
  return near < x ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}

// The finest grid of this many bits that holds frame 0 and every displacement from it. The scale is
// infinite if no finite scale suffices.
GlbGrid fit_grid(const RangePrepass& frames, int bits) {
  GlbGrid grid;
  grid.max_quantized = (1 << (bits - 1)) - 1;
  const AlignedArray<float>& base = frames.base();
  if (base.size() == 0) return grid;
  std::array<double, 3> min, max;  // of frame 0
  for (std::size_t axis = 0; axis < kAxes; ++axis) min[axis] = max[axis] = base[axis];
  double extent = 0;  // the largest displacement, or distance from the centre in frame 0
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double x = base[i], low = frames.low()[i], high = frames.high()[i];
    min[i % kAxes] = std::min(min[i % kAxes], x);
    max[i % kAxes] = std::max(max[i % kAxes], x);
    extent = std::max({extent, high - x, x - low});
    grid.max_coordinate = std::max({grid.max_coordinate, std::abs(low), std::abs(high)});
  }
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    grid.centre[axis] = static_cast<float>((min[axis] + max[axis]) / 2);
    const double centre = grid.centre[axis];
    extent = std::max({extent, max[axis] - centre, centre - min[axis]});
  }
  if (extent > 0) grid.scale = rounded_up(extent * kMaxInt16 / grid.max_quantized);
  return grid;
}

struct QuantizedState : BlockState {
  // [attribute]; with meshopt=1, one array that all attributes share
  std::vector<AlignedArray<std::int16_t>> rows;
  std::deque<QuantizedBlock> attributes;  // a deque does not move its elements
  std::vector<const float*> directions;   // lanes of normals and tangents, until the merge
  bool has_direction_targets = false;
};

// The quantizers of a mesh, which the writers of its clips share.
class QuantizedMesh {
 public:
  QuantizedMesh(const GlbFile& file, GlbMesh& mesh)
      : mesh_(mesh),
        options_(file.options()),
        path_(file.path()),
        open_clips_(file.clip_count()),
        prepass_(*this, file.clip_count()) {}

  FrameSink& prepass() { return prepass_; }
  const Quantizer& positions() const { return *positions_; }
  const std::vector<Quantizer>& directions() const { return directions_; }
  bool has_direction_bases() const { return has_direction_bases_.load(std::memory_order_acquire); }

  // Called after each clip. Frees the quantizers after the last one.
  void end_clip() {
    if (--open_clips_ > 0) return;
    positions_.reset();
    directions_.clear();
  }

  // `directions`: lanes of the first block.
  void set_direction_bases(const std::vector<const float*>& directions) {
    const std::size_t numbers = std::size_t{mesh_.header.rig->mesh->vertex_count()} * kAxes;
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      std::vector<float> row;
      row.reserve(numbers);
      for (std::size_t v = 0; row.size() < numbers; ++v) {
        const Vec3<float> n = normal_or_z(directions[d] + v * kAxes * kFramesPerBlock);
        row.insert(row.end(), {n.x, n.y, n.z});
      }
      directions_[d].set_base(row);
    }
    has_direction_bases_.store(true, std::memory_order_release);
  }

 private:
  class Prepass final : public RangePrepass {
   public:
    Prepass(QuantizedMesh& mesh, std::size_t clips)
        : RangePrepass(mesh.mesh_.header.vertex_count(), clips), quantized_(mesh) {}

   private:
    void complete() override {
      quantized_.set_grid(*this);
      drop_range();
      drop_base();
    }

    QuantizedMesh& quantized_;
  };

  void set_grid(const RangePrepass& prepass) {
    using Displacements = Quantizer::Displacements;
    mesh_.grid = fit_grid(prepass, options_.bits);
    if (!mesh_.grid.fits_float()) {
      throw Error("CACHE_UNSUITABLE", "the mesh is too large for quantize=1", {path_, ""});
    }
    positions_.emplace(mesh_, mesh_.grid, Displacements::kFitInt16, options_.meshopt);
    positions_->set_base({prepass.base().data(), prepass.base().size()});
    for (std::size_t a = 1; a < mesh_.attributes.size(); ++a) {
      directions_.emplace_back(mesh_, GlbGrid{}, Displacements::kMayExceedInt16, options_.meshopt);
      if (mesh_.attributes[a].name == kTangentAttribute) {
        directions_.back().set_signs(tangent_signs(*mesh_.header.rig->mesh));
      }
    }
  }

  GlbMesh& mesh_;
  GlbOptions options_;
  std::string path_;
  std::size_t open_clips_;
  Prepass prepass_;
  std::optional<Quantizer> positions_;
  std::vector<Quantizer> directions_;  // of the other attributes: normals, tangents
  std::atomic<bool> has_direction_bases_ = false;
};

class QuantizedGlbWriter final : public GlbMeshWriter {
 public:
  QuantizedGlbWriter(std::shared_ptr<GlbFile> file, const GlbSlot& slot,
                     std::shared_ptr<QuantizedMesh> quantized)
      : GlbMeshWriter(std::move(file), slot), quantized_(std::move(quantized)) {}

  FrameSink* prepass() override {
    return file_->clip_count() == 1 ? &quantized_->prepass() : nullptr;
  }
  FrameSink* joint_prepass() override {
    return file_->clip_count() > 1 ? &quantized_->prepass() : nullptr;
  }

  std::unique_ptr<BlockState> new_state() const override {
    auto state = std::make_unique<QuantizedState>();
    for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
      if (a == 0 || !file_->options().meshopt) {
        state->rows.emplace_back(row_size() / kAxes * kShortsPerPosition * kFramesPerBlock);
      }
      state->attributes.emplace_back(mesh_, state->rows.back().data());
    }
    state->directions.resize(mesh_.attributes.size() - 1);
    return state;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    quantized_->positions().quantize(tile.vertices, tile.positions, state_of(state).attributes[0]);
  }

  // Whether a target is stored as floats depends on all vertices of its primitive.
  bool needs_whole_normals() const override { return true; }
  void read_normals(const FrameBlock&, const float* normals, BlockState& state) override {
    state_of(state).directions[0] = planned_normals(normals);
  }
  void read_tangents(const FrameBlock&, const float* tangents, BlockState& state) override {
    state_of(state).directions[1] = planned_normals(tangents);
  }

  void finish(const FrameBlock& block, BlockState& block_state) override {
    QuantizedState& state = state_of(block_state);
    quantized_->positions().make_targets(first_target(block), block.frame_count, nullptr,
                                         state.attributes[0]);
    state.has_direction_targets = false;
    if (first_frame(block) == 0) quantized_->set_direction_bases(state.directions);
    if (quantized_->has_direction_bases()) quantize_directions(block, state);
  }

  void merge(const FrameBlock& block, BlockState& block_state) override {
    QuantizedState& state = state_of(block_state);
    if (!state.has_direction_targets) quantize_directions(block, state);
    if (first_frame(block) == 0) {
      append_base(quantized_->positions(), mesh_.attributes[0], &mesh_.primitives);
      for (std::size_t d = 0; d < quantized_->directions().size(); ++d) {
        append_base(quantized_->directions()[d], mesh_.attributes[d + 1], nullptr);
      }
    }
    for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
      append_block(block, state.attributes[a], mesh_.attributes[a]);
    }
  }

  void end() override {
    quantized_->end_clip();
    GlbMeshWriter::end();
  }

  double bound_m() const override { return mesh_.grid.bound_m(); }

  // A component is rounded to the grid of normalized int16, and then to float.
  std::optional<double> normal_bound() const override {
    if (!mesh_.has_normals()) return std::nullopt;
    constexpr double kFloatRoundings = 0x1p-22;  // of base, displacement and sum
    return std::sqrt(3.0) * (GlbGrid{}.step() / 2 + kFloatRoundings);
  }

 private:
  static QuantizedState& state_of(BlockState& state) { return static_cast<QuantizedState&>(state); }

  int first_target(const FrameBlock& block) const { return begins_with_target(block) ? 0 : 1; }

  void quantize_directions(const FrameBlock& block, QuantizedState& state) const {
    const std::vector<Quantizer>& directions = quantized_->directions();
    state.has_direction_targets = true;
    if (directions.empty()) return;
    AlignedArray<float> tile(std::size_t{kVerticesPerTile} * kAxes * kFramesPerBlock);
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const float* lanes = state.directions[d];
      QuantizedBlock& out = state.attributes[d + 1];
      for (VertexIndex first = 0; first < block.vertices.count; first += kVerticesPerTile) {
        const VertexIndex count = std::min(kVerticesPerTile, block.vertices.count - first);
        copy_normals(lanes + std::size_t{first} * kAxes * kFramesPerBlock, count, tile.data());
        directions[d].quantize({first, count}, tile.data(), out);
      }
      for_each_without(d + 1, [&](std::size_t p) { out.ranges[p] = QuantizedRange(); });
      directions[d].make_targets(first_target(block), block.frame_count, lanes, out);
    }
  }

  void append_base(const Quantizer& quantizer, GlbMorphedAttribute& attribute,
                   std::vector<GlbPrimitive>* bounded) {
    GlbBase& base = attribute.bases.front();
    const std::vector<char> bytes = quantizer.base_bytes(base.streams, bounded);
    const BinRange range = append({{bytes.data(), bytes.size()}});
    for (BinRange& stream : base.streams) {
      if (!stream.is_empty()) stream.offset += range.offset;
    }
    if (!file_->options().meshopt) base.range = range;
  }

  void append_block(const FrameBlock& block, QuantizedBlock& source,
                    GlbMorphedAttribute& attribute) {
    GlbBlock& ranges = attribute.blocks[block_index(block)];
    const BinRange streams = append({{source.streams.data(), source.streams.size()}});
    for (GlbTarget& target : source.targets) {
      if (!target.stream.is_empty()) target.stream.offset += streams.offset;
    }
    ranges.dense = append(source.dense);
    ranges.floats = append(source.float_runs);
    store_targets(block, source.targets, attribute);
  }

  std::shared_ptr<QuantizedMesh> quantized_;
};

}  // namespace

std::vector<std::unique_ptr<CacheWriter>> make_quantized_writers(
    const std::shared_ptr<GlbFile>& file, std::size_t mesh) {
  const auto quantized = std::make_shared<QuantizedMesh>(*file, file->mesh(mesh));
  std::vector<std::unique_ptr<CacheWriter>> writers;
  for (std::size_t c = 0; c < file->clip_count(); ++c) {
    writers.push_back(std::make_unique<QuantizedGlbWriter>(file, GlbSlot{mesh, c}, quantized));
  }
  return writers;
}

}  // namespace skinbake
