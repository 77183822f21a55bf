#include "caches/origin.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random_access_file.h"
#include "caches/sidecar.h"
#include "json/json_text.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLargest = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;  // of it, parsed
constexpr std::int64_t kMostVertices = std::int64_t{1} << 40;    // more than any file has

// The text of a small regular file; nothing if that is not what it is.
std::optional<std::string> text_of(const std::string& path) {
  try {
    const RandomAccessFile file(path);
    if (file.size() > kLargest) return {};
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    file.read_at(text.data(), text.size(), 0);
    return text;
  } catch (const Error&) {
    return {};
  }
}

// get<std::int64_t>() would also convert 1e30, for which there is no such number.
std::int64_t integer_of(const json& value) {
  return value.get_ref<const std::int64_t&>();
}

std::string name_of(const json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

// They follow one another and cover the vertices; none if they do not.
std::vector<Primitive> primitives_of(const json& list, std::int64_t vertex_count) {
  std::vector<Primitive> primitives;
  std::int64_t next = 0;
  for (const json& item : list) {
    const auto first = integer_of(item.at("first_vertex"));
    const auto count = integer_of(item.at("vertex_count"));
    if (first != next || count < 0 || count > vertex_count - next) return {};
    primitives.push_back({static_cast<VertexIndex>(first), static_cast<VertexIndex>(count)});
    next += count;
  }
  if (next != vertex_count) return {};
  return primitives;
}

std::vector<InputFile> inputs_of(const json& list) {
  std::vector<InputFile> inputs;
  for (const json& item : list) {
    inputs.push_back({item.at("role"), item.at("path"),
                      item.at("bytes").get_ref<const std::uint64_t&>(), item.at("xxh128")});
  }
  return inputs;
}

std::optional<std::int64_t> index_of(const json& value) {
  if (value.is_null()) return {};
  return integer_of(value);
}

// Caches of before there was a choice have no number of units.
CacheAxes axes_of(const json& sidecar) {
  CacheAxes axes;
  const bool z_up = sidecar.at("axis") == axis_text(CacheAxes::Up::kZ);
  axes.up = z_up ? CacheAxes::Up::kZ : CacheAxes::Up::kY;
  axes.scale = sidecar.value("units_per_metre", 1.0);
  return axes;
}

FrameRange frames_of(const json& sidecar) {
  return {sidecar.at("fps").get<double>(), integer_of(sidecar.at("first_frame")),
          integer_of(sidecar.at("frame_step")), integer_of(sidecar.at("frame_count"))};
}

// Several meshes, one after another, as one that has no name.
json all_of(const json& meshes) {
  json all{{"id", nullptr},
           {"mesh_name", nullptr},
           {"node", nullptr},
           {"node_name", nullptr},
           {"primitives", json::array()}};
  std::int64_t next = 0;
  for (const json& mesh : meshes) {
    for (const json& primitive : mesh.at("primitives")) {
      const std::int64_t count = integer_of(primitive.at("vertex_count"));
      if (count < 0 || count > kMostVertices - next) continue;  // no sum of them would fit
      all["primitives"].push_back({{"first_vertex", next}, {"vertex_count", count}});
      next += count;
    }
  }
  return all;
}

// A cache of several meshes has a list of them.
json mesh_of(const json& sidecar, const std::string& chosen) {
  if (chosen.empty()) {
    return sidecar.contains("meshes") ? all_of(sidecar.at("meshes")) : sidecar.at("mesh");
  }
  const json& meshes = sidecar.at("meshes");
  const auto found = std::find_if(meshes.begin(), meshes.end(), [&](const json& mesh) {
    return name_of(mesh.at("id")) == chosen;
  });
  return found == meshes.end() ? sidecar.at("mesh") : *found;  // which it does not have
}

// Whether it says of itself what the cache is, as far as a glance shows. One of a cache that was
// made from another of which nobody knew a thing knows nothing either.
bool belongs_to(const json& sidecar, const CacheReader& cache) {
  return sidecar.at("schema") == "skinbake.cache" && sidecar.at("format") == cache.format() &&
         sidecar.at("bytes") == cache.bytes() && !sidecar.at("space").is_null();
}

bool fits(const CacheOrigin& origin, const CacheReader& cache) {
  const FrameRange& frames = origin.frames;
  constexpr std::int64_t kFarthest = std::int64_t{1} << 40;  // their products stay whole
  return frames.frame_count == cache.frame_count() && frames.frame_step >= 1 &&
         frames.frame_step <= kFarthest / std::max<std::int64_t>(frames.frame_count, 1) &&
         std::abs(frames.first_frame) <= kFarthest && frames.fps > 0 && std::isfinite(frames.fps) &&
         origin.axes.scale > 0 && std::isfinite(origin.axes.scale);
}

}  // namespace

std::optional<CacheOrigin> read_origin(const CacheReader& cache, const std::string& chosen_mesh) {
  const std::optional<std::string> text = text_of(cache.path() + ".json");
  json sidecar;
  if (!text || parse_text(*text, kMostMemory, sidecar)) return {};
  try {
    if (!belongs_to(sidecar, cache)) return {};
    const json mesh = mesh_of(sidecar, chosen_mesh);
    CacheOrigin origin{name_of(mesh.at("id")),
                       name_of(mesh.at("mesh_name")),
                       primitives_of(mesh.at("primitives"), cache.vertex_count()),
                       name_of(sidecar.at("clip")),
                       frames_of(sidecar),
                       sidecar.at("space") == "mesh" ? Space::kMesh : Space::kScene,
                       name_of(sidecar.at("method")),
                       index_of(mesh.at("node")),
                       name_of(mesh.at("node_name")),
                       inputs_of(sidecar.at("inputs")),
                       sidecar.at("modifiers"),
                       axes_of(sidecar)};
    if (!fits(origin, cache) || sidecar.at("xxh128") != cache.xxh128()) return {};
    return origin;
  } catch (const json::exception&) {  // another program's file
    return {};
  }
}

}  // namespace skinbake
