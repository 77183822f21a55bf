// The volumes that surfaces enclose, and their sums over frames.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "base/issue.h"
#include "metrics/kernels.h"
#include "metrics/topology/surface_parts.h"
#include "metrics/volume/volume_sums.h"
#include "rig/joint_tree.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

// Vertices between two searches for triangles that can be added: 2048 x 192 bytes of positions fit
// into a second-level cache, and the search of all patches takes little of the time of their pairs.
constexpr VertexIndex kVerticesAtOnce = 2048;

}  // namespace

VolumeSums::VolumeSums(VertexIndex vertex_count)
    : is_there_((vertex_count + kVerticesPerTile - 1) / kVerticesPerTile) {}

void VolumeSums::add_tile(const FrameBlock& tile, const VolumeTasks& tasks) {
  const VertexIndex last = tile.vertices.first + tile.vertices.count;
  for (VertexIndex v = tile.vertices.first; v < last; v += kVerticesPerTile) {
    is_there_[v / kVerticesPerTile].store(true, std::memory_order_release);
  }
  // Another thread that adds triangles may miss this tile. A later call adds its triangles.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  while (tiles_there_ < is_there_.size() &&
         is_there_[tiles_there_].load(std::memory_order_acquire)) {
    ++tiles_there_;
  }
  const VertexIndex end = static_cast<VertexIndex>(tiles_there_) * kVerticesPerTile;
  if (end < end_ + kVerticesAtOnce) return;
  if (!is_started_) start(tasks);
  add_below(end, tile.positions - std::size_t{tile.vertices.first} * 3 * kFramesPerBlock, tasks);
}

void VolumeSums::finish(const float* positions, const VolumeTasks& tasks) {
  const std::lock_guard lock(mutex_);
  if (!is_started_) start(tasks);
  add_below(std::numeric_limits<VertexIndex>::max(), positions, tasks);
  for (std::atomic<bool>& is_there : is_there_) is_there.store(false, std::memory_order_relaxed);
  tiles_there_ = 0;
  end_ = 0;
  is_started_ = false;
}

void VolumeSums::start(const VolumeTasks& tasks) {
  patches_.assign(tasks.patches.size(), LaneVolumes{});
  pairs_done_.assign(tasks.patches.size(), 0);
  caps_.resize(tasks.caps.size());
  is_started_ = true;
}

// Adds the pairs of each patch up to the first one that has a vertex from `end` on, and the caps
// below `end`.
void VolumeSums::add_below(VertexIndex end, const float* positions, const VolumeTasks& tasks) {
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    const PatchTask& patch = tasks.patches[p];
    const auto left = std::span(patch.pairs).subspan(pairs_done_[p]);
    if (left.empty() || std::ranges::max(left.front()) >= end) continue;
    pairs_done_[p] += add_six_volumes(positions, {left, patch.origin}, end, patches_[p]);
  }
  for (std::size_t c = 0; c < caps_.size(); ++c) {
    const CapTask& cap = tasks.caps[c];
    if (cap.last_vertex < end_ || cap.last_vertex >= end) continue;
    caps_[c] = six_volumes(positions, cap.edges);
  }
  end_ = end;
}

// ---- The volume per frame and its loss since the baseline: loss = 1 - V_f / V_baseline.
// volume-inl.h has the formula, topology.cpp finds solid components and joint regions.

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A surface whose volume is measured: a solid component or a joint region.
struct Part {
  double baseline_m3 = 0;
  double max_loss = kNaN, min_loss = kNaN;
  std::int64_t max_at = -1, min_at = -1;  // position in the run
};

// Updates the extremes with a frame. Of equal losses the earliest counts.
void update_extremes(Part& part, std::int64_t position, double loss) {
  if (part.max_at < 0 || loss > part.max_loss) {
    part.max_loss = loss;
    part.max_at = position;
  }
  if (part.min_at < 0 || loss < part.min_loss) {
    part.min_loss = loss;
    part.min_at = position;
  }
}

struct VolumeState final : BlockState {
  explicit VolumeState(VertexIndex vertex_count) : sums(vertex_count) {}

  VolumeSums sums;
  std::vector<LaneVolumes> six_volumes;  // [part][frame]
};

class Volume final : public VolumeMetric {
 public:
  Volume(const Rig& rig, std::function<const Topology&()> topology, FrameRange frames)
      : rig_(rig), get_topology_(std::move(topology)), frames_(frames) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<VolumeState>(rig_.mesh->vertex_count());
  }
  bool needs_whole_block() const override { return true; }
  void consume(const FrameBlock& tile, BlockState& block_state) override;
  void finish(const FrameBlock& block, BlockState& block_state) override;
  void merge(const FrameBlock& block, BlockState& block_state) override;
  VolumeResult result() const override;

 private:
  void prepare(const Topology& topology);
  void add_part(const Component& surface);
  void note_issues(const Topology& topology);

  const Rig& rig_;
  std::function<const Topology&()> get_topology_;
  FrameRange frames_;
  std::once_flag prepared_;
  std::atomic<bool> is_prepared_ = false;  // the members below can be read
  std::vector<Part> parts_;                // solid components, then regions
  std::vector<std::size_t> components_;    // [part] index into Topology::components
  std::vector<std::size_t> regions_;       // [part - component count] into Topology::joint_regions
  VolumeTasks tasks_;
  Part total_;
  VolumeResult result_;  // arrays per frame and issues; the rest is added by result()
};

void Volume::add_part(const Component& surface) {
  for (const Cap& cap : surface.caps) {
    const auto edges = std::span(surface.boundary).subspan(cap.first_edge, cap.edge_count);
    VertexIndex last = 0;
    for (const auto& [i, j] : edges) last = std::max({last, i, j});
    tasks_.caps.push_back({CapEdges{edges, cap.origin}, last, parts_.size()});
  }
  parts_.emplace_back().baseline_m3 = surface.baseline_volume_m3;
}

// Lists the parts and the patches and caps that contribute to them.
void Volume::prepare(const Topology& topology) {
  const auto frame_count = static_cast<std::size_t>(frames_.frame_count);
  constexpr std::size_t kNone = ~std::size_t{0};
  double size_m3 = 0;  // the sum of the parts without their signs
  std::vector<std::size_t> part_of_component(topology.components.size(), kNone);
  for (std::size_t c = 0; c < topology.components.size(); ++c) {
    if (!topology.components[c].solid) continue;
    part_of_component[c] = parts_.size();
    components_.push_back(c);
    total_.baseline_m3 += topology.components[c].baseline_volume_m3;
    size_m3 += std::abs(topology.components[c].baseline_volume_m3);
    add_part(topology.components[c]);
  }
  // Inner shells have negative volumes. If they cancel the others, the rest is rounding.
  constexpr double kLeastShare = 1e-6;
  if (!(std::abs(total_.baseline_m3) > kLeastShare * size_m3)) total_.baseline_m3 = 0;
  std::vector<std::size_t> part_of_region(topology.joint_regions.size(), kNone);
  for (std::size_t r = 0; r < topology.joint_regions.size(); ++r) {
    const JointRegion& region = topology.joint_regions[r];
    if (!region.surface.solid) continue;
    part_of_region[r] = parts_.size();
    regions_.push_back(r);
    add_part(region.surface);
    VolumeResult::PerJoint& joint = result_.joints.emplace_back();
    joint.joint = region.joint;
    joint.triangle_count = static_cast<std::int64_t>(region.surface.triangles.size());
    joint.loss.reserve(frame_count);
  }
  for (const SurfacePatch& patch : topology.patches) {
    if (part_of_component[patch.component] == kNone) continue;
    PatchTask& task = tasks_.patches.emplace_back();
    task.origin = topology.components[patch.component].first_vertex;
    task.pairs = pair_triangles(topology.triangles, patch.triangles, task.origin);
    task.parts.push_back(part_of_component[patch.component]);
    for (const std::uint32_t r : patch.regions) {
      if (part_of_region[r] != kNone) task.parts.push_back(part_of_region[r]);
    }
  }
  result_.volume_m3.reserve(frame_count);
  result_.loss.reserve(frame_count);
  note_issues(topology);
}

void Volume::note_issues(const Topology& t) {
  const std::string pointer = "/nodes/" + std::to_string(rig_.node);
  const auto add = [&](std::string_view code, const std::string& message, std::int64_t count) {
    if (count > 0) result_.issues.push_back(make_issue(code, "", pointer, message, count));
  };
  add("TRIANGLE_DEGENERATE",
      std::to_string(t.degenerate_triangles) + " triangles have two equal corners; ignored",
      t.degenerate_triangles);
  add("SURFACE_NOT_CLOSED",
      std::to_string(t.boundary_components) + (t.boundary_components == 1 ? " hole" : " holes") +
          "; capped for the volume",
      t.boundary_components);
  if (total_.baseline_m3 != 0) return;
  const bool has_closed_part = std::any_of(t.components.begin(), t.components.end(),
                                           [](const Component& c) { return c.closed; });
  add("NO_VOLUME",
      !components_.empty()
          ? "the volumes of parts that are wound outwards and inwards cancel; the volume of the "
            "whole is not measured"
      : has_closed_part
          ? "the closed parts of the surface are flat, or stretched by huge coordinates, so that "
            "they enclose nearly no volume for their area; volume is not measured"
          : "the surface does not have a closed or nearly closed part; volume is not measured",
      1);
}

// Tiles that arrive before the topology is known are left to `finish`.
void Volume::consume(const FrameBlock& tile, BlockState& block_state) {
  if (!is_prepared_.load(std::memory_order_acquire)) return;
  static_cast<VolumeState&>(block_state).sums.add_tile(tile, tasks_);
}

void Volume::finish(const FrameBlock& block, BlockState& block_state) {
  // Preparing waits for the first complete block: until then the topology may still be computed.
  std::call_once(prepared_, [this] {
    prepare(get_topology_());
    is_prepared_.store(true, std::memory_order_release);
  });
  auto& state = static_cast<VolumeState&>(block_state);
  std::vector<LaneVolumes>& volumes = state.six_volumes;
  volumes.assign(parts_.size(), LaneVolumes{});
  const auto add = [&](const LaneVolumes& from, std::size_t part) {
    for (std::size_t lane = 0; lane < from.size(); ++lane) volumes[part][lane] += from[lane];
  };
  state.sums.finish(block.positions, tasks_);
  for (std::size_t p = 0; p < tasks_.patches.size(); ++p) {
    for (const std::size_t part : tasks_.patches[p].parts) add(state.sums.patches()[p], part);
  }
  for (std::size_t c = 0; c < tasks_.caps.size(); ++c) {
    add(state.sums.caps()[c], tasks_.caps[c].part);
  }
}

void Volume::merge(const FrameBlock& block, BlockState& block_state) {
  const auto& volumes = static_cast<VolumeState&>(block_state).six_volumes;
  const bool measurable = total_.baseline_m3 != 0;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    const std::int64_t position = block.first_frame + static_cast<std::int64_t>(lane);
    double total_m3 = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const double volume_m3 = volumes[p][lane] / 6;
      const double loss = 1 - volume_m3 / parts_[p].baseline_m3;
      update_extremes(parts_[p], position, loss);
      if (p < components_.size()) {
        total_m3 += volume_m3;
      } else {
        result_.joints[p - components_.size()].loss.push_back(loss);
      }
    }
    result_.volume_m3.push_back(measurable ? total_m3 : kNaN);
    result_.loss.push_back(measurable ? 1 - total_m3 / total_.baseline_m3 : kNaN);
    if (measurable) update_extremes(total_, position, result_.loss.back());
  }
}

void fill(const Part& part, VolumeResult::Extremes& out) {
  out.baseline_m3 = part.baseline_m3;
  out.max_loss = part.max_loss;
  out.max_loss_at.frame = part.max_at;
  out.min_loss = part.min_loss;
  out.min_loss_at.frame = part.min_at;
}

VolumeResult Volume::result() const {
  VolumeResult result = result_;
  if (total_.baseline_m3 != 0) fill(total_, result.total.emplace());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (p < components_.size()) {
      VolumeResult::PerComponent& component = result.components.emplace_back();
      component.component = static_cast<std::int64_t>(components_[p]);
      fill(parts_[p], component);
    } else {
      fill(parts_[p], result.joints[p - components_.size()]);
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<VolumeMetric> measure_volume(const Rig& rig,
                                             std::function<const Topology&()> topology,
                                             FrameRange frames) {
  return std::make_unique<Volume>(rig, std::move(topology), frames);
}

std::unique_ptr<VolumeMetric> measure_volume(const Rig& rig, const Topology& topology,
                                             FrameRange frames) {
  const auto get = [&topology]() -> const Topology& { return topology; };
  return measure_volume(rig, get, frames);
}

constexpr MetricField kVolumeFields[] = {{"max_loss"}};

extern const MetricInfo kVolume;
const MetricInfo kVolume{"volume",
                         "enclosed volume and its loss, of solid components and joint regions",
                         kVolumeFields, true};

namespace {

void append_max_loss(const VolumeExtremes& extremes, std::vector<SectionField>& fields) {
  fields.push_back({"baseline", extremes.baseline_m3});
  fields.push_back({"max_loss", extremes.max_loss});
  fields.push_back({"max_loss_at", extremes.max_loss_at});
}

}  // namespace

MetricResult section_of(const VolumeResult& volume, const Rig& rig) {
  // Solid parts whose volumes cancel apply, although the loss of the whole is not a number.
  const bool applies = volume.total || !volume.components.empty();
  MetricResult section{"volume", {{"unit", std::string("m3")}}, {}, applies};
  const VolumeExtremes total = volume.total.value_or(VolumeExtremes{kNaN, kNaN, kNaN, {}, {}});
  append_max_loss(total, section.fields);
  section.fields.push_back({"min_loss", total.min_loss});
  section.fields.push_back({"min_loss_at", total.min_loss_at});
  section.fields.push_back({"per_frame", std::vector<SectionField>{{"volume", volume.volume_m3},
                                                                   {"loss", volume.loss}}});
  std::vector<std::vector<SectionField>> components, joints;
  for (const VolumeResult::PerComponent& component : volume.components) {
    append_max_loss(component,
                    components.emplace_back(1, SectionField{"component", component.component}));
  }
  for (const VolumeResult::PerJoint& joint : volume.joints) {
    std::vector<SectionField>& fields = joints.emplace_back();
    fields = {{"joint", joint_id(rig, joint.joint)},
              {"joint_index", static_cast<std::int64_t>(joint.joint)},
              {"triangle_count", joint.triangle_count}};
    append_max_loss(joint, fields);
    fields.push_back({"per_frame", std::vector<SectionField>{{"loss", joint.loss}}});
  }
  section.fields.push_back({"components", std::move(components)});
  section.fields.push_back({"joints", std::move(joints)});
  return section;
}

}  // namespace skinbake
