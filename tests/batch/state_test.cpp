#include "batch/state/batch_state.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/bytes.h"
#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

TaskRecord record_of(const std::string& clip, int exit_code = 0) {
  TaskRecord record;
  record.name = {"knight", "models/k \"1\".glb", clip};
  record.key = "0123456789abcdef0123456789abcdef";
  record.exit_code = exit_code;
  record.frames = 31;
  record.inputs = {{"models/k.glb", 10, 123456789, "aa"}};
  record.outputs = {{"out/a.pc2", 20, 0, "bb"}, {"out/a.pc2.json", 5, 7, "cc"}};
  record.errors = {"a\nb: größer"};
  Issue issue;
  issue.code = "NO_VOLUME";
  issue.severity = Severity::kInfo;
  issue.file = "models/k.glb";
  issue.pointer = "/nodes/3";
  issue.message = "open";
  issue.count = 3;
  record.issues = {issue};
  return record;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The lines of a state, each with the hash of what it has now.
std::string with_hashes(const std::string& text) {
  const std::string member = ", \"xxh128\": \"";
  std::istringstream lines(text);
  std::string line, all;
  while (std::getline(lines, line)) {
    const std::size_t at = line.rfind(member);
    if (at != std::string::npos && line.size() - at == member.size() + 34) {
      const std::string rest = line.substr(0, at) + "}";
      Xxh128 hash;
      hash.update(rest.data(), rest.size());
      line = line.substr(0, at) + member + hash.hex() + "\"}";
    }
    all += line + "\n";
  }
  return all;
}

std::string error_code_of(const std::string& path, BatchState::Access access) {
  try {
    const BatchState state(path, access);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("state: a record is read as it was written, and the last one of a task counts") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.state.jsonl";
  {
    BatchState state(path, BatchState::Access::kAppend);
    state.append(StateRun{2, 7, "plan"});
    state.append(record_of("Walk", 3));
    state.append(record_of("Idle"));
    state.append(record_of("Walk", 1));
    CHECK(state.find({"knight", "models/k \"1\".glb", "Walk"})->exit_code == 1);
  }
  const BatchState state(path, BatchState::Access::kRead);
  CHECK(state.runs() == std::vector<StateRun>{{2, 7, "plan"}});
  CHECK(state.names().size() == 2);
  CHECK_FALSE(state.find({"knight", "", "Walk"}));
  const TaskRecord expected = record_of("Walk", 1);
  const std::optional<TaskRecord> found = state.find(expected.name);
  REQUIRE(found);
  CHECK(found->exit_code == 1);
  CHECK(found->key == expected.key);
  CHECK(found->frames == 31);
  CHECK(found->errors == expected.errors);
  CHECK(found->outputs.size() == 2);
  CHECK(found->inputs.at(0).modified_ns == 123456789);
  CHECK(found->issues.at(0).severity == Severity::kInfo);
  CHECK(found->issues.at(0).count == 3);
}

TEST_CASE("state: a folder has changed if a cache, rig or sidecar in it is new or gone") {
  const TemporaryFolder folder;
  const std::string library = folder / "library", nested = library + "/heroes";
  std::filesystem::create_directories(nested);
  write(nested + "/a.pc2", "a");
  const std::optional<StateFile> before = state_of_input(library);
  REQUIRE(before);
  write(nested + "/a.pc2", "b");  // is an input itself
  write(library + "/report.json", "");
  write(library + "/.b.pc2", "");
  CHECK(is_unchanged(*before, false));
  for (const char* name : {"/b.glb", "/b.exr", "/heroes/a.pc2.json"}) {
    CAPTURE(name);
    write(library + name, "");
    CHECK_FALSE(is_unchanged(*before, true));
    std::filesystem::remove(library + name);
    CHECK(is_unchanged(*before, true));
  }
  std::filesystem::remove_all(library);
  CHECK_FALSE(is_unchanged(*before, false));
  write(library, "a file");
  CHECK_FALSE(is_unchanged(*before, false));
}

TEST_CASE("state: cut after any byte, it keeps the whole lines and goes on after them") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl", cut = folder / "cut.jsonl";
  {
    BatchState state(path, BatchState::Access::kAppend);
    state.append(record_of("Walk"));
    state.append(record_of("Idle"));
  }
  const std::string whole = read(path);
  const std::size_t head = whole.find('\n') + 1, second = whole.find('\n', head) + 1;
  for (std::size_t size = head; size < whole.size(); ++size) {
    CAPTURE(size);
    write(cut, whole.substr(0, size));
    {
      BatchState state(cut, BatchState::Access::kAppend);
      CHECK(state.names().size() == (size < second ? 0 : 1));
      CHECK(state.damaged_lines() == 0);
      state.append(record_of("Run"));
    }
    const BatchState state(cut, BatchState::Access::kRead);
    CHECK(state.damaged_lines() == 0);
    CHECK(state.find(record_of("Run").name));
  }
}

TEST_CASE("state: cut in its first line, it counts as empty") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl", cut = folder / "cut.jsonl";
  { const BatchState state(path, BatchState::Access::kAppend); }
  const std::string head = read(path);
  for (std::size_t size = 1; size < head.size(); ++size) {
    CAPTURE(size);
    write(cut, head.substr(0, size));
    CHECK(BatchState(cut, BatchState::Access::kRead).damaged_lines() == 1);
    CHECK(read(cut) == head.substr(0, size));
    CHECK(BatchState(cut, BatchState::Access::kAppend).damaged_lines() == 1);
    CHECK(read(cut) == head);
  }
}

TEST_CASE("state: damaged lines are gone after a batch has opened the file") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl";
  {
    BatchState state(path, BatchState::Access::kAppend);
    state.append(StateRun{1, 1, "plan"});
    state.append(record_of("Walk"));
  }
  const std::string text = read(path);
  write(path, text + "damaged\n");
  CHECK(BatchState(path, BatchState::Access::kAppend).damaged_lines() == 1);
  CHECK(read(path) == text);
}

TEST_CASE("state: a damaged line loses its task only") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl";
  {
    BatchState state(path, BatchState::Access::kAppend);
    state.append(record_of("Walk"));
    state.append(record_of("Idle"));
  }
  std::string text = read(path);
  text[text.find("exit_code")] = 'E';
  write(path, text);
  const BatchState state(path, BatchState::Access::kRead);
  CHECK(state.damaged_lines() == 1);
  CHECK_FALSE(state.find(record_of("Walk").name));
  CHECK(state.find(record_of("Idle").name));
}

TEST_CASE("state: a line with a number that no task has is damaged") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl";
  { BatchState(path, BatchState::Access::kAppend).append(record_of("Walk")); }
  const std::string good = read(path);
  for (const char* member : {"\"exit_code\": 0", "\"frames\": 31", "\"bytes\": 10",
                             "\"modified_ns\": 123456789", "\"count\": 3"}) {
    const std::size_t at = good.find(member);
    REQUIRE(at != std::string::npos);
    const std::string key(member, std::string(member).find(' ') + 1);
    for (const char* value : {"1e300", "0.5", "9223372036854775808", "null"}) {
      CAPTURE(key);
      CAPTURE(value);
      write(path,
            with_hashes(std::string(good).replace(at, std::string(member).size(), key + value)));
      const BatchState state(path, BatchState::Access::kRead);
      CHECK(state.damaged_lines() == 1);
      CHECK_FALSE(state.find(record_of("Walk").name));
    }
  }
}

TEST_CASE("state: a line that was edited is damaged, whatever it says") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl";
  {
    BatchState state(path, BatchState::Access::kAppend);
    state.append(StateRun{1, 2, "plan"});
    state.append(record_of("Walk", 1));
    state.append({"k.glb", "", false, RigFacts{{{"Walk", 1.5}, {"Idle", 2}}, {}, 3}}, {});
  }
  const std::string good = read(path);
  CHECK(with_hashes(good) == good);
  const auto edited = [&](const std::string& from, const std::string& to) {
    const std::size_t at = good.find(from);
    REQUIRE(at != std::string::npos);
    return std::string(good).replace(at, from.size(), to);
  };
  const std::pair<std::string, std::string> edits[] = {{"\"exit_code\": 1", "\"exit_code\": 0"},
                                                       {"\"shards\": 2", "\"shards\": 1"},
                                                       {"\"Idle\"", "\"Walk\""},
                                                       {"}, \"xxh128\": \"", ", \"xxh128\": \""}};
  for (const auto& edit : edits) {
    CAPTURE(edit.first);
    write(path, edited(edit.first, edit.second));
    CHECK(BatchState(path, BatchState::Access::kRead).damaged_lines() == 1);
  }
  write(path, with_hashes(edited("\"exit_code\": 1", "\"exit_code\": 0")));
  CHECK(BatchState(path, BatchState::Access::kRead).find(record_of("Walk").name)->exit_code == 0);
}

TEST_CASE("state: a record with a limit that failed its task contradicts exit code 0") {
  TaskRecord record = record_of("Walk", 1);
  record.checks = {{"Body", "Walk", "dqs", "--fail error.max=1 m", "2 m", false, false, 2}};
  CHECK_FALSE(contradicts_itself(record));
  record.exit_code = 0;
  CHECK(contradicts_itself(record));
  record.checks.front().is_warning = true;
  CHECK_FALSE(contradicts_itself(record));
}

TEST_CASE("state: another file is refused and stays as it is") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.json";
  for (const char* text : {"{\"schema\": \"skinbake.report\"}\n", "x", "\n", "{}\n"}) {
    CAPTURE(text);
    write(path, text);
    CHECK(error_code_of(path, BatchState::Access::kAppend) == "STATE_INVALID");
    CHECK(error_code_of(path, BatchState::Access::kRead) == "STATE_INVALID");
    CHECK(read(path) == text);
  }
  CHECK(error_code_of(folder.path().string(), BatchState::Access::kRead) == "STATE_INVALID");
  CHECK(error_code_of(folder / "none", BatchState::Access::kRead) == "FILE_UNREADABLE");
  CHECK(error_code_of(path + "/such", BatchState::Access::kAppend) == "OUTPUT_NOT_WRITTEN");
}

TEST_CASE("state: a second batch cannot append to it") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.jsonl";
  const BatchState first(path, BatchState::Access::kAppend);
  CHECK(error_code_of(path, BatchState::Access::kAppend) == "STATE_IN_USE");
  CHECK(error_code_of(path, BatchState::Access::kRead).empty());
}

TEST_CASE("state: the facts of a rig hold until one of its files changes") {
  const TemporaryFolder folder;
  const std::string rig_path = folder / "k.glb";
  write(rig_path, "rig");
  PlannedRig rig{rig_path, "", false, RigFacts{{{"Walk", 1.5}}, {{"Body", 4, 100}}, 3}};
  BatchState state("", BatchState::Access::kAppend);
  state.append(rig, std::vector<StateFile>{*state_of_file(rig_path)});
  const std::optional<RigFacts> facts = state.find_facts(rig, false);
  REQUIRE(facts);
  CHECK(facts->clips.at(0).duration_s == 1.5);
  CHECK(facts->meshes.at(0).node == 4);
  CHECK(facts->bytes == 3);
  write(rig_path, "gir");
  CHECK_FALSE(state.find_facts(rig, false));
  rig.scene = "other";
  CHECK_FALSE(state.find_facts(rig, true));
}

TEST_CASE("state: a key depends on words and inputs, and not on options that change no output") {
  const std::vector<StateFile> inputs{{"k.glb", 3, 0, "aa"}};
  const auto key = [&](std::vector<std::string> words) { return task_key(words, inputs); };
  const std::string plain = key({"bake", "k.glb", "--clip=a"});
  CHECK(key({"bake", "k.glb", "--clip=a", "--sync", "--bind-cache=b"}) == plain);
  CHECK(key({"bake", "k.glb", "--clip=b"}) != plain);
  CHECK(key({"bake", "k.glb", "--clip=a", "--timing=t.json"}) != plain);  // an output
  CHECK(key({"bake", "k.glb", "--clip=a", "--max-frames=9"}) != plain);   // may fail the task
  CHECK(key({"bake", "k.glb--clip=a"}) != plain);
  const std::vector<StateFile> others{{"k.glb", 3, 9, "ab"}};
  CHECK(task_key(std::vector<std::string>{"bake", "k.glb", "--clip=a"}, others) != plain);
}

TEST_CASE("state: a file with the recorded time is trusted only on request") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  write(path, "abc");
  const StateFile file = *state_of_file(path);
  const auto time = std::filesystem::last_write_time(path);
  write(path, "abd");
  std::filesystem::last_write_time(path, time);
  CHECK(is_unchanged(file, true));
  CHECK_FALSE(is_unchanged(file, false));
  write(path, "abcd");
  CHECK_FALSE(is_unchanged(file, true));
}

TEST_CASE("state: a file of mostly outdated lines is shortened when it is opened to append") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.state.jsonl";
  {
    BatchState state(path, BatchState::Access::kAppend);
    state.append(StateRun{1, 1, "first"});
    state.append(record_of("Idle", 4));
    for (int i = 0; i < 1000; ++i) state.append(record_of("Walk", i % 2));
    state.append(StateRun{1, 1, "last"});
    PlannedRig rig{"k.glb", "", false, RigFacts{}};
    state.append(rig, {});
  }
  const auto before = std::filesystem::file_size(path);
  { CHECK(BatchState(path, BatchState::Access::kRead).names().size() == 2); }
  CHECK(std::filesystem::file_size(path) == before);  // reading changes nothing
  {
    BatchState state(path, BatchState::Access::kAppend);
    REQUIRE(state.runs().size() == 1);
    CHECK(state.runs().front().plan == "last");
    CHECK(state.names().size() == 2);
    CHECK(state.find(record_of("Walk").name)->exit_code == 1);
    CHECK(state.find(record_of("Idle").name)->exit_code == 4);
    CHECK(state.find_facts({"k.glb", "", false, {}}, true));
    CHECK(error_code_of(path, BatchState::Access::kAppend) == "STATE_IN_USE");  // also the new file
    state.append(record_of("Run"));
  }
  CHECK(std::filesystem::file_size(path) < 4000);
  CHECK(folder.entry_count() == 1);
  BatchState state(path, BatchState::Access::kAppend);
  CHECK(state.names().size() == 3);
}

}  // namespace skinbake::test
