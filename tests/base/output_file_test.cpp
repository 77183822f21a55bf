#include "base/output_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::read_file;
using test::TemporaryFolder;
using test::write_file;

// Returns the message of an action's output error; empty if it does not fail with one.
template <class Action>
std::string output_error(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kOutput);
    CHECK(error.code() == "OUTPUT_NOT_WRITTEN");
    return error.what();
  }
  return "";
}

// The exit code of a child process that runs `action`; -1 if a signal ended it.
template <class Action>
int exit_code_of_child(const Action& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("output file: appears complete, by commit") {
  const TemporaryFolder folder;
  OutputFile file(folder / "a.bin");
  file.write("hello ");
  file.write("world", 5);
  CHECK(folder.entry_count() == 0);
  file.commit();
  CHECK(read_file(folder / "a.bin") == "hello world");
  CHECK(folder.entry_count() == 1);
}

TEST_CASE("output file: an empty file is written") {
  const TemporaryFolder folder;
  OutputFile(folder / "empty").commit();
  CHECK(std::filesystem::file_size(folder / "empty") == 0);
}

TEST_CASE("output file: without commit nothing is left, and the old file stays") {
  const TemporaryFolder folder;
  write_file(folder / "old", "old");
  {
    OutputFile replacement(folder / "old"), fresh(folder / "new");
    replacement.write("replacement");
    fresh.write("fresh");
  }
  CHECK(folder.entry_count() == 1);
  CHECK(read_file(folder / "old") == "old");
}

TEST_CASE("output file: replaces an older file only in commit") {
  const TemporaryFolder folder;
  write_file(folder / "a", "a much longer old content");
  OutputFile file(folder / "a");
  file.write("new");
  CHECK(read_file(folder / "a") == "a much longer old content");
  file.sync();
  file.commit();
  CHECK(read_file(folder / "a") == "new");
  CHECK(folder.entry_count() == 1);
}

TEST_CASE("output file: several threads write at positions in any order") {
  const TemporaryFolder folder;
  OutputFile file(folder / "a");
  std::thread end([&] { file.write_at("56789", 5, 5); });
  std::thread begin([&] { file.write_at("01234", 5, 0); });
  end.join();
  begin.join();
  file.commit();
  CHECK(read_file(folder / "a") == "0123456789");
}

TEST_CASE("output file: reserve gives the file its size before its content") {
  const TemporaryFolder folder;
  OutputFile file(folder / "a");
  file.reserve(10);
  file.write_at("56789", 5, 5);
  file.write_at("01234", 5, 0);
  file.commit();
  CHECK(read_file(folder / "a") == "0123456789");
  OutputFile null("/dev/null");
  null.reserve(10);  // a device does not have a size
}

TEST_CASE("output file: a moved object writes the same file") {
  const TemporaryFolder folder;
  OutputFile first(folder / "a");
  first.write("ab");
  OutputFile second(std::move(first));
  second.write("cd");
  CHECK(second.path() == folder / "a");
  second.commit();
  CHECK(read_file(folder / "a") == "abcd");
}

TEST_CASE("output file: a symbolic link stays, and its target is replaced") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "far");
  write_file(folder / "far/target", "old");
  std::filesystem::create_symlink("far/target", folder / "link");
  OutputFile file(folder / "link");
  file.write("new");
  file.commit();
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(read_file(folder / "far/target") == "new");
  CHECK(folder.entry_count() == 2);
}

TEST_CASE("output file: the new file's permissions follow the umask") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  OutputFile(folder / "a").commit();
  ::umask(before);
  CHECK((std::filesystem::status(folder / "a").permissions() & std::filesystem::perms::mask) ==
        std::filesystem::perms{0640});
}

TEST_CASE("output file: a replaced file's permissions stay as they were") {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  std::filesystem::permissions(folder / "a", std::filesystem::perms{0600});
  OutputFile(folder / "a").commit();
  CHECK((std::filesystem::status(folder / "a").permissions() & std::filesystem::perms::mask) ==
        std::filesystem::perms{0600});
}

TEST_CASE("output file: a symbolic link to itself is refused") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("a", folder / "a");
  CHECK(contains(output_error([&] { OutputFile file(folder / "a"); }), "links form a cycle"));
  CHECK(std::filesystem::is_symlink(folder / "a"));
}

TEST_CASE("output file: the longest possible name is written, and a longer one fails at once") {
  const TemporaryFolder folder;
  const std::string longest(255, 'n');
  OutputFile file(folder / longest);
  file.write("abc", 3);
  file.commit();
  CHECK(read_file(folder / longest) == "abc");
  const std::string said = output_error([&] { OutputFile other(folder / (longest + "n")); });
  CHECK(contains(said, "choose a shorter name"));
}

TEST_CASE("output file: a folder with the name, and a file in place of the folder, are refused") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "taken");
  CHECK(
      contains(output_error([&] { OutputFile file(folder / "taken"); }), "a folder has this name"));
  write_file(folder / "file", "x");
  CHECK(contains(output_error([&] { OutputFile file(folder / "file/a"); }), folder / "file/a"));
  CHECK(read_file(folder / "file") == "x");
}

TEST_CASE("output file: a folder created under its name before commit is not replaced") {
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "a");
    file.write("text");
    std::filesystem::create_directory(folder / "a");
    CHECK(contains(output_error([&] { file.commit(); }), folder / "a"));
  }
  CHECK(std::filesystem::is_directory(folder / "a"));
  CHECK(folder.entry_count() == 1);
}

TEST_CASE("output file: a device is written to directly") {
  OutputFile null("/dev/null");
  null.write("gone");
  null.write_at("gone", 4, 100);
  null.sync();
  null.commit();
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("output file: a full disk is an error with its remedy") {
  OutputFile full("/dev/full");
  const std::string said = output_error([&] { full.write("text"); });
  CHECK(contains(said, "/dev/full"));
  CHECK(contains(said, "free some space"));
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("output file: missing space is an error of reserve") {
  const TemporaryFolder folder;
  const int code = exit_code_of_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    OutputFile file(folder / "a");
    const std::string said = output_error([&] { file.reserve(10000); });
    return contains(said, folder / "a") && contains(said, "limit on file sizes") ? 42 : 1;
  });
  CHECK(code == 42);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("output file: beyond the limit on file sizes nothing is left, and the old file stays") {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  const int code = exit_code_of_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      OutputFile file(folder / "a");
      file.write(std::string(10000, 'x'));
      file.commit();
    } catch (const Error& error) {
      return contains(error.what(), "limit on file sizes") ? 42 : 1;
    }
    return 0;
  });
  CHECK(code == 42);
  CHECK(read_file(folder / "a") == "old");
  CHECK(folder.entry_count() == 1);
}

TEST_CASE("output file: a process that ends before commit leaves nothing") {
  const TemporaryFolder folder;
  const int code = exit_code_of_child([&] {
    auto* leaked = new OutputFile(folder / "a");  // not destroyed, as in a killed process
    leaked->write("half");
    return 7;
  });
  CHECK(code == 7);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("output file: files beyond half of the descriptors are written and named alike") {
  const TemporaryFolder folder;
  constexpr int kLimit = 32, kFiles = 100;
  write_file(folder / "99", "old");
  std::filesystem::permissions(folder / "99", std::filesystem::perms::owner_read);
  const int code = exit_code_of_child([&] {
    const rlimit limit{kLimit, kLimit};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    std::vector<OutputFile> files;
    for (int i = 0; i < kFiles; ++i) files.emplace_back(folder / std::to_string(i));
    for (OutputFile& file : files) {
      file.reserve(8);
      file.write_at("56", 2, 4);
      file.write_at("1234", 4, 0);
      file.truncate(6);
      file.sync();
      if (read_file(file.readable_path()) != "123456") return 1;
    }
    if (read_file(folder / "99") != "old") return 2;
    for (OutputFile& file : files) {
      if (file.path() != folder / "7") file.commit();
    }
    return 42;
  });
  CHECK(code == 42);
  CHECK(folder.entry_count() == kFiles - 1);
  for (int i = 0; i < kFiles; ++i) {
    if (i != 7) CHECK(read_file(folder / std::to_string(i)) == "123456");
  }
  CHECK(std::filesystem::status(folder / "99").permissions() == std::filesystem::perms::owner_read);
}

TEST_CASE("output file: a temporary file that cannot be removed is known by its name") {
  const TemporaryFolder folder;
  const int code = exit_code_of_child([&] {
    constexpr int kLimit = 32;
    const rlimit limit{kLimit, kLimit};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    std::string kept;
    {
      std::vector<OutputFile> files;
      for (int i = 0; i < kLimit; ++i) files.emplace_back(folder / std::to_string(i));
      kept = files.back().readable_path();
      std::filesystem::remove(kept);
      std::filesystem::create_directory(kept);  // which unlink() does not remove
    }
    return kept_temporary_files() == std::vector<std::string>{kept} ? 42 : 1;
  });
  CHECK(code == 42);
  CHECK(folder.entry_count() == 1);
}

}  // namespace skinbake
