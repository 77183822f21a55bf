#include "caches/cache_file.h"

#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/bytes.h"
#include "caches/sidecar.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 18;  // fits into a core's own cache

struct FilePart {
  std::vector<char> bytes = std::vector<char>(kPartBytes);
  std::uint64_t offset = 0;
  std::size_t size = 0;
};

}  // namespace

std::string CacheFile::xxh128() const {
  std::call_once(hashed_, [this] { xxh128_ = file_.xxh128(); });
  return xxh128_;
}

std::optional<CacheProvenance> CacheFile::provenance() const {
  std::optional<CacheProvenance> known = known_provenance();
  if (known && !known->is_complete) known.reset();
  return known;
}

std::optional<CacheProvenance> CacheFile::known_provenance() const {
  std::optional<SidecarContent> sidecar = read_sidecar(*this, chosen_mesh());
  if (!sidecar || sidecar->xxh128 != xxh128()) return {};
  return std::move(sidecar->provenance);
}

std::optional<CacheProvenance> CacheFile::claimed_provenance() const {
  std::optional<SidecarContent> sidecar = read_sidecar(*this, chosen_mesh());
  if (!sidecar || !sidecar->provenance.is_complete) return {};
  return std::move(sidecar->provenance);
}

void CacheFile::fail(const std::string& element, const std::string& cause) const {
  throw Error("CACHE_INVALID", element + ": " + cause, {path(), ""});
}

bool is_size_of(std::uint64_t size, std::uint64_t vertices, std::uint64_t frames,
                std::uint64_t other, std::uint64_t position_bytes) {
  if (size < other || (size - other) % position_bytes != 0) return false;
  const std::uint64_t positions = (size - other) / position_bytes;
  if (vertices == 0 || frames == 0) return positions == 0;
  return positions % vertices == 0 && positions / vertices == frames;  // a product may overflow
}

std::string hash_of_file(const std::string& path) {
  const RandomAccessFile file(path);
  std::array<FilePart, 4> parts;  // a ring: a part per token; tokens end in order
  std::uint64_t next = 0;
  Xxh128 hash;
  const auto begin = [&](tbb::flow_control& flow) -> FilePart* {
    if (next >= file.size()) {
      flow.stop();
      return nullptr;
    }
    FilePart& part = parts[next / kPartBytes % parts.size()];
    part.offset = next;
    part.size = static_cast<std::size_t>(std::min<std::uint64_t>(kPartBytes, file.size() - next));
    next += part.size;
    return &part;
  };
  const auto read = [&](FilePart* part) {
    file.read_at(part->bytes.data(), part->size, part->offset);
    return part;
  };
  const auto add = [&](const FilePart* part) { hash.update(part->bytes.data(), part->size); };
  tbb::parallel_pipeline(
      parts.size(), tbb::make_filter<void, FilePart*>(tbb::filter_mode::serial_in_order, begin) &
                        tbb::make_filter<FilePart*, FilePart*>(tbb::filter_mode::parallel, read) &
                        tbb::make_filter<FilePart*, void>(tbb::filter_mode::serial_in_order, add));
  return hash.hex();
}

}  // namespace skinbake
