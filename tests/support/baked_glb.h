// A baked GLB to be read back, and ways to damage it.

#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "skinbake/caches.h"
#include "support/capture.h"
#include "support/rigs.h"
#include "support/temporary_folder.h"

namespace skinbake::test {

using Options = std::map<std::string, std::string>;

// Of a plan that lbs is run of.
inline CacheHeader header_of(const BakePlan& plan, const Options& options) {
  CacheHeader header;
  header.rig = plan.rig;
  header.clip = plan.clip->id;
  header.frames = plan.frames;
  header.method = "lbs";
  header.options = options;
  return header;
}

// What has written the cache, with lbs.
inline std::unique_ptr<CacheWriter> bake_to(const std::string& path, const CacheHeader& header,
                                            BakePlan plan) {
  auto writer = cache_format_of(path).open(path, header);
  plan.runs = {{parse_method("lbs"), {writer.get()}}};
  bake(plan);
  writer->commit();
  return writer;
}

// A tube that turns, of which a part rests: dense, sparse and still targets.
struct Turning {
  Rig rig = tube({.rings = 9, .segments = 12, .joints = 3, .influences = 1});
  Clip clip;
  static constexpr std::int64_t kFrames = 20;

  Turning() {
    clip = turning_clip(rig, {0, 0, 1}, 1);
    clip.id = "turn";
  }

  // The bytes of a cache of it.
  std::string bytes(const Options& options = {}) const {
    const TemporaryFolder folder;
    BakePlan plan = plan_of(rig, &clip, kFrames);
    plan.frames = {24, 3, 2, kFrames};
    bake_to(folder / "a.glb", header_of(plan, options), plan);
    return read_file(folder / "a.glb");
  }
};

// The file with another JSON, as long as the one before.
inline std::string with_json(const std::string& bytes, const nlohmann::json& changed) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  std::string text = changed.dump();
  REQUIRE(text.size() <= length);
  text.resize(length, ' ');
  return bytes.substr(0, 20) + text + bytes.substr(20 + length);
}

inline nlohmann::json json_of(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  return nlohmann::json::parse(bytes.substr(20, length));
}

// "" if it can be opened and all frames read.
inline std::string code_of(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder / "a.glb", bytes);
  try {
    const auto reader = open_cache(folder / "a.glb");
    std::vector<float> rows(static_cast<std::size_t>(reader->vertex_count()) * 3);
    for (std::int64_t f = 0; f < reader->frame_count(); ++f) {
      reader->read(f, 1, rows.data());
      if (reader->has_normals()) reader->read_normals(f, 1, rows.data());
      if (reader->has_tangents()) reader->read_tangents(f, 1, rows.data());
    }
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    return error.code();
  }
  return "";
}

// A file whose JSON has another value in one place is no cache.
inline void check_refused(const std::string& whole, const std::string& pointer,
                          const nlohmann::json& value) {
  CAPTURE(pointer);
  nlohmann::json changed = json_of(whole);
  changed[nlohmann::json::json_pointer(pointer)] = value;
  CHECK(code_of(with_json(whole, changed)) == "CACHE_INVALID");
}

// A file with any one byte damaged is refused as a cache, or read.
inline void check_damaged_bytes(const std::string& whole, int times) {
  std::uint32_t random = 1;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525 + 1013904223;
    std::string damaged = whole;
    damaged[(random >> 8) % whole.size()] = static_cast<char>(random >> 3);
    const std::string code = code_of(damaged);
    CHECK((code.empty() || code == "CACHE_INVALID"));
  }
}

}  // namespace skinbake::test
