// The text of a golden: JSON, with the positions of the sample as base64 of a stream of
// meshoptimizer. A golden is untrusted: it comes from a repository.

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/containers.h"
#include "base/random_access_file.h"
#include "batch/goldens/golden.h"
#include "caches/sidecar.h"
#include "json/input_files.h"
#include "json/json_text.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::size_t kPositionBytes = 3 * sizeof(float);
constexpr std::string_view kVersionWithoutHash = "1.0";
// Stands for the hash of the text in the text that is hashed.
constexpr std::string_view kNoHash = "00000000000000000000000000000000";

OrderedJson clips_json(const std::vector<CacheClip>& clips) {
  OrderedJson list = OrderedJson::array();
  for (const CacheClip& clip : clips) {
    list.push_back({{"clip", clip.clip},
                    {"first_frame", clip.first_frame},
                    {"frame_step", clip.frame_step},
                    {"frame_count", clip.frame_count}});
    add_end(clip.end_s, list.back());
  }
  return list;
}

// Positions as integers: the bits of the floats, or multiples of the quantum.
std::vector<std::int32_t> integers_of(const Golden& golden) {
  std::vector<std::int32_t> integers(golden.positions.size());
  for (std::size_t i = 0; i < integers.size(); ++i) {
    integers[i] = golden.quantum_m == 0
                      ? std::bit_cast<std::int32_t>(golden.positions[i])
                      : static_cast<std::int32_t>(
                            std::floor(double{golden.positions[i]} / golden.quantum_m + 0.5));
  }
  return integers;
}

MeshoptElements elements_of(const Golden& golden) {
  return {golden.sample.vertices.size() * static_cast<std::size_t>(golden.frames.frame_count),
          kPositionBytes};
}

}  // namespace

std::string golden_text(const Golden& golden) {
  OrderedJson text{
      {"schema", "skinbake.golden"},
      {"schema_version", "1.1"},
      {"cache", {{"format", golden.format}, {"bytes", golden.bytes}, {"xxh128", golden.xxh128}}},
      {"mesh", name_json(golden.mesh)},
      {"clip", name_json(golden.clip)},
      {"method", name_json(golden.method)},
      {"vertex_count", golden.vertex_count},
      {"fps", golden.frames.fps},
      {"first_frame", golden.frames.first_frame},
      {"frame_step", golden.frames.frame_step},
      {"frame_count", golden.frames.frame_count}};
  add_end(end_of(golden.frames), text);
  if (!golden.clips.empty()) text["clips"] = clips_json(golden.clips);
  if (golden.space) text["space"] = *golden.space == Space::kMesh ? "mesh" : "scene";
  text["frames_per_block"] = kFramesPerBlock;
  text["blocks"] = golden.blocks;
  text["vertices"] = golden.sample.vertices;
  if (!golden.sample.joints.empty()) text["joints"] = golden.sample.joints;
  text["unit"] = "m";
  text["quantum"] = golden.quantum_m;
  if (golden.quantum_m > 0) text["sample_blocks"] = golden.sample_blocks;
  std::vector<std::uint8_t> stream;
  encode_meshopt(integers_of(golden).data(), elements_of(golden), stream);
  text["positions"] = base64_encoded(std::as_bytes(std::span(stream)));
  text["xxh128"] = kNoHash;
  std::string printed = print(text);
  Xxh128 hash;
  hash.update(printed.data(), printed.size());
  return printed.replace(printed.rfind(kNoHash), kNoHash.size(), hash.hex());
}

namespace {

// Reads the members of an untrusted golden, each within its bounds.
class GoldenParser {
 public:
  explicit GoldenParser(const std::string& name) : name_(name) {}

  Golden read(std::string_view text) {
    json golden;
    if (const JsonProblem problem = parse_text(text, golden)) {
      fail("", problem.text);
    }
    try {
      Golden parsed = members(golden);
      check_hash(golden, std::string(text));
      return parsed;
    } catch (const json::exception&) {
      fail("", "a member is missing or of a wrong type");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& pointer, const std::string& cause) const {
    throw Error("GOLDEN_INVALID", cause, {name_, pointer});
  }

  [[noreturn]] void fail_end(const std::string& parent) const {
    fail(parent + "/end_s", "is not between the last frame and the one before");
  }

  // `parent`: the pointer of the object.
  std::int64_t integer(const json& object, const char* key, std::int64_t least, std::int64_t most,
                       const std::string& parent = "") const {
    const json& value = object.at(key);
    const std::string pointer = parent + "/" + key;
    if (!value.is_number_integer()) fail(pointer, "is not a whole number");
    const std::optional<std::int64_t> integer = integer_in(value, least, most);
    if (!integer) {
      fail(pointer, "is not from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return *integer;
  }

  std::string hash(const json& value, const std::string& pointer) const {
    const auto& text = value.get_ref<const std::string&>();
    const bool is_hash = text.size() == 32 && std::all_of(text.begin(), text.end(), [](char c) {
                           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                         });
    if (!is_hash) fail(pointer, "is not a hash of 32 hexadecimal digits");
    return text;
  }

  static std::string name_in(const json& golden, const char* key) {
    const json& value = golden.at(key);
    return value.is_null() ? "" : value.get<std::string>();
  }

  void read_frames(const json& golden, Golden& parsed) const {
    constexpr std::int64_t kMostFrames = 2147483647, kFarthest = std::int64_t{1} << 40;
    const double fps = golden.at("fps").get<double>();
    if (!is_frame_rate(fps)) fail("/fps", "is not a frame rate");
    parsed.frames.fps = fps;
    parsed.frames.frame_count = integer(golden, "frame_count", 1, kMostFrames);
    parsed.frames.first_frame = integer(golden, "first_frame", -kFarthest, kFarthest);
    parsed.frames.frame_step =
        integer(golden, "frame_step", 1, kFarthest / parsed.frames.frame_count);
    if (!read_end(golden, parsed.frames)) fail_end("");
    if (integer(golden, "frames_per_block", 1, kMostFrames) != kFramesPerBlock) {
      fail("/frames_per_block", "is not 16");
    }
    parsed.blocks = hashes_of_blocks(golden, "blocks", parsed.frames.frame_count);
  }

  // Goldens of older versions have neither clips nor a space.
  void read_clips(const json& golden, Golden& parsed) const {
    constexpr std::int64_t kFarthest = std::int64_t{1} << 40;
    std::int64_t left = parsed.frames.frame_count;
    for (const json& clip : golden.value("clips", json::array())) {
      const std::string pointer = "/clips/" + std::to_string(parsed.clips.size());
      if (left < 1) fail(pointer, "has no frames left");
      CacheClip& read = parsed.clips.emplace_back();
      read.clip = name_in(clip, "clip");
      read.first_frame = integer(clip, "first_frame", -kFarthest, kFarthest, pointer);
      read.frame_step = integer(clip, "frame_step", 1, kFarthest, pointer);
      read.frame_count = integer(clip, "frame_count", 1, left, pointer);
      left -= read.frame_count;
      FrameRange frames{parsed.frames.fps, read.first_frame, read.frame_step, read.frame_count};
      if (!read_end(clip, frames)) fail_end(pointer);
      read.end_s = frames.end_s;
    }
    if (!parsed.clips.empty() && left > 0) fail("/clips", "do not have all frames");
    if (!golden.contains("space")) return;
    const auto& space = golden.at("space").get_ref<const std::string&>();
    if (space != "mesh" && space != "scene") fail("/space", "is neither mesh nor scene");
    parsed.space = space == "mesh" ? Space::kMesh : Space::kScene;
  }

  std::vector<std::string> hashes_of_blocks(const json& golden, const std::string& key,
                                            std::int64_t frame_count) const {
    const json& blocks = golden.at(key);
    const std::int64_t needed = (frame_count + kFramesPerBlock - 1) / kFramesPerBlock;
    if (!blocks.is_array() || static_cast<std::int64_t>(blocks.size()) != needed) {
      fail("/" + key, "does not have a hash for each block of 16 frames");
    }
    std::vector<std::string> hashes;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      hashes.push_back(hash(blocks[i], "/" + key + "/" + std::to_string(i)));
    }
    return hashes;
  }

  void read_sample(const json& golden, Golden& parsed) const {
    const json& vertices = golden.at("vertices");
    if (!vertices.is_array() || vertices.empty()) fail("/vertices", "is not a list of vertices");
    std::int64_t last = -1;
    for (const json& vertex : vertices) {
      if (!vertex.is_number_unsigned() ||
          vertex.get<std::uint64_t>() >= static_cast<std::uint64_t>(parsed.vertex_count) ||
          vertex.get<std::int64_t>() <= last) {
        fail("/vertices", "is not an ascending list of vertices of the mesh");
      }
      last = vertex.get<std::int64_t>();
      parsed.sample.vertices.push_back(static_cast<VertexIndex>(last));
    }
    if (!golden.contains("joints")) return;
    parsed.sample.joints = golden.at("joints").get<std::vector<std::string>>();
    if (parsed.sample.joints.size() != parsed.sample.vertices.size()) {
      fail("/joints", "does not have a joint for each vertex");
    }
  }

  void read_positions(const json& golden, Golden& parsed) const {
    const std::string pointer = "/positions";
    parsed.quantum_m = golden.at("quantum").get<double>();
    if (!std::isfinite(parsed.quantum_m) || parsed.quantum_m < 0) {
      fail("/quantum", "is not a length");
    }
    if (parsed.quantum_m > 0 && golden.contains("sample_blocks")) {
      parsed.sample_blocks = hashes_of_blocks(golden, "sample_blocks", parsed.frames.frame_count);
    }
    const auto stream = base64_decoded(golden.at("positions").get_ref<const std::string&>());
    if (!stream) fail(pointer, "is not base64");
    const MeshoptElements elements = elements_of(parsed);
    // The product of both counts is below 2^62.
    if (elements.count / kMaxMeshoptRatio > stream->size()) {
      fail(pointer, "has too few bytes for its vertices and frames");
    }
    std::vector<std::int32_t> integers(elements.count * 3);
    if (!decode_meshopt({stream->data(), stream->size()}, elements, integers.data())) {
      fail(pointer, "is not a stream of this many positions");
    }
    parsed.positions.resize(integers.size());
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const float value = parsed.quantum_m == 0
                              ? std::bit_cast<float>(integers[i])
                              : static_cast<float>(integers[i] * parsed.quantum_m);
      if (!std::isfinite(value)) fail(pointer, "has a position that is not a number");
      parsed.positions[i] = value;
    }
  }

  // Goldens of version 1.0 do not have a hash.
  void check_hash(const json& golden, std::string text) const {
    if (!golden.contains("xxh128") && golden.at("schema_version") == kVersionWithoutHash) return;
    const std::string stated = hash(golden.at("xxh128"), "/xxh128");
    const std::size_t at = text.rfind(stated);
    if (at != std::string::npos) text.replace(at, kNoHash.size(), kNoHash);
    Xxh128 found;
    found.update(text.data(), text.size());
    if (found.hex() != stated)
      fail("/xxh128", "is not the hash of the golden: its text was changed");
  }

  Golden members(const json& golden) const {
    if (!golden.is_object() || golden.value("schema", "") != "skinbake.golden") {
      fail("", "is not a golden");
    }
    if (!golden.at("schema_version").get<std::string>().starts_with("1.")) {
      fail("/schema_version", "is of a version that this program does not read");
    }
    Golden parsed;
    const json& cache = golden.at("cache");
    parsed.format = cache.at("format").get<std::string>();
    parsed.bytes = static_cast<std::uint64_t>(integer(cache, "bytes", 0, std::int64_t{1} << 60));
    parsed.xxh128 = hash(cache.at("xxh128"), "/cache/xxh128");
    parsed.mesh = name_in(golden, "mesh");
    parsed.clip = name_in(golden, "clip");
    parsed.method = name_in(golden, "method");
    parsed.vertex_count = integer(golden, "vertex_count", 1, 2147483647);
    read_frames(golden, parsed);
    read_clips(golden, parsed);
    read_sample(golden, parsed);
    read_positions(golden, parsed);
    return parsed;
  }

  const std::string& name_;
};

}  // namespace

Golden parse_golden(std::string_view text, const std::string& name) {
  return GoldenParser(name).read(text);
}

Golden read_golden(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  return parse_golden(text_of_file(path, kMostBytes), path);
}

}  // namespace skinbake
