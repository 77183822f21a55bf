#include "bake/bind_cache.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "base/issue.h"
#include "rig/joint_tree.h"
#include "skinbake/output_file.h"

namespace skinbake {

namespace {

// A change of what a bind makes, or of how it is kept, is another version: older files are then
// found under other keys.
constexpr std::array<char, 8> kMagic{'S', 'K', 'B', 'I', 'N', 'D', '\0', 2};
constexpr std::size_t kDigits = 32;  // of a hash

struct Header {
  std::array<char, 8> magic;
  std::array<char, kDigits> key;
  std::array<std::uint32_t, 2> numbers_per;
  std::array<std::uint64_t, 6> lengths;
};
static_assert(sizeof(Header) == 96, "no padding: the struct is the file's layout");

std::string path_of(const std::string& folder, const std::string& key) {
  return (std::filesystem::path(folder) / (key + ".skbind")).string();
}

// Calls visit(array) for each array, in the order of the file.
template <class SomeBound, class Visit>
void for_each_array(SomeBound& bound, const Visit& visit) {
  visit(bound.first_entry);
  visit(bound.indices);
  visit(bound.first_part_joint);
  visit(bound.part_joints);
  visit(bound.numbers);
  visit(bound.part_numbers);
}

Header header_of(const std::string& key, const Bound& bound) {
  Header header{kMagic, {}, {bound.numbers_per_entry, bound.numbers_per_part}, {}};
  std::copy_n(key.begin(), kDigits, header.key.begin());
  std::size_t i = 0;
  for_each_array(bound, [&](const auto& array) { header.lengths[i++] = array.size(); });
  return header;
}

// Starts of lists: ascending from 0 to `end`.
bool are_starts(const std::vector<std::uint32_t>& starts, std::size_t end) {
  if (starts.empty()) return end == 0;
  return starts.front() == 0 && starts.back() == end &&
         std::is_sorted(starts.begin(), starts.end());
}

bool is_consistent(const Bound& bound, VertexIndex vertices) {
  const std::size_t parts = bound.part_count();
  return (bound.first_entry.empty() || bound.first_entry.size() == std::size_t{vertices} + 1) &&
         are_starts(bound.first_entry, bound.indices.size()) &&
         bound.numbers.size() == bound.indices.size() * bound.numbers_per_entry &&
         are_starts(bound.first_part_joint, bound.part_joints.size()) &&
         bound.part_numbers.size() == parts * bound.numbers_per_part;
}

class BindReader {
 public:
  BindReader(const std::string& path, std::uint64_t size)
      : file_(path, std::ios::binary), left_(size) {}

  // Nothing if anything is wrong.
  std::optional<Bound> read(const std::string& key, VertexIndex vertices) {
    Header header;
    if (left_ < sizeof header + kDigits || !take(&header, sizeof header)) return {};
    if (header.magic != kMagic || !std::equal(key.begin(), key.end(), header.key.begin()))
      return {};
    Bound bound;
    bound.numbers_per_entry = header.numbers_per[0];
    bound.numbers_per_part = header.numbers_per[1];
    std::size_t i = 0;
    bool whole = true;
    for_each_array(bound, [&](auto& array) { whole = whole && take(array, header.lengths[i++]); });
    if (!whole || left_ != kDigits) return {};
    const std::string expected = hash_.hex();
    std::array<char, kDigits> digits;
    if (!take(digits.data(), kDigits)) return {};
    if (!std::equal(expected.begin(), expected.end(), digits.begin())) return {};
    if (!is_consistent(bound, vertices)) return {};
    return bound;
  }

 private:
  bool take(void* to, std::size_t size) {
    if (size > left_) return false;
    file_.read(static_cast<char*>(to), static_cast<std::streamsize>(size));
    hash_.update(to, size);
    left_ -= size;
    return file_.good();
  }
  template <class T>
  bool take(std::vector<T>& array, std::uint64_t length) {
    if (length > left_ / sizeof(T)) return false;  // before memory is asked for
    array.resize(length);
    return take(array.data(), length * sizeof(T));
  }

  std::ifstream file_;
  std::uint64_t left_;
  Xxh128 hash_;
};

void report(const BakePlan& plan, IssueCode code, const std::string& file,
            const std::string& message) {
  const std::string name = std::filesystem::path(file).filename().string();
  if (plan.found) plan.found(make_issue(code, "", "", "bind cache '" + name + "': " + message));
}

template <class T>
void add(Xxh128& hash, std::span<const T> numbers) {
  static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
  const std::uint64_t count = numbers.size();
  hash.update(&count, sizeof count);
  hash.update(numbers.data(), numbers.size_bytes());
}

void add_text(Xxh128& hash, std::string_view text) {
  add(hash, std::span<const char>(text.data(), text.size()));
}

void add_mesh(Xxh128& hash, const Mesh& mesh) {
  add(hash, std::span<const float>(mesh.positions));
  for (const auto& triangle : mesh.triangles) add(hash, std::span<const VertexIndex>(triangle));
  for (const MorphTarget& target : mesh.morph_targets) {
    add(hash, std::span<const float>(target.positions));
  }
}

void add_joints(Xxh128& hash, const Rig& rig) {
  std::vector<NodeIndex> tree;
  for (const Joint& joint : rig.joints) tree.push_back(joint.node);
  for (const Node& node : rig.skeleton->nodes) tree.push_back(node.parent);
  add(hash, std::span<const NodeIndex>(tree));
  for (const Joint& joint : rig.joints) {
    add(hash, std::span<const double>(&joint.joint_from_model.x.x, 12));
  }
  add(hash, std::span<const std::uint32_t>(rig.first_influence));
  std::vector<JointIndex> joints;
  std::vector<double> weights;
  for (const Influence& i : rig.influences) {
    joints.push_back(i.joint);
    weights.push_back(i.weight);
  }
  add(hash, std::span<const JointIndex>(joints));
  add(hash, std::span<const double>(weights));
}

}  // namespace

std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan) {
  Xxh128 hash;
  hash.update(kMagic.data(), kMagic.size());
  add_text(hash, method.canonical());
  for (const auto& [joint, numbers] : plan.joint_parameters) {
    add_text(hash, joint);
    for (const auto& [name, number] : numbers) {
      add_text(hash, name);
      hash.update(&number, sizeof number);
    }
  }
  // Joint parameters go by the joints' names.
  if (!plan.joint_parameters.empty()) {
    for (JointIndex j = 0; j < rig.joints.size(); ++j) add_text(hash, joint_id(rig, j));
  }
  add_mesh(hash, *rig.mesh);
  add_joints(hash, rig);
  return hash.hex();
}

std::optional<Bound> load_bind(const std::string& folder, const std::string& key,
                               const BakePlan& plan) {
  const std::string path = path_of(folder, key);
  std::error_code none;
  const std::uint64_t size = std::filesystem::file_size(path, none);
  if (none) return {};
  auto bound = BindReader(path, size).read(key, plan.rig->mesh->vertex_count());
  if (!bound) {
    report(plan, IssueCode::BIND_CACHE_DAMAGED, path,
           "not the bind that its name says; it is made again");
  }
  return bound;
}

void store_bind(const std::string& folder, const std::string& key, const Bound& bound,
                const BakePlan& plan) {
  const std::string path = path_of(folder, key);
  try {
    std::filesystem::create_directories(folder);
    // A link is replaced, not what it leads to: only files in the folder are the cache's.
    if (std::filesystem::is_symlink(path)) std::filesystem::remove(path);
    OutputFile file(path);
    Xxh128 hash;
    const auto write = [&](const void* data, std::size_t size) {
      hash.update(data, size);
      file.write(data, size);
    };
    const Header header = header_of(key, bound);
    write(&header, sizeof header);
    for_each_array(
        bound, [&](const auto& array) { write(array.data(), array.size() * sizeof(array[0])); });
    file.write(hash.hex());
    file.commit();
  } catch (const Error& error) {
    report(plan, IssueCode::BIND_CACHE_NOT_WRITTEN, path,
           "folder '" + folder + "': " + error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    report(plan, IssueCode::BIND_CACHE_NOT_WRITTEN, path,
           "folder '" + folder + "': " + error.code().message() +
               "; give --bind-cache a folder that can be written");
  }
}

}  // namespace skinbake
