// A preload library that lets one call of a program fail, to test how the program ends.
//
//     SKINBAKE_FAULT=malloc  the function; one of kFunctions
//     SKINBAKE_FAULT_AT=12   its 12th call after main() has begun fails, once; 0: no call fails;
//                            all: every call fails
//     SKINBAKE_FAULT_SIGNAL=15  the call does not fail: its thread receives the signal, and waits
//                            for a moment in which another thread may end the process
//     SKINBAKE_FAULT_COUNTS  a file that receives lines when the program ends: "function calls",
//     and
//                            "site call", the first call of malloc from each place in the code
//
// Calls before main() do not count: the run-time library makes them, and could not report a
// failure. Calls that the C library makes to itself, such as the open() in fopen(), are not seen.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The C library's allocator under its internal names: finding the next malloc() by dlsym() would
// allocate.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

struct Function {
  const char* name;
  int error;  // errno of the failure
};

// aligned_alloc and posix_memalign count as malloc; pwrite as write; openat as open. Only those
// calls of close count that close a file open for writing; the failing one closes it too.
constexpr std::array kFunctions{Function{"malloc", ENOMEM},    Function{"open", EMFILE},
                                Function{"read", EIO},         Function{"write", ENOSPC},
                                Function{"fallocate", ENOSPC}, Function{"ftruncate", EIO},
                                Function{"fsync", EIO},        Function{"link", EPERM},
                                Function{"rename", EACCES},    Function{"pthread_create", EAGAIN},
                                Function{"close", EDQUOT},     Function{"unlink", EIO},
                                Function{"flock", ENOLCK}};
enum Index : std::size_t {
  kMalloc,
  kOpen,
  kRead,
  kWrite,
  kFallocate,
  kFtruncate,
  kFsync,
  kLink,
  kRename,
  kThread,
  kClose,
  kUnlink,
  kFlock
};

std::array<std::atomic<long>, kFunctions.size()> calls{};
std::atomic<bool> in_main{false};

// The places in the code that call malloc, and the first call from each: a library that does not
// check its result does so in few places.
struct Site {
  std::atomic<void*> place;
  long first_call;
};
std::array<Site, 4096> sites{};  // a hash table with linear probing; places beyond it are left out

std::size_t failing = kFunctions.size();
constexpr long kEveryCall = -1;
long failing_call = 0;
int failing_signal = 0;  // 0: the call fails

void remember(void* place, long call) {
  const std::size_t start = reinterpret_cast<std::size_t>(place);
  for (std::size_t probe = 0; probe < sites.size(); ++probe) {
    Site& site = sites[(start + probe) % sites.size()];
    void* known = nullptr;
    if (site.place.compare_exchange_strong(known, place)) site.first_call = call;
    if (known == nullptr || known == place) return;
  }
}

// Counts the call, which malloc's family makes for a place in the code. Returns whether it must
// fail; errno is then set.
bool fails(Index function, void* place = nullptr) {
  if (!in_main.load(std::memory_order_relaxed)) return false;
  const long call = ++calls[function];
  if (place != nullptr) remember(place, call);
  if (function != failing || (failing_call != call && failing_call != kEveryCall)) return false;
  if (failing_signal != 0) {
    raise(failing_signal);
    usleep(100'000);
    return false;
  }
  errno = kFunctions[function].error;
  return true;
}

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

int (*program_main)(int, char**, char**) = nullptr;

int main_with_faults(int argc, char** argv, char** environment) {
  if (const char* name = std::getenv("SKINBAKE_FAULT")) {
    for (std::size_t i = 0; i < kFunctions.size(); ++i) {
      if (std::strcmp(name, kFunctions[i].name) == 0) failing = i;
    }
  }
  if (const char* at = std::getenv("SKINBAKE_FAULT_AT")) {
    failing_call = std::strcmp(at, "all") == 0 ? kEveryCall : std::atol(at);
  }
  if (const char* signal = std::getenv("SKINBAKE_FAULT_SIGNAL")) failing_signal = std::atoi(signal);
  in_main = true;
  const int code = program_main(argc, argv, environment);
  in_main = false;
  return code;
}

__attribute__((destructor)) void write_counts() {
  in_main = false;
  const char* const path = std::getenv("SKINBAKE_FAULT_COUNTS");
  if (path == nullptr) return;
  const int file = static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  for (std::size_t i = 0; i < kFunctions.size(); ++i)
    dprintf(file, "%s %ld\n", kFunctions[i].name, calls[i].load());
  for (const Site& site : sites) {
    if (site.place != nullptr) dprintf(file, "site %ld\n", site.first_call);
  }
  syscall(SYS_close, file);
}

// `arguments`: the mode, if the flags create a file.
int open_at(int folder, const char* path, int flags, va_list arguments) {
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = creates ? va_arg(arguments, mode_t) : 0;
  if (fails(kOpen)) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  return next<decltype(__libc_start_main)>("__libc_start_main")(main_with_faults, argc, argv, init,
                                                                fini, rtld_fini, stack_end);
}

void* malloc(std::size_t size) {
  return fails(kMalloc, __builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return fails(kMalloc, __builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  return fails(kMalloc, __builtin_return_address(0)) ? nullptr : __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(kMalloc, __builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = fails(kMalloc, __builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int file = open_at(AT_FDCWD, path, flags, arguments);
  va_end(arguments);
  return file;
}
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int file = open_at(folder, path, flags, arguments);
  va_end(arguments);
  return file;
}

ssize_t read(int file, void* to, std::size_t size) {
  return fails(kRead) ? -1 : syscall(SYS_read, file, to, size);
}
ssize_t pread(int file, void* to, std::size_t size, off_t offset) {
  return fails(kRead) ? -1 : syscall(SYS_pread64, file, to, size, offset);
}
ssize_t write(int file, const void* from, std::size_t size) {
  return fails(kWrite) ? -1 : syscall(SYS_write, file, from, size);
}
ssize_t pwrite(int file, const void* from, std::size_t size, off_t offset) {
  return fails(kWrite) ? -1 : syscall(SYS_pwrite64, file, from, size, offset);
}
int fallocate(int file, int mode, off_t offset, off_t size) {
  return fails(kFallocate) ? -1
                           : static_cast<int>(syscall(SYS_fallocate, file, mode, offset, size));
}
int ftruncate(int file, off_t size) noexcept {
  return fails(kFtruncate) ? -1 : static_cast<int>(syscall(SYS_ftruncate, file, size));
}
int fsync(int file) {
  return fails(kFsync) ? -1 : static_cast<int>(syscall(SYS_fsync, file));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return fails(kLink)
             ? -1
             : static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int rename(const char* from, const char* to) noexcept {
  return fails(kRename) ? -1
                        : static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int unlink(const char* path) noexcept {
  return fails(kUnlink) ? -1 : static_cast<int>(syscall(SYS_unlink, path));
}
int flock(int file, int operation) noexcept {
  return fails(kFlock) ? -1 : static_cast<int>(syscall(SYS_flock, file, operation));
}
int close(int file) {
  const int flags = in_main ? fcntl(file, F_GETFL) : -1;
  const bool is_written = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
  const bool has_failed = is_written && fails(kClose);
  const int result = static_cast<int>(syscall(SYS_close, file));
  if (!has_failed) return result;
  errno = kFunctions[kClose].error;
  return -1;
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) noexcept {
  if (fails(kThread)) return EAGAIN;
  static const auto create = next<decltype(pthread_create)>("pthread_create");
  return create(thread, attributes, work, argument);
}

// The same functions under the names of 64-bit offsets.
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));
ssize_t pread64(int file, void* to, std::size_t size, off64_t offset)
    __attribute__((alias("pread")));
ssize_t pwrite64(int file, const void* from, std::size_t size, off64_t offset)
    __attribute__((alias("pwrite")));
int fallocate64(int file, int mode, off64_t offset, off64_t size)
    __attribute__((alias("fallocate")));
int ftruncate64(int file, off64_t size) noexcept __attribute__((alias("ftruncate")));

}  // extern "C"
