#include "gltf/container.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "json/json_text.h"

namespace skinbake::gltf {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kChunkHeaderSize = 8;
constexpr std::size_t kMaxJsonBytes = std::size_t{1} << 30;  // tinygltf counts in 32 bits
constexpr std::uint64_t kJsonCopies = 2;                     // the source, and what is kept of it

std::uint32_t u32_at(ByteSpan bytes, std::size_t offset) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
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

[[noreturn]] void fail_glb(const Document& document, const std::string& what) {
  document.fail("GLB_INVALID", {"the GLB container", ""}, what);
}

Container split_glb(const Document& document, ByteSpan file) {
  if (file.size() < kHeaderSize) fail_glb(document, "ends inside its header; copy it again");
  if (const std::uint32_t version = u32_at(file, 4); version != 2) {
    fail_glb(document, "has version " + std::to_string(version) +
                           ", only 2 is supported; convert the file to glTF 2.0");
  }
  const std::size_t length = u32_at(file, 8);
  if (length < kHeaderSize || length > file.size()) {
    fail_glb(document, "says it has " + std::to_string(length) + " bytes, the file has " +
                           std::to_string(file.size()) + "; copy or export it again");
  }
  Container container;
  container.trailing_bytes = file.size() - length;
  bool has_json = false;
  for (std::size_t at = kHeaderSize; at < length;) {
    if (length - at < kChunkHeaderSize)
      fail_glb(document, "ends inside a chunk's header; copy or export it again");
    const std::size_t size = u32_at(file, at);
    const std::uint32_t type = u32_at(file, at + 4);
    at += kChunkHeaderSize;
    if (size > length - at) {
      const bool in_file = size <= file.size() - at;
      fail_glb(document, in_file ? "has a chunk that ends at byte " + std::to_string(at + size) +
                                       ", past the " + std::to_string(length) +
                                       " bytes that its header declares; copy or export it again"
                                 : "has a chunk that ends past the file; copy or export it again");
    }
    if (!has_json && type != kJsonChunk) {
      fail_glb(document, "does not begin with a JSON chunk; copy or export it again");
    }
    if (!has_json) {
      container.json = {reinterpret_cast<const char*>(file.data()) + at, size};
      has_json = true;
    } else if (type == kBinChunk && !container.has_bin) {
      container.bin = file.subspan(at, size);
      container.has_bin = true;
    }
    at += size;
  }
  if (!has_json) fail_glb(document, "has no JSON chunk; export it again");
  return container;
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
    const ssize_t n = read(file.descriptor(), content.bytes.data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return problem(std::string("cannot be read: ") + strerror(errno));
    if (n == 0) return problem("was cut off while it was read");
    done += static_cast<std::size_t>(n);
  }
  return content;
}

Container split_container(const Document& document, ByteSpan file) {
  if (file.empty()) document.fail("JSON_INVALID", {"the file", ""}, "is empty; copy it again");
  const std::string_view text{reinterpret_cast<const char*>(file.data()), file.size()};
  if (text.starts_with("version https://git-lfs")) {
    document.fail("FILE_UNREADABLE", {"the file", ""},
                  "is a Git LFS pointer, not the model itself; run `git lfs pull`");
  }
  if (file.size() >= 4 && u32_at(file, 0) == kMagic) return split_glb(document, file);
  return {text, {}, false, 0};
}

nlohmann::json parse_json(Document& document, std::string_view text) {
  const Element element{"the JSON text", ""};
  if (text.size() > kMaxJsonBytes) {
    document.fail("JSON_INVALID", element,
                  "is larger than 1 GiB, which no glTF is; store buffers in a .bin file");
  }
  const JsonMeasure measure = measure_json(text);
  document.reserve(measure.memory, kJsonCopies, element);
  nlohmann::json value;
  const JsonProblem problem = parse_text(text, measure, measure.memory, value);
  if (!problem) return value;
  if (problem.fault == JsonFault::kTooDeep) {
    document.fail("JSON_TOO_DEEP", element, problem.text + "; remove the nested extras");
  }
  document.fail("JSON_INVALID", element,
                problem.text + "; check that this is a glTF 2.0 file, and copy or export it again");
}

}  // namespace skinbake::gltf
