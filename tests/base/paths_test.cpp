#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/output_file.h"
#include "skinbake/error.h"
#include "support/bytes.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

bool are_one_file(const std::string& a, const std::string& b) {
  const std::vector<std::string> keys = file_keys(a), others = file_keys(b);
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    return std::find(others.begin(), others.end(), key) != others.end();
  });
}

}  // namespace

TEST_CASE("same file: spellings and links of one file have a key in common") {
  const test::TemporaryFolder folder;
  const std::string file = folder / "a";
  test::write_file(file, "content");
  test::write_file(folder / "b", "content");
  std::filesystem::create_hard_link(file, folder / "hard");
  std::filesystem::create_symlink("a", folder / "soft");
  std::filesystem::create_symlink(".", folder / "here");
  CHECK(are_one_file(file, file));
  CHECK(are_one_file(file, folder / "./a"));
  CHECK(are_one_file(file, folder / "here/a"));
  CHECK(are_one_file(file, folder / "soft"));
  CHECK(are_one_file(file, folder / "hard"));
  CHECK_FALSE(are_one_file(file, folder / "b"));
  CHECK_FALSE(are_one_file(file, folder / "c"));
}

TEST_CASE("same file: a link to a file that does not exist yet leads to that file") {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("later", folder / "soft");
  std::filesystem::create_symlink(".", folder / "here");
  CHECK(are_one_file(folder / "later", folder / "soft"));
  CHECK(are_one_file(folder / "later", folder / "here/later"));
  CHECK_FALSE(are_one_file(folder / "other", folder / "soft"));
}

// A mount needs rights that a test does not have. Below each mount of a folder, its number is the
// same.
TEST_CASE("same file: a file that does not exist is known by its folder's number and its name") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  struct stat status {};
  REQUIRE(::stat((folder / "sub").c_str(), &status) == 0);
  const std::string key =
      std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + "/later";
  const std::vector<std::string> keys = file_keys(folder / "sub/later");
  CHECK(std::find(keys.begin(), keys.end(), key) != keys.end());
}

TEST_CASE("same file: the error of an output that is an input names the input and its role") {
  const test::TemporaryFolder folder;
  test::write_file(folder / "a.bin", "content");
  std::filesystem::create_symlink("a.bin", folder / "out");
  const auto inputs =
      named_inputs({folder / "a.bin", folder / "b.bin"}, {{"buffer", "a.bin", 7, ""}});
  CHECK_NOTHROW(require_no_input({folder / "c.bin"}, inputs));
  CHECK_THROWS_WITH_AS(
      require_no_input({folder / "c.bin", folder / "out"}, inputs),
      ("output '" + (folder / "out") + "' would replace an input file, the buffer '" +
       (folder / "a.bin") + "'; choose another name")
          .c_str(),
      Error);
  CHECK_THROWS_WITH_AS(require_no_input({folder / "b.bin"}, inputs),
                       doctest::Contains("an input file, '"), Error);
}

}  // namespace skinbake
