#include "gltf/document/linked_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/bytes.h"

namespace skinbake::gltf {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(16 * high + low);
    i += 2;
  }
  return decoded;
}

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0 ||
      !std::isalpha(static_cast<unsigned char>(uri[0])))
    return false;
  return std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
  });
}

// Whether the ".." of a path lead above its first folder at any point.
bool climbs_out(std::string_view path) {
  int depth = 0;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

struct RelativePath {
  std::string path;         // decoded; absolute only if files outside are allowed
  std::string refusal;      // empty, or the end of a sentence about the URI
  bool is_outside = false;  // the path was refused only because it leads out of the folder
};

// Refuses schemes and, unless files outside are allowed, paths that leave the folder.
RelativePath relative_path(std::string_view uri, bool allow_outside) {
  if (has_scheme(uri)) return {"", "is not a path to a file", false};
  const std::optional<std::string> path = percent_decoded(uri);
  if (!path) return {"", "has a malformed percent-encoding", false};
  if (path->empty()) return {"", "is empty", false};
  if (path->find('\0') != std::string::npos) return {"", "contains a NUL", false};
  if (allow_outside) return {*path, "", false};
  if (path->starts_with('/') || path->starts_with('\\')) return {"", "is an absolute path", true};
  if (climbs_out(*path)) return {"", "is outside the glTF's folder", true};
  return {*path, "", false};
}

// Whether a file lies in a folder or below it once symbolic links are resolved. True also for a
// file that does not exist.
bool is_inside(const std::string& file, const std::string& folder) {
  std::error_code failed;
  const auto real_file = std::filesystem::canonical(file, failed);
  if (failed) return true;
  const auto real_folder = std::filesystem::canonical(folder.empty() ? "." : folder, failed);
  if (failed) return false;
  const auto rest =
      std::mismatch(real_folder.begin(), real_folder.end(), real_file.begin(), real_file.end());
  return rest.first == real_folder.end();
}

// The folder of a path with its slash, or an empty text.
std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

class File {
 public:
  explicit File(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

FileContent problem(std::string text) {
  return {{}, std::move(text), 0};
}

}  // namespace

FileContent read_file(const std::string& path, std::uint64_t limit) {
  const File file(path);
  struct stat status {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) {
    return problem(errno == ENOENT ? "does not exist"
                                   : std::string("cannot be read: ") + strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) return problem("is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) return {{}, "is larger than the limit", size};
  FileContent content{Bytes(size), "", 0};
  std::size_t done = 0;
  while (done < size) {
    // A signal waits for the end of a read.
    constexpr std::size_t kAtOnce = std::size_t{4} << 20;
    const std::size_t part = std::min(kAtOnce, size - done);
    const ssize_t n = read(file.descriptor(), content.bytes.data() + done, part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return problem(std::string("cannot be read: ") + strerror(errno));
    if (n == 0) return problem("was truncated while it was read");
    done += static_cast<std::size_t>(n);
  }
  return content;
}

bool is_data_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "data:";
  return uri.size() >= kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), uri.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

std::optional<Bytes> decode_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view data = uri.substr(comma + 1);
  if (uri.substr(0, comma).ends_with(";base64")) return base64_decoded(data);
  const std::optional<std::string> decoded = percent_decoded(data);
  if (!decoded) return std::nullopt;
  Bytes bytes(decoded->size());
  std::copy(decoded->begin(), decoded->end(), bytes.data());
  return bytes;
}

std::string named_file(const std::string& document_path, const std::string& uri) {
  if (is_data_uri(uri)) return "";
  const RelativePath relative = relative_path(uri, true);
  if (!relative.refusal.empty() || relative.path.starts_with('/')) return relative.path;
  return folder_of(document_path) + relative.path;
}

LinkedFile read_linked(const std::string& document_path, const std::string& uri,
                       bool allow_outside) {
  const RelativePath relative = relative_path(uri, allow_outside);
  if (!relative.refusal.empty()) return {"", relative.refusal, relative.is_outside, {}};
  const std::string folder = folder_of(document_path);
  const std::string file = relative.path.starts_with('/') ? relative.path : folder + relative.path;
  if (!allow_outside && !is_inside(file, folder)) {
    return {"", "is a symbolic link to a file outside the glTF's folder", true, {}};
  }
  return {file, "", false, read_file(file)};
}

InputFile input_record(const char* role, const std::string& shown_as, ByteSpan bytes) {
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return {role, shown_as, bytes.size(), hash.hex()};
}

}  // namespace skinbake::gltf
