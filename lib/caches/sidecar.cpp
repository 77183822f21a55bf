#include "caches/sidecar.h"

#include <charconv>
#include <filesystem>

#include "json/input_files.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

void write_name(JsonWriter& json, std::string_view key, const std::string& name) {
  json.key(key);
  name.empty() ? json.null() : json.value(name);
}

// One unit of the cache: "m", "cm", "mm", or so many metres.
std::string unit_of(double scale) {
  if (scale == 1) return "m";
  if (scale == 100) return "cm";
  if (scale == 1000) return "mm";
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, 1 / scale).ptr;
  return std::string(digits, end) + " m";
}

void write_axes(JsonWriter& json, const std::optional<CacheAxes>& axes) {
  if (!axes) {
    json.key("axis").null().key("unit").null().key("units_per_metre").null();
    return;
  }
  json.key("axis").value(axis_text(axes->up));
  json.key("unit").value(unit_of(axes->scale));
  json.key("units_per_metre").value(axes->scale);
}

CacheMesh mesh_of(const Rig& rig) {
  return {rig.id,
          rig.node,
          rig.skeleton->nodes[rig.node].name,
          rig.mesh->name,
          rig.mesh->vertex_count(),
          rig.mesh->primitives};
}

void write_mesh(JsonWriter& json, const CacheMesh& mesh) {
  json.begin_object();
  write_name(json, "id", mesh.id);
  json.key("node").value(mesh.node);
  write_name(json, "node_name", mesh.node_name);
  write_name(json, "mesh_name", mesh.mesh_name);
  json.key("vertex_count").value(mesh.vertex_count);
  json.key("primitives").begin_array();
  for (const Primitive& primitive : mesh.primitives) {
    json.begin_line_object();
    json.key("first_vertex").value(std::int64_t{primitive.first_vertex});
    json.key("vertex_count").value(std::int64_t{primitive.vertex_count});
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

// Those that the format was given; nothing of one that was given none.
void write_options(JsonWriter& json, const std::map<std::string, std::string>& options) {
  if (options.empty()) return;
  json.key("options").begin_line_object();
  for (const auto& [name, value] : options) json.key(name).value(value);
  json.end_object();
}

// What is stored: turned from ours, or what the cache had that this one was made from.
std::optional<CacheAxes> stored_axes(const CacheHeader& header) {
  if (header.axes.are_ours()) return header.source_axes;
  return header.axes;
}

std::string space_of(const CacheHeader& header) {
  if (!header.source_axes) return "";
  return header.space == Space::kScene ? "scene" : "mesh";
}

}  // namespace

std::string_view axis_text(CacheAxes::Up up) {
  return up == CacheAxes::Up::kY ? "y-up, right-handed" : "z-up, right-handed";
}

Sidecar::Sidecar(const std::string& cache_path, const CacheHeader& header,
                 std::span<const CacheHeader> others)
    : cache_name_(std::filesystem::path(cache_path).filename().string()),
      header_(header),
      others_(others.begin(), others.end()),
      file_(cache_path + ".json") {}

void Sidecar::write(const Content& content) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("skinbake.cache");
  json.key("schema_version").value("1.0");
  json.key("tool").begin_line_object();
  json.key("name").value("skinbake").key("version").value(SKINBAKE_VERSION).end_object();
  json.key("format").value(content.format);
  json.key("file").value(cache_name_);
  json.key("bytes").value(content.bytes);
  json.key("xxh128").value(content.xxh128);
  write_inputs(header_.inputs, json);
  const auto mesh_in = [](const CacheHeader& header) {
    return header.rig != nullptr ? mesh_of(*header.rig) : header.mesh;
  };
  json.key(others_.empty() ? "mesh" : "meshes");
  if (!others_.empty()) json.begin_array();
  write_mesh(json, mesh_in(header_));
  for (const CacheHeader& other : others_) write_mesh(json, mesh_in(other));
  if (!others_.empty()) json.end_array();
  write_name(json, "clip", header_.clip);
  json.key("fps");
  header_.frames.fps > 0 ? json.value(header_.frames.fps) : json.null();
  json.key("first_frame").value(header_.frames.first_frame);
  json.key("frame_step").value(header_.frames.frame_step);
  json.key("frame_count").value(header_.frames.frame_count);
  write_name(json, "space", space_of(header_));
  write_axes(json, stored_axes(header_));
  write_name(json, "method", header_.method);
  json.key("modifiers").strings(header_.modifiers);
  write_options(json, header_.options);
  if (content.more) content.more(json);
  json.end_object();
  file_.write(json.take());
}

}  // namespace skinbake
