#include "metrics/topology/patches.h"

#include <algorithm>
#include <optional>

#include "metrics/topology/joint_regions.h"

namespace skinbake {
namespace {

// A hash table of patches by component and joints: open addressing, at most half full.
class PatchTable {
 public:
  explicit PatchTable(std::vector<SurfacePatch>& patches) : patches_(patches), entries_(64, 0) {}

  std::uint32_t find_or_add(std::uint32_t component, const std::vector<std::uint32_t>& joints) {
    if (!patches_.empty() && equals(last_, component, joints)) return last_;
    if (2 * patches_.size() >= entries_.size()) grow();
    std::size_t at = hash(component, joints) & (entries_.size() - 1);
    while (entries_[at] != 0 && !equals(entries_[at] - 1, component, joints)) {
      at = (at + 1) & (entries_.size() - 1);
    }
    if (entries_[at] == 0) {
      patches_.push_back({component, {}, joints});
      entries_[at] = static_cast<std::uint32_t>(patches_.size());
    }
    return last_ = entries_[at] - 1;
  }

 private:
  bool equals(std::uint32_t patch, std::uint32_t component,
              const std::vector<std::uint32_t>& joints) const {
    return patches_[patch].component == component && patches_[patch].regions == joints;
  }

  static std::size_t hash(std::uint32_t component, const std::vector<std::uint32_t>& joints) {
    std::uint64_t h = component;
    for (const std::uint32_t j : joints) h = (h ^ j) * 0x9E3779B97F4A7C15u + (h >> 31);
    h *= 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  void grow() {
    entries_.assign(2 * entries_.size(), 0);
    for (std::uint32_t p = 0; p < patches_.size(); ++p) {
      std::size_t at = hash(patches_[p].component, patches_[p].regions) & (entries_.size() - 1);
      while (entries_[at] != 0) at = (at + 1) & (entries_.size() - 1);
      entries_[at] = p + 1;
    }
  }

  std::vector<SurfacePatch>& patches_;
  std::vector<std::uint32_t> entries_;  // patch + 1; 0: free
  std::uint32_t last_ = 0;              // successive triangles often belong to one patch
};

// The pair of two triangles that share an edge and run along it in opposite directions.
std::optional<TrianglePair> pair_of(const Triangle& first, const Triangle& second) {
  for (std::size_t i = 0; i < 3; ++i) {
    const VertexIndex b = first[(i + 1) % 3], c = first[(i + 2) % 3];
    for (std::size_t j = 0; j < 3; ++j) {
      if (second[(j + 1) % 3] == c && second[(j + 2) % 3] == b) {
        return TrianglePair{first[i], b, c, second[j]};
      }
    }
  }
  return {};
}

}  // namespace

Patches group_triangles(const Rig& rig, std::span<const Triangle> triangles,
                        std::span<const std::uint32_t> component_of) {
  Patches result;
  result.patch_of.resize(triangles.size());
  PatchTable table(result.patches);
  HingeFinder hinges(rig);
  std::vector<std::uint32_t> joints;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto found = hinges.hinges_of(triangles[t]);
    joints.assign(found.begin(), found.end());
    std::sort(joints.begin(), joints.end());
    result.patch_of[t] = table.find_or_add(component_of[t], joints);
    result.patches[result.patch_of[t]].triangles.push_back(t);
  }
  return result;
}

std::vector<TrianglePair> pair_triangles(std::span<const Triangle> triangles,
                                         std::span<const std::uint32_t> members,
                                         VertexIndex origin) {
  std::vector<TrianglePair> pairs;
  pairs.reserve(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Triangle& t = triangles[members[i]];
    const auto pair = i + 1 < members.size() ? pair_of(t, triangles[members[i + 1]]) : std::nullopt;
    pairs.push_back(pair.value_or(TrianglePair{t[0], t[1], t[2], origin}));
    if (pair) ++i;
  }
  return pairs;
}

}  // namespace skinbake
