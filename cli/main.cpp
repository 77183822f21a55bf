// Builds the app, runs it, catches once.

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

int exit_code = 0;

namespace {

constexpr int kUsage = 2;
constexpr int kBug = 70;  // EX_SOFTWARE of sysexits.h

constexpr const char* kExamples =
    "Examples:\n"
    "  skinbake inspect hero.glb\n"
    "  skinbake bake hero.glb --clip run --method dqs -o run.pc2 --report run.json\n"
    "  skinbake compare hero.glb --clip run --methods lbs,dqs,cor\n"
    "  skinbake diff golden.pc2 run.pc2 --fail-max 1e-4\n"
    "  skinbake convert run.pc2 run.npy\n"
    "  skinbake list methods\n"
    "\n"
    "Exit codes: 0 done; 1 a threshold was exceeded or, with --strict, there was a warning; 2 the\n"
    "command line is wrong; 3 an input is missing, malformed or unsupported; 4 an output could not "
    "be\n"
    "written, or --verify found it beyond its format's bound; 5 not comparable; 70 a bug; 130, "
    "143\n"
    "interrupted or terminated.";

// Every mesh of a file has its cache open until all are complete; 1024 files are soon reached.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Should standard output or error be closed, an output file would get its number, and messages with
// it.
void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDONLY) != stream) return;  // writing to it fails, as it should
  }
}

std::string names_of(const std::vector<CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

// Loading and measuring allocate and free arrays of the mesh's size over and over, and touching a
// page for the first time costs more than computing what goes into it. So the process keeps what it
// frees, has one heap for all threads, and asks for huge pages under it, which the system may
// refuse.
void prepare_heap() {
  constexpr std::size_t kHeap = std::size_t{256} << 20;  // address space: nothing is touched yet
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

int parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::Success& help) {  // --help, --version
    const int code = app.exit(help);
    if (std::cout.flush()) return code;
    log_error("standard output: cannot write; give it a place that takes the text");
    return static_cast<int>(ErrorKind::kOutput);
  } catch (const CLI::ParseError& error) {
    const CLI::App* command = &app;
    for (const CLI::App* sub : app.get_subcommands()) command = sub;
    const std::vector<std::string> unknown = app.remaining();
    if (command == &app && !unknown.empty() && !unknown.front().starts_with('-')) {
      log_error("no command '" + unknown.front() +
                "'; there are: " + names_of(app.get_subcommands({})) + "; see skinbake --help");
      return kUsage;
    }
    const std::string name = command == &app ? "skinbake" : "skinbake " + command->get_name();
    log_error(std::string(error.what()) + "; see " + name + " --help");
    return kUsage;
  }
}

int run(int argc, char** argv) {
  configure_console(Verbosity::kNormal, When::kAuto);
  CLI::App app{"Bakes glTF animations into measured vertex caches.", "skinbake"};
  app.set_version_flag("--version", "skinbake " + std::string(version()));
  app.footer(kExamples);
  app.require_subcommand(1);
  setup_inspect(app);
  setup_bake(app);
  setup_compare(app);
  setup_diff(app);
  setup_report(app);
  setup_convert(app);
  setup_list(app);
  try {
    return parse(app, argc, argv);
  } catch (const Error& error) {
    log_error(std::string(error.what()) + " [" + error.code() + "]");
    return static_cast<int>(error.kind());
  } catch (const Cancelled&) {
    log_error(interrupted_by() == SIGTERM ? "terminated; nothing was written"
                                          : "interrupted; nothing was written");
    return 128 + interrupted_by();
  } catch (const std::bad_alloc&) {
    log_error(
        "out of memory: the system gives no more; bake with fewer threads (--threads), one mesh at "
        "a "
        "time (--mesh), or without a report");
    return kBug;
  } catch (const std::exception& error) {
    log_error(std::string(error.what()) + "; this is a bug in skinbake, please report it");
    return kBug;
  }
}

}  // namespace
}  // namespace skinbake::cli

int main(int argc, char** argv) {
  skinbake::cli::occupy_standard_streams();
  skinbake::cli::prepare_heap();
  skinbake::cli::raise_file_limit();
  skinbake::cli::install_signal_handlers();
  return skinbake::cli::run(argc, argv);
}
