#include "base/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "skinbake/error.h"

namespace skinbake {

bool has_extension(std::string_view path, std::string_view extension) {
  const auto lower_case = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return path.size() >= extension.size() &&
         std::equal(extension.rbegin(), extension.rend(), path.rbegin(),
                    [&](char a, char b) { return a == lower_case(b); });
}

std::string distrust_of(const struct stat& status) {
  if (status.st_uid != geteuid() && status.st_uid != 0)
    return "belongs to user " + std::to_string(status.st_uid);
  if ((status.st_mode & S_IWOTH) != 0) return "may be written by every user";
  if ((status.st_mode & S_IWGRP) != 0 && status.st_gid != getegid())
    return "may be written by group " + std::to_string(status.st_gid);
  return "";
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

void fail_output(const std::string& path, const char* action, int cause) {
  std::string remedy = "check the path and its permissions";
  if (cause == ENOSPC || cause == EDQUOT) remedy = "free some space, or write elsewhere";
  if (cause == EFBIG) remedy = "raise the limit on file sizes (ulimit -f), or write elsewhere";
  if (cause == ENOENT) remedy = "its folder does not accept new files; write elsewhere";
  if (cause == EMFILE) remedy = "raise the limit on open files (ulimit -n), or bake fewer at once";
  if (cause == ESPIPE) remedy = "write to a file: a cache is not written sequentially";
  if (cause == ENAMETOOLONG) remedy = "choose a shorter name";
  if (cause == ELOOP) remedy = "its symbolic links form a cycle; write elsewhere";
  if (cause == EISDIR) remedy = "a folder has this name; choose another";
  throw Error("OUTPUT_NOT_WRITTEN",
              std::string("cannot ") + action + ": " + std::strerror(cause) + "; " + remedy,
              {path, ""});
}

namespace {

constexpr int kMostLinks = 40;  // the limit of Linux

bool is_misleading(const std::filesystem::path& path) {
  struct stat link {
  }, folder{};
  if (::lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return false;
  if (::stat(folder_of(path.string()).c_str(), &folder) != 0) return false;
  const bool is_shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return is_shared && link.st_uid != ::geteuid() && link.st_uid != folder.st_uid;
}

}  // namespace

std::string foreign_link_in(const std::string& path) {
  std::filesystem::path followed = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::filesystem::path part;
    for (const std::filesystem::path& name : followed) {
      part /= name;
      if (is_misleading(part)) return part.string();
    }
    std::error_code no_link;
    const auto target = std::filesystem::read_symlink(followed, no_link);
    if (no_link) break;
    followed = followed.parent_path() / target;  // an absolute target replaces the folder
  }
  return "";
}

void require_own_links(const std::string& path) {
  const std::string link = foreign_link_in(path);
  if (link.empty()) return;
  throw Error("OUTPUT_NOT_WRITTEN",
              "cannot write: the link '" + link +
                  "' belongs to another user, in a folder that everybody can write; remove the "
                  "link, or write elsewhere",
              {path, ""});
}

std::string resolved_links(const std::string& path) {
  std::error_code missing;
  const auto existing = std::filesystem::canonical(path, missing);
  if (!missing) return existing.string();
  std::filesystem::path resolved = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code no_link;
    const auto target = std::filesystem::read_symlink(resolved, no_link);
    if (no_link) break;
    resolved = resolved.parent_path() / target;
  }
  return resolved.string();
}

namespace {

// The path with its folders' links resolved, and its own, even if that file does not exist yet.
std::string canonical(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(resolved_links(path), failed);
  const auto resolved = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal().string() : resolved.string();
}

std::string number_of(const struct stat& file) {
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

// The keys of the name that an output would replace: its path, and its folder's number with its own
// name, which are the same below each mount of the folder.
std::vector<std::string> name_keys(const std::string& path) {
  const std::filesystem::path name(canonical(path));
  std::vector<std::string> keys{name.string()};
  struct stat folder {};
  if (::stat(name.parent_path().c_str(), &folder) == 0) {
    keys.push_back(number_of(folder) + "/" + name.filename().string());
  }
  return keys;
}

}  // namespace

std::string shown(const std::string& file) {
  const std::filesystem::path path(file);
  return path.is_absolute() ? path.filename().string() : file;
}

std::vector<std::string> file_keys(const std::string& path) {
  std::vector<std::string> keys = name_keys(path);
  struct stat file {};
  if (::stat(path.c_str(), &file) == 0) keys.push_back(number_of(file));  // equal for hard links
  return keys;
}

std::vector<NamedInput> named_inputs(const std::vector<std::string>& files,
                                     const std::vector<InputFile>& inputs) {
  std::unordered_map<std::string, std::string> roles;  // by reported path
  for (const InputFile& input : inputs) roles.emplace(input.path, input.role);
  std::vector<NamedInput> named;
  for (const std::string& file : files) {
    const auto role = roles.find(shown(file));
    named.push_back({file, role == roles.end() ? "" : role->second});
  }
  return named;
}

void require_no_input(const std::vector<std::string>& outputs,
                      const std::vector<NamedInput>& inputs) {
  std::map<std::string, const NamedInput*> input_of;
  for (const NamedInput& input : inputs) {
    for (const std::string& key : name_keys(input.path)) input_of.emplace(key, &input);
  }
  for (const std::string& output : outputs) {
    for (const std::string& key : name_keys(output)) {
      const auto found = input_of.find(key);
      if (found == input_of.end()) continue;
      const NamedInput& input = *found->second;
      throw Error("OUTPUT_IS_INPUT", "output '" + output + "' would replace an input file, " +
                                         (input.role.empty() ? "" : "the " + input.role + " ") +
                                         "'" + input.path + "'");
    }
  }
}

}  // namespace skinbake
