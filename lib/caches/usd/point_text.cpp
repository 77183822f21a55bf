#include "caches/usd/point_text.h"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

namespace skinbake {

namespace {

constexpr std::size_t kPointsPerRun = 2048;  // about 80 kB of text, which stays in cache
constexpr std::size_t kLongestNumber = 15;   // "-1.2345678e-38"
constexpr std::size_t kLongestPoint = 3 * kLongestNumber + 8;  // "(, , ), "

char* put(char* to, std::string_view text) {
  return std::copy(text.begin(), text.end(), to);
}

char* put(char* to, float number) {
  return std::to_chars(to, to + kLongestNumber, number).ptr;
}

char* put_point(char* to, const float* p) {
  to = put(put(to, "("), p[0]);
  to = put(put(to, ", "), p[1]);
  to = put(put(to, ", "), p[2]);
  return put(to, ")");
}

struct PointRun {
  PointText result;
  std::span<const float> points;
  std::unique_ptr<char[]> buffer{new char[kPointsPerRun * kLongestPoint]};  // not initialised

  void write() {
    char* end = buffer.get();
    result.box = {};
    for (std::size_t i = 0; i < points.size(); i += 3) {
      if (i > 0) end = put(end, ", ");
      end = put_point(end, &points[i]);
      result.box.add(&points[i]);
    }
    result.text = {buffer.get(), static_cast<std::size_t>(end - buffer.get())};
  }
};

// Splits rows into runs. A run belongs to one row.
class PointRuns {
 public:
  PointRuns(std::span<const float> rows, std::size_t points_per_row)
      : rows_(rows), points_per_row_(points_per_row) {}

  bool next(PointRun& run) {
    if (row_ == rows_.size() / (3 * points_per_row_)) return false;
    const std::size_t count = std::min(kPointsPerRun, points_per_row_ - point_);
    run.result.row = static_cast<std::int64_t>(row_);
    run.result.begins_row = point_ == 0;
    run.points = rows_.subspan(3 * (row_ * points_per_row_ + point_), 3 * count);
    point_ += count;
    run.result.ends_row = point_ == points_per_row_;
    if (run.result.ends_row) {
      point_ = 0;
      ++row_;
    }
    return true;
  }

 private:
  std::span<const float> rows_;
  std::size_t points_per_row_, row_ = 0, point_ = 0;
};

}  // namespace

void append_numbers(std::string& text, std::span<const float> numbers) {
  char digits[kLongestNumber];
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    text.append(digits, put(digits, numbers[i]));
  }
}

void write_points(std::span<const float> rows, std::size_t points_per_row, const TakePoints& take) {
  if (points_per_row == 0) return;
  PointRuns runs(rows, points_per_row);
  // The ring has one run per token. Tokens end in order, so each run is free again when it is
  // reused.
  std::vector<PointRun> ring(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 1);
  std::size_t number = 0;
  const auto next = [&](tbb::flow_control& flow) -> PointRun* {
    PointRun& run = ring[number++ % ring.size()];
    if (runs.next(run)) return &run;
    flow.stop();
    return nullptr;
  };
  // isolate() prevents a thread that waits here from starting on another block of frames.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_pipeline(
        ring.size(),
        tbb::make_filter<void, PointRun*>(tbb::filter_mode::serial_in_order, next) &
            tbb::make_filter<PointRun*, PointRun*>(tbb::filter_mode::parallel,
                                                   [](PointRun* run) {
                                                     run->write();
                                                     return run;
                                                   }) &
            tbb::make_filter<PointRun*, void>(tbb::filter_mode::serial_in_order,
                                              [&](PointRun* run) { take(run->result); }));
  });
}

}  // namespace skinbake
