#include "caches/sidecar.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/paths.h"
#include "base/random_access_file.h"
#include "caches/mesh_cache.h"
#include "json/input_files.h"
#include "json/json_text.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

std::string_view axis_text(CacheAxes::Up up) {
  return up == CacheAxes::Up::kY ? "y-up, right-handed" : "z-up, right-handed";
}

// The unit of the cache: "m", "cm", "mm" or a number of metres, "0.0254 m".
std::string unit_of(double scale) {
  if (scale == 1) return "m";
  if (scale == 100) return "cm";
  if (scale == 1000) return "mm";
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, 1 / scale).ptr;
  return std::string(digits, end) + " m";
}

void add_axes(const std::optional<CacheAxes>& axes, OrderedJson& json) {
  json["axis"] = axes ? OrderedJson(axis_text(axes->up)) : OrderedJson();
  json["unit"] = axes ? OrderedJson(unit_of(axes->scale)) : OrderedJson();
  json["units_per_metre"] = axes ? OrderedJson(axes->scale) : OrderedJson();
}

CacheMesh mesh_of(const Rig& rig) {
  return {rig.id,
          rig.node,
          rig.skeleton->nodes[rig.node].name,
          rig.mesh->name,
          rig.mesh->vertex_count(),
          rig.mesh->primitives};
}

OrderedJson mesh_json(const CacheHeader& header) {
  const CacheMesh mesh = header.rig != nullptr ? mesh_of(*header.rig) : header.mesh;
  OrderedJson primitives = OrderedJson::array();
  for (const Primitive& primitive : mesh.primitives) {
    primitives.push_back(
        {{"first_vertex", primitive.first_vertex}, {"vertex_count", primitive.vertex_count}});
  }
  OrderedJson json{{"id", name_json(mesh.id)},
                   {"node", mesh.node ? OrderedJson(*mesh.node) : OrderedJson()},
                   {"node_name", name_json(mesh.node_name)},
                   {"mesh_name", name_json(mesh.mesh_name)},
                   {"vertex_count", mesh.vertex_count},
                   {"primitives", std::move(primitives)}};
  if (!header.method_on_mesh.empty()) json["method_on_mesh"] = header.method_on_mesh;
  return json;
}

// The rows of each clip in the cache.
OrderedJson clips_json(const std::vector<CacheClip>& clips) {
  OrderedJson json = OrderedJson::array();
  std::int64_t offset = 0;
  for (const CacheClip& clip : clips) {
    json.push_back({{"clip", clip.clip},
                    {"offset", offset},
                    {"first_frame", clip.first_frame},
                    {"frame_step", clip.frame_step},
                    {"frame_count", clip.frame_count}});
    add_end(clip.end_s, json.back());
    offset += clip.frame_count;
  }
  return json;
}

// The axes of the stored positions: the requested axes, or the axes of the cache that the frames
// come from.
std::optional<CacheAxes> stored_axes(const CacheHeader& header) {
  if (header.axes.are_rig_axes()) return header.source_axes;
  return header.axes;
}

// Whether frames of the clip are missing.
bool is_part(const CacheHeader& header) {
  const FrameRange& frames = header.frames;
  const std::int64_t ends = frames.is_end(frames.frame_count - 1) ? 1 : 0;
  return header.clip_frame_count > 0 && (frames.first_frame != 0 || frames.frame_step != 1 ||
                                         frames.frame_count - ends != header.clip_frame_count);
}

std::string space_of(const CacheHeader& header) {
  if (!header.source_axes) return "";
  return header.space == Space::kScene ? "scene" : "mesh";
}

}  // namespace

Sidecar::Sidecar(const std::string& cache_path, std::span<const CacheHeader> headers)
    : cache_name_(std::filesystem::path(cache_path).filename().string()),
      header_(headers.front()),
      clips_(header_.clips),
      file_(cache_path + ".json") {
  const std::span<const CacheHeader> clips = clips_of_first_mesh(headers);
  for (std::size_t m = clips.size(); m < headers.size(); m += clips.size()) {
    others_.push_back(headers[m]);
  }
  if (clips.size() == 1) return;
  for (const CacheHeader& clip : clips) {
    const FrameRange& frames = clip.frames;
    clips_.push_back(
        {clip.clip, frames.first_frame, frames.frame_step, frames.frame_count, end_of(frames)});
  }
  header_.clip.clear();
  header_.frames = frames_of_clips(clips);
}

void Sidecar::write(const Content& content) {
  OrderedJson json{{"schema", "skinbake.cache"},
                   {"schema_version", "1.0"},
                   {"tool", {{"name", "skinbake"}, {"version", SKINBAKE_VERSION}}},
                   {"format", content.format},
                   {"file", cache_name_},
                   {"bytes", content.bytes},
                   {"xxh128", content.xxh128},
                   {"inputs", inputs_json(with_file_names(header_.inputs))}};
  if (others_.empty()) {
    json["mesh"] = mesh_json(header_);
  } else {
    json["meshes"] = OrderedJson::array({mesh_json(header_)});
    for (const CacheHeader& other : others_) json["meshes"].push_back(mesh_json(other));
  }
  json["clip"] = name_json(header_.clip);
  json["fps"] = header_.frames.fps > 0 ? OrderedJson(header_.frames.fps) : OrderedJson();
  json["first_frame"] = header_.frames.first_frame;
  json["frame_step"] = header_.frames.frame_step;
  json["frame_count"] = header_.frames.frame_count;
  add_end(end_of(header_.frames), json);
  if (clips_.empty() && is_part(header_)) json["clip_frame_count"] = header_.clip_frame_count;
  if (!clips_.empty()) json["clips"] = clips_json(clips_);
  json["space"] = name_json(space_of(header_));
  add_axes(stored_axes(header_), json);
  json["method"] = name_json(header_.method);
  json["modifiers"] = header_.modifiers;
  if (!header_.options.empty()) {
    OrderedJson& options = json["options"] = OrderedJson::object();
    for (const auto& [name, value] : header_.options) options[name] = value;
  }
  if (content.more) content.more(json);
  file_.write(print(json));
}

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxSidecarBytes = std::uint64_t{16} << 20;
constexpr std::int64_t kMaxVertices = std::int64_t{1} << 40;      // more than a file can have
constexpr std::int64_t kMaxSidecarFrame = std::int64_t{1} << 40;  // frame numbers stay in range

// The text of a regular file of at most kMaxSidecarBytes; none: it does not exist. Throws Error
// (kInput) if the file cannot be read: a result must not depend on a disk that fails for a moment.
std::optional<std::string> text_of(const std::string& path) {
  if (!is_regular_file(path)) return {};
  const RandomAccessFile file(path);
  if (file.size() > kMaxSidecarBytes) return {};
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  return text;
}

// Throws std::out_of_range for what no count, index or frame of a sidecar can be.
std::int64_t integer_of(const Json& value) {
  constexpr std::int64_t kMost = std::max(kMaxVertices, kMaxSidecarFrame);
  const std::optional<std::int64_t> integer = integer_in(value, -kMost, kMost);
  if (!integer) throw std::out_of_range("a number of a sidecar");
  return *integer;
}

std::string name_of(const Json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

// The primitives of a mesh. Empty if they do not follow one another or do not cover the vertices.
std::vector<Primitive> primitives_of(const Json& list, std::int64_t vertex_count) {
  std::vector<Primitive> primitives;
  std::int64_t next = 0;
  for (const Json& item : list) {
    const auto first = integer_of(item.at("first_vertex"));
    const auto count = integer_of(item.at("vertex_count"));
    if (first != next || count < 0 || count > vertex_count - next) return {};
    primitives.push_back({static_cast<VertexIndex>(first), static_cast<VertexIndex>(count)});
    next += count;
  }
  if (next != vertex_count) return {};
  return primitives;
}

std::vector<InputFile> inputs_of(const Json& list) {
  std::vector<InputFile> inputs;
  for (const Json& item : list) {
    inputs.push_back({item.at("role"), item.at("path"),
                      item.at("bytes").get_ref<const std::uint64_t&>(), item.at("xxh128")});
  }
  return inputs;
}

std::optional<std::int64_t> index_of(const Json& value) {
  if (value.is_null()) return {};
  return integer_of(value);
}

// Sidecars of older versions do not have "units_per_metre": their unit is the metre.
CacheAxes axes_of(const Json& sidecar) {
  CacheAxes axes;
  const bool z_up = sidecar.at("axis") == axis_text(CacheAxes::Up::kZ);
  axes.up = z_up ? CacheAxes::Up::kZ : CacheAxes::Up::kY;
  axes.scale = sidecar.value("units_per_metre", 1.0);
  return axes;
}

// The frames of a sidecar, or of one of its clips. `fps`: of the sidecar.
FrameRange frames_of(const Json& object, const Json& fps) {
  FrameRange frames{fps.is_null() ? 0 : fps.get<double>(), integer_of(object.at("first_frame")),
                    integer_of(object.at("frame_step")), integer_of(object.at("frame_count"))};
  if (!read_end(object, frames)) throw std::out_of_range("the end of a clip in a sidecar");
  return frames;
}

// 0: not stated.
std::int64_t clip_frame_count_of(const Json& sidecar) {
  return sidecar.contains("clip_frame_count") ? integer_of(sidecar.at("clip_frame_count")) : 0;
}

// Several clips; empty: the cache has one.
std::vector<CacheClip> clips_of(const Json& sidecar) {
  std::vector<CacheClip> clips;
  if (!sidecar.contains("clips")) return clips;
  for (const Json& clip : sidecar.at("clips")) {
    const FrameRange frames = frames_of(clip, sidecar.at("fps"));
    clips.push_back({name_of(clip.at("clip")), frames.first_frame, frames.frame_step,
                     frames.frame_count, frames.end_s});
  }
  return clips;
}

// Whether the clips have the frames of the cache.
bool cover(const std::vector<CacheClip>& clips, std::int64_t frame_count) {
  if (clips.empty()) return true;
  for (const CacheClip& clip : clips) {
    if (clip.frame_count < 0 || clip.frame_count > frame_count) return false;
    frame_count -= clip.frame_count;
  }
  return frame_count == 0;
}

// Joins several meshes, one after another, into one mesh without a name.
Json all_of(const Json& meshes) {
  Json all{{"id", nullptr},
           {"mesh_name", nullptr},
           {"node", nullptr},
           {"node_name", nullptr},
           {"primitives", Json::array()}};
  std::int64_t next = 0;
  for (const Json& mesh : meshes) {
    for (const Json& primitive : mesh.at("primitives")) {
      const std::int64_t count = integer_of(primitive.at("vertex_count"));
      if (count < 0 || count > kMaxVertices - next) continue;  // the sum stays in range
      all["primitives"].push_back({{"first_vertex", next}, {"vertex_count", count}});
      next += count;
    }
  }
  return all;
}

// `chosen`: the id of one mesh in a cache of several; empty or "all": all meshes. Throws
// Json::exception if the sidecar does not have the mesh.
Json parsed_mesh(const Json& sidecar, const std::string& chosen) {
  if (chosen.empty()) {
    return sidecar.contains("meshes") ? all_of(sidecar.at("meshes")) : sidecar.at("mesh");
  }
  const Json& meshes = sidecar.at("meshes");
  const auto found = std::find_if(meshes.begin(), meshes.end(), [&](const Json& mesh) {
    return name_of(mesh.at("id")) == chosen;
  });
  if (found == meshes.end() && chosen == "all") return all_of(meshes);
  return found == meshes.end() ? sidecar.at("mesh") : *found;  // "mesh" is missing here: throws
}

// Whether the sidecar has the schema, format and size of this cache.
bool belongs_to(const Json& sidecar, const CacheReader& cache) {
  return sidecar.at("schema") == "skinbake.cache" && sidecar.at("format") == cache.format().id &&
         sidecar.at("bytes") == cache.bytes();
}

bool fits(const CacheProvenance& provenance, const CacheReader& cache) {
  const FrameRange& frames = provenance.frames;
  return frames.frame_count == cache.frame_count() && cover(provenance.clips, frames.frame_count) &&
         frames.frame_step >= 1 &&
         frames.frame_step <= kMaxSidecarFrame / std::max<std::int64_t>(frames.frame_count, 1) &&
         (is_frame_rate(frames.fps) || (!provenance.is_complete && frames.fps == 0)) &&
         provenance.clip_frame_count >= 0 && provenance.clip_frame_count <= kMaxSidecarFrame &&
         is_scale(provenance.axes.scale);
}

}  // namespace

std::optional<SidecarContent> read_sidecar(const CacheReader& cache,
                                           const std::string& chosen_mesh) {
  const std::string path = cache.path() + ".json";
  const std::optional<std::string> text = text_of(path);
  if (!text) return {};
  Json sidecar;
  if (parse_text(*text, sidecar)) return {};
  try {
    if (!belongs_to(sidecar, cache)) return {};
    const Json mesh = parsed_mesh(sidecar, chosen_mesh);
    const bool is_complete = !sidecar.at("space").is_null();
    CacheProvenance provenance{name_of(mesh.at("id")),
                               name_of(mesh.at("mesh_name")),
                               primitives_of(mesh.at("primitives"), cache.vertex_count()),
                               name_of(sidecar.at("clip")),
                               frames_of(sidecar, sidecar.at("fps")),
                               sidecar.at("space") == "mesh" ? Space::kMesh : Space::kScene,
                               name_of(sidecar.at("method")),
                               index_of(mesh.at("node")),
                               name_of(mesh.at("node_name")),
                               inputs_of(sidecar.at("inputs")),
                               sidecar.at("modifiers"),
                               is_complete ? axes_of(sidecar) : CacheAxes{},
                               mesh.value("method_on_mesh", ""),
                               is_complete,
                               sidecar.value("options", CacheOptions()),
                               clips_of(sidecar),
                               clip_frame_count_of(sidecar)};
    if (!fits(provenance, cache)) return {};
    return SidecarContent{std::move(provenance), sidecar.at("xxh128")};
  } catch (const Json::exception&) {  // written by another program
    return {};
  } catch (const std::out_of_range&) {
    return {};
  }
}

double end_of(const FrameRange& frames) {
  const auto last = static_cast<double>(frames.frame(frames.frame_count - 1));
  return frames.end_s < last / frames.fps ? frames.end_s : std::numeric_limits<double>::infinity();
}

bool read_end(const Json& object, FrameRange& frames) {
  const auto end = object.find("end_s");
  if (end == object.end()) return true;
  if (!end->is_number()) return false;
  frames.end_s = end->get<double>();
  const auto step = static_cast<double>(frames.frame_step);  // the product would overflow integers
  const double last =
      static_cast<double>(frames.first_frame) + static_cast<double>(frames.frame_count - 1) * step;
  return frames.end_s > (last - step) / frames.fps && frames.end_s <= last / frames.fps;
}

}  // namespace skinbake
