#include "caches/glb_quantiser.h"

#include <algorithm>
#include <cmath>

#include "caches/cache_normals.h"
#include "caches/glb_numbers.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;
static_assert(kShortsPerPlace == kShortsPerElement);

std::size_t bytes_of(const std::vector<GlbRun>& runs) {
  std::size_t bytes = 0;
  for (const GlbRun& run : runs) bytes += run.size;
  return bytes;
}

// What is stored of one primitive in one frame; returns the longest way along an axis.
std::int32_t set_bounds(const PlaceRange& range, int frame, GlbTarget& target) {
  std::int32_t farthest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto f = static_cast<std::size_t>(frame);
    const std::int32_t least = range.least[axis][f], most = range.most[axis][f];
    target.bounds.min[axis] = static_cast<float>(least);
    target.bounds.max[axis] = static_cast<float>(most);
    farthest = std::max({farthest, -least, most});
  }
  return farthest;
}

}  // namespace

QuantisedBlock::QuantisedBlock(const GlbMesh& mesh, std::int16_t* shorts)
    : rows(shorts), ranges(mesh.primitives.size()) {}

GlbQuantiser::GlbQuantiser(const GlbMesh& mesh, const GlbLattice& lattice, Ways ways, bool packs)
    : mesh_(mesh), lattice_(lattice), ways_(ways), packs_(packs) {}

void GlbQuantiser::set_base(std::span<const float> row) {
  base_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) base_[i] = lattice_.place(row[i], i % kAxes);
}

std::vector<char> GlbQuantiser::base_bytes(std::vector<GlbView>& packed,
                                           std::vector<GlbPrimitive>* bounded) const {
  std::vector<std::int16_t> elements(vertex_count() * kShortsPerElement);
  std::vector<char> streams;
  for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
    const Primitive& vertices = mesh_.primitives[p].vertices;
    GlbBounds bounds;
    for (std::size_t v = vertices.first_vertex; v < vertices.first_vertex + vertices.vertex_count;
         ++v) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        // Rounding may have put it one step out.
        const int place = std::clamp(base_[kAxes * v + axis], -lattice_.largest, lattice_.largest);
        elements[kShortsPerElement * v + axis] = static_cast<std::int16_t>(place);
        bounds.min[axis] = std::min(bounds.min[axis], static_cast<float>(place));
        bounds.max[axis] = std::max(bounds.max[axis], static_cast<float>(place));
      }
      if (signs_.empty()) continue;
      elements[kShortsPerElement * v + kAxes] =
          static_cast<std::int16_t>(signs_[v] * kLargestShort);
    }
    if (bounded != nullptr) (*bounded)[p].bounds = bounds;
    if (packs_) {
      pack(&elements[kShortsPerElement * vertices.first_vertex], {vertices.vertex_count}, packed[p],
           streams);
    }
  }
  if (packs_) return streams;
  const auto* bytes = reinterpret_cast<const char*>(elements.data());
  return {bytes, bytes + elements.size() * sizeof(std::int16_t)};
}

void GlbQuantiser::take(VertexRange vertices, const float* lanes, QuantisedBlock& block) const {
  const VertexIndex end = vertices.first + vertices.count;
  const auto after = [](VertexIndex v, const GlbPrimitive& p) {
    return v < p.vertices.first_vertex + p.vertices.vertex_count;
  };
  auto primitive =
      std::upper_bound(mesh_.primitives.begin(), mesh_.primitives.end(), vertices.first, after);
  for (; primitive != mesh_.primitives.end() && primitive->vertices.first_vertex < end;
       ++primitive) {
    const Primitive& of = primitive->vertices;
    const VertexIndex from = std::max(of.first_vertex, vertices.first);
    PlaceTask task;
    task.lanes = lanes + std::size_t{from - vertices.first} * kAxes * kFramesPerBlock;
    task.vertices = std::min(of.first_vertex + of.vertex_count, end) - from;
    std::copy(lattice_.centre.begin(), lattice_.centre.end(), task.centre.begin());
    task.places_per_metre = lattice_.places_per_metre();
    task.base = base_.data() + std::size_t{from} * kAxes;
    task.largest = ways_ == Ways::kMaybeWide ? 2 * kLargestShort : lattice_.largest;
    task.rows = block.rows + std::size_t{from} * kShortsPerPlace;
    task.row_stride = vertex_count() * kShortsPerPlace;
    PlaceRange range;
    store_places(task, range);
    const std::lock_guard lock(block.mutex);
    block.ranges[static_cast<std::size_t>(primitive - mesh_.primitives.begin())].widen(range);
  }
}

void GlbQuantiser::finish(int first, int end, const float* lanes, QuantisedBlock& block) const {
  block.targets.clear(), block.dense.clear(), block.wide.clear(), block.streams.clear();
  block.floats.clear();
  if (packs_) block.streams.reserve(static_cast<std::size_t>(end - first) * most_stream_bytes());
  if (ways_ == Ways::kMaybeWide) {  // their runs must stay where they are, if they are no streams
    const auto frames = static_cast<std::size_t>(packs_ ? 1 : end - first);
    block.floats.reserve(frames * vertex_count() * kAxes);
  }
  for (int frame = first; frame < end; ++frame) {
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) add_target({p, frame}, lanes, block);
  }
  std::fill(block.ranges.begin(), block.ranges.end(), PlaceRange());
}

void GlbQuantiser::add_target(Place place, const float* lanes, QuantisedBlock& block) const {
  const Primitive& vertices = mesh_.primitives[place.primitive].vertices;
  GlbTarget& target = block.targets.emplace_back();
  const std::int32_t farthest = set_bounds(block.ranges[place.primitive], place.frame, target);
  if (farthest == 0) return;
  // Never sparse: glTF-Transform (4.5.1, for one) writes sparse normalised numbers as zeros.
  target.moved = vertices.vertex_count;
  if (farthest > kLargestShort) {
    add_wide(place, lanes, target, block);
    return;
  }
  target.kind = GlbTarget::Kind::kDense;
  const std::int16_t* elements =
      block.rows +
      (static_cast<std::size_t>(place.frame) * vertex_count() + vertices.first_vertex) *
          kShortsPerPlace;
  if (packs_) {
    pack(elements, {vertices.vertex_count}, target.packed, block.streams);
    return;
  }
  target.values_offset = static_cast<std::uint32_t>(bytes_of(block.dense));
  add_run(block.dense, elements, vertices.vertex_count * kElementBytes);
}

// From the places of frame 0 to the vectors themselves: a multiple of 2^-15 is no farther from
// one than a place, and has so few bits that streams of them are half as long.
void GlbQuantiser::add_wide(Place place, const float* lanes, GlbTarget& target,
                            QuantisedBlock& block) const {
  constexpr double kSteps = 32768;
  const Primitive& vertices = mesh_.primitives[place.primitive].vertices;
  target.kind = GlbTarget::Kind::kWide;
  const std::size_t first = block.floats.size();
  for (std::size_t v = vertices.first_vertex; v < vertices.first_vertex + vertices.vertex_count;
       ++v) {
    const auto frame = static_cast<std::size_t>(place.frame);
    const Vec3<float> normal = normal_or_z(lanes + v * kAxes * kFramesPerBlock + frame);
    const std::int32_t* base = &base_[kAxes * v];
    const auto way = [&](float x, std::int32_t from) {
      const double q = (double{x} - from * lattice_.step()) * kSteps;
      return static_cast<float>(std::floor(q + 0.5) / kSteps);
    };
    for (const float x : {way(normal.x, base[0]), way(normal.y, base[1]), way(normal.z, base[2])}) {
      block.floats.push_back(x);
    }
  }
  constexpr std::size_t kBytes = kAxes * sizeof(float);
  const float* floats = block.floats.data() + first;
  if (packs_) {
    pack(floats, {vertices.vertex_count, kBytes}, target.packed, block.streams);
    block.floats.clear();
    return;
  }
  target.values_offset = static_cast<std::uint32_t>(bytes_of(block.wide));
  add_run(block.wide, floats, vertices.vertex_count * kBytes);
}

std::size_t GlbQuantiser::most_stream_bytes() const {
  const bool may_be_wide = ways_ == Ways::kMaybeWide;
  std::size_t bytes = 0;
  for (const GlbPrimitive& primitive : mesh_.primitives) {
    const std::size_t count = primitive.vertices.vertex_count;
    bytes +=
        filled_up(std::max(most_meshopt_bytes({count}),
                           may_be_wide ? most_meshopt_bytes({count, kAxes * sizeof(float)}) : 0));
  }
  return bytes;
}

void GlbQuantiser::pack(const void* data, const MeshoptElements& elements, GlbView& packed,
                        std::vector<char>& streams) const {
  std::vector<std::uint8_t> stream;
  encode_meshopt(data, elements, stream);
  packed = {streams.size(), stream.size()};
  stream.resize(filled_up(stream.size()));
  streams.insert(streams.end(), stream.begin(), stream.end());
}

}  // namespace skinbake
