#include "terminal/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace skinbake::cli {

namespace {

std::atomic<bool> interrupted{false};
volatile std::sig_atomic_t signal_number = SIGINT;
std::atomic<bool> run_has_begun{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

// Calls only functions that are safe in a signal handler.
[[noreturn]] void end_at_once(int number) {
  for (const std::string_view part :
       {std::string_view("skinbake: error: "), message_of_signal(number), std::string_view("\n")}) {
    // A failure cannot be reported anywhere.
    [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, part.data(), part.size());
  }
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
  // nohup starts a program with SIGHUP ignored, and the program must leave it so.
  struct sigaction hang_up {};
  if (sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, nullptr);
  }
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

std::string_view message_of_signal(int number) {
  switch (number) {
    case SIGTERM:
      return "terminated; nothing was written";
    case SIGHUP:
      return "hung up; nothing was written";
    default:
      return "interrupted; nothing was written";
  }
}

}  // namespace skinbake::cli
