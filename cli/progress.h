// Progress on standard error: a bar on a terminal, a line now and then elsewhere.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

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
  // Before the first frame of what began last: what part a method has of its work for the mesh.
  void prepare(std::string_view method, double part);

 private:
  using Clock = std::chrono::steady_clock;
  std::string rates(std::int64_t done, double elapsed_s) const;
  bool is_due();  // long enough after the last line
  void draw(const std::string& state, double part);

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
