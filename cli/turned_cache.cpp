#include "turned_cache.h"

#include <optional>
#include <string>

#include "sidecar_text.h"

namespace skinbake::cli {

namespace {

// What a sidecar of ours says of metres and y up, as it is written. The hash that proves a sidecar
// takes as long as reading the cache: it is asked for only where something else might be said.
bool may_have_other_axes(const CacheReader& cache) {
  const std::optional<std::string> text = sidecar_text(cache);
  if (!text) return false;
  return text->find("\"axis\": \"y-up, right-handed\"") == std::string::npos ||
         text->find("\"units_per_metre\": 1,") == std::string::npos;
}

class TurnedCache final : public FrameSource {
 public:
  TurnedCache(const CacheReader& cache, const CacheAxes& axes) : cache_(cache), axes_(axes) {}

  std::int64_t frame_count() const override { return cache_.frame_count(); }
  std::int64_t vertex_count() const override { return cache_.vertex_count(); }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    cache_.read(first_frame, count, rows);
    const float* const end = rows + static_cast<std::size_t>(count * vertex_count()) * 3;
    for (float* p = rows; p != end; p += 3) {
      const float x = in_metres(p[0]), y = in_metres(p[1]), z = in_metres(p[2]);
      const bool z_up = axes_.up == CacheAxes::Up::kZ;
      p[0] = x;
      p[1] = z_up ? z : y;
      p[2] = z_up ? -y : z;
    }
  }

 private:
  float in_metres(float stored) const {
    return static_cast<float>(static_cast<double>(stored) / axes_.scale);
  }

  const CacheReader& cache_;
  CacheAxes axes_;
};

}  // namespace

std::unique_ptr<FrameSource> turned_cache(const CacheReader& cache) {
  if (!may_have_other_axes(cache)) return nullptr;
  const std::optional<CacheOrigin> origin = cache.origin();
  if (!origin || origin->axes.are_ours()) return nullptr;
  return std::make_unique<TurnedCache>(cache, origin->axes);
}

}  // namespace skinbake::cli
