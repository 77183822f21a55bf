// `quantize=1`: frames wait in a spool until all are there; then the lattice is known, and they are
// written as differences of places on it. A difference of rounded places, not a rounded difference:
// added to frame 0 it gives the place that is nearest, so that two roundings cost no more than one.

#include "caches/glb_quantised.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

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

// What one frame becomes, of all primitives: the bytes, and the targets that lie in them.
struct QuantisedFrame {
  std::vector<GlbTarget> targets;
  std::vector<char> bytes;
};

// Quantises frame after frame; one for each thread.
class FrameQuantiser {
 public:
  FrameQuantiser(const GlbMesh& mesh, const FrameSource& frames, bool packs)
      : mesh_(mesh),
        frames_(frames),
        packs_(packs),
        row_(static_cast<std::size_t>(frames.vertex_count()) * kAxes) {}

  // Places of a frame: [vertex][axis].
  const std::vector<int>& read(std::int64_t frame) {
    frames_.read(frame, 1, row_.data());
    places_.resize(row_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) {
      places_[i] = mesh_.lattice.place(row_[i], i % kAxes);
    }
    return places_;
  }

  // `base`: frame 0's places, which are taken off; null: this is frame 0, and all is kept.
  void quantise(std::int64_t frame, const std::vector<int>* base, QuantisedFrame& out) {
    read(frame);
    for (const GlbPrimitive& primitive : mesh_.primitives) {
      const std::size_t first = kAxes * primitive.vertices.first_vertex;
      GlbTarget target =
          set_elements({places_.data() + first, kAxes * primitive.vertices.vertex_count},
                       base == nullptr ? nullptr : base->data() + first);
      if (base == nullptr || target.moved != 0) {
        target.kind = GlbTarget::Kind::kDense;  // never sparse: glTF-Transform (4.5.1, for one)
        target.moved =
            primitive.vertices.vertex_count;  // writes sparse normalised numbers as zeros
        add_bytes(target, out.bytes);
      }
      out.targets.push_back(target);
    }
  }

 private:
  // Places of one primitive, less those of `base`, become elements. Their bounds, and whether one
  // is not 0.
  GlbTarget set_elements(std::span<const int> places, const int* base) {
    const std::size_t vertices = places.size() / kAxes;
    const int largest = mesh_.lattice.largest;
    elements_.assign(vertices * kShortsPerElement, 0);
    GlbTarget target;
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::size_t i = kAxes * v + axis;
        const int q = std::clamp(places[i] - (base != nullptr ? base[i] : 0), -largest, largest);
        elements_[kShortsPerElement * v + axis] = static_cast<std::int16_t>(q);
        target.bounds.min[axis] = std::min(target.bounds.min[axis], static_cast<float>(q));
        target.bounds.max[axis] = std::max(target.bounds.max[axis], static_cast<float>(q));
        target.moved |= static_cast<std::uint32_t>(q != 0);
      }
    }
    return target;
  }

  // Places in the bytes of the frame.
  void add_bytes(GlbTarget& target, std::vector<char>& bytes) {
    if (!packs_) {
      target.values_offset = static_cast<std::uint32_t>(bytes.size());
      append_bytes(bytes, elements_.data(), elements_.size() * sizeof(std::int16_t));
      return;
    }
    encode_meshopt(elements_, stream_);
    target.packed = {bytes.size(), stream_.size()};
    stream_.resize(filled_up(stream_.size()));
    append_bytes(bytes, stream_.data(), stream_.size());
  }

  const GlbMesh& mesh_;
  const FrameSource& frames_;
  bool packs_;
  AlignedArray<float> row_;
  std::vector<int> places_;
  std::vector<std::int16_t> elements_;  // of the primitive in turn
  std::vector<std::uint8_t> stream_;
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
    Quantisers quantisers(
        [this] { return FrameQuantiser(mesh_, *spool_, file_->options().meshopt); });
    write_base(quantisers.local());
    for (std::size_t block = 0; block < positions_.blocks.size(); ++block) {
      write_block(block, quantisers);
    }
    spool_.reset();
    GlbMeshWriter::end();
  }

  double bound_m() const override { return mesh_.lattice.bound_m(); }

 private:
  using Quantisers = tbb::enumerable_thread_specific<FrameQuantiser>;

  void write_base(FrameQuantiser& quantiser) {
    base_ = quantiser.read(0);
    QuantisedFrame frame;
    quantiser.quantise(0, nullptr, frame);
    const GlbView view = append({{frame.bytes.data(), frame.bytes.size()}});
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
      mesh_.primitives[p].bounds = frame.targets[p].bounds;
      mesh_.primitives[p].packed = moved(frame.targets[p].packed, view.offset);
    }
    if (!file_->options().meshopt) positions_.base = view;
  }

  // Its frames at once, and then one after another into the file.
  void write_block(std::size_t block, Quantisers& quantisers) {
    const std::int64_t begin = static_cast<std::int64_t>(block) * kFramesPerBlock;
    const std::int64_t end = std::min(begin + kFramesPerBlock, mesh_.header.frames.frame_count);
    const std::int64_t first = std::max<std::int64_t>(begin, 1);  // frame 0 is no target
    std::vector<QuantisedFrame> frames(
        static_cast<std::size_t>(std::max<std::int64_t>(end - first, 0)));
    tbb::parallel_for(std::size_t{0}, frames.size(), [&](std::size_t f) {
      quantisers.local().quantise(first + static_cast<std::int64_t>(f), &base_, frames[f]);
    });
    GlbView all{file_->next(), 0};
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const GlbView view = append({{frames[f].bytes.data(), frames[f].bytes.size()}});
      for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
        GlbTarget& target = frames[f].targets[p];
        target.packed = moved(target.packed, view.offset);
        if (target.kind != GlbTarget::Kind::kStill && target.packed.bytes == 0) {
          target.values_offset += static_cast<std::uint32_t>(all.bytes);
        }
        const std::size_t at = static_cast<std::size_t>(first - 1) + f;
        positions_.targets[at * mesh_.primitives.size() + p] = target;
      }
      all.bytes += view.bytes;
    }
    if (!file_->options().meshopt) positions_.blocks[block].dense = all;
  }

  // A stream, once it is known where its frame's bytes lie.
  static GlbView moved(const GlbView& view, std::uint64_t offset) {
    return view.bytes == 0 ? view : GlbView{view.offset + offset, view.bytes};
  }

  std::unique_ptr<Spool> spool_;
  std::vector<int> base_;  // frame 0's places: [vertex][axis]
};

}  // namespace

std::unique_ptr<CacheWriter> make_quantised_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index) {
  return std::make_unique<QuantisedGlbWriter>(std::move(file), index);
}

}  // namespace skinbake
