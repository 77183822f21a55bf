// Tests of commit_together(): all outputs get their names, or none.

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "base/output_file.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::read_file;
using test::TemporaryFolder;
using test::write_file;

// Three outputs in a folder; the second is new, the others replace older files.
struct ThreeOutputs {
  TemporaryFolder folder;
  std::vector<OutputFile> files;

  ThreeOutputs() {
    write_file(folder / "a", "older a");
    write_file(folder / "c", "older c");
    for (const char* name : {"a", "b", "c"}) {
      files.emplace_back(folder / name).write(std::string("new ") + name);
    }
  }

  std::vector<OutputFile*> all() {
    std::vector<OutputFile*> pointers;
    for (OutputFile& file : files) pointers.push_back(&file);
    return pointers;
  }
};

TEST_CASE("commit: all outputs get their names, and no older file stays under a second name") {
  ThreeOutputs outputs;
  commit_together(outputs.all());
  for (const char* name : {"a", "b", "c"}) {
    CHECK(read_file(outputs.folder / name) == std::string("new ") + name);
  }
  CHECK(outputs.folder.entry_count() == 3);
}

TEST_CASE("commit: after a failed rename the older files have their names again") {
  for (const std::size_t failing : {0, 1, 2}) {
    CAPTURE(failing);
    ThreeOutputs outputs;
    // A rename cannot replace a folder that is not empty.
    const std::string path = outputs.files[failing].path();
    std::filesystem::remove(path);
    std::filesystem::create_directories(path + "/inside");
    std::string message;
    try {
      commit_together(outputs.all());
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kOutput);
      message = error.what();
    }
    CHECK(message.find(path) == 0);
    if (failing > 0) CHECK(message.find("the other outputs are as before") != std::string::npos);
    if (failing != 0) CHECK(read_file(outputs.folder / "a") == "older a");
    if (failing != 1) CHECK_FALSE(std::filesystem::exists(outputs.folder / "b"));
    if (failing != 2) CHECK(read_file(outputs.folder / "c") == "older c");
    outputs.files.clear();
    CHECK(outputs.folder.entry_count() == (failing == 1 ? 3 : 2));
  }
}

TEST_CASE("commit: after a failed rename an output that is listed twice has its older file again") {
  ThreeOutputs outputs;
  std::filesystem::remove(outputs.folder / "b");
  std::filesystem::create_directories(outputs.folder / "b/inside");
  std::vector<OutputFile*> twice = outputs.all();  // a, b, c, a
  twice.push_back(&outputs.files[0]);
  CHECK_THROWS_AS(commit_together(twice), Error);
  CHECK(read_file(outputs.folder / "a") == "older a");
  CHECK(read_file(outputs.folder / "c") == "older c");
}

TEST_CASE("commit: an output that is listed twice, or is already committed, is renamed once") {
  ThreeOutputs outputs;
  outputs.files[0].commit();
  std::vector<OutputFile*> twice = outputs.all();
  twice.insert(twice.end(), {&outputs.files[1], &outputs.files[2]});
  commit_together(twice);
  CHECK(read_file(outputs.folder / "c") == "new c");
  CHECK(outputs.folder.entry_count() == 3);
}

}  // namespace
}  // namespace skinbake
