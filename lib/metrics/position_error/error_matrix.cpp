#include "metrics/position_error/error_matrix.h"

#include <bit>
#include <limits>

#include "base/containers.h"
#include "skinbake/error.h"

namespace skinbake {

static_assert(std::endian::native == std::endian::little, "the bytes in memory are those of NPY");

ErrorMatrix::ErrorMatrix(const std::string& path, std::int64_t frame_count,
                         std::int64_t vertex_count)
    : head_(npy_head({frame_count, vertex_count})),
      row_bytes_(static_cast<std::uint64_t>(vertex_count) * sizeof(float)),
      file_(path) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto frames = static_cast<std::uint64_t>(frame_count);
  if (row_bytes_ != 0 && frames > (kMost - head_.size()) / row_bytes_) {
    throw Error("CACHE_TOO_LARGE",
                std::to_string(vertex_count) + " vertices and " + std::to_string(frame_count) +
                    " frames need more bytes than a file can have",
                {path, ""});
  }
  file_.reserve(head_.size() + frames * row_bytes_);
  file_.write_at(head_.data(), head_.size(), 0);
}

void ErrorMatrix::write(std::int64_t position, std::span<const float> distances) {
  file_.write_at(distances.data(), distances.size_bytes(),
                 head_.size() + static_cast<std::uint64_t>(position) * row_bytes_);
}

}  // namespace skinbake
