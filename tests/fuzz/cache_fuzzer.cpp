// Fuzzes the readers of caches. The first byte selects a reader, and a mesh if a cache may contain
// several. The other bytes are the file, or only a part of it: the JSON and the binary chunk of a
// GLB, or members of a sidecar. The fuzzer adds the rest, so that the reader passes its first
// checks.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/memory_file.h"
#include "support/temporary_folder.h"

using namespace skinbake;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Reads the first, a middle and the last frame, and the last two frames together.
void read_frames(const CacheReader& reader) {
  const std::int64_t frames = reader.frame_count();
  require(frames >= 1 && reader.vertex_count() >= 1);
  require(reader.frames().frame_count == frames && reader.frames().frame_step >= 1);
  require(std::isfinite(reader.frames().fps) && reader.frames().fps > 0);
  std::vector<float> rows(static_cast<std::size_t>(reader.vertex_count()) * 6);
  for (const std::int64_t frame : {std::int64_t{0}, frames / 2, frames - 1}) {
    reader.read(frame, 1, rows.data());
  }
  if (frames >= 2) reader.read(frames - 2, 2, rows.data());
}

void open_as(const char* format, std::string_view bytes, const char* mesh = "") {
  static test::MemoryFile file;
  file.write(bytes);
  const auto reader = cache_format_of(format).read(file.path(), mesh);
  require(reader->bytes() == bytes.size());
  read_frames(*reader);
}

void append_u32(std::string& bytes, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// A GLB whose chunks are `parts`: the JSON, a zero byte, the binary chunk.
std::string container_of(std::string_view parts) {
  const std::size_t end = std::min(parts.find('\0'), parts.size());
  const std::string_view json = parts.substr(0, end),
                         bin = parts.substr(std::min(end + 1, parts.size()));
  std::string bytes = "glTF";
  append_u32(bytes, 2);
  append_u32(bytes, 12 + 8 + json.size() + 8 + bin.size());
  append_u32(bytes, json.size());
  (bytes += "JSON") += json;
  append_u32(bytes, bin.size());
  return (bytes += std::string_view("BIN\0", 4)) += bin;
}

// A cache of one point and its sidecar.
class CacheWithSidecar {
 public:
  CacheWithSidecar() {
    cache_.write(
        {"POINTCACHE2\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\x80?\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 44});
    std::filesystem::create_symlink(cache_.path(), folder_ / "a.pc2");
    std::filesystem::create_symlink(sidecar_.path(), folder_ / "a.pc2.json");
    reader_ = open_cache(folder_ / "a.pc2");
  }

  // The members that identify the cache come first; `members` follow.
  void read(std::string_view members) {
    sidecar_.write(R"({"schema": "skinbake.cache", "format": "pc2", "bytes": 44, "xxh128": ")" +
                   reader_->xxh128() + "\"" + std::string(members));
    const auto origin = reader_->provenance();
    if (!origin) return;
    require(origin->frames.frame_count == 1 && origin->frames.frame_step >= 1);
    require(std::isfinite(origin->axes.scale) && origin->axes.scale > 0);
    std::int64_t vertices = 0;
    for (const Primitive& primitive : origin->primitives) vertices += primitive.vertex_count;
    require(origin->primitives.empty() || vertices == 1);
  }

 private:
  test::TemporaryFolder folder_;
  test::MemoryFile cache_, sidecar_;
  std::unique_ptr<CacheReader> reader_;
};

constexpr unsigned kKinds = 6;

void read_as(unsigned choice, std::string_view bytes) {
  static CacheWithSidecar with_sidecar;
  const char* const mesh = choice / kKinds % 2 == 0 ? "" : "#1";
  switch (choice % kKinds) {
    case 0:
      return open_as(".pc2", bytes);
    case 1:
      return open_as(".mdd", bytes);
    case 2:
      return open_as(".npy", bytes);
    case 3:
      return open_as(".glb", bytes, mesh);
    case 4:
      return open_as(".glb", container_of(bytes), mesh);
    default:
      return with_sidecar.read(bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_as(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const std::bad_alloc&) {  // bounded_blocks.cpp
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::kInput);
  }
  return 0;
}
