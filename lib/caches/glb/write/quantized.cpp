// quantize=1: positions on a grid of int16.
//
// The grid depends on all frames, so a prepass computes their range. Then blocks become targets in
// any order, and are appended in order. Normals and tangents are quantized in the same way, on the
// grid of normalized int16, which needs no node transform; their frame 0 is known once the first
// block is finished.
//
// A target stores the difference of two quantized values, not the quantized difference. Added to
// frame 0 it gives the nearest point of the grid, so the error is that of one rounding, not of two.

#include "caches/glb/write/quantized.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_array.h"
#include "caches/kernels/quantize.h"
#include "caches/mesh_cache.h"
#include "caches/range_prepass.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

static_assert(kShortsPerPosition == kInt16PerVertex);

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

// One attribute in the frames of a block. Not movable, because of the mutex.
struct QuantizedBlock {
  // `storage`: [frame][vertex][kShortsPerPosition], kept until the block is appended. With
  // meshopt=1 it is free again after `make_targets`, so all attributes share it.
  QuantizedBlock(const GlbMesh& mesh, std::int16_t* storage)
      : rows(storage), ranges(mesh.primitives.size()) {}

  std::vector<GlbTarget> targets;  // [frame][primitive]; offsets are relative to the block's bytes
  std::vector<MemoryRun> dense, float_runs;  // without meshopt: bytes of the targets
  std::vector<char> streams;                 // with meshopt=1: bytes of the targets

  std::int16_t* rows;
  std::vector<QuantizedRange> ranges;  // [primitive]
  std::mutex mutex;                    // of the ranges: threads quantize tiles at the same time
  std::vector<float> floats;  // of kFloat targets: [target][vertex][axis]; with meshopt=1, of one
};

std::size_t total_bytes(const std::vector<MemoryRun>& runs) {
  std::size_t bytes = 0;
  for (const MemoryRun& run : runs) bytes += run.size;
  return bytes;
}

// Sets the bounds of a target. Returns the largest displacement along an axis, in steps.
std::int32_t set_bounds(const QuantizedRange& range, int frame, GlbTarget& target) {
  std::int32_t largest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto f = static_cast<std::size_t>(frame);
    const std::int32_t min = range.least[axis][f], max = range.most[axis][f];
    target.bounds.min[axis] = static_cast<float>(min);
    target.bounds.max[axis] = static_cast<float>(max);
    largest = std::max({largest, -min, max});
  }
  return largest;
}

// Quantizes one attribute of a mesh: frames of a block become morph targets.
class Quantizer {
 public:
  // kMayExceedInt16: a target whose displacements exceed int16 is stored as floats.
  enum class Displacements { kFitInt16, kMayExceedInt16 };

  // `mesh` must outlive the object. `compresses`: meshopt=1.
  Quantizer(const GlbMesh& mesh, const GlbGrid& grid, Displacements displacements, bool compresses)
      : mesh_(mesh),
        grid_(grid),
        may_exceed_int16_(displacements == Displacements::kMayExceedInt16),
        compresses_(compresses) {}

  // Quantizes frame 0: `row` is [vertex][axis]. Must be called before the first block is quantized.
  void set_base(std::span<const float> row) {
    base_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) base_[i] = grid_.quantized(row[i], i % kAxes);
  }

  // Sets w of the tangents, [vertex]: 1, -1, or 0 for a vertex without a tangent. It becomes the
  // fourth int16 of frame 0.
  void set_signs(std::vector<float> signs) { signs_ = std::move(signs); }

  // The bytes of frame 0. With meshopt=1, sets the ranges of the primitives' streams in them.
  // Sets the bounds of the primitives at `bounded`, which may be null.
  std::vector<char> base_bytes(std::vector<BinRange>& base_streams,
                               std::vector<GlbPrimitive>* bounded) const {
    std::vector<std::int16_t> elements(vertex_count() * kInt16PerVertex);
    std::vector<char> streams;
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
      const Primitive& vertices = mesh_.primitives[p].vertices;
      const Box bounds = fill_base(vertices, elements);
      if (bounded != nullptr) (*bounded)[p].bounds.front() = bounds;
      if (compresses_) {
        compress(&elements[kInt16PerVertex * vertices.first_vertex], {vertices.vertex_count},
                 base_streams[p], streams);
      }
    }
    if (compresses_) return streams;
    const auto* bytes = reinterpret_cast<const char*>(elements.data());
    return {bytes, bytes + elements.size() * sizeof(std::int16_t)};
  }

  // Quantizes some vertices in all frames of a block. `lanes`: [vertex][axis][frame], from the
  // first of these vertices. Thread-safe for disjoint vertices.
  void quantize(VertexRange vertices, const float* lanes, QuantizedBlock& block) const {
    const VertexIndex end = vertices.first + vertices.count;
    const auto ends_after = [](VertexIndex v, const GlbPrimitive& p) {
      return v < p.vertices.first_vertex + p.vertices.vertex_count;
    };
    auto primitive = std::upper_bound(mesh_.primitives.begin(), mesh_.primitives.end(),
                                      vertices.first, ends_after);
    for (; primitive != mesh_.primitives.end() && primitive->vertices.first_vertex < end;
         ++primitive) {
      const Primitive& source = primitive->vertices;
      const VertexIndex first = std::max(source.first_vertex, vertices.first);
      QuantizeTask task;
      task.lanes = lanes + std::size_t{first - vertices.first} * kAxes * kFramesPerBlock;
      task.vertices = std::min(source.first_vertex + source.vertex_count, end) - first;
      std::copy(grid_.centre.begin(), grid_.centre.end(), task.centre.begin());
      task.steps_per_metre = grid_.steps_per_metre();
      task.base = base_.data() + std::size_t{first} * kAxes;
      task.largest = may_exceed_int16_ ? 2 * kMaxInt16 : grid_.max_quantized;
      task.rows = block.rows + std::size_t{first} * kShortsPerPosition;
      task.row_stride = vertex_count() * kShortsPerPosition;
      QuantizedRange range;
      store_quantized(task, range);
      const std::lock_guard lock(block.mutex);
      block.ranges[static_cast<std::size_t>(primitive - mesh_.primitives.begin())].widen(range);
    }
  }

  // Makes the targets of frames `first` to `end` of the block, after all vertices are quantized.
  // `lanes`: those of the whole mesh, which are read only if displacements may exceed int16.
  void make_targets(int first, int end, const float* lanes, QuantizedBlock& block) const {
    block.targets.clear();
    block.dense.clear();
    block.float_runs.clear();
    block.streams.clear();
    block.floats.clear();
    // The vectors reserve their largest size: growing would copy them, while reserved memory that
    // is not used costs nothing. The floats must not move, because runs point to them.
    const auto frames = static_cast<std::size_t>(end - first);
    if (compresses_) block.streams.reserve(frames * max_stream_bytes());
    if (may_exceed_int16_) {
      block.floats.reserve((compresses_ ? 1 : frames) * vertex_count() * kAxes);
    }
    for (int frame = first; frame < end; ++frame) {
      for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
        add_target({p, frame}, lanes, block);
      }
    }
    std::fill(block.ranges.begin(), block.ranges.end(), QuantizedRange());
  }

 private:
  struct TargetIndex {
    std::size_t primitive;
    int frame;
  };

  // Fills [vertex][kInt16PerVertex] of a primitive. Returns the bounds of the stored integers.
  Box fill_base(const Primitive& vertices, std::vector<std::int16_t>& elements) const {
    Box bounds;
    for (std::size_t v = vertices.first_vertex; v < vertices.first_vertex + vertices.vertex_count;
         ++v) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        // Rounding may exceed the grid by one step.
        const int q =
            std::clamp(base_[kAxes * v + axis], -grid_.max_quantized, grid_.max_quantized);
        elements[kInt16PerVertex * v + axis] = static_cast<std::int16_t>(q);
        bounds.add(axis, static_cast<float>(q));
      }
      if (signs_.empty()) continue;
      elements[kInt16PerVertex * v + kAxes] = static_cast<std::int16_t>(signs_[v] * kMaxInt16);
    }
    return bounds;
  }

  void add_target(TargetIndex index, const float* lanes, QuantizedBlock& block) const {
    const Primitive& vertices = mesh_.primitives[index.primitive].vertices;
    GlbTarget& target = block.targets.emplace_back();
    const std::int32_t largest = set_bounds(block.ranges[index.primitive], index.frame, target);
    if (largest == 0) return;
    // The target is never sparse, because glTF-Transform 4.5.1 writes sparse normalized values as
    // zeros.
    target.displaced = vertices.vertex_count;
    if (largest > kMaxInt16) {
      add_float_target(index, lanes, target, block);
      return;
    }
    target.kind = GlbTarget::Kind::kDense;
    const std::int16_t* elements =
        block.rows +
        (static_cast<std::size_t>(index.frame) * vertex_count() + vertices.first_vertex) *
            kShortsPerPosition;
    if (compresses_) {
      compress(elements, {vertices.vertex_count}, target.stream, block.streams);
      return;
    }
    target.values_offset = static_cast<std::uint32_t>(total_bytes(block.dense));
    append_run(block.dense, elements, vertices.vertex_count * kQuantizedVertexBytes);
  }

  // Adds a target of floats: the displacements from quantized frame 0 to the exact vectors, rounded
  // to multiples of 2^-15. The error is as small as that of grid points. The rounded floats have so
  // few bits that meshopt streams are half as large.
  void add_float_target(TargetIndex index, const float* lanes, GlbTarget& target,
                        QuantizedBlock& block) const {
    constexpr double kStepsPerUnit = 32768;
    const Primitive& vertices = mesh_.primitives[index.primitive].vertices;
    target.kind = GlbTarget::Kind::kFloat;
    const std::size_t first = block.floats.size();
    for (std::size_t v = vertices.first_vertex; v < vertices.first_vertex + vertices.vertex_count;
         ++v) {
      const auto frame = static_cast<std::size_t>(index.frame);
      const Vec3<float> vector = normal_or_z(lanes + v * kAxes * kFramesPerBlock + frame);
      const std::int32_t* base = &base_[kAxes * v];
      const auto displacement = [&](float x, std::int32_t from) {
        const double q = (double{x} - from * grid_.step()) * kStepsPerUnit;
        return static_cast<float>(std::floor(q + 0.5) / kStepsPerUnit);
      };
      for (const float x : {displacement(vector.x, base[0]), displacement(vector.y, base[1]),
                            displacement(vector.z, base[2])}) {
        block.floats.push_back(x);
      }
    }
    const float* floats = block.floats.data() + first;
    if (compresses_) {
      compress(floats, {vertices.vertex_count, kFloatVertexBytes}, target.stream, block.streams);
      block.floats.clear();
      return;
    }
    target.values_offset = static_cast<std::uint32_t>(total_bytes(block.float_runs));
    append_run(block.float_runs, floats, vertices.vertex_count * kFloatVertexBytes);
  }

  // The upper bound of the streams of one frame.
  std::size_t max_stream_bytes() const {
    std::size_t bytes = 0;
    for (const GlbPrimitive& primitive : mesh_.primitives) {
      const std::size_t count = primitive.vertices.vertex_count;
      bytes += padded_to_4(
          std::max(max_meshopt_bytes({count}),
                   may_exceed_int16_ ? max_meshopt_bytes({count, kFloatVertexBytes}) : 0));
    }
    return bytes;
  }

  // Appends a stream to `streams` and sets its range in them.
  void compress(const void* data, const MeshoptElements& elements, BinRange& range,
                std::vector<char>& streams) const {
    std::vector<std::uint8_t> stream;
    encode_meshopt(data, elements, stream);
    range = {streams.size(), stream.size()};
    stream.resize(padded_to_4(stream.size()));
    streams.insert(streams.end(), stream.begin(), stream.end());
  }

  std::size_t vertex_count() const { return base_.size() / kAxes; }

  const GlbMesh& mesh_;
  GlbGrid grid_;
  bool may_exceed_int16_, compresses_;
  std::vector<std::int32_t> base_;  // [vertex][axis] quantized
  std::vector<float> signs_;        // empty: the attribute is not TANGENT
};

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
        prepass_(*this, file.clip_count()) {}

  FrameSink& prepass() { return prepass_; }
  const Quantizer& positions() const { return *positions_; }
  const std::vector<Quantizer>& directions() const { return directions_; }
  bool has_direction_bases() const { return has_direction_bases_.load(std::memory_order_acquire); }

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
    }

    QuantizedMesh& quantized_;
  };

  void set_grid(const RangePrepass& prepass) {
    using Displacements = Quantizer::Displacements;
    mesh_.grid = fit_grid(prepass, options_.bits);
    if (!mesh_.grid.fits_float()) {
      throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                  "the mesh is too large for quantize=1; write it without this option",
                  {path_, ""});
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
  std::uint64_t state_bytes() const override {
    const std::uint64_t arrays = file_->options().meshopt ? 1 : mesh_.attributes.size();
    return row_size() / kAxes * kShortsPerPosition * kFramesPerBlock * sizeof(std::int16_t) *
           (arrays + mesh_.attributes.size());
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
