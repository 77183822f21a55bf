// `quantize=1`: frames wait in a spool until all are there; then the lattice is known, and they are
// written as differences of places on it. A difference of rounded places, not a rounded difference:
// added to frame 0 it gives the place that is nearest, so that two roundings cost no more than one.
// Normals, if they are kept, go the same way, on a lattice of their own.

#include "caches/glb_quantised.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "caches/cache_normals.h"
#include "caches/glb_quantiser.h"
#include "skinbake/error.h"
#include "skinbake/spool.h"

namespace skinbake {

namespace {

struct States : BlockState {
  std::unique_ptr<BlockState> positions, normals;  // the latter if they are kept
};

class QuantisedGlbWriter final : public GlbMeshWriter {
 public:
  QuantisedGlbWriter(std::shared_ptr<GlbFile> file, std::size_t index)
      : GlbMeshWriter(std::move(file), index),
        spool_(make_spool(mesh_.header.vertex_count(), mesh_.header.frames.frame_count)) {
    if (!mesh_.has_normals()) return;
    normals_.emplace(mesh_.header.vertex_count(), mesh_.header.frames.frame_count);
  }

  std::unique_ptr<BlockState> new_state() const override {
    auto states = std::make_unique<States>();
    states->positions = spool_->new_state();
    if (normals_) states->normals = normals_->new_state();
    return states;
  }
  void consume(const FrameBlock& tile, BlockState& state) override {
    spool_->consume(tile, *static_cast<States&>(state).positions);
  }
  void read_normals(const float* normals, BlockState& state) override {
    normals_->take(normals, *static_cast<States&>(state).normals);
  }
  void finish(const FrameBlock& block, BlockState& state) override {
    spool_->finish(block, *static_cast<States&>(state).positions);
    if (normals_) normals_->finish(block, *static_cast<States&>(state).normals);
  }
  void merge(const FrameBlock& block, BlockState& state) override {
    spool_->merge(block, *static_cast<States&>(state).positions);
  }

  void end() override {
    spool_->end();
    mesh_.lattice = fit_lattice(*spool_, file_->options().bits);
    if (!mesh_.lattice.holds_floats()) {
      throw Error(ErrorKind::kUsage, "CACHE_UNSUITABLE",
                  "the mesh is too large for quantize=1; leave it out", {path(), ""});
    }
    std::vector<GlbLatticed> attributes{{mesh_.streams[0], *spool_, mesh_.lattice, false, {}}};
    // Normals need no node to be put in place: their lattice is that of normalised shorts.
    if (normals_) attributes.push_back({mesh_.streams[1], *normals_, GlbLattice{}, true, {}});
    std::deque<Quantisers> quantisers;
    for (GlbLatticed& attribute : attributes) {
      write_base(attribute, quantisers.emplace_back([this, &attribute] {
        return FrameQuantiser(mesh_, attribute, file_->options().meshopt);
      }));
    }
    for (std::size_t block = 0; block < mesh_.streams[0].blocks.size(); ++block) {
      for (std::size_t a = 0; a < attributes.size(); ++a) {
        write_block(attributes[a], block, quantisers[a]);
      }
    }
    spool_.reset();
    normals_.reset();
    GlbMeshWriter::end();
  }

  double bound_m() const override { return mesh_.lattice.bound_m(); }

  // A component is rounded to the lattice, which starts at 1, and then to float.
  std::optional<double> normal_bound() const override {
    if (!mesh_.has_normals()) return std::nullopt;
    constexpr double kFloat = 0x1p-22;  // of places, too, which are sums
    return std::sqrt(3.0) * (GlbLattice{}.step() / 2 + kFloat);
  }

 private:
  using Quantisers = tbb::enumerable_thread_specific<FrameQuantiser>;

  void write_base(GlbLatticed& attribute, Quantisers& quantisers) {
    FrameQuantiser& quantiser = quantisers.local();
    attribute.base = quantiser.read(0);
    QuantisedFrame frame;
    quantiser.quantise(0, nullptr, frame);
    const GlbView view = append({{frame.bytes.data(), frame.bytes.size()}});
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
      if (&attribute.stream == mesh_.streams.data()) {
        mesh_.primitives[p].bounds = frame.targets[p].bounds;
      }
      attribute.stream.packed[p] = moved(frame.targets[p].packed, view.offset);
    }
    if (!file_->options().meshopt) attribute.stream.base = view;
  }

  // Its frames at once, and then one after another into the file.
  void write_block(GlbLatticed& attribute, std::size_t block, Quantisers& quantisers) {
    const std::int64_t begin = static_cast<std::int64_t>(block) * kFramesPerBlock;
    const std::int64_t end = std::min(begin + kFramesPerBlock, mesh_.header.frames.frame_count);
    const std::int64_t first = std::max<std::int64_t>(begin, 1);  // frame 0 is no target
    std::vector<QuantisedFrame> frames(
        static_cast<std::size_t>(std::max<std::int64_t>(end - first, 0)));
    tbb::parallel_for(std::size_t{0}, frames.size(), [&](std::size_t f) {
      quantisers.local().quantise(first + static_cast<std::int64_t>(f), &attribute.base, frames[f]);
    });
    GlbBlock views{{file_->next(), 0}, {}, {}, {}};
    for (QuantisedFrame& frame : frames) {
      const GlbView view = append({{frame.bytes.data(), frame.bytes.size()}});
      place(frame, view, views);
      views.dense.bytes += view.bytes;
      views.wide.bytes += frame.wide.size();
    }
    views.wide.offset = file_->next();
    for (std::size_t f = 0; f < frames.size(); ++f) {
      append({{frames[f].wide.data(), frames[f].wide.size()}});
      const std::size_t at = (static_cast<std::size_t>(first - 1) + f) * mesh_.primitives.size();
      std::copy(frames[f].targets.begin(), frames[f].targets.end(),
                attribute.stream.targets.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (file_->options().meshopt) views.dense = {};
    attribute.stream.blocks[block] = views;
  }

  // A frame's targets, once it is known where its bytes lie: in `view`, and behind those of the
  // block before it.
  static void place(QuantisedFrame& frame, const GlbView& view, const GlbBlock& before) {
    for (GlbTarget& target : frame.targets) {
      target.packed = moved(target.packed, view.offset);
      if (target.kind == GlbTarget::Kind::kWide) {
        target.values_offset += static_cast<std::uint32_t>(before.wide.bytes);
      } else if (target.kind == GlbTarget::Kind::kDense && target.packed.bytes == 0) {
        target.values_offset += static_cast<std::uint32_t>(before.dense.bytes);
      }
    }
  }

  // A stream, once it is known where its frame's bytes lie.
  static GlbView moved(const GlbView& view, std::uint64_t offset) {
    return view.bytes == 0 ? view : GlbView{view.offset + offset, view.bytes};
  }

  std::unique_ptr<Spool> spool_;
  std::optional<NormalSpool> normals_;  // if they are kept
};

}  // namespace

std::unique_ptr<CacheWriter> make_quantised_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index) {
  return std::make_unique<QuantisedGlbWriter>(std::move(file), index);
}

}  // namespace skinbake
