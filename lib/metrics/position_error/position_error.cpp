// Position error: d = x~ - x. Per vertex, per frame and per run: rms, mean and max. Per frame also
// percentiles. Per run also two measures of the literature, with A the positions of the reference,
// A~ the measured positions, N vertices and F frames:
//
//     ERMS = 1000 |A - A~|_F / (sqrt(3 N F) D / 2)        Kavan, Sloan, O'Sullivan. Fast and
//            Efficient Skinning of Animated Meshes. 2010. (Its radius is half the diagonal D.)
//     KG   = 100 |A - A~|_F / |A - E(A)|_F                Karni, Gotsman. Compression of Soft-Body
//            Animation Sequences. 2004. E(A): each frame's mean position.
//
// Sums of frames are formed over the vertices of a tile, over tiles and over frames, sums of
// vertices over the frames of a block and over blocks, each in index order.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/aligned_array.h"
#include "metrics/kernels.h"
#include "metrics/position_error/percentiles.h"
#include "skinbake/metrics.h"

namespace skinbake {
namespace {

// Mean and sum of squared deviations of points, which can be combined: Tony F. Chan, Gene H. Golub,
// Randall J. LeVeque. Updating Formulae and a Pairwise Algorithm for Computing Sample Variances.
// 1979.
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

struct FrameError {
  double square = 0, distance = 0, max = -1, max_vertex = -1;
  Spread reference;
  std::array<double, 3> percentiles{};
  std::vector<std::int64_t> over;  // [limit]

  bool is_number() const { return !std::isnan(square); }

  // Adds a tile of `count` vertices.
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
  ErrorState(std::size_t vertices, std::size_t limit_count)
      : distances(vertices * kFramesPerBlock),
        square(vertices),
        max(vertices),
        max_lane(vertices),
        tiles(tile_count(vertices)),
        over(tiles.size() * limit_count * kFramesPerBlock) {}

  AlignedArray<float> distances;        // [frame][vertex]
  AlignedArray<double> square;          // [vertex]
  AlignedArray<double> max;             // [vertex]
  AlignedArray<std::uint8_t> max_lane;  // [vertex]
  AlignedArray<ErrorSums> tiles;
  std::vector<std::int64_t> over;  // [tile][limit][frame]
  std::array<FrameError, kFramesPerBlock> frames;
  PercentileSelector selector;
};

// Sums of the run over its frames, which are added in their order.
struct ErrorTotals {
  double square = 0, distance = 0;  // ‖d‖², ‖d‖
  double spread = 0;                // ‖x − mean‖² of the reference

  // Fills every number of the run but `max`, on which max_relative depends.
  void fill(PositionErrorResult& result, double vertex_count, double frame_count,
            double diagonal_m) const {
    result.rms = std::sqrt(square / (vertex_count * frame_count));
    result.mean = distance / (vertex_count * frame_count);
    // An error of 0 is a relative error of 0, even if the diagonal is 0.
    const auto relative = [](double error, double size) { return error == 0 ? 0 : error / size; };
    result.rms_relative = relative(result.rms, diagonal_m);
    result.max_relative = relative(result.max, diagonal_m);
    result.erms = relative(1000 * std::sqrt(square),
                           std::sqrt(3 * vertex_count * frame_count) * diagonal_m / 2);
    if (spread > 0) result.kg_percent = 100 * std::sqrt(square) / std::sqrt(spread);
  }
};

class PositionError final : public PositionErrorMetric {
 public:
  PositionError(VertexIndex vertices, FrameRange frames, double diagonal_m, ErrorOptions options)
      : vertices_(vertices),
        diagonal_m_(diagonal_m),
        limits_(std::move(options.limits_m)),
        take_row_(std::move(options.take_row)),
        squares_(vertices),
        max_(vertices, -1),
        max_frame_(vertices, -1) {
    PositionErrorResult::PerFrame& p = result_.per_frame;
    for (auto* values : {&p.rms, &p.mean, &p.max, &p.p50, &p.p95, &p.p99}) {
      values->reserve(static_cast<std::size_t>(frames.frame_count));
    }
    result_.max = -1;
    for (const double limit : limits_) result_.over.push_back({limit, 0, 0, 0, {}});
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<ErrorState>(vertices_, limits_.size());
  }

  void consume(const FrameBlock& tile, BlockState& block_state) override;
  void finish(const FrameBlock& block, BlockState& block_state) override;
  void merge(const FrameBlock& block, BlockState& block_state) override;
  void end() override;
  PositionErrorResult result() const override { return result_; }

 private:
  FrameError finish_frame(ErrorState& state, std::size_t lane, std::int64_t position) const;
  void merge_nan(std::int64_t position, const float* distances);
  void merge_frame(std::int64_t position, const FrameError& frame);
  void merge_over(std::int64_t position, const FrameError& frame);

  VertexIndex vertices_;
  double diagonal_m_;
  std::vector<double> limits_;
  DistanceRow take_row_;                 // may be empty
  std::vector<double> squares_;          // [vertex]
  std::vector<double> max_;              // [vertex]
  std::vector<std::int64_t> max_frame_;  // [vertex]
  ErrorTotals totals_;
  PositionErrorResult result_;
};

// Splits larger ranges, so that sums are always formed over tiles of kVerticesPerTile vertices.
void PositionError::consume(const FrameBlock& tile, BlockState& block_state) {
  assert(tile.vertices.first % kVerticesPerTile == 0);
  if (tile.exact == nullptr && tile.reference == nullptr) {
    throw Error("REFERENCE_MISSING", "position errors need a reference");
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
    input.limits = limits_;
    std::int64_t* over =
        state.over.data() + first / kVerticesPerTile * limits_.size() * kFramesPerBlock;
    std::fill_n(over, limits_.size() * kFramesPerBlock, 0);
    measure_errors(input, {&state.tiles[first / kVerticesPerTile], state.square.data() + first,
                           state.max.data() + first, state.max_lane.data() + first,
                           state.distances.data() + first, vertices_, over});
  }
}

// Gives every NaN the same bits. Its sign depends on the processor.
void unify_nan(std::span<float> distances) {
  for (float& distance : distances) {
    if (std::isnan(distance)) distance = std::numeric_limits<float>::quiet_NaN();
  }
}

// Replaces NaN, which does not have an order, by infinity. Returns the first vertex with NaN.
VertexIndex replace_nan(std::span<float> distances) {
  VertexIndex first = static_cast<VertexIndex>(distances.size());
  for (std::size_t v = distances.size(); v-- > 0;) {
    if (!std::isnan(distances[v])) continue;
    distances[v] = std::numeric_limits<float>::infinity();
    first = static_cast<VertexIndex>(v);
  }
  return first;
}

FrameError PositionError::finish_frame(ErrorState& state, std::size_t lane,
                                       std::int64_t position) const {
  FrameError frame;
  frame.over.resize(limits_.size());
  for (std::size_t t = 0; t < state.tiles.size(); ++t) {
    const auto first = static_cast<VertexIndex>(t) * kVerticesPerTile;
    frame.add(state.tiles[t], std::min(kVerticesPerTile, vertices_ - first), lane);
    for (std::size_t l = 0; l < limits_.size(); ++l) {
      frame.over[l] += state.over[(t * limits_.size() + l) * kFramesPerBlock + lane];
    }
  }
  if (vertices_ == 0) return frame;
  const std::span<float> distances{state.distances.data() + lane * vertices_, vertices_};
  if (!frame.is_number()) unify_nan(distances);
  if (take_row_) take_row_(position, distances);
  if (!frame.is_number()) {
    frame.max = std::numeric_limits<double>::quiet_NaN();
    frame.max_vertex = replace_nan(distances);
  }
  const auto p = state.selector.select(distances);
  // Percentiles are rounded to float, which may exceed the maximum.
  for (std::size_t i = 0; i < p.size(); ++i) {
    frame.percentiles[i] = std::min(double{p[i]}, frame.max);
  }
  return frame;
}

void PositionError::finish(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<ErrorState&>(block_state);
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    const auto position = block.first_frame + static_cast<std::int64_t>(lane);
    state.frames[lane] = finish_frame(state, lane, position);
  }
}

void PositionError::merge(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<ErrorState&>(block_state);
  for (VertexIndex v = 0; v < vertices_; ++v) {
    squares_[v] += state.square[v];
    if (state.max[v] > max_[v]) {
      max_[v] = state.max[v];
      max_frame_[v] = block.first_frame + state.max_lane[v];
    }
  }
  for (int lane = 0; lane < block.frame_count; ++lane) {
    const FrameError& frame = state.frames[static_cast<std::size_t>(lane)];
    if (!frame.is_number()) {
      const float* distances = state.distances.data() + static_cast<std::size_t>(lane) * vertices_;
      merge_nan(block.first_frame + lane, distances);
    }
    merge_frame(block.first_frame + lane, frame);
    merge_over(block.first_frame + lane, frame);
  }
}

// Records NaN as the greatest distance of each vertex that has NaN in this frame (replaced by
// infinity before), if it does not have NaN in an earlier frame.
void PositionError::merge_nan(std::int64_t position, const float* distances) {
  for (VertexIndex v = 0; v < vertices_; ++v) {
    if (!std::isinf(distances[v]) || !std::isnan(squares_[v]) || std::isnan(max_[v])) continue;
    max_[v] = std::numeric_limits<double>::quiet_NaN();
    max_frame_[v] = position;
  }
}

void PositionError::merge_over(std::int64_t position, const FrameError& frame) {
  for (std::size_t l = 0; l < limits_.size(); ++l) {
    OverLimit& over = result_.over[l];
    if (frame.over[l] > 0) ++over.frames;
    if (frame.over[l] <= over.most) continue;
    over.most = frame.over[l];
    over.most_at = {position, -1};
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
  const bool is_first_nan = std::isnan(frame.max) && !std::isnan(result_.max);
  if (frame.max > result_.max || is_first_nan) {
    result_.max = frame.max;
    result_.max_at = {position, p.max_vertex.back()};
  }
  totals_.square += frame.square;
  totals_.distance += frame.distance;
  totals_.spread += frame.reference.squares;
}

void PositionError::end() {
  const auto frames = static_cast<double>(result_.per_frame.rms.size());
  totals_.fill(result_, vertices_, frames, diagonal_m_);
  result_.per_vertex.rms.reserve(vertices_);
  for (const double square : squares_) result_.per_vertex.rms.push_back(std::sqrt(square / frames));
  squares_ = {};
  for (OverLimit& over : result_.over) {
    over.vertices = std::count_if(max_.begin(), max_.end(),
                                  [&](double distance) { return !(distance <= over.limit_m); });
  }
  result_.per_vertex.max = std::move(max_);
  result_.per_vertex.max_frame = std::move(max_frame_);
}

}  // namespace

std::unique_ptr<PositionErrorMetric> measure_position_error(const Rig& rig, FrameRange frames,
                                                            double bbox_diagonal_m,
                                                            ErrorOptions options) {
  return std::make_unique<PositionError>(rig.mesh->vertex_count(), frames, bbox_diagonal_m,
                                         std::move(options));
}

constexpr MetricField kErrorFields[] = {{"max", Unit::kMetres},
                                        {"rms", Unit::kMetres},
                                        {"mean", Unit::kMetres},
                                        {"erms", Unit::kNumber},
                                        {"kg_percent", Unit::kNumber}};

extern const MetricInfo kError;
const MetricInfo kError{
    "error", "distance of every vertex from the reference's: rms, mean, max, percentiles",
    kErrorFields};

namespace {

constexpr std::size_t kWorstVertices = 10;  // the report's contract

// The vertices with the largest errors; of equal errors, the lowest indices. An error that is not a
// number is the largest.
std::vector<std::size_t> worst_vertices(const PositionErrorResult::PerVertex& per_vertex) {
  std::vector<std::size_t> vertices(per_vertex.max.size());
  std::iota(vertices.begin(), vertices.end(), std::size_t{0});
  const auto end =
      vertices.begin() + static_cast<std::ptrdiff_t>(std::min(kWorstVertices, vertices.size()));
  std::partial_sort(vertices.begin(), end, vertices.end(), [&](std::size_t a, std::size_t b) {
    const double ma = per_vertex.max[a], mb = per_vertex.max[b];
    const bool is_nan_a = std::isnan(ma), is_nan_b = std::isnan(mb);
    if (is_nan_a || is_nan_b) return is_nan_a && (!is_nan_b || a < b);
    return ma != mb ? ma > mb : a < b;
  });
  vertices.erase(end, vertices.end());
  return vertices;
}

std::int64_t primitive_of(const Mesh& mesh, std::size_t vertex) {
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const Primitive& primitive = mesh.primitives[p];
    if (vertex - primitive.first_vertex < primitive.vertex_count) return static_cast<int>(p);
  }
  return -1;
}

}  // namespace

MetricResult section_of(const PositionErrorResult& error, const Rig& rig,
                        const std::string& reference) {
  std::vector<std::vector<SectionField>> worst;
  for (const std::size_t v : worst_vertices(error.per_vertex)) {
    worst.push_back({{"vertex", static_cast<std::int64_t>(v)},
                     {"primitive", primitive_of(*rig.mesh, v)},
                     {"rms", error.per_vertex.rms[v]},
                     {"max", error.per_vertex.max[v]},
                     {"frame", FrameOfRun{error.per_vertex.max_frame[v]}}});
  }
  const PositionErrorResult::PerFrame& p = error.per_frame;
  return {"error",
          {{"unit", std::string("m")},
           {"reference", reference},
           {"rms", error.rms},
           {"mean", error.mean},
           {"max", error.max},
           {"max_at", error.max_at},
           {"rms_relative", error.rms_relative},
           {"max_relative", error.max_relative},
           {"erms", error.erms},
           {"kg_percent", error.kg_percent.value_or(std::numeric_limits<double>::quiet_NaN())},
           {"per_frame", std::vector<SectionField>{{"rms", p.rms},
                                                   {"mean", p.mean},
                                                   {"max", p.max},
                                                   {"max_vertex", p.max_vertex},
                                                   {"p50", p.p50},
                                                   {"p95", p.p95},
                                                   {"p99", p.p99}}},
           {"worst_vertices", std::move(worst)}}};
}

}  // namespace skinbake
