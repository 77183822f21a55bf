#include "caches/rows/row_writer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

#include "base/aligned_array.h"
#include "base/bytes.h"
#include "base/output_file.h"
#include "caches/axes.h"
#include "caches/kernels/kernels.h"
#include "caches/sidecar.h"
#include "frames/transpose.h"
#include "math/half.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little,
              "bytes are swapped for big-endian formats only");

// The rows of one block as the file stores them, floats or halves.
struct RowState : BlockState {
  RowState(std::size_t size, bool half) : numbers(half ? 0 : size), halves(half ? size : 0) {}
  AlignedArray<float> numbers;
  AlignedArray<std::uint16_t> halves;
  // The largest magnitude of a converted number; infinite if one is not finite; 0 without a
  // conversion.
  std::atomic<float> largest{0};
};

void raise_to(std::atomic<float>& largest, float value) {
  float seen = largest.load(std::memory_order_relaxed);
  while (value > seen && !largest.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

std::size_t number_bytes(const RowLayout& layout) {
  return layout.half ? sizeof(std::uint16_t) : sizeof(float);
}

// The size of the file. Throws Error if it exceeds 2^63 - 1 bytes, the largest size of a file.
std::uint64_t checked_bytes(const RowLayout& layout, const CacheHeader& header,
                            const std::string& path) {
  constexpr auto kMaxBytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto vertices = static_cast<std::uint64_t>(header.vertex_count());
  const auto frames = static_cast<std::uint64_t>(header.frames.frame_count);
  const std::uint64_t row_bytes = vertices * 3 * number_bytes(layout);
  if (row_bytes != 0 && frames > (kMaxBytes - layout.head_bytes) / row_bytes) {
    throw Error("CACHE_TOO_LARGE",
                std::to_string(vertices) + " vertices and " + std::to_string(frames) +
                    " frames are more bytes than a file can have",
                {path, ""});
  }
  return layout.head_bytes + frames * row_bytes;
}

class RowWriter final : public CacheWriter {
 public:
  RowWriter(const std::string& path, const CacheHeader& header, const RowLayout& layout)
      : format_(layout.format),
        order_(layout.order),
        half_(layout.half),
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
    return std::make_unique<RowState>(row_size_ * kFramesPerBlock, half_);
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    RowState& rows = static_cast<RowState&>(state);
    const std::size_t first = std::size_t{tile.vertices.first} * 3;
    const std::size_t count = std::size_t{tile.vertices.count} * 3;
    // Floats that become halves pass through a buffer that fits into the processor's cache.
    alignas(64) std::array<float, kVerticesPerTile * 3 * kFramesPerBlock> buffer;
    float* to = half_ ? buffer.data() : rows.numbers.data() + first;
    const std::size_t stride = half_ ? count : row_size_;
    transpose_to_rows(tile.positions, count, tile.frame_count, to, stride);
    for (std::size_t frame = 0; frame < static_cast<std::size_t>(tile.frame_count); ++frame) {
      float* row = to + frame * stride;
      if (!axes_.are_rig_axes()) raise_to(rows.largest, to_cache_axes(axes_, row, count / 3));
      if (half_) {
        std::uint16_t* halves = rows.halves.data() + frame * row_size_ + first;
        raise_to(rows.largest, round_to_halves(row, count, halves));
      }
      if (order_ == std::endian::big) swap_bytes(row, count);
    }
  }

  // The offset of a frame is known, so blocks are written in any order.
  void finish(const FrameBlock& block, BlockState& state) override {
    const RowState& rows = static_cast<const RowState&>(state);
    const std::uint64_t offset =
        first_row_ + static_cast<std::uint64_t>(block.first_frame) * row_size_ * number_bytes();
    file_.write_at(bytes_in(rows), bytes_of(block), offset);
  }

  // The hash reads the file from its beginning to its end.
  void merge(const FrameBlock& block, BlockState& state) override {
    RowState& rows = static_cast<RowState&>(state);
    const float largest = rows.largest.exchange(0);
    if (!std::isfinite(largest)) throw_too_large(block, rows);
    largest_ = std::max(largest_, largest);
    hash_.update(bytes_in(rows), bytes_of(block));
  }

  void end() override {
    xxh128_ = hash_.hex();
    sidecar_->write({std::string(format_), bytes_, xxh128_});
  }

  std::vector<OutputFile*> files() override { return {&file_, &sidecar_->file()}; }

  const std::string& path() const override { return file_.path(); }
  std::string readable_path() const override { return file_.readable_path(); }
  std::uint64_t bytes() const override { return bytes_; }
  std::string xxh128() const override { return xxh128_; }

  // Errors arise only from rounding: of scaled numbers to float, and of numbers to half. Both are
  // relative to the largest number. If a scale makes numbers subnormal, the error may exceed this
  // bound, and does if the largest number keeps less than 7 bits as a half.
  double bound_m() const override {
    double error = 0;
    if (axes_.scale != 1) error += largest_ * 0x1p-24;
    if (half_) error += std::min(std::max(largest_ * 0x1p-11, 0x1p-25), largest_ * 0x1p-7);
    return std::sqrt(3.0) * error * (1 + 0x1p-20) / axes_.scale;
  }

 private:
  std::size_t number_bytes() const { return half_ ? sizeof(std::uint16_t) : sizeof(float); }
  std::size_t bytes_of(const FrameBlock& block) const {
    return static_cast<std::size_t>(block.frame_count) * row_size_ * number_bytes();
  }
  const void* bytes_in(const RowState& rows) const {
    return half_ ? static_cast<const void*>(rows.halves.data()) : rows.numbers.data();
  }

  // The first number that the scale or the rounding has made infinite. Precondition: one exists.
  std::size_t first_infinite(const FrameBlock& block, AlignedArray<float>& numbers) const {
    if (order_ == std::endian::big) swap_bytes(numbers.data(), bytes_of(block) / sizeof(float));
    std::size_t i = 0;
    while (std::isfinite(numbers[i])) ++i;
    return i;
  }
  static std::size_t first_infinite(const AlignedArray<std::uint16_t>& halves) {
    std::size_t i = 0;
    while ((halves[i] & kInfiniteHalf) != kInfiniteHalf) ++i;
    return i;
  }

  [[noreturn]] void throw_too_large(const FrameBlock& block, RowState& rows) {
    const std::size_t i = half_ ? first_infinite(rows.halves) : first_infinite(block, rows.numbers);
    const std::int64_t frame = block.first_frame + static_cast<std::int64_t>(i / row_size_);
    const std::string place = "frame " + std::to_string(frames_.frame(frame)) + ", vertex " +
                              std::to_string(i % row_size_ / 3);
    if (half_) {
      throw Error("HALF_OVERFLOW",
                  place + ": the position is too large for half precision, which ends at 65504",
                  {path(), ""});
    }
    throw Error(
        "NON_FINITE_POSITION",
        place + ": the position is too large for float32 with this scale; use a smaller scale",
        {path(), ""});
  }

  std::string_view format_;
  std::endian order_;
  bool half_;
  CacheAxes axes_;
  std::uint64_t first_row_;  // offset in the file
  std::size_t row_size_;     // numbers per frame
  std::uint64_t bytes_;
  FrameRange frames_;
  OutputFile file_;
  std::optional<Sidecar> sidecar_;  // opened once the disk space for the cache is allocated
  Xxh128 hash_;
  std::string xxh128_;
  float largest_ = 0;
};

}  // namespace

std::int32_t checked_count(std::int64_t count, const char* what, std::string_view format,
                           const std::string& path) {
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw Error("CACHE_TOO_LARGE",
                std::to_string(count) + " " + what + "; " + std::string(format) +
                    " holds at most 2147483647",
                {path, ""});
  }
  return static_cast<std::int32_t>(count);
}

std::unique_ptr<CacheWriter> write_rows(const std::string& path, const CacheHeader& header,
                                        const RowLayout& layout) {
  return std::make_unique<RowWriter>(path, header, layout);
}

}  // namespace skinbake
