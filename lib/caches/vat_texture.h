// One texture of a vertex animation: its rows are made and written as the frames come, in any
// order. If it is to be compressed, that is done in the end, row after row; until then the rows
// wait in a temporary file beside it, as large as the texture would be without.

#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/hash.h"
#include "caches/vat_image.h"
#include "skinbake/frames.h"

namespace skinbake {

// A texel of a number x along an axis is ((x - base) - low) * factor, 0 … 1.
struct VatScale {
  const float* base = nullptr;  // [vertex][axis]; null: 0
  std::array<double, 3> low{}, factor{};
};

// Calls are those of a FrameSink. Throws Error (kOutput).
class VatTexture {
 public:
  // `cancelled`: has end() throw Cancelled, if it compresses.
  VatTexture(const std::string& path, const VatLayout& layout, const VatOptions& options,
             const std::atomic<bool>* cancelled = nullptr);

  std::unique_ptr<BlockState> new_state() const;

  // Some vertices of a block; lanes [vertex][axis][frame], aligned to 64 bytes. Concurrently.
  void put(const float* lanes, VertexRange vertices, const VatScale& scale,
           BlockState& state) const;
  void finish(const FrameBlock& block, BlockState& state);
  void merge(const FrameBlock& block, BlockState& state);
  void end();

  void sync() { file_.sync(); }
  void commit() { file_.commit(); }

  const std::string& path() const { return file_.path(); }
  std::string readable_path() const { return file_.readable_path(); }
  std::uint64_t bytes() const { return bytes_; }    // after end()
  std::string xxh128() const { return xxh128_; }    // likewise
  double bound() const { return image_->bound(); }  // the largest error of a texel

 private:
  bool is_by_frame() const { return layout_.kind == VatOptions::Layout::kUnreal; }
  std::size_t strips() const { return static_cast<std::size_t>(layout_.strips); }
  // Between the rows of successive frames of a strip, in a state.
  std::size_t frame_stride() const { return row_bytes_ * (is_by_frame() ? strips() : 1); }
  std::size_t strip_stride() const { return row_bytes_ * (is_by_frame() ? 1 : kFramesPerBlock); }
  std::uint64_t offset(std::int64_t y) const {
    return first_row_ + static_cast<std::uint64_t>(y) * row_bytes_;
  }
  OutputFile& rows() { return waiting_ ? *waiting_ : file_; }

  void write_empty_rows();
  void compress();

  VatLayout layout_;
  bool is_hashed_;  // as it is written; else it is read once more
  std::unique_ptr<VatImage> image_;
  const std::atomic<bool>* cancelled_;
  std::size_t row_bytes_;
  std::uint64_t first_row_ = 0;  // where it begins
  OutputFile file_;
  std::optional<OutputFile> waiting_;  // the rows, if they are to be compressed
  Xxh128 hash_;
  std::uint64_t bytes_ = 0;
  std::string xxh128_;
};

}  // namespace skinbake
