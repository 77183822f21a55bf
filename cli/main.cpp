// The command-line tool: prepares the process and runs the command line.

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "memory_limit.h"
#include "skinbake/error.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"

namespace skinbake::cli {

namespace {

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
// access to a page costs more than computing its content. Therefore the process has one heap for
// all threads, and requests huge pages for it, which the system may refuse. A sanitizer has its own
// heap, and would mark all of the 256 MiB in its tables.
void prepare_heap() {
#ifndef SKINBAKE_SANITIZED
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
#endif
}

// Allocates nothing. A run that fits into the memory needs another command line or a smaller input,
// so it has the exit code of a wrong input.
int end_without_memory() {
  const std::string_view text = out_of_memory_text();
  std::array<char, 640> line{};
  const int length = std::snprintf(line.data(), line.size(),
                                   "skinbake: error: %.*s [MEMORY_LIMIT] (option --max-memory)\n",
                                   static_cast<int>(text.size()), text.data());
  // A failure cannot be reported anywhere.
  [[maybe_unused]] const ssize_t n =
      ::write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
  return exit_code_of(ErrorKind::kInput);
}

// Libraries declare functions noexcept that allocate, such as CLI11's look-up of an option and the
// standard library's iterators of folders. Memory that runs out in one of them is no bug, and must
// not end with a core dump. Not every noexcept function leaves its exception to
// std::current_exception.
[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    ::_exit(end_without_memory());
  } catch (...) {
    std::abort();
  }
  if (memory_ran_out()) ::_exit(end_without_memory());
  std::abort();
}

int run(const std::vector<std::string>& words) {
  try {
    return run_command_line(words);
  } catch (const std::bad_alloc&) {
    return end_without_memory();
  }
}

}  // namespace
}  // namespace skinbake::cli

int main(int argc, char** argv) {
  using namespace skinbake::cli;
  std::set_terminate(on_terminate);
  occupy_standard_streams();
  prepare_heap();
  limit_memory(kUsualMemoryLimit);
  raise_file_limit();
  install_signal_handlers();
  return run({argv + std::min(argc, 1), argv + argc});
}
