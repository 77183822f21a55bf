#include "caches/cache_file.h"

#include <doctest/doctest.h>

#include "base/random_access_file.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake {

TEST_CASE("file hash: hashing in parts equals hashing the whole, for any size of the last part") {
  const test::TemporaryFolder folder;
  for (const std::size_t size : {0, 1, 262143, 262144, 262145, 2000000}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i >> 5);
    test::write_file(folder / "a", bytes);
    CHECK(hash_of_file(folder / "a") == RandomAccessFile(folder / "a").xxh128());
  }
  CHECK_THROWS_AS(hash_of_file(folder / "none"), Error);
}

}  // namespace skinbake
