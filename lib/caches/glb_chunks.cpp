#include "caches/glb_chunks.h"

#include "json/json_text.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostJsonBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostJsonMemory = std::uint64_t{1} << 30;  // parsed, it takes tenfold

std::uint32_t u32_at(const RandomAccessFile& file, std::uint64_t offset) {
  std::uint32_t value = 0;
  file.read_at(&value, sizeof value, offset);
  return value;
}

json read_json(const RandomAccessFile& file, std::uint64_t offset, std::uint64_t size,
               const GlbRefusal& refuse) {
  std::string text(size, '\0');
  file.read_at(text.data(), text.size(), offset);
  json value;
  const JsonProblem problem = parse_text(text, kMostJsonMemory, value);
  if (problem) refuse("the JSON text", problem.text);
  return value;
}

}  // namespace

GlbDocument read_glb_document(const RandomAccessFile& file, const GlbRefusal& refuse) {
  const std::uint64_t size = file.size();
  if (size < kGlbJson + kChunkHeaderBytes || u32_at(file, 0) != kGlbMagic ||
      u32_at(file, 4) != kGlbVersion || u32_at(file, 8) != size) {
    refuse("the GLB header",
           "is not that of a glTF 2.0 file of " + std::to_string(size) + " bytes");
  }
  const std::uint64_t json_bytes = u32_at(file, kGlbJson - 8);
  if (u32_at(file, kGlbJson - 4) != kJsonChunk || json_bytes > kMostJsonBytes ||
      json_bytes > size - kGlbJson - kChunkHeaderBytes) {
    refuse("the JSON chunk", "is not the first, ends past the file, or is too large");
  }
  const std::uint64_t bin = kGlbJson + json_bytes + kChunkHeaderBytes;
  if (u32_at(file, bin - 4) != kBinChunk || u32_at(file, bin - 8) != size - bin) {
    refuse("the binary chunk", "does not follow the JSON and fill the file");
  }
  return {read_json(file, kGlbJson, json_bytes, refuse), bin, size - bin, refuse};
}

}  // namespace skinbake
