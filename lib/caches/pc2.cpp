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
#include <cstring>
#include <limits>

#include "base/aligned_array.h"
#include "base/hash.h"
#include "caches/sidecar.h"
#include "frames/transpose.h"
#include "skinbake/error.h"
#include "skinbake/output_file.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little, "PC2 is written as it is in memory");

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
    }};

}  // namespace skinbake
