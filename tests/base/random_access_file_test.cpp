#include "base/random_access_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::TemporaryFolder;

// Returns the error of a file that cannot be read.
std::string refusal_of(const std::string& path) {
  try {
    const RandomAccessFile file(path);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "FILE_UNREADABLE");
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("random access file: reads any bytes in any order, even after a move") {
  const TemporaryFolder folder;
  test::write_file(folder / "a", "0123456789");
  RandomAccessFile opened(folder / "a");
  const RandomAccessFile file = std::move(opened);
  CHECK(file.size() == 10);
  CHECK(file.path() == folder / "a");
  char part[4] = {};
  file.read_at(part, 3, 7);
  CHECK(std::string(part) == "789");
  file.read_at(part, 3, 0);
  CHECK(std::string(part) == "012");
}

TEST_CASE("random access file: its hash is the hash of its bytes, even for large files") {
  const TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, (std::size_t{1} << 20) + 3}) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 31);
    test::write_file(folder / "a", text);
    Xxh128 hash;
    hash.update(text.data(), text.size());
    CHECK(RandomAccessFile(folder / "a").xxh128() == hash.hex());
  }
}

TEST_CASE("random access file: a file that has become shorter is an error, not a signal") {
  const TemporaryFolder folder;
  test::write_file(folder / "a", "0123456789");
  const RandomAccessFile file(folder / "a");
  test::write_file(folder / "a", "01234");
  char part[8];
  CHECK_THROWS_AS(file.read_at(part, 8, 0), Error);
  CHECK_THROWS_AS(file.xxh128(), Error);
}

TEST_CASE("random access file: missing and special files are refused with the cause") {
  const TemporaryFolder folder;
  CHECK(refusal_of(folder / "none").find("does not exist; check the path and its permissions") !=
        std::string::npos);
  CHECK(refusal_of(folder.path().string()).find("is not a regular file") != std::string::npos);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(refusal_of(folder / "pipe").find("is not a regular file") != std::string::npos);
}

TEST_CASE("random access file: files beyond half of the descriptors are read alike") {
  const TemporaryFolder folder;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{1, before.rlim_max};
  test::write_file(folder / "a", "0123456789");
  ::setrlimit(RLIMIT_NOFILE, &none);  // half of 1 is 0: none may be held
  DescriptorPermission permission = DescriptorPermission::request();
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK(!permission);

  std::vector<RandomAccessFile> files;
  const rlimit few{64, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  for (int i = 0; i < 100; ++i) files.emplace_back(folder / "a");
  ::setrlimit(RLIMIT_NOFILE, &before);
  for (const RandomAccessFile& file : files) {
    char part[4] = {};
    file.read_at(part, 3, 7);
    CHECK(std::string(part) == "789");
  }
  test::write_file(folder / "b", "abcdefghij");
  std::filesystem::rename(folder / "b", folder / "a");
  char byte = 0;
  files.front().read_at(&byte, 1, 0);
  CHECK(byte == '0');  // the descriptor is held
  CHECK_THROWS_WITH_AS(files.back().read_at(&byte, 1, 0), doctest::Contains("was replaced"), Error);
}

}  // namespace skinbake
