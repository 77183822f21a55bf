// The textures of a vertex animation: positions and, with normals=1, normals. The rows of an image
// are written from the top. The frames of the openvat layout are not in this order: their rows wait
// in a temporary file beside the texture, which end() copies. With split=8 a texture of high bytes
// owns the texture of the low bytes and passes every call on to it.

#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "caches/vat/image.h"
#include "json/print.h"
#include "skinbake/frames.h"

namespace skinbake {

// The texel of a coordinate x is ((x - base) - low) * factor, 0 … 1.
struct VatScale {
  const float* base = nullptr;  // [vertex][axis]; null: 0
  std::array<double, 3> low{}, factor{};
};

// One texture. Its functions are called in the order of FrameSink. They throw Error (kOutput).
class VatTexture {
 public:
  // `cancelled`: interrupts end() while it copies rows, which then throws Cancelled; may be null.
  VatTexture(const std::string& path, const VatLayout& layout, const VatOptions& options,
             const std::atomic<bool>* cancelled = nullptr);

  // The texture of the low bytes; null: texels are not split.
  VatTexture* low() { return low_.get(); }
  const VatTexture* low() const { return low_.get(); }

  std::unique_ptr<BlockState> new_state() const;

  // Stores the texels of some vertices of a block. lanes: [vertex][axis][frame], aligned to 64
  // bytes. Thread-safe for different vertices.
  void put(const float* lanes, VertexRange vertices, const VatScale& scale,
           BlockState& state) const;
  void finish(const FrameBlock& block, BlockState& state);
  void merge(const FrameBlock& block, BlockState& state);
  void end();

  OutputFile& file() { return file_; }

  const std::string& path() const { return file_.path(); }
  std::string readable_path() const { return file_.readable_path(); }
  std::uint64_t bytes() const { return bytes_; }    // after end()
  std::string xxh128() const { return xxh128_; }    // after end()
  double bound() const { return image_->bound(); }  // largest rounding error of a texel

 private:
  VatTexture(const std::string& path, const VatLayout& layout, const VatOptions& options,
             PngPart part, const std::atomic<bool>* cancelled);

  bool is_by_frame() const { return layout_.kind == VatOptions::Layout::kUnreal; }
  std::size_t strips() const { return static_cast<std::size_t>(layout_.strips); }
  // Bytes from one frame to the next, and from one strip to the next, in a block's rows.
  std::size_t frame_stride() const { return row_bytes_ * (is_by_frame() ? strips() : 1); }
  std::size_t strip_stride() const { return row_bytes_ * (is_by_frame() ? 1 : kFramesPerBlock); }
  std::uint64_t offset(std::int64_t y) const { return static_cast<std::uint64_t>(y) * row_bytes_; }

  void copy_waiting_rows();
  void write_empty_rows();

  VatLayout layout_;
  const std::atomic<bool>* cancelled_;
  OutputFile file_;
  std::unique_ptr<VatImage> image_;
  std::size_t row_bytes_;
  std::optional<OutputFile> waiting_;  // rows that are not in the order of the image
  std::uint64_t bytes_ = 0;
  std::string xxh128_;
  std::unique_ptr<VatTexture> low_;
};

// Returns a texture's members of the sidecar: name, size and hash of its file, and the same of the
// file of its low bytes.
OrderedJson texture_json(const VatTexture& texture);

// The texture of normals beside a texture of positions: the same texels, each (n + 1) / 2.
class VatNormals {
 public:
  // `path`: the file of the texture of positions.
  VatNormals(const std::string& path, const VatLayout& layout, const VatOptions& options,
             NormalKind kind, const std::atomic<bool>* cancelled = nullptr);

  NormalKind kind() const { return kind_; }
  VatTexture& texture() { return texture_; }
  const VatTexture& texture() const { return texture_; }

  // Stores the normals that a NormalReader is given; all other calls go to texture().
  void put(VertexRange vertices, const float* normals, BlockState& state) const;

  double bound() const;  // the largest error of a normal, as in NormalDifference

 private:
  NormalKind kind_;
  VatTexture texture_;
};

}  // namespace skinbake
