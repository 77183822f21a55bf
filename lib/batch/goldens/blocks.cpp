#include "batch/goldens/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

#include "base/bytes.h"

namespace skinbake {

const FrameSource& in_metres(const CacheReader& cache, std::unique_ptr<FrameSource>& turned) {
  turned = in_rig_axes(cache);
  return turned ? *turned : static_cast<const FrameSource&>(cache);
}

void for_each_block(const FrameSource& source,
                    const std::function<void(std::int64_t first, std::int64_t count,
                                             const std::vector<float>&)>& take) {
  const auto row = static_cast<std::size_t>(source.vertex_count()) * 3;
  std::vector<float> rows;
  for (std::int64_t first = 0; first < source.frame_count(); first += kFramesPerBlock) {
    const std::int64_t count =
        std::min<std::int64_t>(kFramesPerBlock, source.frame_count() - first);
    rows.resize(row * static_cast<std::size_t>(count));
    source.read(first, count, rows.data());
    take(first, count, rows);
  }
}

std::string hash_of_block(const std::vector<float>& rows) {
  Xxh128 hash;
  hash.update(rows.data(), rows.size() * sizeof(float));
  return hash.hex();
}

namespace {

using SampledPlace = std::array<float, 3>;

// The vertices that have been where a vertex of a sample was, for each of them.
class SamePlaces {
 public:
  explicit SamePlaces(const Golden& golden)
      : golden_(golden), partners_(golden.sample.vertices.size()) {}

  void take_first_frame(const float* row) {
    std::map<SampledPlace, std::vector<std::size_t>> sampled;
    for (std::size_t s = 0; s < partners_.size(); ++s) sampled[expected(s, 0)].push_back(s);
    std::size_t count = 0;
    for (VertexIndex v = 0; v < static_cast<VertexIndex>(golden_.vertex_count); ++v) {
      const auto found = sampled.find(place_of(row, v));
      if (found == sampled.end()) continue;
      for (const std::size_t s : found->second) partners_[s].push_back(v);
      count += found->second.size();
      if (count > kMostPartners) return give_up();
    }
    give_up_without_partner();
  }

  void take_frame(std::size_t frame, const float* row) {
    if (has_given_up_) return;
    for (std::size_t s = 0; s < partners_.size(); ++s) {
      const SampledPlace place = expected(s, frame);
      std::erase_if(partners_[s], [&](VertexIndex v) { return place_of(row, v) != place; });
    }
    give_up_without_partner();
  }

  // Whether every vertex has a partner, and one is not its own.
  bool is_reordered() const {
    if (has_given_up_) return false;
    for (std::size_t s = 0; s < partners_.size(); ++s) {
      if (std::ranges::find(partners_[s], golden_.sample.vertices[s]) == partners_[s].end()) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kMostPartners = std::size_t{1} << 24;

  // As the golden has it, with one zero.
  float rounded(float value) const {
    const double quantum = golden_.quantum_m;
    if (quantum == 0) return value + 0.0F;
    return static_cast<float>(std::floor(double{value} / quantum + 0.5) * quantum) + 0.0F;
  }

  SampledPlace place_of(const float* row, VertexIndex v) const {
    const float* p = row + std::size_t{v} * 3;
    // A position that is not a number is nowhere, and has no place among ordered ones.
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) return kNowhere;
    return {rounded(p[0]), rounded(p[1]), rounded(p[2])};
  }

  SampledPlace expected(std::size_t s, std::size_t frame) const {
    const auto frames = static_cast<std::size_t>(golden_.frames.frame_count);
    const float* p = golden_.positions.data() + (s * frames + frame) * 3;
    return {p[0] + 0.0F, p[1] + 0.0F, p[2] + 0.0F};
  }

  void give_up_without_partner() {
    if (std::ranges::any_of(partners_, [](const auto& list) { return list.empty(); })) give_up();
  }
  void give_up() {
    has_given_up_ = true;
    partners_.clear();
  }

  static constexpr SampledPlace kNowhere{HUGE_VALF, HUGE_VALF, HUGE_VALF};

  const Golden& golden_;
  std::vector<std::vector<VertexIndex>> partners_;  // [sample]
  bool has_given_up_ = false;
};

}  // namespace

bool is_reordered(const Golden& golden, const FrameSource& source) {
  SamePlaces places(golden);
  for_each_block(source,
                 [&](std::int64_t first, std::int64_t count, const std::vector<float>& rows) {
                   const std::size_t row = rows.size() / static_cast<std::size_t>(count);
                   for (std::size_t f = 0; f < static_cast<std::size_t>(count); ++f) {
                     const float* of_frame = rows.data() + f * row;
                     if (first == 0 && f == 0) {
                       places.take_first_frame(of_frame);
                     } else {
                       places.take_frame(static_cast<std::size_t>(first) + f, of_frame);
                     }
                   }
                 });
  return places.is_reordered();
}

}  // namespace skinbake
