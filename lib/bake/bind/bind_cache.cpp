#include "bake/bind/bind_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/output_file.h"
#include "base/paths.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

class Descriptor {
 public:
  // Does not follow a link, and does not wait for the writer of a pipe.
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
        error_(number_ < 0 ? errno : 0) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int error() const { return error_; }
  bool get(struct stat& status) const { return ::fstat(number_, &status) == 0; }
  bool read(std::span<char> to) const {
    while (!to.empty()) {
      const ssize_t count = ::read(number_, to.data(), to.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      to = to.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  int number_;
  int error_;
};

// Throws if other users can replace files in the folder.
void require_trust(const std::string& folder) {
  std::string distrust = foreign_link_in(folder);
  if (!distrust.empty()) distrust = "is behind the link '" + distrust + "' of another user";
  struct stat status;
  if (distrust.empty() && ::stat(folder.c_str(), &status) == 0) distrust = distrust_of(status);
  if (distrust.empty()) return;
  throw Error("BIND_CACHE_UNTRUSTED", "the folder of the bind cache " + distrust, {folder, ""});
}

}  // namespace

BindCache::BindCache(const BakePlan& plan, const BindContents& contents)
    : plan_(plan),
      contents_(contents),
      path_((std::filesystem::path(plan.bind_cache) / (contents.key + ".skbind")).string()) {
  require_trust(plan.bind_cache);
}

std::optional<BindData> BindCache::load() {
  const Descriptor file(path_);
  const bool is_missing = file.error() == ENOENT || file.error() == ENOTDIR;
  if (is_missing) return {};
  const auto refuse = [&](std::string_view code, const std::string& cause) {
    report(code, cause + "; it is made again");
    return std::nullopt;
  };
  struct stat status;
  if (file.error() != 0) {
    return refuse("BIND_CACHE_DAMAGED", file.error() == ELOOP
                                            ? "it is a symbolic link"
                                            : std::generic_category().message(file.error()));
  }
  if (!file.get(status) || !S_ISREG(status.st_mode))
    return refuse("BIND_CACHE_DAMAGED", "it is not a file");
  const std::string distrust = distrust_of(status);
  if (!distrust.empty()) return refuse("BIND_CACHE_DAMAGED", "it " + distrust);
  BindData bind_data;
  const std::string fault = read_bind(
      static_cast<std::uint64_t>(status.st_size), [&](std::span<char> to) { return file.read(to); },
      contents_, bind_data);
  if (!fault.empty()) return refuse("BIND_CACHE_DAMAGED", fault);
  return bind_data;
}

void BindCache::store(const BindData& bind_data) {
  // Later runs would refuse such a bind, as one with numbers that are not finite.
  if (!fault_of(bind_data, contents_).empty()) return;
  std::error_code failed, missing;
  std::filesystem::create_directories(plan_.bind_cache, failed);
  // What is in the file's place is removed, because a file that is written over keeps its rights, a
  // link leads elsewhere, and a pipe stays.
  const bool is_folder =
      std::filesystem::is_directory(std::filesystem::symlink_status(path_, missing));
  if (!failed && !is_folder) std::filesystem::remove(path_, failed);
  if (failed) {
    report("BIND_CACHE_NOT_WRITTEN", "folder '" + plan_.bind_cache + "': " + failed.message() +
                                         "; choose a folder that can be written");
    return;
  }
  try {
    OutputFile file(path_);
    write_bind(bind_data, contents_.key,
               [&](std::span<const char> bytes) { file.write(bytes.data(), bytes.size()); });
    file.commit();
  } catch (const Error& error) {
    report("BIND_CACHE_NOT_WRITTEN", "folder '" + plan_.bind_cache + "': " + error.what());
  }
}

void BindCache::report(std::string_view code, const std::string& message) const {
  const std::string name = contents_.key + ".skbind";
  if (plan_.found) plan_.found(make_issue(code, "", "", "bind cache '" + name + "': " + message));
}

}  // namespace skinbake
