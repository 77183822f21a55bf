// Reads a cache back and compares it with frames that are computed once more: whatever lies between
// a position and its bytes on the disk is in the difference.

#include <cmath>
#include <limits>
#include <vector>

#include "base/aligned_array.h"
#include "frames/transpose.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

struct ComparedRows : BlockState {
  explicit ComparedRows(std::size_t row_size)
      : computed(row_size * kFramesPerBlock), stored(row_size) {}
  AlignedArray<float> computed;  // [frame][vertex][axis]
  AlignedArray<float> stored;    // one frame at a time
  CacheDifference worst;
};

// Where a stored position is, in metres and y up.
Vec3<double> position_of(const float* stored, const CacheAxes& axes) {
  const double s = axes.scale;
  if (axes.up == CacheAxes::Up::kY) return {stored[0] / s, stored[1] / s, stored[2] / s};
  return {stored[0] / s, stored[2] / s, -stored[1] / s};
}

// In metres; infinite if either is no number.
double distance(const float* computed, const Vec3<double>& stored) {
  const double dx = stored.x - computed[0], dy = stored.y - computed[1];
  const double dz = stored.z - computed[2];
  const double d = std::sqrt(dx * dx + dy * dy + dz * dz);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

[[noreturn]] void fail(const std::string& path, const std::string& cause) {
  throw Error(ErrorKind::kOutput, "VERIFICATION_FAILED",
              "cannot be read back: " + cause + "; write it elsewhere", {path, ""});
}

class Verifier final : public CacheVerifier {
 public:
  Verifier(const std::string& path, std::unique_ptr<CacheReader> reader, const CacheAxes& axes)
      : path_(path),
        reader_(std::move(reader)),
        axes_(axes),
        row_size_(static_cast<std::size_t>(reader_->vertex_count()) * 3) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<ComparedRows>(row_size_);
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        static_cast<ComparedRows&>(state).computed.data() + std::size_t{tile.vertices.first} * 3,
        row_size_);
  }

  void finish(const FrameBlock& block, BlockState& state) override {
    ComparedRows& rows = static_cast<ComparedRows&>(state);
    rows.worst = {};
    for (int f = 0; f < block.frame_count; ++f) {
      read(block.first_frame + f, rows.stored.data());
      const float* computed = rows.computed.data() + static_cast<std::size_t>(f) * row_size_;
      for (std::size_t n = 0; n < row_size_; n += 3) {
        const double d = distance(computed + n, position_of(rows.stored.data() + n, axes_));
        if (d <= rows.worst.max_m) continue;
        rows.worst = {d, block.first_frame + f, static_cast<VertexIndex>(n / 3)};
      }
    }
  }

  void merge(const FrameBlock&, BlockState& state) override {
    const CacheDifference& of_block = static_cast<ComparedRows&>(state).worst;
    if (of_block.max_m > worst_.max_m) worst_ = of_block;
  }

  CacheDifference result() const override { return worst_; }

 private:
  void read(std::int64_t frame, float* row) const {
    try {
      reader_->read(frame, 1, row);
    } catch (const Error& error) {
      fail(path_, error.what());
    }
  }

  std::string path_;  // to be
  std::unique_ptr<CacheReader> reader_;
  CacheAxes axes_;
  std::size_t row_size_;
  CacheDifference worst_;
};

}  // namespace

std::unique_ptr<CacheVerifier> verify_cache(const CacheWriter& writer, const CacheHeader& header) {
  const CacheFormat& format = cache_format_of(writer.path());
  if (format.read == nullptr) fail(writer.path(), "there is no reader for this format");
  std::unique_ptr<CacheReader> reader;
  try {
    reader = format.read(writer.readable_path(), header.rig != nullptr ? header.rig->id : "");
  } catch (const Error& error) {
    fail(writer.path(), error.what());
  }
  if (reader->vertex_count() != header.vertex_count() ||
      reader->frame_count() != header.frames.frame_count) {
    fail(writer.path(), "it has other counts of frames and vertices than were written");
  }
  return std::make_unique<Verifier>(writer.path(), std::move(reader), header.axes);
}

}  // namespace skinbake
