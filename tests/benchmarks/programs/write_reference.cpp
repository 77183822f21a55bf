// write_reference SOURCE TARGET: times one thread that writes the bytes of SOURCE to TARGET, a
// fresh file, with write(). Prints the seconds. Nothing is synced.
//
// The bytes are written from memory in pieces of 64 MB. Reading a piece into memory is not timed.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t kPiece = std::size_t{64} << 20;

bool read_all(int file, char* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(file, bytes + done, size - done);
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int file, const char* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t written = ::write(file, bytes + done, size - done);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
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
  std::vector<char> piece(std::min(kPiece, size));
  ::unlink(argv[2]);

  Clock::time_point start = Clock::now();
  const int target = ::open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0666);
  Clock::duration elapsed = Clock::now() - start;
  bool good = target >= 0;
  for (std::size_t done = 0; good && done < size; done += piece.size()) {
    const std::size_t count = std::min(piece.size(), size - done);
    good = read_all(source, piece.data(), count);
    start = Clock::now();
    good = good && write_all(target, piece.data(), count);
    elapsed += Clock::now() - start;
  }
  start = Clock::now();
  if (!good || ::close(target) != 0) {
    std::perror(argv[2]);
    return 1;
  }
  elapsed += Clock::now() - start;
  std::printf("%.6f\n", std::chrono::duration<double>(elapsed).count());
}
