#include "terminal/interrupt.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <thread>

#include "skinbake/tool/files/output_file.h"

namespace skinbake::cli {

namespace {

enum class State { kNoOutputs, kOutputs, kIgnoring, kEnding };
std::atomic<State> run_state{State::kNoOutputs};
std::atomic<int> signal_number{0};
static_assert(std::atomic<State>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "used in a signal handler");
sem_t received;
std::atomic<const char*> remaining{"nothing was written"};
std::shared_mutex commits;  // the thread that ends the process holds it for ever

std::string_view cause_of(int number) {
  switch (number) {
    case SIGTERM:
      return "terminated; ";
    case SIGHUP:
      return "hung up; ";
    case SIGINT:
      return "interrupted; ";
    case SIGXCPU:
      return "out of processor time; ";
    default:
      return "ended by a signal; ";
  }
}

// Calls only functions that are safe in a signal handler.
[[noreturn]] void end_process(int number) {
  const std::string_view clear_the_bar = ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";
  for (const std::string_view part :
       {clear_the_bar, std::string_view("skinbake: error: "), cause_of(number),
        std::string_view(remaining.load()), std::string_view("\n")}) {
    // A failure cannot be reported anywhere.
    [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, part.data(), part.size());
  }
  ::_exit(128 + number);
}

extern "C" void on_signal(int number) {
  const int cause = errno;
  if (run_state.load() == State::kNoOutputs) end_process(number);
  signal_number.store(number);
  ::sem_post(&received);
  errno = cause;
}

// A handler may interrupt a thread in any function, and must not wait for it. A thread of its own
// can wait until the other threads are between two names of files.
void end_after_signal() {
  while (::sem_wait(&received) != 0) continue;  // EINTR
  State expected = State::kOutputs;
  if (!run_state.compare_exchange_strong(expected, State::kEnding)) return;
  commits.lock();
  abandon_output_files();
  end_process(signal_number.load());
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends the process without removing anything
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  for (const int number : {SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2}) {
    // nohup starts a program with SIGHUP ignored, and the program must leave it so.
    struct sigaction inherited {};
    if (sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN) {
      sigaction(number, &action, nullptr);
    }
  }
  // With these ignored, write() fails if a file exceeds a limit or the reader of a pipe closes it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

void remove_outputs_on_signal(const char* what_remains) {
  static std::atomic<bool> is_prepared{false};
  if (is_prepared.exchange(true)) return;
  remaining.store(what_remains);
  ::sem_init(&received, 0, 0);
  try {
    std::thread(end_after_signal).detach();
    run_state.store(State::kOutputs);
  } catch (const std::system_error&) {
    // The system grants no more threads. Signals go on to end the process at once, which leaves
    // temporary files behind only where the file system cannot create them without a name.
  }
}

CommitGuard::CommitGuard() : lock_(commits) {}

void ignore_signals() {
  if (run_state.exchange(State::kIgnoring) != State::kEnding) return;
  run_state.store(State::kEnding);
  for (;;) ::pause();  // the other thread is ending the process
}

}  // namespace skinbake::cli
