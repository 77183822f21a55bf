#include "caches/glb_file.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "caches/file_hash.h"
#include "caches/glb_numbers.h"
#include "caches/glb_static.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();

// The length of all static parts, and their places.
void lay_out_static_parts(GlbLayout& layout) {
  write_static_parts(layout, [&](const void*, std::size_t size) {
    const GlbView view{layout.bytes, size};
    layout.bytes += filled_up(size);
    return view;
  });
}

}  // namespace

GlbFile::GlbFile(const std::string& path, std::span<const CacheHeader> headers,
                 WithSidecar with_sidecar)
    : layout_(plan_glb(path, headers)) {
  lay_out_static_parts(layout_);
  const std::uint64_t most = layout_.bytes + most_glb_bytes(layout_);
  json_bytes_ = filled_up(longest_glb_json(layout_));
  if (bin_offset() + most > kMostBytes) {
    throw Error(ErrorKind::kUsage, "CACHE_TOO_LARGE",
                std::to_string(bin_offset() + most) +
                    " bytes; a GLB has 4294967295 at most: bake fewer frames or fewer meshes, or "
                    "write another format",
                {path, ""});
  }
  file_.emplace(path);
  file_->reserve_at_most(bin_offset() + most);
  if (with_sidecar == WithSidecar::kYes)
    sidecar_.emplace(path, headers.front(), headers.subspan(1));
  layout_.bytes = 0;
  write_static_parts(layout_, [&](const void* data, std::size_t size) {
    constexpr std::array<char, 4> kZeros{};
    const GlbView view{layout_.bytes, size};
    append(data, size);
    append(kZeros.data(), filled_up(size) - size);
    return view;
  });
}

std::uint64_t GlbFile::bin_offset() const {
  return kGlbHeaderBytes + kChunkHeaderBytes + json_bytes_ + kChunkHeaderBytes;
}

void GlbFile::append(const void* data, std::size_t size) {
  file_->write_at(data, size, bin_offset() + layout_.bytes);
  layout_.bytes += size;
}

void GlbFile::end_mesh() {
  if (++ended_ < layout_.meshes.size()) return;
  write_chunks();
  file_->cut(bytes());
  xxh128_ = hash_of_file(file_->readable_path());
  if (sidecar_) sidecar_->write({"glb", bytes(), xxh128_});
}

void GlbFile::write_chunks() {
  std::string json = glb_json(layout_);
  if (json.size() > json_bytes_) throw std::logic_error("the JSON is longer than its room");
  json.resize(json_bytes_, ' ');
  const auto u32 = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  const std::array<std::uint32_t, 5> head{kGlbMagic, kGlbVersion, u32(bytes()), u32(json_bytes_),
                                          kJsonChunk};
  const std::array<std::uint32_t, 2> bin{u32(layout_.bytes), kBinChunk};
  file_->write_at(head.data(), sizeof head, 0);
  file_->write_at(json.data(), json.size(), sizeof head);
  file_->write_at(bin.data(), sizeof bin, bin_offset() - kChunkHeaderBytes);
}

void GlbFile::sync() {
  if (is_committed_) return;
  file_->sync();
  if (sidecar_) sidecar_->sync();
}

void GlbFile::commit() {
  if (std::exchange(is_committed_, true)) return;
  file_->commit();
  if (sidecar_) sidecar_->commit();
}

}  // namespace skinbake
