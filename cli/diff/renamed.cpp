#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "base/paths.h"
#include "compare/rig_data.h"
#include "diff/renamed.h"

namespace skinbake::cli {

namespace {

// Moves pairs of elements without a partner that are equal, each once.
template <class Element, class AreEqual>
void move_renamed(const char* kind, const std::string& file, const std::vector<Element*>& a,
                  const std::vector<Element*>& b, const AreEqual& are_equal, NamePairs& pairs,
                  std::vector<RenamedElement>& renamed) {
  std::erase_if(pairs.only_a, [&](std::size_t of_a) {
    const auto found =
        std::find_if(pairs.only_b.begin(), pairs.only_b.end(), [&](std::size_t of_b) {
          return a[of_a] != nullptr && b[of_b] != nullptr && are_equal(*a[of_a], *b[of_b]);
        });
    if (found == pairs.only_b.end()) return false;
    renamed.push_back({kind, file, a[of_a]->id, b[*found]->id});
    pairs.only_b.erase(found);
    return true;
  });
}

// Whether a joint of two rigs is the same: the node of the mesh itself, whatever its name, or a
// node of one name.
bool are_one_joint(const Rig& a, const Rig& b, const Joint& of_a, const Joint& of_b) {
  if ((of_a.node == a.node) != (of_b.node == b.node)) return false;
  const auto name = [](const Rig& rig, const Joint& joint) -> const std::string& {
    return rig.skeleton->nodes[static_cast<std::size_t>(joint.node)].name;
  };
  if (of_a.node != a.node && name(a, of_a) != name(b, of_b)) return false;
  const auto numbers = [](const Affine<double>& t) {
    return std::tuple(t.x.x, t.x.y, t.x.z, t.y.x, t.y.y, t.y.z, t.z.x, t.z.y, t.z.z,
                      t.translation.x, t.translation.y, t.translation.z);
  };
  return numbers(of_a.joint_from_model) == numbers(of_b.joint_from_model);
}

bool have_equal_data(const Rig& a, const Rig& b) {
  const Mesh &x = *a.mesh, &y = *b.mesh;
  const auto have_equal_targets = [](const MorphTarget& s, const MorphTarget& t) {
    return s.positions == t.positions;
  };
  const auto are_equal_influences = [](const Influence& s, const Influence& t) {
    return s.joint == t.joint && s.weight == t.weight;
  };
  return x.positions == y.positions && x.triangles == y.triangles &&
         a.first_influence == b.first_influence && a.morph_weights == b.morph_weights &&
         std::ranges::equal(x.morph_targets, y.morph_targets, have_equal_targets) &&
         std::ranges::equal(a.influences, b.influences, are_equal_influences) &&
         std::ranges::equal(a.joints, b.joints, [&](const Joint& s, const Joint& t) {
           return are_one_joint(a, b, s, t);
         });
}

bool have_equal_bytes(const std::string& a, const std::string& b) {
  std::ifstream file_a(a, std::ios::binary), file_b(b, std::ios::binary);
  std::array<char, 65536> block_a, block_b;
  while (file_a && file_b) {
    file_a.read(block_a.data(), block_a.size());
    file_b.read(block_b.data(), block_b.size());
    const auto count = static_cast<std::size_t>(file_a.gcount());
    if (file_a.gcount() != file_b.gcount()) return false;
    if (std::memcmp(block_a.data(), block_b.data(), count) != 0) return false;
  }
  return file_a.eof() && file_b.eof();
}

// The files of the names, by their sizes.
std::multimap<std::uintmax_t, const LibraryFile*> by_size(std::span<const LibraryFile> files,
                                                          const std::vector<std::string>& names) {
  std::multimap<std::uintmax_t, const LibraryFile*> found;
  std::error_code unknown;
  for (const LibraryFile& file : files) {
    if (!std::binary_search(names.begin(), names.end(), file.name)) continue;
    if (has_extension(file.path, ".gltf")) continue;
    const std::uintmax_t size = std::filesystem::file_size(file.path, unknown);
    if (!unknown) found.emplace(size, &file);
  }
  return found;
}

}  // namespace

void find_renamed_meshes(const std::string& file, const std::vector<const Rig*>& a,
                         const std::vector<const Rig*>& b, NamePairs& pairs,
                         std::vector<RenamedElement>& renamed) {
  move_renamed("mesh", file, a, b, have_equal_data, pairs, renamed);
}

void find_renamed_clips(const std::string& file, const Skeleton& skeleton_a,
                        const std::vector<const Clip*>& a, const Skeleton& skeleton_b,
                        const std::vector<const Clip*>& b, NamePairs& pairs,
                        std::vector<RenamedElement>& renamed) {
  const auto are_equal = [&](const Clip& x, const Clip& y) {
    return x.duration_s == y.duration_s && !x.channels.empty() &&
           clip_differences(skeleton_a, &x, skeleton_b, &y).empty();
  };
  move_renamed("clip", file, a, b, are_equal, pairs, renamed);
}

void find_renamed_files(std::span<const LibraryFile> a, std::span<const LibraryFile> b,
                        FilePairs& pairs, std::vector<RenamedElement>& renamed) {
  if (pairs.only_a.empty() || pairs.only_b.empty()) return;
  std::sort(pairs.only_a.begin(), pairs.only_a.end());
  std::sort(pairs.only_b.begin(), pairs.only_b.end());
  auto left = by_size(b, pairs.only_b);
  for (const auto& [size, of_a] : by_size(a, pairs.only_a)) {
    const auto [first, last] = left.equal_range(size);
    const auto found = std::find_if(first, last, [&, of = of_a](const auto& entry) {
      return have_equal_bytes(of->path, entry.second->path);
    });
    if (found == last) continue;
    renamed.push_back({"file", "", of_a->name, found->second->name});
    std::erase(pairs.only_a, of_a->name);
    std::erase(pairs.only_b, found->second->name);
    left.erase(found);
  }
  std::sort(renamed.begin(), renamed.end(),
            [](const RenamedElement& x, const RenamedElement& y) { return x.a < y.a; });
}

}  // namespace skinbake::cli
