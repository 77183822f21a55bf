// The command-line tool: prepares the process, defines the commands, parses the command line, and
// turns exceptions into messages and exit codes.

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands.h"
#include "options/parse_messages.h"
#include "options/usage_error.h"
#include "skinbake/error.h"
#include "skinbake/report.h"
#include "skinbake/tool/targets.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"
#include "terminal/option_hints.h"

namespace skinbake::cli {

namespace {

constexpr int kBug = 70;  // EX_SOFTWARE of sysexits.h

constexpr const char* kExamples =
    "Examples:\n"
    "  skinbake inspect hero.glb\n"
    "  skinbake bake hero.glb --clip run --method dqs -o run.pc2 --report run.json\n"
    "  skinbake compare hero.glb --clip run --methods lbs,dqs,cor\n"
    "  skinbake diff golden.pc2 run.pc2 --fail-max 1e-4\n"
    "  skinbake convert run.pc2 run.npy\n"
    "  skinbake fit hero.glb --clip run --method dqs --max-error 0.001 -o hero_fit.glb\n"
    "  skinbake retarget run.glb hero.glb -o hero_run.glb\n"
    "  skinbake list methods\n"
    "\n"
    "Exit codes:\n"
    "  0    done, and every threshold was kept\n"
    "  1    done, but a threshold was exceeded, diff without a threshold found a difference,\n"
    "       --recommend found no method, fit exceeds its bound, or there was a warning with "
    "--strict\n"
    "  2    the command line is wrong\n"
    "  3    an input is missing, malformed or unsupported\n"
    "  4    an output or standard output could not be written, or --verify found a difference\n"
    "       beyond the format's bound\n"
    "  5    the inputs are not comparable\n"
    "  70   a bug in skinbake\n"
    "  129  hung up (SIGHUP)\n"
    "  130  interrupted (SIGINT)\n"
    "  143  terminated (SIGTERM)";

// The caches of all meshes and clips are unfinished at the same time. OutputFile holds as many of
// them open as the limit allows, usually 1024 files unless it is raised.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Opens /dev/null in place of a closed standard stream. Otherwise an output file would get the
// stream's number, and messages would be written into it.
void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDONLY) != stream) return;  // read-only: writing fails
  }
}

// Loading and measuring allocate and free arrays of the mesh's size many times, and the first
// access to a page costs more than computing its content. Therefore the process keeps freed memory,
// has one heap for all threads, and requests huge pages for it, which the system may refuse.
void prepare_heap() {
  constexpr std::size_t kHeap = std::size_t{256} << 20;  // address space only
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_ARENA_MAX, 1);
#ifdef MADV_HUGEPAGE
  void* const heap = std::malloc(kHeap);
  if (heap == nullptr) return;
  const auto first = reinterpret_cast<std::uintptr_t>(heap);
  const std::uintptr_t aligned = (first + kHugePage - 1) / kHugePage * kHugePage;
  madvise(reinterpret_cast<void*>(aligned), first + kHeap - aligned, MADV_HUGEPAGE);
  std::free(heap);
#endif
}

// The environment variable SKINBAKE_TARGET forces an instruction set, for troubleshooting.
void force_target_of_environment() {
  const char* const name = std::getenv("SKINBAKE_TARGET");
  if (name == nullptr || *name == '\0') return;
  try {
    force_target(name);
  } catch (const Error& error) {
    throw Error(error.kind(), error.code(), std::string("SKINBAKE_TARGET: ") + error.what());
  }
}

// The exit code of an error. The numbers are documented in cli/README.md.
int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kInput:
      return 3;
    case ErrorKind::kOutput:
      return 4;
    case ErrorKind::kNotComparable:
      return 5;
  }
  return kBug;
}

// The chosen command; the program if there is none.
const CLI::App& chosen(const CLI::App& app) {
  const CLI::App* command = &app;
  for (const CLI::App* sub : app.get_subcommands()) command = sub;
  return *command;
}

// Prints the message and refers to the help of the chosen command.
int refuse(const CLI::App& app, const std::string& message) {
  const CLI::App& command = chosen(app);
  const std::string name = &command == &app ? "skinbake" : "skinbake " + command.get_name();
  log_error(message + "; see " + name + " --help");
  return exit_code_of(ErrorKind::kUsage);
}

// Parses the command line, which runs the command.
int parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& help) {  // --help, --version
    std::ostringstream text;
    const int code = app.exit(help, text);
    print(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining();
    const bool has_command = !app.get_subcommands().empty();
    if (!has_command && !unknown.empty() && !unknown.front().starts_with('-')) {
      return refuse(app, no_command(app, unknown.front()));
    }
    return refuse(app, parse_message(chosen(app), app.remaining(true), error));
  } catch (const UsageError& error) {
    return refuse(app, error.what());
  }
}

// Defines the commands, and runs the one that the command line names. Returns the exit code.
int run_command(int argc, char** argv) {
  configure_console(Verbosity::kNormal, When::kAuto);
  CLI::App app{"Bakes glTF animations into measured vertex caches.", "skinbake"};
  app.set_version_flag("--version", "skinbake " + std::string(version()));
  app.footer(kExamples);
  app.require_subcommand(1);
  int exit_code = 0;
  setup_inspect(app, exit_code);
  setup_bake(app, exit_code);
  setup_compare(app, exit_code);
  setup_diff(app, exit_code);
  setup_report(app, exit_code);
  setup_convert(app, exit_code);
  setup_fit(app, exit_code);
  setup_retarget(app, exit_code);
  setup_list(app, exit_code);
  refuse_values_of_flags(app);
  app.parse_complete_callback([&app] {
    if (!app.got_subcommand("list")) force_target_of_environment();  // `list targets` shows all
  });
  const int refused = parse(app, argc, argv);
  if (refused != 0) return refused;
  require_printed();
  return exit_code;
}

// Allocates nothing: there is no memory. A run that fits into the memory needs another command
// line or a smaller input, so the exit code is that of an input.
int end_without_memory() {
  constexpr std::string_view kMessage =
      "skinbake: error: out of memory; bake with fewer threads (--threads), one mesh at a time "
      "(--mesh), or without a report\n";
  // A failure cannot be reported anywhere.
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  return exit_code_of(ErrorKind::kInput);
}

// Libraries declare functions noexcept that allocate, such as CLI11's look-up of an option. Memory
// that runs out in one of them is no bug, and must not end with a core dump.
[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    ::_exit(end_without_memory());
  } catch (...) {
    std::abort();
  }
  std::abort();
}

// oneTBB has no type of its own for this failure (rml_thread_monitor.h).
bool lacks_threads(const std::exception& error) {
  return std::string_view(error.what()).starts_with("pthread_create has failed");
}

// Runs the command, and turns every exception but std::bad_alloc into a message and an exit code.
int run_and_report(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Error& error) {
    log_error(with_hint(error.what(), error.code()));
    return exit_code_of(error.kind());
  } catch (const std::exception& error) {
    if (lacks_threads(error)) {
      log_error(
          "the system grants no more threads; raise its limit (ulimit -u), or use --threads 1");
      return exit_code_of(ErrorKind::kInput);
    }
    log_error(std::string(error.what()) + "; this is a bug in skinbake, please report it");
    return kBug;
  }
}

int run(int argc, char** argv) {
  try {
    return run_and_report(argc, argv);
  } catch (const std::bad_alloc&) {
    return end_without_memory();
  }
}

}  // namespace
}  // namespace skinbake::cli

int main(int argc, char** argv) {
  std::set_terminate(skinbake::cli::on_terminate);
  skinbake::cli::occupy_standard_streams();
  skinbake::cli::prepare_heap();
  skinbake::cli::raise_file_limit();
  skinbake::cli::install_signal_handlers();
  return skinbake::cli::run(argc, argv);
}
