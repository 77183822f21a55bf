// Progress on standard error: a bar on a terminal, a line now and then elsewhere.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "console.h"

namespace skinbake::cli {

class Progress {
 public:
  // kAuto: a bar on a terminal; else a line every ten seconds, so that short runs say nothing.
  // kAlways: a line every second where there is no terminal.
  Progress(std::int64_t total_frames, When when);
  ~Progress();

  void begin(const std::string& what) { what_ = what; }
  void update(std::int64_t frames_done);  // over everything, not only over what began last

 private:
  using Clock = std::chrono::steady_clock;
  std::string text(std::int64_t done, double elapsed_s) const;

  std::int64_t total_;
  bool enabled_;
  bool is_terminal_;
  Clock::duration interval_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::string what_;
  bool drawn_ = false;
};

}  // namespace skinbake::cli
