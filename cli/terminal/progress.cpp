#include "terminal/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "memory_limit.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

using namespace std::chrono_literals;

constexpr int kBarWidth = 24;

std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

// The first `most` characters of a UTF-8 text.
std::string first_characters(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && most-- == 0) break;
  }
  return text.substr(0, end);
}

}  // namespace

Progress::Progress(std::int64_t total, When when, std::string unit)
    : total_(total),
      unit_(std::move(unit)),
      task_(task_context()),
      enabled_(when != When::kNever),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      interval_(is_terminal_ ? Clock::duration(100ms)
                             : Clock::duration(when == When::kAlways ? 1s : 10s)) {}

Progress::~Progress() {
  if (drawn_ && is_terminal_) std::fputs("\r\x1b[K", stderr);  // clears the bar
}

void Progress::begin(const std::string& what) {
  what_ = what;
  note_work("working on", what);
}

std::string Progress::rates(std::int64_t done, double elapsed_s) const {
  const double rate = elapsed_s > 0 ? static_cast<double>(done) / elapsed_s : 0;
  const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
  if (!unit_.empty()) {
    return fmt::format("{}/{} {}  {} left", done, total_, unit_, clock_text(left));
  }
  return fmt::format("{}/{} frames  {:.0f} frames/s  {} left", done, total_, rate,
                     clock_text(left));
}

bool Progress::is_due() {
  const auto now = Clock::now();
  if (!enabled_ || task_ != nullptr || now - last_ < interval_) return false;
  last_ = now;
  return true;
}

void Progress::update(std::int64_t done) {
  if (task_ != nullptr) {
    task_->advance(done - shown_);
    shown_ = done;
    return;
  }
  if (!is_due()) return;
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  draw(rates(done, elapsed.count()),
       total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 0);
}

void Progress::prepare(std::string_view method, double part) {
  if (is_due()) draw(fmt::format("preparing {}  {:.0f} %", method, part * 100), part);
}

// Standard error may be closed: fputs then fails, whereas fmt::print would throw.
void Progress::draw(const std::string& state, double part) {
  drawn_ = true;
  if (!is_terminal_) {
    std::fputs(fmt::format("skinbake: {}  {}\n", what_, state).c_str(), stderr);
    return;
  }
  const auto filled = static_cast<std::size_t>(kBarWidth * part);
  const std::string bar = std::string(filled, '=') + std::string(kBarWidth - filled, ' ');
  // The bar must fit on one line: "\r" does not clear a wrapped line.
  const std::size_t others = bar.size() + state.size() + 6, columns = terminal_columns();
  const std::string what = first_characters(what_, columns > others ? columns - others : 0);
  std::fputs(fmt::format("\r\x1b[K[{}] {}  {}", bar, what, state).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace skinbake::cli
