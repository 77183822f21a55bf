#include "caches/glb_animation.h"

#include <vector>

namespace skinbake {

void check_glb_animation(const GlbDocument& document, const RandomAccessFile& file,
                         const FrameRange& range) {
  using nlohmann::json;
  const std::string where = "animation 0";
  const json& animations = document.array(document.root(), "animations", "the file");
  if (animations.size() != 1) document.fail("the file", "has not one animation");
  const json& samplers = document.array(animations[0], "samplers", where);
  if (samplers.size() != 1) document.fail(where, "has not one sampler");
  const auto frames = static_cast<std::uint64_t>(range.frame_count);
  const auto scalars = [&](const char* name) {
    return document.scalars(document.number(samplers[0], name, file.size(), where), where);
  };
  const auto times = scalars("input"), weights = scalars("output");
  if (times.count != frames || weights.count != frames * (frames - 1) ||
      weights.sparse != frames - 1 || weights.index_bytes != 4) {
    document.fail(where, "has not one key and one weight for each frame");
  }
  std::vector<std::uint32_t> places(frames - 1);
  std::vector<float> values(frames - 1);
  file.read_at(places.data(), places.size() * 4, weights.indices);
  file.read_at(values.data(), values.size() * 4, weights.values);
  for (std::uint64_t f = 1; f < frames; ++f) {
    if (places[f - 1] != f * (frames - 1) + f - 1 || values[f - 1] != 1) {
      document.fail(where, "has weights other than one target at a time");
    }
  }
}

}  // namespace skinbake
