#include "base/files/output_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

#include "skinbake/error.h"

namespace skinbake {

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
  throw Error(ErrorKind::kOutput, "OUTPUT_NOT_WRITTEN",
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
  throw Error(ErrorKind::kOutput, "OUTPUT_NOT_WRITTEN",
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

std::string unused_name(const std::string& target) {
  constexpr std::size_t kMostOfName = 200;  // leaves room for the suffix
  std::random_device random;
  const std::string name = std::filesystem::path(target).filename().string();
  return target.substr(0, target.size() - name.size()) + name.substr(0, kMostOfName) + ".tmp" +
         std::to_string(random()) + std::to_string(random());
}

}  // namespace skinbake
