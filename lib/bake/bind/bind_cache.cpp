#include "bake/bind/bind_cache.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "base/issue.h"
#include "rig/joint_tree.h"
#include "skinbake/tool/output_file.h"

namespace skinbake {

namespace {

// The last byte is the version. It is increased when binds or the file's layout change; the keys of
// older files then differ.
constexpr std::array<char, 8> kMagic{'S', 'K', 'B', 'I', 'N', 'D', '\0', 4};
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
template <class Data, class Visit>
void for_each_array(Data& bind_data, const Visit& visit) {
  visit(bind_data.first_entry);
  visit(bind_data.indices);
  visit(bind_data.first_part_joint);
  visit(bind_data.part_joints);
  visit(bind_data.numbers);
  visit(bind_data.part_numbers);
}

Header header_of(const std::string& key, const BindData& bind_data) {
  Header header{kMagic, {}, {bind_data.numbers_per_entry, bind_data.numbers_per_part}, {}};
  std::copy_n(key.begin(), kDigits, header.key.begin());
  std::size_t i = 0;
  for_each_array(bind_data, [&](const auto& array) { header.lengths[i++] = array.size(); });
  return header;
}

// Whether the numbers are the first indices of consecutive lists: they ascend from 0 to `end`.
bool are_starts(const std::vector<std::uint32_t>& starts, std::size_t end) {
  if (starts.empty()) return end == 0;
  return starts.front() == 0 && starts.back() == end &&
         std::is_sorted(starts.begin(), starts.end());
}

bool is_consistent(const BindData& bind_data, VertexIndex vertices) {
  const std::size_t parts = bind_data.part_count();
  return (bind_data.first_entry.empty() ||
          bind_data.first_entry.size() == std::size_t{vertices} + 1) &&
         are_starts(bind_data.first_entry, bind_data.indices.size()) &&
         bind_data.numbers.size() == bind_data.indices.size() * bind_data.numbers_per_entry &&
         are_starts(bind_data.first_part_joint, bind_data.part_joints.size()) &&
         bind_data.part_numbers.size() == parts * bind_data.numbers_per_part;
}

class BindReader {
 public:
  BindReader(const std::string& path, std::uint64_t size)
      : file_(path, std::ios::binary), left_(size) {}

  // Returns nothing if the file is damaged or has another key.
  std::optional<BindData> read(const std::string& key, VertexIndex vertices) {
    Header header;
    if (left_ < sizeof header + kDigits || !take(&header, sizeof header)) return {};
    if (header.magic != kMagic || !std::equal(key.begin(), key.end(), header.key.begin()))
      return {};
    BindData bind_data;
    bind_data.numbers_per_entry = header.numbers_per[0];
    bind_data.numbers_per_part = header.numbers_per[1];
    std::size_t i = 0;
    bool whole = true;
    for_each_array(bind_data,
                   [&](auto& array) { whole = whole && take(array, header.lengths[i++]); });
    if (!whole || left_ != kDigits) return {};
    const std::string expected = hash_.hex();
    std::array<char, kDigits> digits;
    if (!take(digits.data(), kDigits)) return {};
    if (!std::equal(expected.begin(), expected.end(), digits.begin())) return {};
    if (!is_consistent(bind_data, vertices)) return {};
    return bind_data;
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
    if (length > left_ / sizeof(T)) return false;  // checked before memory is allocated
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
  // Joint parameters refer to joints by name, so the hash includes the names.
  if (!plan.joint_parameters.empty()) {
    for (JointIndex j = 0; j < rig.joints.size(); ++j) add_text(hash, joint_id(rig, j));
  }
  add_mesh(hash, *rig.mesh);
  add_joints(hash, rig);
  return hash.hex();
}

std::optional<BindData> load_bind(const std::string& folder, const std::string& key,
                                  const BakePlan& plan) {
  const std::string path = path_of(folder, key);
  std::error_code none;
  const std::uint64_t size = std::filesystem::file_size(path, none);
  if (none) return {};
  auto bind_data = BindReader(path, size).read(key, plan.rig->mesh->vertex_count());
  if (!bind_data) {
    report(plan, IssueCode::BIND_CACHE_DAMAGED, path,
           "damaged, or of another version; it is made again");
  }
  return bind_data;
}

void store_bind(const std::string& folder, const std::string& key, const BindData& bind_data,
                const BakePlan& plan) {
  const std::string path = path_of(folder, key);
  try {
    std::filesystem::create_directories(folder);
    // A link is replaced, not its target: the cache owns only the files in its folder.
    if (std::filesystem::is_symlink(path)) std::filesystem::remove(path);
    OutputFile file(path);
    Xxh128 hash;
    const auto write = [&](const void* data, std::size_t size) {
      hash.update(data, size);
      file.write(data, size);
    };
    const Header header = header_of(key, bind_data);
    write(&header, sizeof header);
    for_each_array(bind_data, [&](const auto& array) {
      write(array.data(), array.size() * sizeof(array[0]));
    });
    file.write(hash.hex());
    file.commit();
  } catch (const Error& error) {
    report(plan, IssueCode::BIND_CACHE_NOT_WRITTEN, path,
           "folder '" + folder + "': " + error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    report(plan, IssueCode::BIND_CACHE_NOT_WRITTEN, path,
           "folder '" + folder + "': " + error.code().message() +
               "; choose a folder that can be written");
  }
}

}  // namespace skinbake
