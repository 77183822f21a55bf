// Fuzzes the reader of the bind cache. A method is bound to a rig and stored; the input changes the
// file, and the next bake reads it. The bake either uses the file or makes the bind again.

#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "gltf/small_rig.h"
#include "skinbake/bake.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"
#include "skinbake/methods.h"
#include "support/memory_file.h"
#include "support/temporary_folder.h"

using namespace skinbake;

namespace {

constexpr std::size_t kDigits = 32;  // of the hash at the end of the file
constexpr FrameRange kFrames{.fps = 30, .frame_count = 3};

// A method that has a bind, and the file of its bind.
struct Bound {
  Method method;
  std::string path, bytes;
};

class Binds {
 public:
  Binds() {
    test::MemoryFile file;
    file.write(fuzz::kSmallRig);
    asset_ = load_asset(file.path());
    for (const MethodInfo& info : methods()) {
      const Method method = parse_method(info.id);
      bake(method);
      for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        const std::string path = entry.path().string();
        bound_.push_back({method, path, test::read_file(path)});
        std::filesystem::remove(path);
      }
    }
    if (bound_.empty()) std::abort();
  }

  void bake(const Method& method) {
    bake_to_array({asset_.rigs.at(0),
                   &asset_.clips.at(0),
                   method,
                   kFrames,
                   {.threads = 1, .bind_cache = folder_.path().string()}});
  }
  const std::vector<Bound>& bound() const { return bound_; }

 private:
  test::TemporaryFolder folder_;
  Asset asset_;
  std::vector<Bound> bound_;
};

// The file with some words replaced, and cut or extended.
std::string changed(FuzzedDataProvider& input, std::string bytes) {
  const bool has_right_hash = input.ConsumeIntegralInRange(0, 7) != 0;
  bytes.resize(bytes.size() - kDigits);
  const auto end = input.ConsumeIntegralInRange(0, 31);
  if (end == 0) bytes.resize(input.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
  if (end == 1) bytes += input.ConsumeRandomLengthString(64);
  while (input.remaining_bytes() > 0 && bytes.size() >= 8) {
    const auto at = input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() / 4 - 2) * 4;
    const bool is_wide = input.ConsumeBool();
    const auto value = input.PickValueInArray<std::uint64_t>(
        {0, 1, 2, 6, 7, 12, 255, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FF0000000000000,
         0x7FF8000000000000, 0xFFFFFFFFFFFFFFFF, input.ConsumeIntegral<std::uint64_t>()});
    std::memcpy(bytes.data() + at, &value, is_wide ? 8 : 4);
  }
  if (!has_right_hash) return bytes + input.ConsumeBytesAsString(kDigits);
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return bytes + hash.hex();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Binds binds;
  FuzzedDataProvider input(data, size);
  const auto choice = input.ConsumeIntegralInRange<std::size_t>(0, binds.bound().size() - 1);
  const Bound& bound = binds.bound()[choice];
  test::write_file(bound.path, changed(input, bound.bytes));
  try {
    binds.bake(bound.method);
  } catch (const Error& error) {
    if (error.code() != "NON_FINITE_POSITION") std::abort();  // the numbers may be any
  }
  std::filesystem::remove(bound.path);
  return 0;
}
