#include "caches/vat/file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "caches/mesh_cache.h"
#include "caches/vat/mesh.h"
#include "caches/vat/reader.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kTextureAxes = 3;

void add_files(VatTexture& texture, std::vector<OutputFile*>& files) {
  if (texture.low() != nullptr) add_files(*texture.low(), files);
  files.push_back(&texture.file());
}

std::uint64_t bytes_of(const VatTexture& texture) {
  return texture.bytes() + (texture.low() != nullptr ? bytes_of(*texture.low()) : 0);
}

WrittenFile written_file(const VatTexture& texture) {
  return {texture.path(), texture.readable_path(), texture.xxh128()};
}

// Paths for the reader: of a texture and of its low bytes, if texels are split.
VatImages readable_images(const VatTexture& texture) {
  return {texture.readable_path(),
          texture.low() != nullptr ? texture.low()->readable_path() : std::string()};
}

VatLayout checked_plan(const std::string& path, std::span<const CacheHeader> headers,
                       VatOptions::Layout kind) {
  const CacheHeader& header = headers.front();
  require_rig("VAT", path, header);
  return plan_vat(path, kind, header.vertex_count(), frames_of_clips(headers).frame_count);
}

}  // namespace

VatPrepass::VatPrepass(std::string path, std::int64_t vertices, std::size_t clips)
    : RangePrepass(vertices, clips), path_(std::move(path)) {}

// Subtraction and rounding are monotonic: the minimum gives the smallest displacement.
void VatPrepass::complete() {
  for (std::size_t i = 0; i < base().size(); i += kTextureAxes) {
    std::array<float, kTextureAxes> least, most;
    for (std::size_t axis = 0; axis < kTextureAxes; ++axis) {
      least[axis] = low()[i + axis] - base()[i + axis];
      most[axis] = high()[i + axis] - base()[i + axis];
    }
    box_.add(least.data());
    box_.add(most.data());
  }
  drop_range();
  for (std::size_t axis = 0; axis < kTextureAxes; ++axis) {
    // Replaces -0 by 0: the sign of a zero extreme depends on the order of the blocks.
    box_.min[axis] += 0.0F;
    box_.max[axis] += 0.0F;
    if (std::isfinite(extent(axis))) continue;
    throw Error("CACHE_UNSUITABLE", "a displacement is too large for float32", {path_, ""});
  }
  for (std::size_t axis = 0; axis < kTextureAxes; ++axis) {
    largest_ = std::max({largest_, std::abs(box_.min[axis]), std::abs(box_.max[axis])});
  }
  for (std::size_t i = 0; i < base().size(); ++i) {
    largest_ = std::max(largest_, std::abs(base()[i]));
  }
}

VatFile::VatFile(const std::string& path, std::span<const CacheHeader> headers)
    : clips_(headers.size()),
      options_(parse_vat_options(path, headers.front().options)),
      layout_(checked_plan(path, headers, options_.layout)),
      texture_(path, layout_, options_, headers.front().cancelled),
      prepass_(path, layout_.vertices, clips_),
      mesh_(open_vat_mesh(path + ".glb", headers.front(), layout_, options_.normals)),
      sidecar_(path, headers) {
  const CacheHeader& header = headers.front();
  if (!options_.normals || !header.normals) return;
  normals_.emplace(path, layout_, options_, *header.normals, header.cancelled);
}

void VatFile::end_clip() {
  if (++ended_clips_ < clips_) return;
  prepass_.drop_base();
  texture_.end();
  if (normals_) normals_->texture().end();
  mesh_->end();
  sidecar_.write(
      {"vat", texture_.bytes(), texture_.xxh128(), [this](OrderedJson& json) { describe(json); }});
}

std::vector<OutputFile*> VatFile::files() {
  std::vector<OutputFile*> files = mesh_->files();
  if (normals_) add_files(normals_->texture(), files);
  add_files(texture_, files);
  files.push_back(&sidecar_.file());
  return files;
}

std::uint64_t VatFile::auxiliary_bytes() const {
  const std::uint64_t normals = normals_ ? bytes_of(normals_->texture()) : 0;
  return mesh_->bytes() + normals + bytes_of(texture_) - texture_.bytes();
}

std::shared_ptr<const StoredFrames> VatFile::read_back() {
  if (!stored_) {
    stored_ =
        read_vat({readable_images(texture_), mesh_->readable_path(), sidecar_.readable_path(),
                  normals_ ? readable_images(normals_->texture()) : VatImages{}, options_.is_png});
  }
  std::shared_ptr<const StoredFrames> stored = stored_;
  if (++reads_ % clips_ == 0) stored_.reset();
  return stored;
}

std::vector<WrittenFile> VatFile::auxiliary_files() const {
  std::vector<WrittenFile> files{{mesh_->path(), mesh_->readable_path(), mesh_->xxh128()}};
  if (texture_.low() != nullptr) files.push_back(written_file(*texture_.low()));
  if (!normals_) return files;
  const VatTexture& normals = std::as_const(*normals_).texture();
  files.push_back(written_file(normals));
  if (normals.low() != nullptr) files.push_back(written_file(*normals.low()));
  return files;
}

// The position that a shader computes and rounds to float has three roundings: of the displacement,
// of the texel, and of the sum.
double VatFile::bound_m() const {
  double squares = 0;
  for (std::size_t axis = 0; axis < kTextureAxes; ++axis) {
    squares += prepass_.extent(axis) * prepass_.extent(axis);
  }
  constexpr double kHalfUnit = 0x1p-24,
                   kRoundings = 6;                  // 3 roundings of sums up to twice as large
  constexpr double kLeastRoundings = 3 * 0x1p-150;  // of 3 subnormal numbers
  return texture_.bound() * std::sqrt(squares) +
         std::sqrt(3.0) * (kRoundings * kHalfUnit * prepass_.largest() + kLeastRoundings);
}

VatScale VatFile::scale() const {
  VatScale scale{prepass_.base().data(), {}, {}};
  for (std::size_t axis = 0; axis < kTextureAxes; ++axis) {
    const double size = prepass_.extent(axis);
    scale.low[axis] = prepass_.box().min[axis];
    scale.factor[axis] = size > 0 ? 1 / size : 0;
  }
  return scale;
}

void VatFile::describe(OrderedJson& json) const {
  const bool is_openvat = options_.layout == VatOptions::Layout::kOpenVat;
  const Box& box = prepass_.box();
  const auto numbers = [](const auto& corner) -> OrderedJson {
    return {shortest(corner[0]), shortest(corner[1]), shortest(corner[2])};
  };
  OrderedJson& vat = json["vat"] = {{"layout", is_openvat ? "openvat" : "unreal"},
                                    {"width", layout_.width},
                                    {"height", layout_.height},
                                    {"rows_per_frame", is_openvat ? 1 : layout_.strips},
                                    {"min", numbers(box.min)},
                                    {"max", numbers(box.max)}};
  if (const VatTexture* low = texture_.low()) vat["low"] = texture_json(*low);
  if (normals_) vat["normals"] = texture_json(normals_->texture());
  if (!is_openvat) return;
  json["os-remap"] = {
      {"Min", numbers(box.min)}, {"Max", numbers(box.max)}, {"Frames", layout_.frames}};
}

}  // namespace skinbake
