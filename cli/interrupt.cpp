#include "interrupt.h"

#include <csignal>

namespace skinbake::cli {

namespace {

std::atomic<bool> interrupted{false};
volatile std::sig_atomic_t signal_number = SIGINT;
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

extern "C" void on_signal(int number) {
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
  // A file that grows beyond a limit, or a reader that goes away, is an error of write().
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>* interrupt_flag() {
  return &interrupted;
}

int interrupted_by() {
  return signal_number;
}

}  // namespace skinbake::cli
