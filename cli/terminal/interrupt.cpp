#include "terminal/interrupt.h"

#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <shared_mutex>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/output_file.h"

namespace skinbake::cli {

namespace {

std::atomic<bool> has_thread{false};  // end_after_signal() runs
std::atomic<int> commits_underway{0};
std::atomic<int> signal_number{0};  // of the last signal; 0: none
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "used in a signal handler");
sem_t received;
std::atomic<const char*> remaining{"nothing was written"};
std::atomic<const char*> remaining_after_commit{"the outputs are complete"};
std::shared_mutex commits;  // the thread that ends the process keeps it locked

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
    // The reader of a full pipe may never read again.
    pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&standard_error, 1, 0) != 1) break;
    // A failure cannot be reported anywhere.
    [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, part.data(), part.size());
  }
  ::_exit(128 + number);
}

extern "C" void on_signal(int number) {
  const int cause = errno;
  signal_number.store(number);
  if (has_thread.load()) {
    ::sem_post(&received);
  } else if (commits_underway.load() == 0) {
    end_process(number);
  }
  errno = cause;
}

// A handler may interrupt a thread in any function, and must not wait for it. A separate thread can
// wait until the other threads are between two names of files.
void end_after_signal() {
  while (::sem_wait(&received) != 0) continue;  // EINTR
  commits.lock();
  abandon_output_files();
  end_process(signal_number.load());
}

class CommitUnderway {
 public:
  CommitUnderway() { commits_underway.fetch_add(1); }
  ~CommitUnderway() { commits_underway.fetch_sub(1); }
  CommitUnderway(const CommitUnderway&) = delete;
};

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

void remove_outputs_on_signal(const char* what_remains, const char* what_remains_after_commit) {
  static std::atomic<bool> is_prepared{false};
  if (is_prepared.exchange(true)) return;
  remaining.store(what_remains);
  remaining_after_commit.store(what_remains_after_commit);
  ::sem_init(&received, 0, 0);
  try {
    std::thread(end_after_signal).detach();
    has_thread.store(true);
  } catch (const std::system_error&) {
    // The system grants no more threads. Signals go on to end the process at once, which leaves
    // temporary files behind only where the file system cannot create them without a name.
  }
}

void commit_uninterrupted(const std::function<void()>& commit) {
  {
    const CommitUnderway underway;
    const std::shared_lock lock(commits);
    commit();
    remaining.store(remaining_after_commit.load());
  }
  if (!has_thread.load() && signal_number.load() != 0) end_process(signal_number.load());
}

}  // namespace skinbake::cli
