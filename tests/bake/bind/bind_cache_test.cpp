// Hostile files of the bind cache. Each has the right name, key and checksum, so that only the
// checks of its content can refuse it.
//
// The files differ from true ones in structure: lengths, lists of entries, indices, numbers that
// are not finite. A finite number that is wrong, such as a centre a metre off, cannot be told from
// a right one; against that stands the check of owners and rights
// (tests/cli/bake/bind_cache_test.py).

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "base/bytes.h"
#include "skinbake/bake.h"
#include "skinbake/methods.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

constexpr std::size_t kHead = 48, kCounts = 40, kDigits = 32;

// A file of the cache, taken apart. The counts of the header need not be those of the arrays.
struct BindFile {
  std::string start;  // magic and key
  std::uint32_t numbers_per_entry, entries;
  std::vector<std::uint32_t> first, indices;
  std::vector<double> numbers;
  std::string tail{};  // after the numbers

  std::string bytes() const {
    std::string all = start;
    const auto add = [&](const void* data, std::size_t size) {
      all.append(static_cast<const char*>(data), size);
    };
    add(&numbers_per_entry, 4), add(&entries, 4);
    add(first.data(), first.size() * 4), add(indices.data(), indices.size() * 4);
    add(numbers.data(), numbers.size() * 8);
    all += tail;
    Xxh128 hash;
    hash.update(all.data(), all.size());
    return all + hash.hex();
  }
};

BindFile taken_apart(const std::string& bytes, std::size_t vertices) {
  BindFile file{bytes.substr(0, kCounts), 0, 0, {}, {}, {}};
  std::memcpy(&file.numbers_per_entry, bytes.data() + kCounts, 4);
  std::memcpy(&file.entries, bytes.data() + kCounts + 4, 4);
  file.first.resize(vertices + 1), file.indices.resize(file.entries);
  file.numbers.resize(std::size_t{file.entries} * file.numbers_per_entry);
  const char* at = bytes.data() + kHead;
  const auto take = [&](auto& array) {
    const std::size_t size = array.size() * sizeof(array[0]);
    std::memcpy(array.data(), at, size);
    at += size;
  };
  take(file.first), take(file.indices), take(file.numbers);
  REQUIRE(at + kDigits == bytes.data() + bytes.size());
  return file;
}

using Bits = std::mt19937_64;

template <class T>
T& any_of(std::vector<T>& array, Bits& random) {
  return array[random() % array.size()];
}

std::uint32_t any_number(Bits& random) {
  const std::uint32_t close = static_cast<std::uint32_t>(random() % 9);
  const std::uint32_t all[] = {close, 1000 + close, 0x7fffffff, 0x80000000u, 0xffffffffu - close};
  return all[random() % 5];
}

using Edit = std::function<void(BindFile&, Bits&)>;

// Above the number of joints. An index of `ddm` that is replaced by another joint, in ascending
// order, is a wrong number, not a wrong structure.
constexpr std::uint32_t kNoJoint = 1000;

const std::vector<std::pair<const char*, Edit>>& edits() {
  using limits = std::numeric_limits<double>;
  static const std::vector<std::pair<const char*, Edit>> all{
      {"an index beyond all joints",
       [](BindFile& f, Bits& r) { any_of(f.indices, r) = std::max(kNoJoint, any_number(r)); }},
      {"all indices beyond all joints",
       [](BindFile& f, Bits& r) {
         for (std::uint32_t& i : f.indices) i = std::max(kNoJoint, any_number(r));
       }},
      {"equal indices",
       [](BindFile& f, Bits& r) {
         const auto same = static_cast<std::uint32_t>(1 + r() % 3);
         for (std::uint32_t& i : f.indices) i = same;
       }},
      {"indices in reverse",
       [](BindFile& f, Bits&) {
         std::reverse(f.indices.begin(), f.indices.end());
         f.indices.front() += 1;
       }},
      {"another start of a list", [](BindFile& f, Bits& r) { any_of(f.first, r) = any_number(r); }},
      {"a list that starts one entry later", [](BindFile& f, Bits& r) { ++any_of(f.first, r); }},
      {"a list that starts one entry earlier", [](BindFile& f, Bits& r) { --any_of(f.first, r); }},
      {"lists that descend",
       [](BindFile& f, Bits&) { std::reverse(f.first.begin(), f.first.end()); }},
      {"all entries in one list",
       [](BindFile& f, Bits& r) {
         const std::size_t from = 1 + r() % (f.first.size() - 2);
         std::fill(f.first.begin() + 1, f.first.begin() + static_cast<std::ptrdiff_t>(from), 0u);
         std::fill(f.first.begin() + static_cast<std::ptrdiff_t>(from), f.first.end(), f.entries);
       }},
      {"a number that is not finite",
       [](BindFile& f, Bits& r) {
         const double wrong[] = {limits::quiet_NaN(), limits::infinity(), -limits::infinity()};
         any_of(f.numbers, r) = wrong[r() % 3];
       }},
      {"a number that is not finite as float32, or makes positions infinite",
       [](BindFile& f, Bits& r) {
         const double wrong[] = {1e300, -1e300, 1e39, 3e38, -3e38};
         any_of(f.numbers, r) = wrong[r() % 5];
       }},
      {"another number of numbers per entry",
       [](BindFile& f, Bits& r) { f.numbers_per_entry += 1 + any_number(r) % 0xfffffff0u; }},
      {"entries with more numbers",
       [](BindFile& f, Bits& r) {
         f.numbers_per_entry += static_cast<std::uint32_t>(1 + r() % 4);
         f.numbers.resize(std::size_t{f.entries} * f.numbers_per_entry);
       }},
      {"entries without numbers",
       [](BindFile& f, Bits&) { f.numbers_per_entry = 0, f.numbers.clear(); }},
      {"another number of entries",
       [](BindFile& f, Bits& r) { f.entries += 1 + any_number(r) % 0xfffffff0u; }},
      {"more entries, in no list",
       [](BindFile& f, Bits& r) {
         f.entries += static_cast<std::uint32_t>(1 + r() % 4);
         f.indices.resize(f.entries), f.numbers.resize(f.entries * f.numbers_per_entry);
       }},
      {"more entries, in the last list",
       [](BindFile& f, Bits& r) {
         f.first.back() = f.entries += static_cast<std::uint32_t>(1 + r() % 4);
         f.indices.resize(f.entries), f.numbers.resize(f.entries * f.numbers_per_entry);
       }},
      {"fewer entries",
       [](BindFile& f, Bits& r) {
         f.entries -= static_cast<std::uint32_t>(1 + r() % 4);
         f.indices.resize(f.entries), f.numbers.resize(f.entries * f.numbers_per_entry);
         for (std::uint32_t& i : f.first) i = std::min(i, f.entries);
       }},
      {"no entries",
       [](BindFile& f, Bits&) {
         f.entries = 0, f.indices.clear(), f.numbers.clear();
         std::fill(f.first.begin(), f.first.end(), 0u);
       }},
      {"another number of vertices",
       [](BindFile& f, Bits& r) {
         if (r() % 2 == 0) {
           f.first.push_back(f.entries);
         } else {
           f.first.erase(f.first.begin() + 1);
         }
       }},
      {"bytes after the end", [](BindFile& f, Bits& r) { f.tail.assign(1 + r() % 64, '\0'); }},
  };
  return all;
}

Rig rig() {
  TubeShape shape;
  shape.joints = 4, shape.influences = 3;
  return tube(shape);
}

FrameRange three_frames() {
  FrameRange frames;
  frames.fps = 2, frames.frame_count = 3;
  return frames;
}

struct Baked {
  std::vector<float> positions;
  std::vector<std::string> codes;  // of issues
  std::string message;
};

Baked baked(const Rig& rig, const Clip& clip, const std::string& method,
            const std::string& bind_cache) {
  Baked result;
  BakeSettings settings;
  settings.threads = 1, settings.bind_cache = bind_cache;
  settings.found = [&](const Issue& issue) {
    result.codes.push_back(issue.code);
    result.message = issue.message;
  };
  result.positions =
      bake_to_array({rig, &clip, parse_method(method), three_frames(), settings}).positions;
  return result;
}

std::vector<std::string> files_of(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace

TEST_CASE("the bind cache stores the binds of the methods whose binds take long") {
  const Rig tube = rig();
  const Clip clip = turning_clip(tube, {0, 0, 1}, 1);
  std::vector<std::string> stored;
  for (const MethodInfo& method : methods()) {
    const TemporaryFolder folder;
    baked(tube, clip, std::string(method.id), folder / "binds");
    if (!files_of(folder / "binds").empty()) stored.emplace_back(method.id);
  }
  CHECK(stored == std::vector<std::string>{"cor", "ddm"});
}

TEST_CASE("a file of the bind cache with a right checksum and a wrong structure is refused") {
  const Rig tube = rig();
  const Clip clip = turning_clip(tube, {0, 0, 1}, 1);
  Bits random(20);
  std::size_t refused = 0;
  for (const char* method : {"cor", "ddm"}) {
    CAPTURE(method);
    const TemporaryFolder folder;
    const std::vector<float> expected = baked(tube, clip, method, folder / "binds").positions;
    REQUIRE(files_of(folder / "binds").size() == 1);
    const std::string path = files_of(folder / "binds").front();
    const std::string good = read_file(path);
    const BindFile whole = taken_apart(good, tube.mesh->vertex_count());
    REQUIRE(whole.bytes() == good);
    for (const auto& edit : edits()) {
      CAPTURE(edit.first);
      for (int i = 0; i < 11; ++i) {
        CAPTURE(i);
        BindFile crafted = whole;
        edit.second(crafted, random);
        if (crafted.bytes() == good) continue;  // the edit wrote what was there
        write_file(path, crafted.bytes());
        const Baked result = baked(tube, clip, method, folder / "binds");
        REQUIRE(result.codes == std::vector<std::string>{"BIND_CACHE_DAMAGED"});
        REQUIRE(result.message.find(std::filesystem::path(path).filename().string()) !=
                std::string::npos);
        REQUIRE(result.positions == expected);
        REQUIRE(read_file(path) == good);  // made again
        ++refused;
      }
    }
    const Baked again = baked(tube, clip, method, folder / "binds");
    CHECK(again.codes.empty());
    CHECK(again.positions == expected);
  }
  CHECK(refused > 400);
}

TEST_CASE("the bind cache refuses joints, weights and headers of ddm that no bind has") {
  const Rig tube = rig();
  const Clip clip = turning_clip(tube, {0, 0, 1}, 1);
  const TemporaryFolder folder;
  const std::vector<float> expected = baked(tube, clip, "ddm", folder / "binds").positions;
  const std::string path = files_of(folder / "binds").front();
  const BindFile whole = taken_apart(read_file(path), tube.mesh->vertex_count());
  constexpr std::size_t kWeight = 9;
  const auto weight = [&](BindFile& f, std::size_t entry) -> double& {
    return f.numbers[entry * f.numbers_per_entry + kWeight];
  };
  REQUIRE(whole.first[1] > 2);  // the first vertex has several joints
  const std::pair<const char*, std::function<void(BindFile&)>> wrong[] = {
      {"vertex 0: joint 4 is not one of the 4", [](BindFile& f) { f.indices[1] = 4; }},
      {"vertex 0: joint 0 is not in ascending order", [](BindFile& f) { f.indices[2] = 0; }},
      {"is not the joint of greatest weight",
       [](BindFile& f) { f.indices[0] = (f.indices[0] + 1) % 4; }},
      {"the weight of joint 0 is not above 0", [&](BindFile& f) { weight(f, 1) = 0; }},
      {"its weights do not sum to 1", [&](BindFile& f) { weight(f, 1) *= 1.5; }}};
  for (const auto& [words, edit] : wrong) {
    const std::string cause = words;
    CAPTURE(cause);
    BindFile crafted = whole;
    edit(crafted);
    write_file(path, crafted.bytes());
    const Baked result = baked(tube, clip, "ddm", folder / "binds");
    CHECK(result.message.find(cause) != std::string::npos);
    CHECK(result.positions == expected);
  }
}

}  // namespace skinbake::test
