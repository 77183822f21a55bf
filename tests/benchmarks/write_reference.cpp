// write_reference SOURCE TARGET: maps SOURCE into memory, then times one thread that writes those
// bytes to TARGET, a fresh file, with write(). Prints the seconds. Nothing is synced.
//
// Mapped, not read: a second gigabyte of fresh memory would slow the system that is measured.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: write_reference SOURCE TARGET\n", stderr);
    return 2;
  }
  const int source = ::open(argv[1], O_RDONLY);
  struct stat status {};
  if (source < 0 || ::fstat(source, &status) != 0) {
    std::perror(argv[1]);
    return 1;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  const void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, source, 0);
  if (mapped == MAP_FAILED) {
    std::perror(argv[1]);
    return 1;
  }
  const char* bytes = static_cast<const char*>(mapped);
  ::unlink(argv[2]);

  const auto start = std::chrono::steady_clock::now();
  const int file = ::open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0666);
  std::size_t done = 0;
  while (file >= 0 && done < size) {
    const ssize_t written = ::write(file, bytes + done, size - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (file < 0 || ::close(file) != 0 || done < size) {
    std::perror(argv[2]);
    return 1;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", elapsed.count());
}
