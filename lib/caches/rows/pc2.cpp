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
// Little-endian. Positions are in metres with y up, as in glTF, unless other axes are requested.
// Sources: the README of PointCache2 (footools.com), and Blender's reader.

#include <bit>
#include <cmath>
#include <cstring>

#include "caches/cache_file.h"
#include "caches/format_list.h"
#include "caches/rows/row_writer.h"

namespace skinbake {

namespace {

static_assert(std::endian::native == std::endian::little,
              "PC2 is little-endian, and is written as it is in memory");

struct Pc2Header {
  char magic[12] = {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};
  std::int32_t version = 1;
  std::int32_t point_count = 0;
  float start_frame = 0;
  float frames_per_sample = 1;
  std::int32_t sample_count = 0;
};
static_assert(sizeof(Pc2Header) == 32);

// Throws unless PC2 can store the number of the first frame and the step, as floats.
void require_exact(const FrameRange& frames, const std::string& path) {
  for (const std::int64_t number : {frames.first_frame, frames.frame_step}) {
    if (static_cast<double>(static_cast<float>(number)) == static_cast<double>(number)) continue;
    throw Error(
        "CACHE_UNSUITABLE",
        "float32, in which PC2 stores the first frame and the step, does not have the number " +
            std::to_string(number),
        {path, ""});
  }
}

std::unique_ptr<CacheWriter> open_pc2(const std::string& path, const CacheHeader& header) {
  require_whole_frames("PC2", path, {&header, 1});
  require_exact(header.frames, path);
  Pc2Header head;
  head.point_count = checked_count(header.vertex_count(), "points", "PC2", path);
  head.sample_count = checked_count(header.frames.frame_count, "frames", "PC2", path);
  head.start_frame = static_cast<float>(header.frames.first_frame);
  head.frames_per_sample = static_cast<float>(header.frames.frame_step);
  return write_rows(path, header,
                    {.format = "pc2",
                     .head_bytes = sizeof head,
                     .put_head = [&head](const PutBytes& put) { put(&head, sizeof head); }});
}

class Pc2Reader final : public CacheFile {
 public:
  explicit Pc2Reader(const std::string& path) : CacheFile(path) {
    if (bytes() < sizeof head_) {
      fail("header", std::to_string(bytes()) + " bytes, less than the 32 of a PC2 header");
    }
    file().read_at(&head_, sizeof head_, 0);
    check_header();
  }

  const CacheFormat& format() const override { return kPc2; }
  std::int64_t frame_count() const override { return head_.sample_count; }
  std::int64_t vertex_count() const override { return head_.point_count; }

  // The file states start and step as floats. Unless both are whole numbers and the step is
  // positive, frames are numbered from 0 with step 1.
  FrameRange frames() const override {
    constexpr float kExact = 1 << 24;
    const float start = head_.start_frame, step = head_.frames_per_sample;
    FrameRange range{30, 0, 1, frame_count()};
    const bool whole = std::abs(start) <= kExact && std::trunc(start) == start;
    if (!whole || !(step >= 1 && step <= kExact && std::trunc(step) == step)) return range;
    range.first_frame = static_cast<std::int64_t>(start);
    range.frame_step = static_cast<std::int64_t>(step);
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
      fail("header, bytes 0 to 11", "not POINTCACHE2");
    }
    if (head_.version != expected.version) {
      fail("header, version", std::to_string(head_.version) + " is not supported");
    }
    if (head_.point_count < 1 || head_.sample_count < 1) {
      fail("header", std::to_string(head_.point_count) + " points and " +
                         std::to_string(head_.sample_count) + " samples, not at least one of each");
    }
    if (!std::isfinite(head_.start_frame) || !std::isfinite(head_.frames_per_sample) ||
        head_.frames_per_sample <= 0) {
      fail("header", "start frame " + std::to_string(head_.start_frame) + ", " +
                         std::to_string(head_.frames_per_sample) +
                         " frames per sample, not finite with a positive step");
    }
    const auto points = static_cast<std::uint64_t>(head_.point_count);
    const auto samples = static_cast<std::uint64_t>(head_.sample_count);
    if (!is_size_of(bytes(), points, samples, sizeof head_)) {
      fail("size", std::to_string(bytes()) + " bytes, but " + std::to_string(points) +
                       " points in " + std::to_string(samples) +
                       " samples take 32 + 12 for each point and sample");
    }
  }

  Pc2Header head_;
};

}  // namespace

const CacheFormat kPc2{.id = "pc2",
                       .extension = ".pc2",
                       .title = "Point Cache 2",
                       .opened_by = "Blender, 3ds Max, Houdini",
                       .size = "12 bytes per vertex and frame",
                       .bound = "none: float32 positions as they were computed",
                       .open = open_pc2,
                       .read = open_reader<Pc2Reader>,
                       .holds_numbers = true};

}  // namespace skinbake
