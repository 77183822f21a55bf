#include "base/temporary_names.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/output_file.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::TemporaryFolder;
using test::write_file;

bool is_any(const std::string&) {
  return true;
}

// How a child process that runs `action` ends: the exit code, which is the action's result, or a
// negative number, the signal.
template <class Action>
int end_of_child(const Action& action) noexcept {  // no exception leads the child into other tests
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void limit_descriptors(rlim_t count) {
  const rlimit limit{count, count};
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::ptrdiff_t descriptor_count() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// A lock of the folder by another open file, as another process has it.
class OtherLock {
 public:
  OtherLock(const std::string& folder, int operation)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        is_held_(::flock(descriptor_, operation | LOCK_NB) == 0) {}
  ~OtherLock() { ::close(descriptor_); }
  OtherLock(const OtherLock&) = delete;
  OtherLock& operator=(const OtherLock&) = delete;
  bool is_held() const { return is_held_; }

 private:
  int descriptor_;
  bool is_held_;
};

// The name of a file whose owner does not live any more.
std::string orphan(const std::string& target) {
  std::string path = owned_name(target).path;
  write_file(path, "half");
  return path;
}

}  // namespace

TEST_CASE("temporary names: a name is the target's, a mark and two numbers, and never repeats") {
  const TemporaryFolder folder;
  const std::string target = folder / "run.pc2";
  const OwnedName one = owned_name(target), two = owned_name(target);
  REQUIRE(one.lock);
  CHECK(one.lock == two.lock);
  CHECK(one.path != two.path);
  const std::string mark = ".tmp-skinbake-";
  REQUIRE(one.path.size() == target.size() + mark.size() + 16 + 1 + 16);
  CHECK(one.path.substr(0, target.size() + mark.size()) == target + mark);
  const std::string numbers = one.path.substr(target.size() + mark.size());
  CHECK(numbers[16] == '-');
  CHECK(std::count(numbers.begin(), numbers.end(), '-') == 1);
  CHECK(numbers.find_first_not_of("0123456789abcdef-") == std::string::npos);
  CHECK(numbers.substr(0, 17) == two.path.substr(two.path.size() - 33, 17));
}

TEST_CASE("temporary names: a long name is shortened, so that the file system takes it") {
  const TemporaryFolder folder;
  const std::string name = orphan(folder / std::string(255, 'x'));
  CHECK(std::filesystem::exists(name));
  CHECK(shortened_name(folder / std::string(201, 'x')) == folder / std::string(200, 'x'));
  CHECK(shortened_name("x/y") == "x/y");
  std::vector<std::string> targets;
  remove_orphans_in(folder.path().string(), [&](const std::string& target) {
    targets.push_back(target);
    return true;
  });
  CHECK(targets == std::vector<std::string>{std::string(200, 'x')});
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("orphans: files stay while a process has a temporary file in the folder") {
  const TemporaryFolder folder;
  std::vector<OwnedName> held{owned_name(folder / "a.pc2"), owned_name(folder / "b.pc2")};
  for (const OwnedName& name : held) write_file(name.path, "half");
  while (!held.empty()) {
    remove_orphans_in(folder.path().string(), is_any);
    CHECK(folder.entry_count() == 2);
    held.pop_back();
  }
  remove_orphans_in(folder.path().string(), is_any);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("orphans: only files of the exact form and of our targets are removed") {
  const TemporaryFolder folder;
  const std::string name = orphan(folder / "a.pc2");
  const std::size_t mark = name.find(".tmp-skinbake-") + 14;
  std::string other_mount = name, upper_case = name;
  other_mount[mark] = name[mark] == '0' ? '1' : '0';
  upper_case.back() = 'A';
  const std::vector<std::string> kept{folder / "a.pc2.tmp20240101",
                                      folder / "a.pc2.tmp1",
                                      folder / "a.pc2.tmp-skinbake",
                                      folder / "a.pc2",
                                      folder / "a.pc2.tmp-skinbake-1",
                                      name + "0",
                                      name + ".json",
                                      name.substr(0, name.size() - 1),
                                      upper_case,
                                      other_mount,
                                      orphan(folder / "users.pc2")};
  for (const std::string& path : kept) write_file(path, "of a user");
  const std::string inside = orphan(folder / "a.pc2");
  std::filesystem::remove(inside);
  std::filesystem::create_directory(inside);  // even an empty folder stays
  remove_orphans_in(folder.path().string(),
                    [](const std::string& target) { return target == "a.pc2"; });
  for (const std::string& path : kept) CHECK_MESSAGE(std::filesystem::exists(path), path);
  CHECK(std::filesystem::exists(inside));
  CHECK_FALSE(std::filesystem::exists(name));
  CHECK(folder.entry_count() == static_cast<std::ptrdiff_t>(kept.size()) + 1);
}

TEST_CASE("orphans: a folder that another program has locked, or that is missing, stays") {
  const TemporaryFolder folder;
  const std::string name = orphan(folder / "a.pc2");
  for (const int operation : {LOCK_SH, LOCK_EX}) {
    const OtherLock other(folder.path().string(), operation);
    REQUIRE(other.is_held());
    remove_orphans_in(folder.path().string(), is_any);
    CHECK(std::filesystem::exists(name));
  }
  remove_orphans_in(folder / "missing", is_any);
  remove_orphans_in(name, is_any);  // not a folder
  CHECK(std::filesystem::exists(name));
}

TEST_CASE("orphans: a name from a time without a lock is never one") {
  const TemporaryFolder folder;
  std::string path;
  {
    const OtherLock other(folder.path().string(), LOCK_EX);
    REQUIRE(other.is_held());
    const OwnedName name = owned_name(folder / "a.pc2");  // does not wait for the lock
    CHECK_FALSE(name.lock);
    CHECK(name.path.find(".tmp-skinbake-") == std::string::npos);
    path = name.path;
    write_file(path, "half");
    OutputFile file(folder / "b.pc2");
    file.commit();
  }
  remove_orphans_in(folder.path().string(), is_any);
  CHECK(std::filesystem::exists(path));
  CHECK(folder.entry_count() == 2);
}

TEST_CASE("orphans: those of a killed process are removed") {
  const TemporaryFolder folder;
  const int end = end_of_child([&] {
    limit_descriptors(32);
    std::vector<OutputFile> files;
    for (int i = 0; i < 40; ++i) files.emplace_back(folder / std::to_string(i));
    ::raise(SIGKILL);
    return 0;
  });
  REQUIRE(end == -SIGKILL);
  CHECK(folder.entry_count() >= 40 - 16);
  remove_orphans_in(folder.path().string(), is_any);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("owners: an output has its folder locked from its temporary name to the final one") {
  const TemporaryFolder folder;
  const int end = end_of_child([&] {
    limit_descriptors(32);
    const std::string path = folder.path().string();
    std::vector<OutputFile> files;
    while (files.size() < 40) files.emplace_back(folder / std::to_string(files.size()));
    if (OtherLock(path, LOCK_EX).is_held()) return 1;
    while (files.size() > 1) files.pop_back();  // the first one does not have a name
    if (!OtherLock(path, LOCK_EX).is_held()) return 2;
    files.front().commit();
    return OtherLock(path, LOCK_EX).is_held() ? 42 : 3;
  });
  CHECK(end == 42);
  CHECK(folder.entry_count() == 1);
}

TEST_CASE(
    "owners: folders beyond an eighth of the descriptors are not locked, and files are named") {
  const TemporaryFolder folder;
  const int end = end_of_child([&] {
    limit_descriptors(32);
    const std::ptrdiff_t before = descriptor_count();
    std::vector<OwnedName> names;
    for (int i = 0; i < 20; ++i) {
      const std::string inside = folder / std::to_string(i);
      std::filesystem::create_directory(inside);
      for (int k = 0; k < 3; ++k) names.push_back(owned_name(inside + "/a"));
    }
    const auto held = std::count_if(names.begin(), names.end(),
                                    [](const OwnedName& name) { return name.lock != nullptr; });
    if (held != 4 * 3 || descriptor_count() != before + 4) return 1;
    names.clear();
    if (descriptor_count() != before) return 2;
    return owned_name(folder / "19/a").lock ? 42 : 3;
  });
  CHECK(end == 42);
}

TEST_CASE("owners: threads share the lock of a folder") {
  const TemporaryFolder folder;
  const std::ptrdiff_t before = descriptor_count();
  std::vector<OwnedName> names(64);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
      threads.emplace_back([&names, &folder, t] {
        for (std::size_t i = t; i < names.size(); i += 8) names[i] = owned_name(folder / "a");
      });
    }
  }
  for (const OwnedName& name : names) CHECK(name.lock == names.front().lock);
  CHECK(names.front().lock);
  CHECK(descriptor_count() == before + 1);
}

TEST_CASE("owners: a folder that has replaced another one is locked itself") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  std::filesystem::create_directory(path);
  const OwnedName before = owned_name(path + "/a");
  std::filesystem::rename(path, folder / "old");
  std::filesystem::create_directory(path);
  CHECK(OtherLock(path, LOCK_EX).is_held());
  const OwnedName after = owned_name(path + "/a");
  CHECK_FALSE(OtherLock(path, LOCK_EX).is_held());
  CHECK_FALSE(OtherLock(folder / "old", LOCK_EX).is_held());
}

TEST_CASE("owners: a folder that cannot be read takes outputs without a lock") {
  constexpr uid_t kNobody = 65534;
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0333));
  const int end = end_of_child([&] {
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return 1;
    if (owned_name(folder / "a").lock) return 2;
    OutputFile file(folder / "a");
    file.write("text");
    file.commit();
    return test::read_file(folder / "a") == "text" ? 42 : 3;
  });
  CHECK(end == 42);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
}

}  // namespace skinbake
