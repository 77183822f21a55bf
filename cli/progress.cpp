#include "progress.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cstdio>

namespace skinbake::cli {

namespace {

using namespace std::chrono_literals;

constexpr int kBarWidth = 24;

std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

Progress::Progress(std::int64_t total_frames, When when)
    : total_(total_frames),
      enabled_(when != When::kNever),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      interval_(is_terminal_ ? Clock::duration(100ms)
                             : Clock::duration(when == When::kAlways ? 1s : 10s)) {}

Progress::~Progress() {
  if (drawn_ && is_terminal_) std::fputs("\r\x1b[K", stderr);  // the table takes its place
}

std::string Progress::text(std::int64_t done, double elapsed_s) const {
  const double rate = elapsed_s > 0 ? static_cast<double>(done) / elapsed_s : 0;
  const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
  return fmt::format("{}  {}/{} frames  {:.0f} frames/s  {} left", what_, done, total_, rate,
                     clock_text(left));
}

bool Progress::is_due() {
  const auto now = Clock::now();
  if (!enabled_ || now - last_ < interval_) return false;
  last_ = now;
  return true;
}

void Progress::update(std::int64_t done) {
  if (!is_due()) return;
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  draw(text(done, elapsed.count()),
       total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 0);
}

void Progress::prepare(std::string_view method, double part) {
  if (is_due()) draw(fmt::format("{}  preparing {}  {:.0f} %", what_, method, part * 100), part);
}

// Standard error may be closed: fputs, unlike fmt::print, leaves it at that.
void Progress::draw(const std::string& line, double part) {
  drawn_ = true;
  if (!is_terminal_) {
    std::fputs(fmt::format("skinbake: {}\n", line).c_str(), stderr);
    return;
  }
  const auto filled = static_cast<std::size_t>(kBarWidth * part);
  const std::string bar = std::string(filled, '=') + std::string(kBarWidth - filled, ' ');
  std::fputs(fmt::format("\r\x1b[K[{}] {}", bar, line).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace skinbake::cli
