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
constexpr std::size_t kSparseBytes = kAxes * sizeof(std::int16_t);

std::size_t filled_up(std::size_t size) {
  return (size + 3) & ~std::size_t{3};
}

void append_bytes(std::vector<char>& to, const void* data, std::size_t size) {
  const auto* from = static_cast<const char*>(data);
  to.insert(to.end(), from, from + size);
}

void fill_up(std::vector<char>& bytes) {
  bytes.resize(filled_up(bytes.size()));
}

// The bytes of a block's three views, where targets are not compressed.
struct BlockBytes {
  std::vector<char> dense, values, indices;
};

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
    for (std::size_t block = 0; block < mesh_.blocks.size(); ++block) write_block(block);
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
    if (!is_packed()) mesh_.base = append({{bytes.data(), bytes.size()}});
  }

  void write_block(std::size_t block) {
    BlockBytes bytes;
    const std::int64_t first = static_cast<std::int64_t>(block) * kFramesPerBlock;
    const std::int64_t end = std::min(first + kFramesPerBlock, mesh_.header.frames.frame_count);
    for (std::int64_t f = std::max<std::int64_t>(first, 1); f < end; ++f) {
      read(f, places_);
      for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
        mesh_.targets[static_cast<std::size_t>(f - 1) * mesh_.primitives.size() + p] =
            make_target(mesh_.primitives[p], bytes);
      }
    }
    GlbBlock& views = mesh_.blocks[block];
    views.dense = append({{bytes.dense.data(), bytes.dense.size()}});
    views.values = append({{bytes.values.data(), bytes.values.size()}});
    views.indices = append({{bytes.indices.data(), bytes.indices.size()}});
  }

  GlbTarget make_target(const GlbPrimitive& primitive, BlockBytes& bytes) {
    const std::size_t first = kAxes * primitive.vertices.first_vertex;
    const std::size_t vertices = primitive.vertices.vertex_count;
    set_element_row({places_.data() + first, kAxes * vertices}, base_.data() + first);
    GlbTarget target;
    target.bounds = bounds_;
    target.moved = static_cast<std::uint32_t>(moved_.size());
    if (moved_.empty()) return target;
    const std::size_t sparse_bytes = filled_up(moved_.size() * kSparseBytes) +
                                     filled_up(moved_.size() * glb_index_bytes(vertices));
    if (is_packed()) {
      target.kind = GlbTarget::Kind::kDense;
      target.packed = append_packed();
    } else if (sparse_bytes >= vertices * kElementBytes) {
      target.kind = GlbTarget::Kind::kDense;
      target.values_offset = static_cast<std::uint32_t>(bytes.dense.size());
      append_bytes(bytes.dense, elements_.data(), elements_.size() * sizeof(std::int16_t));
    } else {
      target.kind = GlbTarget::Kind::kSparse;
      target.values_offset = static_cast<std::uint32_t>(bytes.values.size());
      target.indices_offset = static_cast<std::uint32_t>(bytes.indices.size());
      add_sparse(glb_index_bytes(vertices), bytes);
    }
    return target;
  }

  void add_sparse(std::size_t index_bytes, BlockBytes& bytes) const {
    for (const std::uint32_t v : moved_) {
      append_bytes(bytes.values, elements_.data() + kShortsPerElement * v, kSparseBytes);
      append_bytes(bytes.indices, &v, index_bytes);  // little-endian: the low bytes come first
    }
    fill_up(bytes.values);
    fill_up(bytes.indices);
  }

  // Places of one primitive, less those of `base`, become elements; what moves, and the bounds.
  void set_element_row(std::span<const int> places, const int* base) {
    const std::size_t vertices = places.size() / kAxes;
    const int largest = mesh_.lattice.largest;
    elements_.assign(vertices * kShortsPerElement, 0);
    moved_.clear();
    bounds_ = {};
    for (std::size_t v = 0; v < vertices; ++v) {
      bool moves = false;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::size_t i = kAxes * v + axis;
        const int q = std::clamp(places[i] - (base != nullptr ? base[i] : 0), -largest, largest);
        elements_[kShortsPerElement * v + axis] = static_cast<std::int16_t>(q);
        bounds_.min[axis] = std::min(bounds_.min[axis], static_cast<float>(q));
        bounds_.max[axis] = std::max(bounds_.max[axis], static_cast<float>(q));
        moves |= q != 0;
      }
      if (moves) moved_.push_back(static_cast<std::uint32_t>(v));
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
  std::vector<std::uint32_t> moved_;
  GlbBounds bounds_;
  std::vector<std::uint8_t> stream_;
};

}  // namespace

std::unique_ptr<CacheWriter> make_quantised_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index) {
  return std::make_unique<QuantisedGlbWriter>(std::move(file), index);
}

}  // namespace skinbake
