// The bytes of a texture: a head, rows of which each takes as many bytes at a place of its own, so
// that they are made in any order, and a tail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "caches/vat_layout.h"
#include "frames/texels.h"
#include "skinbake/output_file.h"

namespace skinbake {

class VatImage {
 public:
  virtual ~VatImage() = default;

  virtual std::string head() const = 0;
  virtual std::size_t row_bytes() const = 0;  // a multiple of 4, if it is of floats

  // A row that is not sealed, whose texels from `column` on are 0.
  virtual void start_row(char* row, std::int64_t column) const = 0;
  // Texels of the rows that 16 frames have for some vertices, the first one's at `column`; those of
  // frame f are in rows + f * stride.
  virtual void put_texels(const TexelTask& task, std::int64_t column, char* rows,
                          std::size_t stride) const = 0;
  // Row y has its texels: what says so, and what sums them up. Concurrently for different rows.
  virtual void seal_row(std::int64_t y, char* row) = 0;

  // Once all rows are sealed; tail_bytes() of them.
  virtual std::string tail() const = 0;
  virtual std::size_t tail_bytes() const = 0;

  // The largest error that a value may have.
  virtual double bound() const = 0;

  // Writes all of the same texture once more, compressed. `row`: what was sealed, from the top.
  // Throws Error (kOutput).
  using Rows = std::function<const char*(std::int64_t y)>;
  virtual void compress(const Rows& row, OutputFile& file) const = 0;
};

std::unique_ptr<VatImage> make_vat_png(const VatLayout& layout);
std::unique_ptr<VatImage> make_vat_exr(const VatLayout& layout, bool is_half);

}  // namespace skinbake
