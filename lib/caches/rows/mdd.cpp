// Motion Designer cache (.mdd), read by LightWave, Blender, Maya and others.
//
//   offset  type        field
//        0  int32       number of frames F
//        4  int32       number of points P
//        8  float32[F]  time of each frame, seconds, ascending
//   8 + 4F  float32[3]  positions, frame by frame, point by point
//
// Big-endian. Positions are in metres with y up, as in glTF, unless other axes are requested.
// Source: Blender's reader and exporter. Blender's exporter appends a frame that the header does
// not count; the reader ignores it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "caches/cache_file.h"
#include "caches/format_list.h"
#include "caches/rows/row_writer.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::uint64_t kCountBytes = 2 * sizeof(std::int32_t);
constexpr std::size_t kTimesPerPart = 4096;  // bounds the memory of a long clip

float seconds_of(const FrameRange& frames, std::int64_t k) {
  return static_cast<float>(frames.time_s(k));
}

// A player finds a frame by its time, so times must be distinct, and numbers.
void require_distinct_times(const FrameRange& frames, const std::string& path) {
  if (frames.fps <= 0) {
    throw Error("CACHE_TIMES_UNKNOWN",
                "MDD stores the time of each frame, but the frame rate of the source is unknown",
                {path, ""});
  }
  if (!std::isfinite(seconds_of(frames, frames.frame_count - 1))) {
    throw Error("CACHE_UNSUITABLE",
                "the time of frame " + std::to_string(frames.frame(frames.frame_count - 1)) +
                    " is too large for float32, which MDD stores",
                {path, ""});
  }
  for (std::int64_t k = 1; k < frames.frame_count; ++k) {
    if (seconds_of(frames, k) > seconds_of(frames, k - 1)) continue;
    throw Error("CACHE_TIMES_COLLIDE",
                "frames " + std::to_string(frames.frame(k - 1)) + " and " +
                    std::to_string(frames.frame(k)) +
                    " have the same time in float32, which MDD stores",
                {path, ""});
  }
}

void put_head(const FrameRange& frames, std::int32_t point_count, const PutBytes& put) {
  const auto count = static_cast<std::int32_t>(frames.frame_count);
  std::array<std::uint32_t, 2> counts{__builtin_bswap32(static_cast<std::uint32_t>(count)),
                                      __builtin_bswap32(static_cast<std::uint32_t>(point_count))};
  put(counts.data(), sizeof counts);
  std::array<float, kTimesPerPart> times{};
  for (std::int64_t first = 0; first < count; first += kTimesPerPart) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(kTimesPerPart, count - first));
    for (std::size_t i = 0; i < n; ++i) {
      times[i] = seconds_of(frames, first + static_cast<std::int64_t>(i));
    }
    swap_bytes(times.data(), n);
    put(times.data(), n * sizeof(float));
  }
}

std::unique_ptr<CacheWriter> open_mdd(const std::string& path, const CacheHeader& header) {
  const std::int32_t points = checked_count(header.vertex_count(), "points", "MDD", path);
  const std::int32_t frames = checked_count(header.frames.frame_count, "frames", "MDD", path);
  require_distinct_times(header.frames, path);
  return write_rows(
      path, header,
      {.format = "mdd",
       .order = std::endian::big,
       .head_bytes = kCountBytes + static_cast<std::uint64_t>(frames) * sizeof(float),
       .put_head = [&](const PutBytes& put) { put_head(header.frames, points, put); }});
}

class MddReader final : public CacheFile {
 public:
  explicit MddReader(const std::string& path) : CacheFile(path) {
    if (bytes() < kCountBytes) {
      fail("header", std::to_string(bytes()) + " bytes, less than the 8 of an MDD header");
    }
    std::array<std::uint32_t, 2> counts{};
    file().read_at(counts.data(), sizeof counts, 0);
    frame_count_ = static_cast<std::int32_t>(__builtin_bswap32(counts[0]));
    point_count_ = static_cast<std::int32_t>(__builtin_bswap32(counts[1]));
    check_counts();
    check_times();
    find_frame_range();
  }

  const CacheFormat& format() const override { return kMdd; }
  std::int64_t frame_count() const override { return frame_count_; }
  std::int64_t vertex_count() const override { return point_count_; }
  FrameRange frames() const override { return frames_; }
  bool has_times() const override { return has_times_; }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    const std::size_t row_size = static_cast<std::size_t>(point_count_) * 3;
    const std::size_t numbers = static_cast<std::size_t>(count) * row_size;
    file().read_at(
        rows, numbers * sizeof(float),
        first_row() + static_cast<std::uint64_t>(first_frame) * row_size * sizeof(float));
    swap_bytes(rows, numbers);
  }

 private:
  std::uint64_t first_row() const {
    return kCountBytes + static_cast<std::uint64_t>(frame_count_) * sizeof(float);
  }

  void check_counts() const {
    if (frame_count_ < 1 || point_count_ < 1) {
      fail("header", std::to_string(frame_count_) + " frames and " + std::to_string(point_count_) +
                         " points, not at least one of each");
    }
    const auto frames = static_cast<std::uint64_t>(frame_count_);
    const auto points = static_cast<std::uint64_t>(point_count_);
    if (is_size_of(bytes(), points, frames, first_row())) return;
    if (is_size_of(bytes(), points, frames + 1, first_row()))
      return;  // with Blender's surplus frame
    fail("size", std::to_string(bytes()) + " bytes, but " + std::to_string(points) + " points in " +
                     std::to_string(frames) +
                     " frames take 8 + 4 for each frame + 12 for each point in it");
  }

  std::vector<float> times(std::int64_t first, std::size_t count) const {
    std::vector<float> seconds(count);
    file().read_at(seconds.data(), count * sizeof(float),
                   kCountBytes + static_cast<std::uint64_t>(first) * sizeof(float));
    swap_bytes(seconds.data(), count);
    return seconds;
  }

  // Equal times are accepted: some exporters write zeros, and the frames are valid.
  void check_times() const {
    float before = -std::numeric_limits<float>::infinity();
    for (std::int64_t k = 0; k < frame_count_; k += kTimesPerPart) {
      const auto n =
          static_cast<std::size_t>(std::min<std::int64_t>(kTimesPerPart, frame_count_ - k));
      const std::vector<float> seconds = times(k, n);
      for (std::size_t i = 0; i < n; ++i) {
        if (!(std::isfinite(seconds[i]) && seconds[i] >= before)) {
          fail("time of frame " + std::to_string(k + static_cast<std::int64_t>(i)),
               std::to_string(seconds[i]) + " after " + std::to_string(before) + "; times ascend");
        }
        before = seconds[i];
      }
    }
  }

  // Finds a frame rate at which every time has a whole frame number, or every time but the last,
  // which is the end of a clip. If it does not exist, frames are numbered from 0 at 30 fps.
  void find_frame_range() {
    find_rate(frame_count_);
    if (has_times_ || frame_count_ < 3) return;
    const std::int64_t last = frame_count_ - 1;
    find_rate(last);
    if (!has_times_) return;
    frames_.frame_count = frame_count_;
    frames_.end_s = static_cast<double>(times(last, 1)[0]);
    const double after = frames_.end_s * frames_.fps - static_cast<double>(frames_.frame(last - 1));
    has_times_ = after > frame_tolerance(frames_.end_s, frames_.fps) && frames_.is_end(last);
    if (!has_times_) frames_ = {30, 0, 1, frame_count_};
  }

  // Finds the rate of the first `count` frames.
  void find_rate(std::int64_t count) {
    frames_ = {30, 0, 1, frame_count_};
    if (count < 2) return;
    const float first = times(0, 1)[0], last = times(count - 1, 1)[0];
    const double rate =
        static_cast<double>(count - 1) / (static_cast<double>(last) - static_cast<double>(first));
    constexpr double kMaxTime_s = 1e9;  // keeps frame numbers exact
    if (!(rate > 1e-3 && rate < 1e6 && std::abs(first) < kMaxTime_s)) return;
    constexpr double kTolerance = 1e-4;  // relative error from rounding times to float
    const double whole = std::round(rate);
    const double fps = std::abs(rate - whole) <= kTolerance * rate ? whole : rate;
    constexpr std::int64_t kMaxStep = 16;  // every 16th frame, at a frame rate 16 times as high
    for (std::int64_t step = 1; step <= kMaxStep && !has_times_; ++step) {
      FrameRange found{fps * static_cast<double>(step), 0, step, count};
      found.first_frame = std::llround(static_cast<double>(first) * found.fps);
      has_times_ = matches_times(found);
      if (has_times_) frames_ = found;
    }
  }

  bool matches_times(const FrameRange& frames) const {
    for (std::int64_t k = 0; k < frames.frame_count; k += kTimesPerPart) {
      const auto n =
          static_cast<std::size_t>(std::min<std::int64_t>(kTimesPerPart, frames.frame_count - k));
      const std::vector<float> seconds = times(k, n);
      for (std::size_t i = 0; i < n; ++i) {
        const double time_s = frames.time_s(k + static_cast<std::int64_t>(i));
        const double error_s = std::abs(static_cast<double>(seconds[i]) - time_s);
        if (!(error_s <= 1e-3 / frames.fps + 1e-6 * std::abs(time_s))) return false;
      }
    }
    return true;
  }

  std::int32_t frame_count_ = 0;
  std::int32_t point_count_ = 0;
  FrameRange frames_;
  bool has_times_ = false;
};

}  // namespace

const CacheFormat kMdd{.id = "mdd",
                       .extension = ".mdd",
                       .title = "Motion Designer cache",
                       .opened_by = "Blender, LightWave, Cinema 4D, Houdini",
                       .size = "12 bytes per vertex and frame",
                       .bound = "none: float32 positions as they were computed",
                       .open = open_mdd,
                       .read = open_reader<MddReader>,
                       .holds_times = true};

}  // namespace skinbake
