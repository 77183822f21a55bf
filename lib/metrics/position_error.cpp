// Position error: d = x~ - x. Per vertex, per frame and overall: rms, mean, max; percentiles per
// frame; and two measures of the literature, with A the reference's and A~ the measured positions,
// N vertices and F frames:
//
//     ERMS = 1000 |A - A~|_F / (sqrt(3 N F) D / 2)        Kavan, Sloan, O'Sullivan. Fast and
//            Efficient Skinning of Animated Meshes. 2010. (Its radius is half the diagonal D.)
//     KG   = 100 |A - A~|_F / |A - E(A)|_F                Karni, Gotsman. Compression of Soft-Body
//            Animation Sequences. 2004. E(A): each frame's mean position.
//
// Sums go over a tile's vertices in index order, over tiles and over blocks in order.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/aligned_array.h"
#include "metrics/kernels.h"
#include "metrics/percentiles.h"
#include "skinbake/metrics.h"

namespace skinbake {
namespace {

// Mean and spread of points, in groups. Tony F. Chan, Gene H. Golub, Randall J. LeVeque. Updating
// Formulae and a Pairwise Algorithm for Computing Sample Variances. 1979.
struct Spread {
  double count = 0;
  std::array<double, 3> mean{};
  double squares = 0;  // sum of |x - mean|^2

  void add(const Spread& other) {
    const double total = count + other.count;
    double between = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double delta = other.mean[axis] - mean[axis];
      between += delta * delta;
      mean[axis] += delta * (other.count / total);
    }
    squares += other.squares + between * (count * other.count / total);
    count = total;
  }
};

// One frame, summed over vertices.
struct FrameError {
  double square = 0, distance = 0, max = -1, max_vertex = -1;
  Spread reference;
  std::array<double, 3> percentiles{};

  void add(const ErrorSums& tile, VertexIndex count, std::size_t lane) {
    square += tile.square[lane];
    distance += tile.distance[lane];
    if (tile.max[lane] > max) {
      max = tile.max[lane];
      max_vertex = tile.max_vertex[lane];
    }
    Spread spread{static_cast<double>(count), {}, tile.spread[lane]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double offset = tile.offset[axis][lane] / spread.count;
      spread.mean[axis] = tile.first[axis][lane] + offset;
      spread.squares -= offset * offset * spread.count;
    }
    reference.add(spread);
  }
};

std::size_t tile_count(std::size_t vertices) {
  return (vertices + kVerticesPerTile - 1) / kVerticesPerTile;
}

struct ErrorState final : BlockState {
  explicit ErrorState(std::size_t vertices)
      : distances(vertices * kFramesPerBlock),
        square(vertices),
        max(vertices),
        max_lane(vertices),
        tiles(tile_count(vertices)) {}

  AlignedArray<float> distances;        // [frame][vertex]
  AlignedArray<double> square, max;     // [vertex]
  AlignedArray<std::uint8_t> max_lane;  // [vertex]
  AlignedArray<ErrorSums> tiles;
  std::array<FrameError, kFramesPerBlock> frames;
  PercentileSelector selector;
};

class PositionError final : public PositionErrorMetric {
 public:
  PositionError(VertexIndex vertices, FrameRange frames, double diagonal_m)
      : vertices_(vertices),
        diagonal_m_(diagonal_m),
        square_(vertices, 0),
        max_(vertices, -1),
        max_frame_(vertices, -1) {
    PositionErrorResult::PerFrame& p = result_.per_frame;
    for (auto* values : {&p.rms, &p.mean, &p.max, &p.p50, &p.p95, &p.p99}) {
      values->reserve(static_cast<std::size_t>(frames.frame_count));
    }
    result_.max = -1;
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<ErrorState>(vertices_);
  }

  void consume(const FrameBlock& tile, BlockState& block_state) override;
  void finish(const FrameBlock& block, BlockState& block_state) override;
  void merge(const FrameBlock& block, BlockState& block_state) override;
  void end() override;
  PositionErrorResult result() const override { return result_; }

 private:
  void merge_frame(std::int64_t position, const FrameError& frame);

  VertexIndex vertices_;
  double diagonal_m_;
  std::vector<double> square_, max_;     // [vertex]
  std::vector<std::int64_t> max_frame_;  // [vertex]
  double square_sum_ = 0, distance_sum_ = 0, spread_sum_ = 0;
  PositionErrorResult result_;
};

// Whatever ranges arrive, sums go over kVerticesPerTile vertices each.
void PositionError::consume(const FrameBlock& tile, BlockState& block_state) {
  assert(tile.vertices.first % kVerticesPerTile == 0);
  if (tile.exact == nullptr && tile.reference == nullptr) {
    throw Error(ErrorKind::kUsage, "REFERENCE_MISSING",
                "position errors need BakePlan::reference: a method, or exact");
  }
  auto& state = static_cast<ErrorState&>(block_state);
  const VertexIndex end = tile.vertices.first + tile.vertices.count;
  for (VertexIndex first = tile.vertices.first; first < end; first += kVerticesPerTile) {
    const VertexRange vertices{first, std::min(kVerticesPerTile, end - first)};
    const std::size_t skipped = std::size_t{first - tile.vertices.first} * 3 * kFramesPerBlock;
    ErrorInput input;
    input.positions = tile.positions + skipped;
    if (tile.exact != nullptr) {
      input.exact = tile.exact + skipped;
    } else {
      input.reference = tile.reference + skipped;
    }
    input.frame_count = tile.frame_count;
    input.vertices = vertices;
    measure_errors(input, {&state.tiles[first / kVerticesPerTile], state.square.data() + first,
                           state.max.data() + first, state.max_lane.data() + first,
                           state.distances.data() + first, vertices_});
  }
}

void PositionError::finish(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<ErrorState&>(block_state);
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    FrameError frame;
    for (std::size_t t = 0; t < state.tiles.size(); ++t) {
      const auto first = static_cast<VertexIndex>(t) * kVerticesPerTile;
      frame.add(state.tiles[t], std::min(kVerticesPerTile, vertices_ - first), lane);
    }
    if (vertices_ > 0) {
      const auto p = state.selector.select({state.distances.data() + lane * vertices_, vertices_});
      // The largest distance, rounded to float, may be above itself.
      for (std::size_t i = 0; i < p.size(); ++i) {
        frame.percentiles[i] = std::min(double{p[i]}, frame.max);
      }
    }
    state.frames[lane] = frame;
  }
}

void PositionError::merge(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<ErrorState&>(block_state);
  for (VertexIndex v = 0; v < vertices_; ++v) {
    square_[v] += state.square[v];
    if (state.max[v] > max_[v]) {
      max_[v] = state.max[v];
      max_frame_[v] = block.first_frame + state.max_lane[v];
    }
  }
  for (int lane = 0; lane < block.frame_count; ++lane) {
    merge_frame(block.first_frame + lane, state.frames[static_cast<std::size_t>(lane)]);
  }
}

void PositionError::merge_frame(std::int64_t position, const FrameError& frame) {
  const double count = vertices_;
  PositionErrorResult::PerFrame& p = result_.per_frame;
  p.rms.push_back(std::sqrt(frame.square / count));
  p.mean.push_back(frame.distance / count);
  p.max.push_back(frame.max);
  p.max_vertex.push_back(static_cast<std::int64_t>(frame.max_vertex));
  p.p50.push_back(frame.percentiles[0]);
  p.p95.push_back(frame.percentiles[1]);
  p.p99.push_back(frame.percentiles[2]);
  if (frame.max > result_.max) {
    result_.max = frame.max;
    result_.max_at = {position, p.max_vertex.back()};
  }
  square_sum_ += frame.square;
  distance_sum_ += frame.distance;
  spread_sum_ += frame.reference.squares;
}

void PositionError::end() {
  const auto frames = static_cast<double>(result_.per_frame.rms.size());
  const double count = vertices_;
  result_.rms = std::sqrt(square_sum_ / (count * frames));
  result_.mean = distance_sum_ / (count * frames);
  result_.rms_relative = result_.rms / diagonal_m_;
  result_.max_relative = result_.max / diagonal_m_;
  result_.erms = 1000 * std::sqrt(square_sum_) / (std::sqrt(3 * count * frames) * diagonal_m_ / 2);
  if (spread_sum_ > 0) result_.kg_percent = 100 * std::sqrt(square_sum_) / std::sqrt(spread_sum_);
  result_.per_vertex.rms.reserve(vertices_);
  for (const double square : square_) {
    result_.per_vertex.rms.push_back(std::sqrt(square / frames));
  }
  result_.per_vertex.max = std::move(max_);
  result_.per_vertex.max_frame = std::move(max_frame_);
}

}  // namespace

std::unique_ptr<PositionErrorMetric> measure_position_error(const Rig& rig, FrameRange frames,
                                                            double bbox_diagonal_m) {
  return std::make_unique<PositionError>(rig.mesh->vertex_count(), frames, bbox_diagonal_m);
}

}  // namespace skinbake
