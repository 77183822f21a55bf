// Point Cache 2 (.pc2), read by Blender, 3ds Max and others.
//
//   offset  type        field
//        0  char[12]    "POINTCACHE2\0"
//       12  int32       version, 1
//       16  int32       points per sample
//       20  float32     start frame: the number of the first frame
//       24  float32     frames per sample: the frame step
//       28  int32       number of samples
//       32  float32[3]  positions, sample by sample, point by point
//
// Little-endian. Positions are in metres, y up, as in glTF, in the space asked for. After the
// README of PointCache2 (footools.com) and Blender's reader.

#include "caches/pc2.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/aligned_array.h"
#include "base/hash.h"
#include "caches/cache_file.h"
#include "caches/sidecar.h"
#include "frames/transpose.h"
#include "skinbake/error.h"
#include "skinbake/output_file.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little,
              "PC2 is written and read as it is in memory");

struct Pc2Header {
  char magic[12] = {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};
  std::int32_t version = 1;
  std::int32_t point_count = 0;
  float start_frame = 0;
  float frames_per_sample = 1;
  std::int32_t sample_count = 0;
};
static_assert(sizeof(Pc2Header) == 32);

// The rows of one block: [frame][vertex][axis], as they stand in the file.
struct Rows : BlockState {
  explicit Rows(std::size_t size) : positions(size) {}
  AlignedArray<float> positions;
};

std::int32_t checked_count(std::int64_t count, const char* what, const std::string& path) {
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::kUsage, "CACHE_TOO_LARGE",
                std::to_string(count) + " " + what + "; PC2 holds 2147483647 at most", {path, ""});
  }
  return static_cast<std::int32_t>(count);
}

class Pc2Writer final : public CacheWriter {
 public:
  Pc2Writer(const std::string& path, const CacheHeader& header)
      : row_size_(std::size_t{header.rig->mesh->vertex_count()} * 3),
        frame_count_(header.frames.frame_count) {
    head_.point_count = checked_count(header.rig->mesh->vertex_count(), "points", path);
    head_.sample_count = checked_count(frame_count_, "frames", path);
    head_.start_frame = static_cast<float>(header.frames.first_frame);
    head_.frames_per_sample = static_cast<float>(header.frames.frame_step);
    file_.emplace(path);
    file_->reserve(bytes());
    sidecar_.emplace(path, header);
    file_->write_at(&head_, sizeof head_, 0);
    hash_.update(&head_, sizeof head_);
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<Rows>(row_size_ * kFramesPerBlock);
  }

  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
                      rows_of(state) + std::size_t{tile.vertices.first} * 3, row_size_);
  }

  // The place of a frame in the file is known, so blocks are written in any order.
  void finish(const FrameBlock& block, BlockState& state) override {
    const std::uint64_t offset =
        sizeof head_ + static_cast<std::uint64_t>(block.first_frame) * row_size_ * sizeof(float);
    file_->write_at(rows_of(state), bytes_of(block), offset);
  }

  // The hash reads the file from its beginning to its end.
  void merge(const FrameBlock& block, BlockState& state) override {
    hash_.update(rows_of(state), bytes_of(block));
  }

  void end() override {
    xxh128_ = hash_.hex();
    sidecar_->write({"pc2", bytes(), xxh128_});
  }

  void sync() override {
    file_->sync();
    sidecar_->sync();
  }

  void commit() override {
    file_->commit();
    sidecar_->commit();
  }

  const std::string& path() const override { return file_->path(); }
  std::uint64_t bytes() const override {
    return sizeof head_ + static_cast<std::uint64_t>(frame_count_) * row_size_ * sizeof(float);
  }
  std::string xxh128() const override { return xxh128_; }

 private:
  static float* rows_of(BlockState& state) { return static_cast<Rows&>(state).positions.data(); }
  std::size_t bytes_of(const FrameBlock& block) const {
    return static_cast<std::size_t>(block.frame_count) * row_size_ * sizeof(float);
  }

  std::size_t row_size_;  // numbers per frame
  std::int64_t frame_count_;
  Pc2Header head_;
  std::optional<OutputFile> file_;  // opened once the counts are known to fit
  std::optional<Sidecar> sidecar_;
  Xxh128 hash_;
  std::string xxh128_;
};

class Pc2Reader final : public CacheFile {
 public:
  explicit Pc2Reader(const std::string& path) : CacheFile(path) {
    if (bytes() < sizeof head_) {
      fail("header", std::to_string(bytes()) + " bytes, where PC2 has 32",
           "copy or export the cache again");
    }
    file().read_at(&head_, sizeof head_, 0);
    check_header();
  }

  std::string_view format() const override { return "pc2"; }
  std::int64_t frame_count() const override { return head_.sample_count; }
  std::int64_t vertex_count() const override { return head_.point_count; }

  // Start and rate are floats: only whole numbers are frame numbers.
  FrameRange frames() const override {
    constexpr float kExact = 1 << 24;
    const float start = head_.start_frame, rate = head_.frames_per_sample;
    FrameRange range{30, 0, 1, frame_count()};
    const bool whole = std::abs(start) <= kExact && std::trunc(start) == start;
    if (!whole || !(rate >= 1 && rate <= kExact && std::trunc(rate) == rate)) return range;
    range.first_frame = static_cast<std::int64_t>(start);
    range.frame_step = static_cast<std::int64_t>(rate);
    return range;
  }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    const std::uint64_t row_bytes = static_cast<std::uint64_t>(vertex_count()) * 3 * sizeof(float);
    file().read_at(rows, static_cast<std::size_t>(count) * row_bytes,
                   sizeof head_ + static_cast<std::uint64_t>(first_frame) * row_bytes);
  }

 private:
  void check_header() const {
    const Pc2Header expected;
    if (std::memcmp(head_.magic, expected.magic, sizeof head_.magic) != 0) {
      fail("header, bytes 0 to 11", "not POINTCACHE2",
           "is this a cache of another format? Its extension picks the reader");
    }
    if (head_.version != expected.version) {
      fail("header, version", std::to_string(head_.version) + " is not known",
           "export the cache as version 1");
    }
    if (head_.point_count < 1 || head_.sample_count < 1) {
      fail("header",
           std::to_string(head_.point_count) + " points and " + std::to_string(head_.sample_count) +
               " samples; there must be at least one of each",
           "export the cache again");
    }
    const auto points = static_cast<std::uint64_t>(head_.point_count);
    const auto samples = static_cast<std::uint64_t>(head_.sample_count);
    if (!is_size_of(bytes(), points, samples, sizeof head_)) {
      fail("size",
           std::to_string(bytes()) + " bytes, but " + std::to_string(points) + " points in " +
               std::to_string(samples) + " samples take 32 + 12 for each point and sample",
           "it was cut off or is another file: copy or export it again");
    }
  }

  Pc2Header head_;
};

}  // namespace

const CacheFormat kPc2{
    "pc2",
    ".pc2",
    "Point Cache 2",
    "Blender, 3ds Max, Houdini",
    "12 bytes per vertex and frame",
    "none: float32 positions as they were computed",
    [](const std::string& path, const CacheHeader& header) -> std::unique_ptr<CacheWriter> {
      return std::make_unique<Pc2Writer>(path, header);
    },
    [](const std::string& path) -> std::unique_ptr<CacheReader> {
      return std::make_unique<Pc2Reader>(path);
    }};

}  // namespace skinbake
