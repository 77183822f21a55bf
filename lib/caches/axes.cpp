#include "caches/axes.h"

#include <cmath>
#include <limits>

namespace skinbake {

namespace {

float scaled(float metres, double scale) {
  return static_cast<float>(static_cast<double>(metres) * scale);
}

class InRigAxes final : public FrameSource {
 public:
  InRigAxes(const CacheReader& cache, const CacheAxes& axes) : cache_(cache), axes_(axes) {}

  std::int64_t frame_count() const override { return cache_.frame_count(); }
  std::int64_t vertex_count() const override { return cache_.vertex_count(); }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    cache_.read(first_frame, count, rows);
    const float* const end = rows + static_cast<std::size_t>(count * vertex_count()) * 3;
    for (float* p = rows; p != end; p += 3) {
      const Vec3<double> metres = from_cache_axes(axes_, p);
      p[0] = static_cast<float>(metres.x);
      p[1] = static_cast<float>(metres.y);
      p[2] = static_cast<float>(metres.z);
    }
  }

 private:
  const CacheReader& cache_;
  CacheAxes axes_;
};

}  // namespace

float to_cache_axes(const CacheAxes& axes, float* positions, std::size_t vertex_count) {
  float largest = 0;
  bool finite = true;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    float* p = positions + 3 * v;
    const float x = scaled(p[0], axes.scale);
    const float y = scaled(p[1], axes.scale);
    const float z = scaled(p[2], axes.scale);
    const bool z_up = axes.up == CacheAxes::Up::kZ;
    p[0] = x;
    p[1] = z_up ? -z : y;
    p[2] = z_up ? y : z;
    for (const float number : {x, y, z}) {
      const float magnitude = std::abs(number);
      finite &= magnitude <= std::numeric_limits<float>::max();
      largest = magnitude > largest ? magnitude : largest;
    }
  }
  return finite ? largest : std::numeric_limits<float>::infinity();
}

std::unique_ptr<FrameSource> in_rig_axes(const CacheReader& cache) {
  // provenance() reads and hashes the whole cache. The claim of the sidecar is free, and suffices
  // for a cache in rig axes, the usual case.
  const std::optional<CacheProvenance> claimed = cache.claimed_provenance();
  if (!claimed || claimed->axes.are_rig_axes()) return nullptr;
  const std::optional<CacheProvenance> verified = cache.provenance();
  if (!verified || verified->axes.are_rig_axes()) return nullptr;
  return std::make_unique<InRigAxes>(cache, verified->axes);
}

}  // namespace skinbake
