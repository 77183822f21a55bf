#include "caches/sidecar.h"

#include <filesystem>

#include "json/json_writer.h"

namespace skinbake {

namespace {

void write_inputs(JsonWriter& json, const std::vector<InputFile>& inputs) {
  json.key("inputs").begin_array();
  for (const InputFile& input : inputs) {
    json.begin_line_object();
    json.key("role").value(input.role).key("path").value(input.path);
    json.key("bytes").value(input.bytes).key("xxh128").value(input.xxh128);
    json.end_object();
  }
  json.end_array();
}

void write_name(JsonWriter& json, std::string_view key, const std::string& name) {
  json.key(key);
  name.empty() ? json.null() : json.value(name);
}

void write_mesh(JsonWriter& json, const Rig& rig) {
  json.begin_object();
  json.key("id").value(rig.id);
  json.key("node").value(rig.node);
  write_name(json, "node_name", rig.skeleton->nodes[rig.node].name);
  write_name(json, "mesh_name", rig.mesh->name);
  json.key("vertex_count").value(std::int64_t{rig.mesh->vertex_count()});
  json.key("primitives").begin_array();
  for (const Primitive& primitive : rig.mesh->primitives) {
    json.begin_line_object();
    json.key("first_vertex").value(std::int64_t{primitive.first_vertex});
    json.key("vertex_count").value(std::int64_t{primitive.vertex_count});
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

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
  write_inputs(json, header_.inputs);
  json.key(others_.empty() ? "mesh" : "meshes");
  if (!others_.empty()) json.begin_array();
  write_mesh(json, *header_.rig);
  for (const CacheHeader& other : others_) write_mesh(json, *other.rig);
  if (!others_.empty()) json.end_array();
  write_name(json, "clip", header_.clip);
  json.key("fps").value(header_.frames.fps);
  json.key("first_frame").value(header_.frames.first_frame);
  json.key("frame_step").value(header_.frames.frame_step);
  json.key("frame_count").value(header_.frames.frame_count);
  json.key("space").value(header_.space == Space::kScene ? "scene" : "mesh");
  json.key("axis").value("y-up, right-handed");
  json.key("unit").value("m");
  json.key("method").value(header_.method);
  json.key("modifiers").strings(header_.modifiers);
  json.end_object();
  file_.write(json.take());
}

}  // namespace skinbake
