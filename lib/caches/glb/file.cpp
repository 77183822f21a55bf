#include "caches/glb/file.h"

#include <array>
#include <limits>
#include <stdexcept>

#include "base/containers.h"
#include "caches/cache_file.h"
#include "caches/glb/baked_json.h"
#include "caches/glb/encoding.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Sets the ranges of the static data without writing it.
void place_static_data(GlbLayout& layout) {
  append_static_data(layout, [&](const void*, std::size_t size) {
    const BinRange range{layout.bytes, size};
    layout.bytes += padded_to_4(size);
    return range;
  });
}

// The upper bound of the size of the JSON. It is the size for a layout in which every number has
// the longest text and every target the longest description: a sparse target has it or, with
// meshopt=1, a compressed target.
std::uint64_t max_json_bytes(GlbLayout layout) {
  constexpr std::uint32_t kLongestCount = std::numeric_limits<std::uint32_t>::max();
  constexpr BinRange kLongestRange{kLongestCount, kLongestCount};
  constexpr float kLongest = gltf::kLongestDecimal;
  constexpr Box kLongestBounds{{kLongest, kLongest, kLongest}, {kLongest, kLongest, kLongest}};
  constexpr std::uint64_t kZeroTargetBytes = 512;  // the accessor of zero targets, and its views
  constexpr std::uint64_t kExtraDigits = 16;
  constexpr std::uint64_t kThicknessBytes = 24;  // of a material, divided by the scale of the grid
  layout.bytes = kLongestCount;
  std::uint64_t bytes = kZeroTargetBytes;
  bytes += kThicknessBytes * layout.document.json["materials"].size();
  for (GlbMesh& mesh : layout.meshes) {
    mesh.grid.centre.fill(kLongest);
    mesh.grid.scale = kLongest;
    for (GlbPrimitive& primitive : mesh.primitives) {
      std::fill(primitive.bounds.begin(), primitive.bounds.end(), kLongestBounds);
    }
    GlbTarget longest{
        GlbTarget::Kind::kSparse, kLongestCount, kLongestCount, kLongestCount, kLongestBounds, {}};
    if (layout.options.meshopt) {
      longest.kind = GlbTarget::Kind::kDense;
      longest.stream = kLongestRange;
    }
    for (GlbMorphedAttribute& attribute : mesh.attributes) {
      for (GlbBase& base : attribute.bases) {
        base.range = kLongestRange;
        std::fill(base.streams.begin(), base.streams.end(), kLongestRange);
      }
      GlbBlock block{kLongestRange, kLongestRange, kLongestRange, {}};
      if (layout.options.is_quantized() && attribute.name != kPositionAttribute) {
        block.floats = kLongestRange;
      }
      std::fill(attribute.blocks.begin(), attribute.blocks.end(), block);
      std::fill(attribute.targets.begin(), attribute.targets.end(), longest);
      bytes += kZeroTargetBytes * mesh.primitives.size() * attribute.bases.size();
      // A float target takes 12 bytes a vertex and not 8, so decoded offsets can grow by a digit.
      if (layout.options.meshopt && mesh.has_normals()) {
        bytes += kExtraDigits * attribute.targets.size();
      }
    }
  }
  return bytes + glb_json(layout).size();
}

}  // namespace

GlbFile::GlbFile(const std::string& path, std::span<const CacheHeader> headers, const EditGlb& edit)
    : layout_(plan_glb(path, headers)) {
  if (edit) edit(layout_.document);
  place_static_data(layout_);
  const std::uint64_t max_bin_bytes = layout_.bytes + max_frame_data_bytes(layout_);
  json_bytes_ = padded_to_4(max_json_bytes(layout_));
  if (json_bytes_ > kMaxGlbJsonBytes) {
    throw Error("CACHE_TOO_LARGE",
                "the JSON has up to " + std::to_string(json_bytes_) + " bytes; a GLB cache has " +
                    std::to_string(kMaxGlbJsonBytes) + " at most",
                {path, ""});
  }
  if (bin_offset() + max_bin_bytes > kMaxGlbBytes) {
    throw Error(
        "CACHE_TOO_LARGE",
        std::to_string(bin_offset() + max_bin_bytes) + " bytes, and a GLB has 4294967295 at most",
        {path, ""});
  }
  file_.emplace(path);
  file_->reserve_at_most(bin_offset() + max_bin_bytes);
  if (!edit) sidecar_.emplace(path, headers);
  layout_.bytes = 0;
  append_static_data(layout_, [&](const void* data, std::size_t size) {
    constexpr std::array<char, 4> kZeros{};
    const BinRange range{layout_.bytes, size};
    append(data, size);
    append(kZeros.data(), padded_to_4(size) - size);
    return range;
  });
  drop_static_data(layout_);
}

std::uint64_t GlbFile::bin_offset() const {
  return glb_bin_offset(json_bytes_);
}

void GlbFile::append(const void* data, std::size_t size) {
  file_->write_at(data, size, bin_offset() + layout_.bytes);
  layout_.bytes += size;
}

void GlbFile::end_mesh() {
  if (++ended_writers_ < layout_.meshes.size() * layout_.clips.size()) return;
  write_chunks();
  file_->truncate(bytes());
  xxh128_ = hash_of_file(file_->readable_path());
  if (sidecar_) sidecar_->write({"glb", bytes(), xxh128_});
}

std::shared_ptr<const StoredFrames> GlbFile::read_back(const std::string& mesh) {
  if (!parsed_) parsed_ = parse_glb_cache(readable_path());
  if (!stored_ || stored_mesh_ != mesh) {
    stored_.reset();  // before the next mesh is in memory
    stored_ = open_glb_cache(readable_path(), mesh, *parsed_);
    stored_mesh_ = mesh;
  }
  std::shared_ptr<const StoredFrames> stored = stored_;
  if (++reads_ % (layout_.meshes.size() * layout_.clips.size()) == 0) {
    parsed_.reset(), stored_.reset();
  }
  return stored;
}

void GlbFile::write_chunks() {
  std::string json = glb_json(layout_);
  if (json.size() > json_bytes_) throw std::logic_error("the JSON exceeds its reserved chunk");
  json.resize(json_bytes_, ' ');
  const GlbHeads heads = glb_heads(json_bytes_, layout_.bytes);
  file_->write_at(heads.json.data(), sizeof heads.json, 0);
  file_->write_at(json.data(), json.size(), sizeof heads.json);
  file_->write_at(heads.bin.data(), sizeof heads.bin, bin_offset() - kGlbChunkHeaderBytes);
}

std::vector<OutputFile*> GlbFile::files() {
  if (!sidecar_) return {&*file_};
  return {&*file_, &sidecar_->file()};
}

}  // namespace skinbake
