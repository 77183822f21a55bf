#include "caches/vat/texture.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/aligned_array.h"
#include "base/random_access_file.h"
#include "caches/cache_file.h"
#include "caches/mesh_cache.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The rows of one block in the order of the file: unreal [frame][strip], openvat [strip][frame].
struct TextureRows : BlockState {
  explicit TextureRows(std::size_t size) : bytes(size) {}
  AlignedArray<char> bytes;
  std::unique_ptr<BlockState> low;  // null: texels are not split
};

std::unique_ptr<VatImage> make_image(const VatLayout& layout, const VatOptions& options,
                                     PngPart part, OutputFile& file) {
  return options.is_png ? make_vat_png(layout, part, options.compressed, file)
                        : make_vat_exr(layout, options.half, options.compressed, file);
}

}  // namespace

VatTexture::VatTexture(const std::string& path, const VatLayout& layout, const VatOptions& options,
                       const std::atomic<bool>* cancelled)
    : VatTexture(path, layout, options, options.split ? PngPart::kHighBytes : PngPart::kWhole,
                 cancelled) {
  if (!options.split) return;
  low_.reset(new VatTexture(vat_low_path(path), layout, options, PngPart::kLowBytes, cancelled));
}

VatTexture::VatTexture(const std::string& path, const VatLayout& layout, const VatOptions& options,
                       PngPart part, const std::atomic<bool>* cancelled)
    : layout_(layout),
      cancelled_(cancelled),
      file_(path),
      image_(make_image(layout, options, part, file_)),
      row_bytes_(image_->row_bytes()) {
  if (is_by_frame() || layout_.strips == 1) return;
  waiting_.emplace(path + ".rows");
  waiting_->reserve(offset(layout_.strips * layout_.frames));
}

std::unique_ptr<BlockState> VatTexture::new_state() const {
  auto state = std::make_unique<TextureRows>(strips() * kFramesPerBlock * row_bytes_);
  for (std::int64_t strip = 0; strip < layout_.strips; ++strip) {
    const std::int64_t vertices = std::min(layout_.width, layout_.vertices - strip * layout_.width);
    char* const first = state->bytes.data() + static_cast<std::size_t>(strip) * strip_stride();
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      image_->start_row(first + frame * frame_stride(), vertices);
    }
  }
  if (low_) state->low = low_->new_state();
  return state;
}

void VatTexture::put(const float* lanes, VertexRange vertices, const VatScale& scale,
                     BlockState& state) const {
  static constexpr std::array<float, std::size_t{kVerticesPerTile} * 3> kZeros{};
  if (low_) low_->put(lanes, vertices, scale, *static_cast<TextureRows&>(state).low);
  char* const rows = static_cast<TextureRows&>(state).bytes.data();
  const std::int64_t end = std::int64_t{vertices.first} + vertices.count;
  TexelTask task{lanes, 0, kZeros.data(), scale.low, scale.factor};
  for (std::int64_t v = vertices.first; v < end; v += static_cast<std::int64_t>(task.vertices)) {
    const std::int64_t strip = v / layout_.width, column = v % layout_.width;
    task.vertices = static_cast<std::size_t>(
        std::min({layout_.width - column, end - v, std::int64_t{kVerticesPerTile}}));
    if (scale.base != nullptr) task.base = scale.base + v * 3;
    image_->put_texels(task, column, rows + static_cast<std::size_t>(strip) * strip_stride(),
                       frame_stride());
    task.lanes += task.vertices * 3 * kFramesPerBlock;
  }
}

void VatTexture::finish(const FrameBlock& block, BlockState& state) {
  if (low_) low_->finish(block, *static_cast<TextureRows&>(state).low);
  if (!waiting_) return;
  const char* const bytes = static_cast<TextureRows&>(state).bytes.data();
  const std::size_t size = static_cast<std::size_t>(block.frame_count) * row_bytes_;
  for (std::size_t s = 0; s < strips(); ++s) {
    const std::int64_t y = static_cast<std::int64_t>(s) * layout_.frames + block.first_frame;
    waiting_->write_at(bytes + s * strip_stride(), size, offset(y));
  }
}

// Blocks come in the order of their frames.
void VatTexture::merge(const FrameBlock& block, BlockState& state) {
  if (low_) low_->merge(block, *static_cast<TextureRows&>(state).low);
  if (waiting_) return;
  image_->write_rows(static_cast<TextureRows&>(state).bytes.data(),
                     static_cast<std::size_t>(block.frame_count) * strips());
}

void VatTexture::end() {
  if (low_) low_->end();
  if (waiting_) copy_waiting_rows();
  write_empty_rows();
  bytes_ = image_->end();
  xxh128_ = hash_of_file(file_.readable_path());
}

void VatTexture::copy_waiting_rows() {
  const RandomAccessFile waiting(waiting_->readable_path());
  std::vector<char> row(row_bytes_);
  for (std::int64_t y = 0; y < layout_.strips * layout_.frames; ++y) {
    if (cancelled_ != nullptr && *cancelled_) throw Cancelled();
    waiting.read_at(row.data(), row.size(), offset(y));
    image_->write_rows(row.data(), 1);
  }
  waiting_.reset();
}

// Writes the rows below the last strip.
void VatTexture::write_empty_rows() {
  std::vector<char> row(row_bytes_);
  image_->start_row(row.data(), 0);
  for (std::int64_t y = layout_.strips * layout_.frames; y < layout_.height; ++y) {
    image_->write_rows(row.data(), 1);
  }
}

OrderedJson texture_json(const VatTexture& texture) {
  const std::string& path = texture.path();
  OrderedJson json{{"file", path.substr(path.rfind('/') + 1)},
                   {"bytes", texture.bytes()},
                   {"xxh128", texture.xxh128()}};
  if (texture.low() != nullptr) json["low"] = texture_json(*texture.low());
  return json;
}

VatNormals::VatNormals(const std::string& path, const VatLayout& layout, const VatOptions& options,
                       NormalKind kind, const std::atomic<bool>* cancelled)
    : kind_(kind), texture_(vat_normals_path(path), layout, options, cancelled) {}

void VatNormals::put(VertexRange vertices, const float* normals, BlockState& state) const {
  static const VatScale kScale{nullptr, {-1, -1, -1}, {0.5, 0.5, 0.5}};
  alignas(64) std::array<float, std::size_t{kVerticesPerTile} * 3 * kFramesPerBlock> lanes;
  copy_normals(planned_normals(normals), vertices.count, lanes.data());
  texture_.put(lanes.data(), vertices, kScale, state);
}

double VatNormals::bound() const {
  constexpr double kRounding = 0x1p-23;  // of a number above 1, and of the float that is read
  return std::sqrt(3.0) * (2 * texture_.bound() + kRounding);
}

}  // namespace skinbake
