#include "caches/glb_quantiser.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "caches/glb_meshopt.h"

namespace skinbake {

namespace {

constexpr std::size_t kAxes = 3;

std::size_t filled_up(std::size_t size) {
  return (size + 3) & ~std::size_t{3};
}

void append_bytes(std::vector<char>& to, const void* data, std::size_t size) {
  const auto* from = static_cast<const char*>(data);
  to.insert(to.end(), from, from + size);
}

}  // namespace

FrameQuantiser::FrameQuantiser(const GlbMesh& mesh, const GlbLatticed& attribute, bool packs)
    : mesh_(mesh),
      attribute_(attribute),
      packs_(packs),
      row_(static_cast<std::size_t>(attribute.frames.vertex_count()) * kAxes) {}

const std::vector<int>& FrameQuantiser::read(std::int64_t frame) {
  attribute_.frames.read(frame, 1, row_.data());
  places_.resize(row_.size());
  for (std::size_t i = 0; i < row_.size(); ++i) {
    places_[i] = attribute_.lattice.place(row_[i], i % kAxes);
  }
  return places_;
}

void FrameQuantiser::quantise(std::int64_t frame, const std::vector<int>* base,
                              QuantisedFrame& out) {
  read(frame);
  for (const GlbPrimitive& primitive : mesh_.primitives) {
    const std::size_t first = kAxes * primitive.vertices.first_vertex;
    GlbTarget target = set_ways({places_.data() + first, kAxes * primitive.vertices.vertex_count},
                                base == nullptr ? nullptr : base->data() + first);
    if (base == nullptr || target.moved != 0) {
      // Never sparse: glTF-Transform (4.5.1, for one) writes sparse normalised numbers as zeros.
      target.moved = primitive.vertices.vertex_count;
      if (farthest_ > kLargestShort) {
        add_wide(row_.data() + first, base->data() + first, target, out);
      } else {
        add_elements(target, out);
      }
    }
    out.targets.push_back(target);
  }
}

// Places of one primitive, less those of `base`. Their bounds, and whether one is not 0.
GlbTarget FrameQuantiser::set_ways(std::span<const int> places, const int* base) {
  const int largest =
      attribute_.may_be_wide && base != nullptr ? 2 * kLargestShort : attribute_.lattice.largest;
  ways_.resize(places.size());
  farthest_ = 0;
  GlbTarget target;
  for (std::size_t i = 0; i < places.size(); i += kAxes) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const int before = base != nullptr ? base[i + axis] : 0;
      const int q = std::clamp(places[i + axis] - before, -largest, largest);
      ways_[i + axis] = q;
      farthest_ = std::max(farthest_, std::abs(q));
      target.bounds.min[axis] = std::min(target.bounds.min[axis], static_cast<float>(q));
      target.bounds.max[axis] = std::max(target.bounds.max[axis], static_cast<float>(q));
    }
  }
  target.moved = static_cast<std::uint32_t>(farthest_ != 0);
  return target;
}

// From the places of frame 0 to the vectors themselves: a multiple of 2^-15 is no farther from
// one than a place, and has so few bits that streams of them are half as long.
void FrameQuantiser::add_wide(const float* row, const int* base, GlbTarget& target,
                              QuantisedFrame& out) {
  constexpr double kSteps = 32768;
  target.kind = GlbTarget::Kind::kWide;
  floats_.resize(ways_.size());
  for (std::size_t i = 0; i < floats_.size(); ++i) {
    const double q = (double{row[i]} - base[i] * attribute_.lattice.step()) * kSteps;
    floats_[i] = static_cast<float>(std::floor(q + 0.5) / kSteps);
  }
  store(floats_.data(), 3 * sizeof(float), target, out.wide, out.bytes);
}

void FrameQuantiser::add_elements(GlbTarget& target, QuantisedFrame& out) {
  target.kind = GlbTarget::Kind::kDense;
  elements_.assign(ways_.size() / kAxes * kShortsPerElement, 0);
  for (std::size_t v = 0; kAxes * v < ways_.size(); ++v) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      elements_[kShortsPerElement * v + axis] = static_cast<std::int16_t>(ways_[kAxes * v + axis]);
    }
  }
  store(elements_.data(), kElementBytes, target, out.bytes, out.bytes);
}

// Elements of the primitive in turn: as they are, or as a stream.
void FrameQuantiser::store(const void* data, std::size_t element_bytes, GlbTarget& target,
                           std::vector<char>& plain, std::vector<char>& streams) {
  const std::size_t count = ways_.size() / kAxes;
  if (!packs_) {
    target.values_offset = static_cast<std::uint32_t>(plain.size());
    append_bytes(plain, data, count * element_bytes);
    return;
  }
  encode_meshopt(data, {count, element_bytes}, stream_);
  target.packed = {streams.size(), stream_.size()};
  stream_.resize(filled_up(stream_.size()));
  append_bytes(streams, stream_.data(), stream_.size());
}

}  // namespace skinbake
