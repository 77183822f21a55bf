#include "caches/row_writer.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

#include "base/aligned_array.h"
#include "base/hash.h"
#include "caches/axes.h"
#include "caches/sidecar.h"
#include "frames/transpose.h"
#include "skinbake/error.h"
#include "skinbake/output_file.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little, "rows are turned to other orders only");

// The rows of one block, as they stand in the file, and the largest number among them.
struct Rows : BlockState {
  explicit Rows(std::size_t size) : numbers(size) {}
  AlignedArray<float> numbers;
  std::atomic<float> largest{0};  // magnitude; infinite if any is not finite; only with a scale
};

void raise(std::atomic<float>& largest, float value) {
  float seen = largest.load(std::memory_order_relaxed);
  while (value > seen && !largest.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

// What the rows take, as a file may have: 2^63 - 1 bytes. A mesh of 2^32 vertices overflows that.
std::uint64_t checked_bytes(const RowLayout& layout, const CacheHeader& header,
                            const std::string& path) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto vertices = static_cast<std::uint64_t>(header.vertex_count());
  const auto frames = static_cast<std::uint64_t>(header.frames.frame_count);
  const std::uint64_t row_bytes = vertices * 3 * sizeof(float);
  if (row_bytes != 0 && frames > (kMost - layout.head_bytes) / row_bytes) {
    throw Error(ErrorKind::kUsage, "CACHE_TOO_LARGE",
                std::to_string(vertices) + " vertices and " + std::to_string(frames) +
                    " frames; no file can hold so many bytes",
                {path, ""});
  }
  return layout.head_bytes + frames * row_bytes;
}

class RowWriter final : public CacheWriter {
 public:
  RowWriter(const std::string& path, const CacheHeader& header, const RowLayout& layout)
      : format_(layout.format),
        order_(layout.order),
        axes_(header.axes),
        first_row_(layout.head_bytes),
        row_size_(static_cast<std::size_t>(header.vertex_count()) * 3),
        bytes_(checked_bytes(layout, header, path)),
        frames_(header.frames),
        file_(path) {
    file_.reserve(bytes_);
    sidecar_.emplace(path, header);
    std::uint64_t offset = 0;
    layout.put_head([&](const void* data, std::size_t size) {
      file_.write_at(data, size, offset);
      hash_.update(data, size);
      offset += size;
    });
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<Rows>(row_size_ * kFramesPerBlock);
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    Rows& rows = static_cast<Rows&>(state);
    const std::size_t first = std::size_t{tile.vertices.first} * 3;
    const std::size_t count = std::size_t{tile.vertices.count} * 3;
    transpose_to_rows(tile.positions, count, tile.frame_count, rows.numbers.data() + first,
                      row_size_);
    for (int frame = 0; frame < tile.frame_count; ++frame) {
      float* row = rows.numbers.data() + static_cast<std::size_t>(frame) * row_size_ + first;
      if (!axes_.are_ours()) raise(rows.largest, turn_to(axes_, row, count / 3));
      if (order_ == std::endian::big) swap_bytes(row, count);
    }
  }

  // The place of a frame in the file is known, so blocks are written in any order.
  void finish(const FrameBlock& block, BlockState& state) override {
    const Rows& rows = static_cast<const Rows&>(state);
    const std::uint64_t offset =
        first_row_ + static_cast<std::uint64_t>(block.first_frame) * row_size_ * sizeof(float);
    file_.write_at(rows.numbers.data(), bytes_of(block), offset);
  }

  // The hash reads the file from its beginning to its end.
  void merge(const FrameBlock& block, BlockState& state) override {
    Rows& rows = static_cast<Rows&>(state);
    const float largest = rows.largest.exchange(0);
    if (!std::isfinite(largest)) throw_too_large(block, rows);
    largest_ = std::max(largest_, largest);
    hash_.update(rows.numbers.data(), bytes_of(block));
  }

  void end() override {
    xxh128_ = hash_.hex();
    sidecar_->write({std::string(format_), bytes_, xxh128_});
  }

  void sync() override {
    file_.sync();
    sidecar_->sync();
  }

  void commit() override {
    file_.commit();
    sidecar_->commit();
  }

  const std::string& path() const override { return file_.path(); }
  std::string readable_path() const override { return file_.readable_path(); }
  std::uint64_t bytes() const override { return bytes_; }
  std::string xxh128() const override { return xxh128_; }

  // What is stored is what was computed, but for the rounding of what a scale makes of it: a part
  // of the largest number. What a tiny scale makes smaller than floats can tell is beyond it.
  double bound_m() const override {
    if (axes_.scale == 1) return 0;
    const double half_ulp = largest_ * 0x1p-24 * (1 + 0x1p-24);
    return std::sqrt(3.0) * half_ulp / axes_.scale;
  }

 private:
  std::size_t bytes_of(const FrameBlock& block) const {
    return static_cast<std::size_t>(block.frame_count) * row_size_ * sizeof(float);
  }

  // The first number that the scale has made infinite.
  [[noreturn]] void throw_too_large(const FrameBlock& block, Rows& rows) {
    float* number = rows.numbers.data();
    if (order_ == std::endian::big) swap_bytes(number, bytes_of(block) / sizeof(float));
    std::size_t i = 0;
    while (std::isfinite(number[i])) ++i;
    const std::int64_t frame = block.first_frame + static_cast<std::int64_t>(i / row_size_);
    throw Error(ErrorKind::kInput, "NON_FINITE_POSITION",
                "frame " + std::to_string(frames_.frame(frame)) + ", vertex " +
                    std::to_string(i % row_size_ / 3) +
                    ": the position is too large for a float with this scale; take a smaller "
                    "--scale",
                {path(), ""});
  }

  std::string_view format_;
  std::endian order_;
  CacheAxes axes_;
  std::uint64_t first_row_;  // where it begins
  std::size_t row_size_;     // numbers per frame
  std::uint64_t bytes_;
  FrameRange frames_;
  OutputFile file_;
  std::optional<Sidecar> sidecar_;  // opened once there is room for the cache
  Xxh128 hash_;
  std::string xxh128_;
  float largest_ = 0;
};

}  // namespace

std::int32_t checked_count(std::int64_t count, const char* what, std::string_view format,
                           const std::string& path) {
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::kUsage, "CACHE_TOO_LARGE",
                std::to_string(count) + " " + what + "; " + std::string(format) +
                    " holds 2147483647 at most",
                {path, ""});
  }
  return static_cast<std::int32_t>(count);
}

std::unique_ptr<CacheWriter> write_rows(const std::string& path, const CacheHeader& header,
                                        const RowLayout& layout) {
  return std::make_unique<RowWriter>(path, header, layout);
}

}  // namespace skinbake
