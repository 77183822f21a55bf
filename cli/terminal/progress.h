// Progress on standard error: a bar on a terminal, otherwise a line at intervals.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/console.h"

namespace skinbake::cli {

struct TaskContext;

// A command that runs as a task of a batch reports its frames to the batch instead.
class Progress {
 public:
  // kAuto: a bar on a terminal, otherwise a line every ten seconds. kAlways: the same, but a line
  // every second. `unit`: the counted things; empty: frames.
  Progress(std::int64_t total, When when, std::string unit = {});
  ~Progress();

  void begin(const std::string& what);
  void update(std::int64_t done);  // of the whole run
  // Shows the part of a method's bind-time work that is done.
  void prepare(std::string_view method, double part);

 private:
  using Clock = std::chrono::steady_clock;
  std::string rates(std::int64_t done, double elapsed_s) const;
  bool is_due();  // whether the interval since the last line has passed
  void draw(const std::string& state, double part);

  std::int64_t total_;
  std::string unit_;
  TaskContext* task_;
  std::int64_t shown_ = 0;  // frames that the task has reported
  bool enabled_;
  bool is_terminal_;
  Clock::duration interval_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::string what_;
  bool drawn_ = false;
};

}  // namespace skinbake::cli
