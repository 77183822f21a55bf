#include "batch/state/batch_store.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

#include "base/bytes/hash.h"
#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

const std::vector<std::string> kWords{"bake", "a.glb", "--output=out.pc2"};

// A finished task with one input and one output in the folder.
TaskRecord finished_task(const TemporaryFolder& folder) {
  write_file(folder / "a.glb", "rig");
  write_file(folder / "out.pc2", "positions");
  TaskRecord record;
  record.name = {"job", "a.glb", "Walk"};
  record.frames = 7;
  record.inputs = {*state_of_file(folder / "a.glb")};
  record.outputs = {*state_of_file(folder / "out.pc2")};
  record.key = task_key(kWords, record.inputs);
  return record;
}

std::optional<StoredTask> find(BatchStore& store, const std::vector<std::string>& words = kWords) {
  return store.find(
      words, [](const StateFile& file) { return is_unchanged(file, false); },
      [](const std::string& path) { return path.ends_with("out.pc2"); });
}

void commit(StoredTask& task) {
  for (OutputFile& file : task.files) file.commit();
}

std::string only_entry(const TemporaryFolder& folder) {
  std::string found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "store/tasks")) {
    if (entry.is_regular_file()) found = entry.path().string();
  }
  return found;
}

std::string hash_of(const std::string& text) {
  Xxh128 hash;
  hash.update(text.data(), text.size());
  return hash.hex();
}

}  // namespace

TEST_CASE("store: an empty folder has no task") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 1 << 20);
  CHECK_FALSE(find(store));
}

TEST_CASE("store: a record above the limit of memory is left unread, for a run that has more") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 1 << 20);
  store.keep(kWords, finished_task(folder));
  for (const std::uint64_t max_memory : {300, 2000}) {  // too little for its text, for its JSON
    BatchStore small(folder / "store", 1 << 20, false, max_memory);
    CHECK_FALSE(find(small));
    CHECK(find(store));
  }
}

TEST_CASE("store: a stored task gives its output back, once the file is missing or other") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 1 << 20);
  store.keep(kWords, finished_task(folder));
  SUBCASE("missing") {
    std::filesystem::remove(folder / "out.pc2");
  }
  SUBCASE("other") {
    write_file(folder / "out.pc2", "other");
  }
  std::optional<StoredTask> task = find(store);
  REQUIRE(task);
  CHECK(task->record.frames == 7);
  REQUIRE(task->files.size() == 1);
  commit(*task);
  CHECK(read_file(folder / "out.pc2") == "positions");
  task = find(store);
  REQUIRE(task);
  CHECK(task->files.empty());  // it is there already
}

TEST_CASE(
    "store: other words, other inputs and outputs that the task may not write are not found") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 1 << 20);
  store.keep(kWords, finished_task(folder));
  CHECK(find(store));
  CHECK_FALSE(find(store, {"bake", "a.glb", "--output=out.pc2", "--fps=12"}));
  CHECK_FALSE(store.find(
      kWords, [](const StateFile&) { return true; }, [](const std::string&) { return false; }));
  store.keep(kWords, finished_task(folder));  // the entry of no use was removed
  write_file(folder / "a.glb", "rig 2");
  CHECK_FALSE(find(store));
}

TEST_CASE("store: a changed output in the store is removed, and stored again by the next task") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 1 << 20);
  const TaskRecord record = finished_task(folder);
  store.keep(kWords, record);
  const std::string& hash = record.outputs.front().xxh128;
  const std::string stored = folder / ("store/files/" + hash.substr(0, 2) + "/" + hash);
  REQUIRE(read_file(stored) == "positions");
  damage_file(stored, 3, "x");
  std::filesystem::remove(folder / "out.pc2");
  CHECK_FALSE(find(store));
  CHECK_FALSE(std::filesystem::exists(stored));
  write_file(folder / "out.pc2", "positions");
  store.keep(kWords, record);
  damage_file(stored, 3, "x");
  store.keep(kWords, record);  // sees the damage although the size is right
  CHECK(read_file(stored) == "positions");
}

TEST_CASE("store: an entry whose line does not have its hash, or not its key, is removed") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 1 << 20);
  store.keep(kWords, finished_task(folder));
  const std::string entry = only_entry(folder);
  std::string line = read_file(entry).substr(33);
  SUBCASE("a changed line") {
    damage_file(entry, 60, "?");
  }
  SUBCASE("an empty file") {
    write_file(entry, "");
  }
  SUBCASE("a line of another task, with its hash") {
    line.replace(line.find(R"("xxh128": ")") + 11, 4, "0000");  // of the input
    write_file(entry, hash_of(line) + "\n" + line);
  }
  SUBCASE("no JSON, with its hash") {
    write_file(entry, hash_of("{\n") + "\n{\n");
  }
  CHECK_FALSE(find(store));
  CHECK_FALSE(std::filesystem::exists(entry));
}

TEST_CASE("store: files that it has not written are never removed") {
  const TemporaryFolder folder;
  const std::string hash = "0123456789abcdef0123456789abcdef";
  const std::vector<std::string> foreign{"files/hero.glb", "files/textures/skin.png", "tasks/list",
                                         "files/01/" + hash + ".glb", "files/x/" + hash};
  const std::string abandoned = "files/01/" + hash + ".tmp17";
  const auto add = [&](const std::string& name) {
    const std::filesystem::path path(folder / name);
    std::filesystem::create_directories(path.parent_path());
    write_file(path.string(), "data");
    std::filesystem::last_write_time(
        path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(3));
  };
  for (const std::string& name : foreign) add(name);
  add(abandoned);
  BatchStore store(folder.path().string(), 0);
  store.keep(kWords, finished_task(folder));
  store.drop_unused();
  for (const std::string& name : foreign) {
    CAPTURE(name);
    CHECK(std::filesystem::exists(folder / name));
  }
  CHECK_FALSE(std::filesystem::exists(folder / abandoned));
  CHECK_FALSE(find(store));
}

TEST_CASE("store: a limit of nothing removes everything") {
  const TemporaryFolder folder;
  BatchStore store(folder / "store", 0);
  const TaskRecord record = finished_task(folder);
  store.keep(kWords, record);
  store.drop_unused();
  CHECK_FALSE(find(store));
}

}  // namespace skinbake::test
