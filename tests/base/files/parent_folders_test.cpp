#include "base/files/parent_folders.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <future>
#include <thread>

#include "base/files/output_file.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::TemporaryFolder;

// A task on its own thread, which has opened its output and waits for its end.
class Task {
 public:
  explicit Task(const std::string& path) {
    thread_ = std::thread([this, path] {
      const ParentFolders folders(ParentFolders::Scope::kThread);
      OutputFile file(path);
      file.write("x");
      is_open_.set_value();
      if (succeeds_.get_future().get()) file.commit();
    });
    is_open_.get_future().wait();
  }
  ~Task() {
    if (thread_.joinable()) end(false);
  }

  void end(bool succeeds) {
    succeeds_.set_value(succeeds);
    thread_.join();
  }

 private:
  std::promise<void> is_open_;
  std::promise<bool> succeeds_;
  std::thread thread_;
};

bool exists(const std::string& path) {
  return std::filesystem::exists(path);
}

}  // namespace

TEST_CASE("parent folders: a run that fails removes the folders that it made, if they are empty") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "old");
  Task(folder / "old/new/deep/a").end(false);
  CHECK(exists(folder / "old"));
  CHECK_FALSE(exists(folder / "old/new"));
  Task task(folder / "old/new/deep/a");
  test::write_file(folder / "old/new/note", "x");
  task.end(false);
  CHECK_FALSE(exists(folder / "old/new/deep"));
  CHECK(exists(folder / "old/new/note"));
}

TEST_CASE("parent folders: a shared folder stays until the last of its tasks ends") {
  const TemporaryFolder folder;
  for (const bool succeeds : {false, true}) {
    Task first(folder / "out/a"), second(folder / "./out/b"), third(folder / "out/deep/c");
    first.end(false);
    REQUIRE(exists(folder / "out"));  // the others have files there, whose names are still missing
    second.end(false);
    REQUIRE(exists(folder / "out/deep"));
    third.end(succeeds);
    CHECK(exists(folder / "out") == succeeds);
    CHECK(exists(folder / "out/deep/c") == succeeds);
  }
}

TEST_CASE("parent folders: a later task in a folder that an earlier one left does not remove it") {
  const TemporaryFolder folder;
  Task(folder / "out/a").end(true);
  Task(folder / "out/b").end(false);
  CHECK(exists(folder / "out/a"));
  CHECK_FALSE(exists(folder / "out/b"));
}

TEST_CASE("parent folders: without them, a missing folder is not created") {
  const TemporaryFolder folder;
  create_parents_of(folder / "out/a");
  CHECK_FALSE(exists(folder / "out"));
}

}  // namespace skinbake
