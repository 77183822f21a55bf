#include "caches/file_hash.h"

#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "base/random_access_file.h"

namespace skinbake {

namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 18;  // stays in a core's own cache

struct Part {
  std::vector<char> bytes = std::vector<char>(kPartBytes);
  std::uint64_t offset = 0;
  std::size_t size = 0;
};

}  // namespace

std::string hash_of_file(const std::string& path) {
  const RandomAccessFile file(path);
  std::array<Part, 4> parts;  // go round: as many as there are tokens, which end in order
  std::uint64_t next = 0;
  Xxh128 hash;
  const auto begin = [&](tbb::flow_control& flow) -> Part* {
    if (next >= file.size()) {
      flow.stop();
      return nullptr;
    }
    Part& part = parts[next / kPartBytes % parts.size()];
    part.offset = next;
    part.size = static_cast<std::size_t>(std::min<std::uint64_t>(kPartBytes, file.size() - next));
    next += part.size;
    return &part;
  };
  const auto read = [&](Part* part) {
    file.read_at(part->bytes.data(), part->size, part->offset);
    return part;
  };
  const auto add = [&](const Part* part) { hash.update(part->bytes.data(), part->size); };
  tbb::parallel_pipeline(parts.size(),
                         tbb::make_filter<void, Part*>(tbb::filter_mode::serial_in_order, begin) &
                             tbb::make_filter<Part*, Part*>(tbb::filter_mode::parallel, read) &
                             tbb::make_filter<Part*, void>(tbb::filter_mode::serial_in_order, add));
  return hash.hex();
}

}  // namespace skinbake
