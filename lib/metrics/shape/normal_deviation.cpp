// Normal deviation: the angle between the skinned normal and the normal of the skinned surface
// (metrics/shape/shape_kernels-inl.h). Surface normals are summed over the file vertices of one
// welded point that have the same bind normal, so that hard edges stay hard. Triangles have the
// winding of the file, whose normals agree with it, not the winding that the volume needs. Normals
// that were edited by an artist already deviate at rest; therefore the angles of the bind pose are
// reported too.
//
// A vertex whose triangles do not have an area does not have a surface normal. It is not measured
// in that frame; the report counts it. A vertex without a normal in the file is not measured in
// any.

#include <algorithm>

#include "base/aligned_array.h"
#include "base/issue.h"
#include "frames/corner_normals.h"
#include "math/scalar.h"
#include "metrics/baseline.h"
#include "metrics/position_error/percentiles.h"
#include "metrics/shape/shape_metric.h"
#include "rig/primitive_normals.h"
#include "rig/surface/triangles.h"
#include "skinbake/frames.h"

namespace skinbake {
namespace {

// Buffers and results of one block.
struct NormalState final : BlockState {
  explicit NormalState(const MetricInput& input)
      : joints(input), sides(input.rig->joints.size() * kFramesPerBlock) {}

  JointPoser joints;
  const float* normals = nullptr;  // of the block
  AlignedArray<double> sides;      // [joint][frame] -1 if the joint mirrors, else 1
  AlignedArray<double> scratch;    // NormalOutput::scratch
  AlignedArray<float> angles;      // [frame][vertex]
  NormalSums sums{};
  std::array<double, kFramesPerBlock> p95{};  // NaN if no angle was measured
  PercentileSelector selector;
  bool measured = false;
};

class NormalDeviation final : public ShapeMetric, public NormalReader {
 public:
  explicit NormalDeviation(const MetricInput& input) : ShapeMetric(input) {
    for (auto* values : {&mean_, &p95_, &max_, &max_vertex_}) *values = frame_array(input.frames);
  }

  bool needs_whole_normals() const override { return true; }
  void read_normals(const FrameBlock&, const float* normals, BlockState& state) override {
    static_cast<NormalState&>(state).normals = normals;
  }
  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<NormalState>(input());
  }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& state) override;
  void merge(const FrameBlock& block, BlockState& state) override;
  MetricResult result() const override;

 private:
  void measure_bind();
  void measure_block(const float* positions, const float* normals, int frame_count,
                     NormalState& state) const;

  // The number of vertices that were not measured in a frame.
  std::int64_t without_normal(const NormalState& state, std::size_t lane) const;

  CornerGroups groups_;
  // Vertices with a normal in the file of all triangles, also of degenerate ones.
  std::int64_t surface_vertices_ = 0;
  double bind_mean_ = kNoNumber, bind_p95_ = kNoNumber, bind_max_ = kNoNumber;
  std::vector<double> mean_, p95_, max_;
  std::vector<double> max_vertex_;                             // NaN if no angle was measured
  std::int64_t bind_without_normal_ = 0, without_normal_ = 0;  // the second: over all frames
  Worst worst_;
  bool measured_ = false;
};

void NormalDeviation::prepare() {
  const Mesh& mesh = *input().rig->mesh;
  if (!has_normals(mesh.normals)) return;
  const Topology& topology = input().topology();
  std::vector<Triangle> triangles;
  triangles.reserve(topology.triangles.size());
  for (const std::int64_t t : file_triangles_of(*input().rig, topology)) {
    triangles.push_back(mesh.triangles[static_cast<std::size_t>(t)]);
  }
  groups_ = group_corners(*input().rig, topology.welded, triangles);
  const auto has_normal = [&](VertexIndex v) { return has_normals(mesh.normals, {v, 1}); };
  std::erase_if(groups_.vertices, [&](const CornerVertex& v) { return !has_normal(v.vertex); });
  std::vector<bool> is_corner(mesh.vertex_count());
  for (const Triangle& t : mesh.triangles) {
    for (const VertexIndex v : t) is_corner[v] = has_normal(v);
  }
  for (const CornerVertex& v : groups_.vertices) is_corner[v.vertex] = true;
  surface_vertices_ = std::count(is_corner.begin(), is_corner.end(), true);
  measure_bind();
}

// Measures a block whose frames are all the bind pose. In it no joint mirrors.
void NormalDeviation::measure_bind() {
  const auto lanes_of = [](const std::vector<double>& numbers) {
    AlignedArray<float> lanes(numbers.size() * kFramesPerBlock);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = static_cast<float>(numbers[i / kFramesPerBlock]);
    }
    return lanes;
  };
  const AlignedArray<float> positions = lanes_of(bind_positions(*input().rig));
  const AlignedArray<float> normals = lanes_of(bind_normals(*input().rig));
  NormalState state(input());
  std::fill_n(state.sides.data(), state.sides.size(), 1.0);
  measure_block(positions.data(), normals.data(), 1, state);
  bind_without_normal_ = without_normal(state, 0);
  if (state.sums.count[0] == 0) return;
  bind_mean_ = state.sums.angle[0] / state.sums.count[0];
  bind_p95_ = state.p95[0];
  bind_max_ = state.sums.max.value[0];
}

void NormalDeviation::measure(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<NormalState&>(block_state);
  state.measured = state.normals != nullptr;
  if (!state.measured) return;
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    const std::vector<Affine<double>>& posed =
        state.joints.at(block.first_frame + std::min(lane, block.frame_count - 1));
    for (std::size_t j = 0; j < posed.size(); ++j) {
      // A mirror reverses triangles, but the outside stays outside.
      state.sides[j * kFramesPerBlock + static_cast<std::size_t>(lane)] =
          determinant(posed[j]) < 0 ? -1 : 1;
    }
  }
  measure_block(block.positions, state.normals, block.frame_count, state);
}

void NormalDeviation::measure_block(const float* positions, const float* normals, int frame_count,
                                    NormalState& state) const {
  if (state.scratch.size() == 0) {
    state.scratch = AlignedArray<double>(groups_.count * kGroupScratch);
    state.angles = AlignedArray<float>(groups_.vertices.size() * kFramesPerBlock);
  }
  measure_normals({positions, normals, state.sides.data(), &groups_},
                  {&state.sums, state.scratch.data(), state.angles.data()});
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(frame_count); ++lane) {
    float* const row = state.angles.data() + lane * groups_.vertices.size();
    float* const end = std::remove(row, row + groups_.vertices.size(), -1.0f);
    state.p95[lane] = kNoNumber;
    if (row == end) continue;
    const double p95 = double{state.selector.select({row, end})[1]};
    // The angles of the percentile are rounded to float, which may exceed the maximum.
    state.p95[lane] = std::min(p95, state.sums.max.value[lane]);
  }
}

std::int64_t NormalDeviation::without_normal(const NormalState& state, std::size_t lane) const {
  return surface_vertices_ - static_cast<std::int64_t>(state.sums.count[lane]);
}

void NormalDeviation::merge(const FrameBlock& block, BlockState& block_state) {
  const auto& state = static_cast<NormalState&>(block_state);
  measured_ = state.measured;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    const double vertex = state.sums.max.element[lane], max = state.sums.max.value[lane];
    const bool any = measured_ && state.sums.count[lane] > 0;
    if (measured_) without_normal_ += without_normal(state, lane);
    mean_.push_back(any ? state.sums.angle[lane] / state.sums.count[lane] : kNoNumber);
    p95_.push_back(any ? state.p95[lane] : kNoNumber);
    max_.push_back(any ? max : kNoNumber);
    max_vertex_.push_back(any ? vertex : kNoNumber);
    if (!any) continue;
    worst_.take(max, {.frame = block.first_frame + static_cast<std::int64_t>(lane),
                      .vertex = static_cast<std::int64_t>(vertex)});
  }
}

MetricResult NormalDeviation::result() const {
  MetricResult result{
      "normal_deviation",
      {{"unit", "rad"},
       {"max", worst_.value},
       {"max_at", worst_.at},
       {"without_normal", without_normal_},
       {"bind", std::vector<SectionField>{{"mean", bind_mean_},
                                          {"p95", bind_p95_},
                                          {"max", bind_max_},
                                          {"without_normal", bind_without_normal_}}},
       {"per_frame",
        std::vector<SectionField>{
            {"mean", mean_}, {"p95", p95_}, {"max", max_}, {"max_vertex", max_vertex_}}}},
      {},
      measured_};
  const bool has_some = has_normals(input().rig->mesh->normals);
  if (!measured_ && (!has_some || !groups_.vertices.empty())) {
    result.issues.push_back(
        make_issue("NO_NORMALS", "", "/nodes/" + std::to_string(input().rig->node),
                   has_some ? "the method does not support normals; their deviation is not measured"
                            : "the mesh does not have normals; their deviation is not measured"));
  }
  return result;
}

}  // namespace

constexpr MetricField kNormalDeviationFields[] = {{"max", Unit::kRadians}};

extern const MetricInfo kNormalDeviation;
const MetricInfo kNormalDeviation{
    "normal_deviation", "angle between the skinned normals and the skinned surface's normals",
    kNormalDeviationFields, true, make_metric<NormalDeviation>};

}  // namespace skinbake
