#include "compare/library_pairs.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

std::string text(const NamePairs& pairs) {
  std::string text;
  for (const NamePairs::Pair& pair : pairs.pairs) {
    text += std::to_string(pair.a) + "=" + std::to_string(pair.b) + " ";
  }
  text += "|";
  for (const std::size_t i : pairs.only_a) text += " " + std::to_string(i);
  text += " |";
  for (const std::size_t i : pairs.only_b) text += " " + std::to_string(i);
  return text;
}

std::string text(const FilePairs& pairs) {
  std::string text;
  for (const FilePair& pair : pairs.pairs) {
    text += pair.name + "(" + pair.a + "," + pair.b + ") ";
  }
  text += "|";
  for (const std::string& name : pairs.only_a) text += " " + name;
  text += " |";
  for (const std::string& name : pairs.only_b) text += " " + name;
  return text;
}

std::vector<LibraryFile> files(const std::string& root, const std::vector<std::string>& names) {
  std::vector<LibraryFile> all;
  for (const std::string& name : names) all.push_back({name, root + name});
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("library pairs: nothing pairs with nothing") {
  CHECK(text(pair_names(Names{}, Names{})) == "| |");
  CHECK(text(pair_files({}, {})) == "| |");
}

TEST_CASE("library pairs: equal names pair in any order, each once") {
  CHECK(text(pair_names(Names{"walk", "run", "idle"}, Names{"idle", "walk", "jump"})) ==
        "0=1 2=0 | 1 | 2");
  CHECK(text(pair_names(Names{"walk", "walk"}, Names{"walk"})) == "0=0 | 1 |");
}

TEST_CASE("library pairs: a renamed name pairs with its new name alone") {
  const RenamedNames renamed{{"walk", "Walk_v2"}};
  CHECK(text(pair_names(Names{"walk", "run"}, Names{"walk", "run", "Walk_v2"}, renamed)) ==
        "0=2 1=1 | | 0");
  CHECK(text(pair_names(Names{"walk"}, Names{"walk"}, renamed)) == "| 0 | 0");
}

TEST_CASE("library pairs: files pair by path, then without extension where that is unique") {
  CHECK(
      text(pair_files(files("a/", {"x/k.pc2", "y/k.pc2"}), files("b/", {"y/k.pc2", "x/k.mdd"}))) ==
      "x/k(a/x/k.pc2,b/x/k.mdd) y/k(a/y/k.pc2,b/y/k.pc2) | |");
  CHECK(text(pair_files(files("a/", {"k.mdd", "k.pc2"}), files("b/", {"k.pc2"}))) ==
        "k.pc2(a/k.pc2,b/k.pc2) | k.mdd |");
  CHECK(text(pair_files(files("a/", {"k.mdd", "k.pc2"}), files("b/", {"k.npy"}))) ==
        "| k.mdd k.pc2 | k.npy");
}

TEST_CASE("library pairs: only the last extension of a name is left out, and none of a folder's") {
  CHECK(
      text(pair_files(files("a/", {"v1.0/Body.walk.pc2"}), files("b/", {"v1.0/Body.walk.mdd"}))) ==
      "v1.0/Body.walk(a/v1.0/Body.walk.pc2,b/v1.0/Body.walk.mdd) | |");
  CHECK(text(pair_files(files("a/", {"v1.0/Body"}), files("b/", {"v1.1/Body"}))) ==
        "| v1.0/Body | v1.1/Body");
}

TEST_CASE("library pairs: a renamed file is named without its extension") {
  CHECK(text(pair_files(files("a/", {"hero.glb"}), files("b/", {"knight.glb"}),
                        {{"hero", "knight"}})) == "hero(a/hero.glb,b/knight.glb) | |");
}

TEST_CASE("library pairs: a folder is listed with its folders, without hidden files and cycles") {
  const TemporaryFolder folder;
  const std::filesystem::path root = folder.path();
  std::filesystem::create_directories(root / "b" / ".hidden");
  for (const char* name : {"z.pc2", "b/a.pc2", ".x.pc2", "b/.hidden/y.pc2"}) {
    std::ofstream(root / name) << "x";
  }
  std::filesystem::create_directory_symlink(root, root / "b" / "cycle");
  std::string names;
  for (const LibraryFile& file : files_in_library(root.string())) names += file.name + " ";
  CHECK(names == "b/a.pc2 z.pc2 ");
  CHECK_THROWS(files_in_library((root / "missing").string()));
}

}  // namespace skinbake::test
