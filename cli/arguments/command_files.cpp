#include "arguments/command_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/files/file_kind.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

// Written before a command begins, and read by its threads.
std::vector<std::string>& files() {
  static std::vector<std::string> the_files;
  return the_files;
}

void record(const std::string& path) {
  if (is_regular_file(path)) files().push_back(path);
}

bool is_control(char c) {
  const bool is_space = c == '\t' || c == '\n' || c == '\r';
  return (static_cast<unsigned char>(c) < ' ' && !is_space) || c == '\x7f';
}

}  // namespace

std::string read_command_file(const std::string& path, std::string_view code) {
  constexpr std::size_t kMost = std::size_t{64} << 10;
  const auto fail = [&](const std::string& message) {
    throw Error(ErrorKind::kInput, std::string(code), message, {path, ""});
  };
  if (is_folder(path)) fail("is a folder; name a text file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fail(std::string("cannot be read: ") + std::strerror(errno != 0 ? errno : EIO) +
         "; check the path and its permissions");
  }
  std::string text(kMost + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) fail("cannot be read; check the disk");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMost) fail("is larger than 64 KiB; split it, or name a text file");
  if (std::any_of(text.begin(), text.end(), is_control)) {
    fail("contains control characters; name a text file");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte order mark
  record(path);
  return text;
}

const std::vector<std::string>& command_files() {
  return files();
}

void make_command_files_absolute() {
  for (std::string& path : files()) {
    std::error_code unknown;
    const std::filesystem::path absolute = std::filesystem::absolute(path, unknown);
    if (!unknown) path = absolute.string();
  }
}

}  // namespace skinbake::cli
