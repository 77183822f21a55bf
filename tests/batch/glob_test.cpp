#include "batch/jobs/glob.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

// Creates an empty file, and its folders.
void touch(const std::string& path) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path).put('x');
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("glob: a name matches as in a shell") {
  CHECK(matches_pattern("Walk*", "Walking_A"));
  CHECK(matches_pattern("W?lk", "Walk"));
  CHECK(matches_pattern("[WT]alk", "Talk"));
  CHECK_FALSE(matches_pattern("Walk", "Walking"));
  CHECK(matches_pattern("*", ""));
  CHECK(matches_pattern("*", ".hidden"));  // a name of a mesh or clip is not a file
  CHECK(is_pattern("a*"));
  CHECK_FALSE(is_pattern("#0"));
}

TEST_CASE("glob: paths are found in folders, sorted, without hidden files") {
  const TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  for (const char* name : {"b.glb", "a.glb", "a.txt", ".c.glb", "sub/d.glb", "sub/deep/e.glb"}) {
    touch(at + name);
  }
  std::filesystem::create_directory(at + "folder.glb");
  CHECK(files_matching(at + "*.glb") == Paths{at + "a.glb", at + "b.glb"});
  CHECK(files_matching(at + "s?b/*.glb") == Paths{at + "sub/d.glb"});
  CHECK(files_matching(at + "**/*.glb") ==
        Paths{at + "a.glb", at + "b.glb", at + "sub/d.glb", at + "sub/deep/e.glb"});
  CHECK(files_matching(at + "**/deep/*") == Paths{at + "sub/deep/e.glb"});
  CHECK(files_matching(at + "**/**/e.glb") == Paths{at + "sub/deep/e.glb"});
  CHECK(files_matching(at + "**/sub/**/*.glb") == Paths{at + "sub/d.glb", at + "sub/deep/e.glb"});
  CHECK(files_matching(at + "sub/**/**") ==
        Paths{at + "sub/d.glb", at + "sub/deep/e.glb"});  // the last one means "*"
  CHECK(files_matching(at + "x*").empty());
  CHECK(files_matching("no_such_folder/*").empty());
}

TEST_CASE("glob: folders that many parts of a pattern reach are searched once") {
  const TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  std::string below;
  for (int depth = 0; depth < 30; ++depth) below += "d/";
  touch(at + below + "x.glb");
  std::string any = "**/", mixed = "**/d/", above = "**/d/../";
  for (int twice = 0; twice < 4; ++twice) any += any, mixed += mixed, above += above;
  CHECK(files_matching(at + any + "x.glb") == Paths{at + below + "x.glb"});
  CHECK(files_matching(at + mixed + "x.glb") == Paths{at + below + "x.glb"});
  CHECK(files_matching(at + above + "**/x.glb").size() == 1);
  for (int twice = 0; twice < 14; ++twice) any += any;
  CHECK(files_matching(at + any + "x.glb") == Paths{at + below + "x.glb"});
}

TEST_CASE("glob: a cycle of folders ends, and a file named as a pattern stands for itself") {
  const TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  touch(at + "sub/a.glb");
  touch(at + "[a].glb");
  std::filesystem::create_directory_symlink(folder.path(), at + "sub/up");
  CHECK(files_matching(at + "**/a.glb") == Paths{at + "sub/a.glb"});
  CHECK(files_matching(at + "[a].glb") == Paths{at + "[a].glb"});
}

}  // namespace skinbake::test
