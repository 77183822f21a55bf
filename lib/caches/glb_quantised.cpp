// `quantize=1`: frames wait in a spool until all are there; then the lattice is known, and they are
// written as differences of places on it. A difference of rounded places, not a rounded difference:
// added to frame 0 it gives the place that is nearest, so that two roundings cost no more than one.

#include "caches/glb_quantised.h"

#include <algorithm>

#include "base/aligned_array.h"
#include "caches/glb_meshopt.h"
#include "skinbake/error.h"
#include "skinbake/spool.h"

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

class QuantisedGlbWriter final : public GlbMeshWriter {
 public:
  QuantisedGlbWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : GlbMeshWriter(std::move(file), index),
        spool_(make_spool(mesh_.header.vertex_count(), mesh_.header.frames.frame_count)) {}

  std::unique_ptr<BlockState> new_state() const override { return spool_->new_state(); }
  void consume(const FrameBlock& tile, BlockState& state) override { spool_->consume(tile, state); }
  void finish(const FrameBlock& block, BlockState& state) override { spool_->finish(block, state); }
  void merge(const FrameBlock& block, BlockState& state) override { spool_->merge(block, state); }

  void end() override {
    spool_->end();
    mesh_.lattice = fit_lattice(*spool_, file_->options().bits);
    if (!mesh_.lattice.holds_floats()) {
      throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                  "the mesh is too large for quantize=1; leave it out", {path(), ""});
    }
    row_ = AlignedArray<float>(row_size());
    write_base();
    for (std::size_t block = 0; block < positions_.blocks.size(); ++block) write_block(block);
    spool_.reset();
    GlbMeshWriter::end();
  }

  double bound_m() const override { return mesh_.lattice.bound_m(); }

 private:
  bool is_packed() const { return file_->options().meshopt; }

  void read(std::int64_t frame, std::vector<int>& places) {
    spool_->read(frame, 1, row_.data());
    places.resize(row_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) {
      places[i] = mesh_.lattice.place(row_[i], i % kAxes);
    }
  }

  void write_base() {
    read(0, base_);
    std::vector<char> bytes;
    for (GlbPrimitive& primitive : mesh_.primitives) {
      const std::size_t first = kAxes * primitive.vertices.first_vertex;
      set_element_row({base_.data() + first, kAxes * primitive.vertices.vertex_count}, nullptr);
      primitive.bounds = bounds_;
      if (is_packed()) {
        primitive.packed = append_packed();
      } else {
        append_bytes(bytes, elements_.data(), elements_.size() * sizeof(std::int16_t));
      }
    }
    if (!is_packed()) positions_.base = append({{bytes.data(), bytes.size()}});
  }

  void write_block(std::size_t block) {
    std::vector<char> bytes;
    const std::int64_t first = static_cast<std::int64_t>(block) * kFramesPerBlock;
    const std::int64_t end = std::min(first + kFramesPerBlock, mesh_.header.frames.frame_count);
    for (std::int64_t f = std::max<std::int64_t>(first, 1); f < end; ++f) {
      read(f, places_);
      for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
        positions_.targets[static_cast<std::size_t>(f - 1) * mesh_.primitives.size() + p] =
            make_target(mesh_.primitives[p], bytes);
      }
    }
    positions_.blocks[block].dense = append({{bytes.data(), bytes.size()}});
  }

  // Never sparse: glTF-Transform (4.5.1, for one) writes sparse normalised numbers as zeros.
  GlbTarget make_target(const GlbPrimitive& primitive, std::vector<char>& dense) {
    const std::size_t first = kAxes * primitive.vertices.first_vertex;
    set_element_row({places_.data() + first, kAxes * primitive.vertices.vertex_count},
                    base_.data() + first);
    GlbTarget target;
    target.bounds = bounds_;
    if (!moves_) return target;
    target.kind = GlbTarget::Kind::kDense;
    target.moved = primitive.vertices.vertex_count;
    if (is_packed()) {
      target.packed = append_packed();
    } else {
      target.values_offset = static_cast<std::uint32_t>(dense.size());
      append_bytes(dense, elements_.data(), elements_.size() * sizeof(std::int16_t));
    }
    return target;
  }

  // Places of one primitive, less those of `base`, become elements; whether one is not 0, and their
  // bounds.
  void set_element_row(std::span<const int> places, const int* base) {
    const std::size_t vertices = places.size() / kAxes;
    const int largest = mesh_.lattice.largest;
    elements_.assign(vertices * kShortsPerElement, 0);
    moves_ = false;
    bounds_ = {};
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::size_t i = kAxes * v + axis;
        const int q = std::clamp(places[i] - (base != nullptr ? base[i] : 0), -largest, largest);
        elements_[kShortsPerElement * v + axis] = static_cast<std::int16_t>(q);
        bounds_.min[axis] = std::min(bounds_.min[axis], static_cast<float>(q));
        bounds_.max[axis] = std::max(bounds_.max[axis], static_cast<float>(q));
        moves_ |= q != 0;
      }
    }
  }

  GlbView append_packed() {
    encode_meshopt(elements_, stream_);
    const std::size_t size = stream_.size();
    stream_.resize(filled_up(size));
    GlbView view = append({{stream_.data(), stream_.size()}});
    view.bytes = size;
    return view;
  }

  std::unique_ptr<Spool> spool_;
  AlignedArray<float> row_;
  std::vector<int> base_, places_;  // [vertex][axis]
  // Of the primitive that is being written:
  std::vector<std::int16_t> elements_;
  bool moves_ = false;
  GlbBounds bounds_;
  std::vector<std::uint8_t> stream_;
};

}  // namespace

std::unique_ptr<CacheWriter> make_quantised_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index) {
  return std::make_unique<QuantisedGlbWriter>(std::move(file), index);
}

}  // namespace skinbake
