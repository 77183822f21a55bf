// write_reference SOURCE TARGET: reads SOURCE into memory, then times one thread that writes those
// bytes to TARGET, a fresh file, with write(). Prints the seconds. Nothing is synced.

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: write_reference SOURCE TARGET\n", stderr);
    return 2;
  }
  std::ifstream source(argv[1], std::ios::binary | std::ios::ate);
  std::vector<char> bytes(static_cast<std::size_t>(source.tellg()));
  source.seekg(0);
  source.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ::unlink(argv[2]);

  const auto start = std::chrono::steady_clock::now();
  const int file = ::open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0666);
  std::size_t done = 0;
  while (file >= 0 && done < bytes.size()) {
    const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (file < 0 || ::close(file) != 0 || done < bytes.size()) {
    std::perror(argv[2]);
    return 1;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", elapsed.count());
}
