// Files of the bind cache, and the folder that contains them.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "bake/bind/bind_cache.h"
#include "base/bytes.h"
#include "base/output_file.h"
#include "base/paths.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The last byte is the version. It is increased when the layout changes; kBindVersion of
// bake/bind/bind.cpp when binds change.
constexpr std::array<char, 8> kMagic{'S', 'K', 'B', 'I', 'N', 'D', '\0', 5};
constexpr std::size_t kDigits = 32;  // of a hash

// Binds have float32 positions and moments. Larger numbers, as a damaged file may have them, would
// make positions infinite, and an error of the bake would blame the rig. A bind of a mesh that has
// them, such as one of 10^15 m, is not stored.
constexpr double kLargestNumber = 1e30;

struct Header {
  std::array<char, 8> magic;
  std::array<char, kDigits> key;
  std::uint32_t numbers_per_entry;
  std::uint32_t entries;
};
static_assert(sizeof(Header) == 48, "no padding: the struct is the file's layout");

std::string fault_of(const Header& header, std::uint64_t size, const BindContents& of) {
  if (header.magic != kMagic) return "it is not a bind of this version";
  if (!std::equal(header.key.begin(), header.key.end(), of.key.begin(), of.key.end()))
    return "its key is not its name";
  if (header.numbers_per_entry != of.form.numbers_per_entry)
    return "it has " + std::to_string(header.numbers_per_entry) + " numbers per entry instead of " +
           std::to_string(of.form.numbers_per_entry);
  if (header.entries > of.form.most_entries)
    return "it has " + std::to_string(header.entries) + " entries; the mesh has at most " +
           std::to_string(of.form.most_entries);
  // At most 2^32 vertices and entries, and few numbers per entry: no overflow.
  const std::uint64_t expected =
      sizeof header + kDigits + 4 * (std::uint64_t{of.input.rig.mesh->vertex_count()} + 1) +
      std::uint64_t{header.entries} * (4 + 8 * std::uint64_t{header.numbers_per_entry});
  if (size == expected) return "";
  return "it has " + std::to_string(size) + " bytes; its header has " + std::to_string(expected);
}

template <class T>
std::span<char> bytes_of(std::vector<T>& array) {
  return {reinterpret_cast<char*>(array.data()), array.size() * sizeof(T)};
}

template <class T>
std::span<const char> bytes_of(const std::vector<T>& array) {
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)};
}

}  // namespace

std::string fault_of(const BindData& bind_data, const BindContents& of) {
  const std::vector<std::uint32_t>& first = bind_data.first_entry;
  if (first.front() != 0 || first.back() != bind_data.indices.size())
    return "the lists of the vertices do not fit its entries";
  const std::size_t per_entry = bind_data.numbers_per_entry;
  for (std::size_t v = 0; v + 1 < first.size(); ++v) {
    const std::string vertex = "vertex " + std::to_string(v) + ": ";
    if (first[v + 1] < first[v] || first[v + 1] > first.back())
      return vertex + "its list of entries ends before it begins, or after the last one";
    const std::size_t count = first[v + 1] - first[v];
    const BindEntries entries{{bind_data.indices.data() + first[v], count},
                              {bind_data.numbers.data() + first[v] * per_entry, count * per_entry}};
    for (const double number : entries.numbers) {
      if (!(std::abs(number) <= kLargestNumber)) {
        return vertex + "it has a number that is not finite, or too large for a mesh";
      }
    }
    const std::string fault = of.form.fault(of.input, entries);
    if (!fault.empty()) return vertex + fault;
  }
  return "";
}

std::string read_bind(std::uint64_t size, const std::function<bool(std::span<char>)>& read,
                      const BindContents& of, BindData& bind_data) {
  const std::string unreadable = "it is too short, or cannot be read";
  Xxh128 hash;
  const auto take = [&](std::span<char> to) {
    if (!read(to)) return false;
    hash.update(to.data(), to.size());
    return true;
  };
  Header header;
  if (!take({reinterpret_cast<char*>(&header), sizeof header})) return unreadable;
  if (const std::string fault = fault_of(header, size, of); !fault.empty()) return fault;
  bind_data.numbers_per_entry = header.numbers_per_entry;
  bind_data.first_entry.resize(std::size_t{of.input.rig.mesh->vertex_count()} + 1);
  bind_data.indices.resize(header.entries);
  bind_data.numbers.resize(std::size_t{header.entries} * header.numbers_per_entry);
  if (!take(bytes_of(bind_data.first_entry)) || !take(bytes_of(bind_data.indices)) ||
      !take(bytes_of(bind_data.numbers)))
    return unreadable;
  const std::string expected = hash.hex();
  std::array<char, kDigits> digits;
  if (!read(digits)) return unreadable;
  if (!std::equal(expected.begin(), expected.end(), digits.begin(), digits.end()))
    return "its bytes do not have its checksum";
  return fault_of(bind_data, of);
}

void write_bind(const BindData& bind_data, const std::string& key,
                const std::function<void(std::span<const char>)>& write) {
  Header header{kMagic,
                {},
                bind_data.numbers_per_entry,
                static_cast<std::uint32_t>(bind_data.indices.size())};
  std::copy_n(key.begin(), kDigits, header.key.begin());
  Xxh128 hash;
  const auto put = [&](std::span<const char> bytes) {
    hash.update(bytes.data(), bytes.size());
    write(bytes);
  };
  put({reinterpret_cast<const char*>(&header), sizeof header});
  put(bytes_of(bind_data.first_entry));
  put(bytes_of(bind_data.indices));
  put(bytes_of(bind_data.numbers));
  write(hash.hex());
}

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
  // Later runs would refuse a bind with a fault, such as a number that is not finite.
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
