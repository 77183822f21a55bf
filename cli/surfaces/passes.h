// The progress of a comparison of surfaces, which reads the frames of all clips several times.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "terminal/progress.h"

namespace skinbake::cli {

// Passes over frames that one bar shows: a bar for each pass would end before it is drawn.
class Passes {
 public:
  Passes(std::int64_t total_frames, When when) : progress_(total_frames, when) {}

  // Begins a pass over so many frames. `what` is shown beside the bar.
  void begin(const std::string& what, std::int64_t frames) {
    before_ += frames_;
    frames_ = frames;
    progress_.begin(what);
  }
  void update(std::int64_t frames_done) { progress_.update(before_ + frames_done); }
  void prepare(std::string_view method, double part) { progress_.prepare(method, part); }
  std::function<void(std::int64_t)> updates() {
    return [this](std::int64_t frames_done) { update(frames_done); };
  }

 private:
  Progress progress_;
  std::int64_t before_ = 0, frames_ = 0;  // of earlier passes, and of this one
};

}  // namespace skinbake::cli
