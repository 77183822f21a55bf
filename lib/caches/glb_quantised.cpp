// `quantize=1`: the lattice depends on all frames, so these are surveyed first. Then blocks become
// targets as they come, in any order, and are appended in theirs. Directions, normals and tangents
// if they are kept, go the same way, on a lattice of their own; their frame 0 is only known once it
// has come.

#include "caches/glb_quantised.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <optional>

#include "caches/cache_normals.h"
#include "caches/glb_quantiser.h"
#include "caches/range_survey.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Not moved: the blocks hold mutexes.
struct QuantisedState : BlockState {
  std::vector<AlignedArray<std::int16_t>> rows;  // of each stream; with meshopt=1, of one at a time
  std::deque<QuantisedBlock> streams;
  std::vector<const float*> directions;  // until the block is merged
  bool has_directions = false;           // as targets
};

class QuantisedGlbWriter final : public GlbMeshWriter {
 public:
  QuantisedGlbWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : GlbMeshWriter(std::move(file), index), survey_(*this) {}

  FrameSink* survey() override { return &survey_; }

  std::unique_ptr<BlockState> new_state() const override {
    auto state = std::make_unique<QuantisedState>();
    for (std::size_t s = 0; s < mesh_.streams.size(); ++s) {
      if (s == 0 || !file_->options().meshopt) {
        state->rows.emplace_back(row_size() / 3 * kShortsPerPlace * kFramesPerBlock);
      }
      state->streams.emplace_back(mesh_, state->rows.back().data());
    }
    state->directions.resize(mesh_.streams.size() - 1);
    return state;
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    positions_->take(tile.vertices, tile.positions, state_of(state).streams[0]);
  }

  // Whether a primitive is wide in a frame is known once all of it is there.
  bool needs_whole_normals() const override { return true; }
  void read_normals(const FrameBlock&, const float* normals, BlockState& state) override {
    state_of(state).directions[0] = planned_normals(normals);
  }
  void read_tangents(const FrameBlock&, const float* tangents, BlockState& state) override {
    state_of(state).directions[1] = planned_normals(tangents);
  }

  void finish(const FrameBlock& block, BlockState& block_state) override {
    QuantisedState& state = state_of(block_state);
    positions_->finish(first_target(block), block.frame_count, nullptr, state.streams[0]);
    state.has_directions = false;
    if (block.first_frame == 0) set_direction_bases(state);
    if (have_bases_.load(std::memory_order_acquire)) quantise_directions(block, state);
  }

  void merge(const FrameBlock& block, BlockState& block_state) override {
    QuantisedState& state = state_of(block_state);
    if (!state.has_directions) quantise_directions(block, state);
    if (block.first_frame == 0) {
      append_base(*positions_, mesh_.streams[0], &mesh_.primitives);
      for (std::size_t d = 0; d < directions_.size(); ++d) {
        append_base(directions_[d], mesh_.streams[d + 1], nullptr);
      }
    }
    for (std::size_t s = 0; s < mesh_.streams.size(); ++s) {
      append_block(block, state.streams[s], mesh_.streams[s]);
    }
  }

  double bound_m() const override { return mesh_.lattice.bound_m(); }

  // A component is rounded to the lattice, which starts at 1, and then to float.
  std::optional<double> normal_bound() const override {
    if (!mesh_.has_normals()) return std::nullopt;
    constexpr double kFloat = 0x1p-22;  // of places, too, which are sums
    return std::sqrt(3.0) * (GlbLattice{}.step() / 2 + kFloat);
  }

 private:
  class Survey final : public RangeSurvey {
   public:
    explicit Survey(QuantisedGlbWriter& writer)
        : RangeSurvey(writer.mesh_.header.vertex_count()), writer_(writer) {}
    void end() override {
      writer_.fit(*this);
      drop_range();
    }

   private:
    QuantisedGlbWriter& writer_;
  };

  static QuantisedState& state_of(BlockState& state) { return static_cast<QuantisedState&>(state); }

  static int first_target(const FrameBlock& block) {
    return block.first_frame == 0 ? 1 : 0;  // frame 0 is no target
  }

  void fit(const RangeSurvey& survey) {
    mesh_.lattice = fit_lattice(survey, file_->options().bits);
    if (!mesh_.lattice.holds_floats()) {
      throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                  "the mesh is too large for quantize=1; leave it out", {path(), ""});
    }
    const bool packs = file_->options().meshopt;
    positions_.emplace(mesh_, mesh_.lattice, GlbQuantiser::Ways::kShort, packs);
    positions_->set_base({survey.base().data(), survey.base().size()});
    // Directions need no node to be put in place: their lattice is that of normalised shorts.
    for (std::size_t s = 1; s < mesh_.streams.size(); ++s) {
      directions_.emplace_back(mesh_, GlbLattice{}, GlbQuantiser::Ways::kMaybeWide, packs);
      if (mesh_.streams[s].attribute == kTangents) directions_.back().set_signs(tangent_signs());
    }
  }

  void set_direction_bases(const QuantisedState& state) {
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      std::vector<float> row;
      row.reserve(row_size());
      for (std::size_t v = 0; row.size() < row_size(); ++v) {
        const Vec3<float> n = normal_or_z(state.directions[d] + v * 3 * kFramesPerBlock);
        row.insert(row.end(), {n.x, n.y, n.z});
      }
      directions_[d].set_base(row);
    }
    have_bases_.store(true, std::memory_order_release);
  }

  void quantise_directions(const FrameBlock& block, QuantisedState& state) const {
    state.has_directions = true;
    if (directions_.empty()) return;
    AlignedArray<float> lanes(std::size_t{kVerticesPerTile} * 3 * kFramesPerBlock);
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      const float* all = state.directions[d];
      QuantisedBlock& out = state.streams[d + 1];
      for (VertexIndex first = 0; first < block.vertices.count; first += kVerticesPerTile) {
        const VertexIndex count = std::min(kVerticesPerTile, block.vertices.count - first);
        copy_normals(all + std::size_t{first} * 3 * kFramesPerBlock, count, lanes.data());
        directions_[d].take({first, count}, lanes.data(), out);
      }
      directions_[d].finish(first_target(block), block.frame_count, all, out);
    }
  }

  void append_base(const GlbQuantiser& quantiser, GlbStream& stream,
                   std::vector<GlbPrimitive>* bounded) {
    const std::vector<char> bytes = quantiser.base_bytes(stream.packed, bounded);
    const GlbView view = append({{bytes.data(), bytes.size()}});
    for (GlbView& packed : stream.packed) {
      if (packed.bytes != 0) packed.offset += view.offset;
    }
    if (!file_->options().meshopt) stream.base = view;
  }

  void append_block(const FrameBlock& block, QuantisedBlock& from, GlbStream& stream) {
    GlbBlock& views = stream.blocks[static_cast<std::size_t>(block.index)];
    const GlbView streams = append({{from.streams.data(), from.streams.size()}});
    for (GlbTarget& target : from.targets) {
      if (target.packed.bytes != 0) target.packed.offset += streams.offset;
    }
    views.dense = append(from.dense);
    views.wide = append(from.wide);
    const std::int64_t first = block.first_frame + first_target(block) - 1;
    std::copy(from.targets.begin(), from.targets.end(),
              stream.targets.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first) *
                                                                   mesh_.primitives.size()));
  }

  Survey survey_;
  std::optional<GlbQuantiser> positions_;
  std::vector<GlbQuantiser> directions_;  // of the other streams
  std::atomic<bool> have_bases_ = false;
};

}  // namespace

std::unique_ptr<CacheWriter> make_quantised_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index) {
  return std::make_unique<QuantisedGlbWriter>(std::move(file), index);
}

}  // namespace skinbake
