#include "terminal/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace skinbake::cli {

namespace {

std::atomic<bool> interrupted{false};
volatile std::sig_atomic_t signal_number = SIGINT;
std::atomic<bool> run_has_begun{false};
constexpr std::string_view kInterrupted = "skinbake: error: interrupted; nothing was written\n";
constexpr std::string_view kTerminated = "skinbake: error: terminated; nothing was written\n";
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

// Calls only functions that are safe in a signal handler.
[[noreturn]] void end_at_once(int number) {
  const std::string_view message = number == SIGTERM ? kTerminated : kInterrupted;
  // A failure cannot be reported anywhere.
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(128 + number);
}

extern "C" void on_signal(int number) {
  if (!run_has_begun.load()) end_at_once(number);
  signal_number = number;
  interrupted.store(true);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends the process at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // With these ignored, write() fails if a file exceeds a limit or the reader of a pipe closes it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

void finish_before_ending() {
  run_has_begun.store(true);
}

const std::atomic<bool>* interrupt_flag() {
  return &interrupted;
}

int interrupted_by() {
  return signal_number;
}

}  // namespace skinbake::cli
