#include "caches/point_text.h"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

namespace skinbake {

namespace {

constexpr std::size_t kPointsPerRun = 2048;  // some 80 kB: stays in cache until it is written
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

struct Run {
  PointText said;
  std::span<const float> points;
  std::unique_ptr<char[]> buffer{new char[kPointsPerRun * kLongestPoint]};  // not initialised

  void write() {
    char* end = buffer.get();
    said.box = {};
    for (std::size_t i = 0; i < points.size(); i += 3) {
      if (i > 0) end = put(end, ", ");
      end = put_point(end, &points[i]);
      said.box.add(&points[i]);
    }
    said.text = {buffer.get(), static_cast<std::size_t>(end - buffer.get())};
  }
};

// Cuts rows into runs; each row has one at least.
class Runs {
 public:
  Runs(std::span<const float> rows, std::size_t points_per_row)
      : rows_(rows), points_per_row_(points_per_row) {}

  bool next(Run& run) {
    if (row_ == rows_.size() / (3 * points_per_row_)) return false;
    const std::size_t count = std::min(kPointsPerRun, points_per_row_ - point_);
    run.said.row = static_cast<std::int64_t>(row_);
    run.said.begins_row = point_ == 0;
    run.points = rows_.subspan(3 * (row_ * points_per_row_ + point_), 3 * count);
    point_ += count;
    run.said.ends_row = point_ == points_per_row_;
    if (run.said.ends_row) {
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
  Runs runs(rows, points_per_row);
  // Runs go round: there are as many as tokens, and tokens end in order.
  std::vector<Run> ring(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 1);
  std::size_t number = 0;
  const auto next = [&](tbb::flow_control& flow) -> Run* {
    Run& run = ring[number++ % ring.size()];
    if (runs.next(run)) return &run;
    flow.stop();
    return nullptr;
  };
  // Isolated: a thread that waits here must not begin with a block of frames meanwhile.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_pipeline(ring.size(),
                           tbb::make_filter<void, Run*>(tbb::filter_mode::serial_in_order, next) &
                               tbb::make_filter<Run*, Run*>(tbb::filter_mode::parallel,
                                                            [](Run* run) {
                                                              run->write();
                                                              return run;
                                                            }) &
                               tbb::make_filter<Run*, void>(tbb::filter_mode::serial_in_order,
                                                            [&](Run* run) { take(run->said); }));
  });
}

}  // namespace skinbake
