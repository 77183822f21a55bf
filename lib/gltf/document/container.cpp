#include "gltf/document/container.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/containers.h"
#include "base/file_kind.h"
#include "base/random_access_file.h"
#include "gltf/document/message_text.h"
#include "json/json_text.h"

namespace skinbake::gltf {

namespace {

constexpr std::size_t kMaxJsonBytes = std::size_t{1} << 30;  // tinygltf takes 32-bit lengths

std::uint32_t u32_at(ByteSpan bytes, std::size_t offset) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

[[noreturn]] void fail_glb(const std::string& path, const std::string& what) {
  fail_at("GLB_INVALID", path, {"the GLB container", ""}, what);
}

Container split_glb(const std::string& path, ByteSpan file) {
  if (file.size() < kGlbHeaderBytes) fail_glb(path, "ends inside its header");
  if (const std::uint32_t version = u32_at(file, 4); version != kGlbVersion) {
    fail_at("VERSION_UNSUPPORTED", path, {"the GLB container", ""},
            "has version " + std::to_string(version) + ", only 2 is supported");
  }
  const std::size_t length = u32_at(file, 8);
  if (length < kGlbHeaderBytes || length > file.size()) {
    fail_glb(path, "declares " + std::to_string(length) + " bytes, but the file has " +
                       std::to_string(file.size()));
  }
  Container container;
  container.trailing_bytes = file.size() - length;
  bool has_json = false;
  for (std::size_t at = kGlbHeaderBytes; at < length;) {
    if (length - at < kGlbChunkHeaderBytes) fail_glb(path, "ends inside a chunk's header");
    const std::size_t size = u32_at(file, at);
    const std::uint32_t type = u32_at(file, at + 4);
    at += kGlbChunkHeaderBytes;
    if (size > length - at) {
      const bool in_file = size <= file.size() - at;
      fail_glb(path, in_file ? "has a chunk that ends at byte " + std::to_string(at + size) +
                                   ", past the " + std::to_string(length) +
                                   " bytes that its header declares"
                             : "has a chunk that ends past the file");
    }
    if (!has_json && type != kGlbJsonChunk) {
      fail_glb(path, "does not begin with a JSON chunk");
    }
    if (!has_json) {
      container.json = {reinterpret_cast<const char*>(file.data()) + at, size};
      has_json = true;
    } else if (type == kGlbBinChunk && !container.has_bin) {
      container.bin = file.subspan(at, size);
      container.has_bin = true;
    } else {
      ++container.ignored_chunks;
    }
    at += size;
  }
  if (!has_json) fail_glb(path, "does not have a JSON chunk");
  return container;
}

}  // namespace

Container split_container(const std::string& path, ByteSpan file) {
  if (file.empty()) fail_at("JSON_INVALID", path, {"the file", ""}, "is empty");
  const std::string_view text{reinterpret_cast<const char*>(file.data()), file.size()};
  if (file.size() >= 4 && u32_at(file, 0) == kGlbMagic) return split_glb(path, file);
  if (const FileKind* const kind = find_file_kind(text, text.size())) refuse_file_kind(*kind, path);
  if (text.substr(0, kGlbHeaderBytes).find('\0') != std::string_view::npos) {
    fail_at("GLB_INVALID", path, {"the file", ""},
            "is neither JSON nor a GLB, which begins with 'glTF'");
  }
  return {text, {}, false, 0, 0};
}

nlohmann::json parse_json(const std::string& path, std::string_view text) {
  const Element element{"the JSON text", ""};
  if (text.size() > kMaxJsonBytes) {
    fail_at("JSON_INVALID", path, element, "is larger than 1 GiB, the greatest supported size");
  }
  nlohmann::json value;
  const JsonProblem problem = parse_text(text, value);
  if (!problem) return value;
  if (problem.fault == JsonFault::kTooDeep) {
    fail_at("JSON_TOO_DEEP", path, element, problem.text);
  }
  fail_at("JSON_INVALID", path, element, problem.text);
}

}  // namespace skinbake::gltf
