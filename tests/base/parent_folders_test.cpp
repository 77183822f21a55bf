#include "base/parent_folders.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/output_file.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

bool exists(const std::string& path) {
  return std::filesystem::exists(path);
}

void write_output(const std::string& path, bool succeeds) {
  OutputFile file(path);
  file.write("x");
  if (succeeds) file.commit();
}

}  // namespace

TEST_CASE("parent folders: folders that were made and stay empty are removed") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "old");
  write_output(folder / "old/new/deep/a", false);
  CHECK(exists(folder / "old/new/deep"));
  remove_empty_folders();
  CHECK(exists(folder / "old"));
  CHECK_FALSE(exists(folder / "old/new"));
}

TEST_CASE("parent folders: a folder with a file stays") {
  const test::TemporaryFolder folder;
  write_output(folder / "out/a", true);
  write_output(folder / "out/deep/b", false);
  remove_empty_folders();
  CHECK(exists(folder / "out/a"));
  CHECK_FALSE(exists(folder / "out/deep"));
  remove_empty_folders();
  CHECK(exists(folder / "out/a"));
}

TEST_CASE("parent folders: an empty folder that was there before stays") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  write_output(folder / "out/a", false);
  remove_empty_folders();
  CHECK(exists(folder / "out"));
}

}  // namespace skinbake
