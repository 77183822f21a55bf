#include "caches/usd/file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "caches/mesh_cache.h"
#include "caches/rows/row_writer.h"
#include "caches/usd/point_text.h"
#include "gltf/write/baked_document.h"
#include "json/text.h"

namespace skinbake {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::string shortest(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string file_head(const FrameRange& frames) {
  const std::string fps = shortest(frames.fps);
  return "#usda 1.0\n"
         "(\n"
         "    doc = \"skinbake " SKINBAKE_VERSION
         "\"\n"
         "    defaultPrim = \"Baked\"\n"
         "    endTimeCode = " +
         time_code(frames, frames.frame_count - 1) +
         "\n"
         "    framesPerSecond = " +
         fps +
         "\n"
         "    metersPerUnit = 1\n"
         "    startTimeCode = " +
         std::to_string(frames.first_frame) +
         "\n"
         "    timeCodesPerSecond = " +
         fps +
         "\n"
         "    upAxis = \"Y\"\n"
         ")\n"
         "\n"
         "def Xform \"Baked\"\n"
         "{\n";
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

std::string identifier(std::string_view id) {
  std::string name;
  while (!id.empty()) {
    name += is_name_character(id.front()) ? id.front() : '_';
    id.remove_prefix(std::max<std::size_t>(utf8_length(id), 1));
  }
  return name.empty() || is_digit(name.front()) ? "_" + name : name;
}

constexpr std::string_view kTexcoordPrefix = "TEXCOORD_";

std::set<std::string> texcoord_names(const nlohmann::json& primitives) {
  std::set<std::string> names;
  for (const nlohmann::json& primitive : primitives) {
    for (const auto& [name, accessor] : primitive["attributes"].items()) {
      if (name.starts_with(kTexcoordPrefix)) names.insert(name);
    }
  }
  return names;
}

std::vector<std::string> ids_of(std::span<const CacheHeader> headers) {
  std::vector<std::string> ids;
  for (const CacheHeader& header : headers) ids.push_back(header.rig->id);
  return ids;
}

}  // namespace

std::string time_code(const FrameRange& frames, std::int64_t k) {
  return frames.is_end(k) ? shortest(frames.end_s * frames.fps) : std::to_string(frames.frame(k));
}

std::vector<std::string> prim_names(const std::vector<std::string>& ids) {
  std::set<std::string> taken;
  std::map<std::string, int> last;  // suffix, by name: avoids a quadratic search for equal names
  std::vector<std::string> names;
  for (const std::string& id : ids) {
    const std::string wanted = identifier(id);
    std::string name = wanted;
    for (int& n = last.try_emplace(wanted, 1).first->second; !taken.insert(name).second;) {
      name = wanted + "_" + std::to_string(++n);
    }
    names.push_back(std::move(name));
  }
  return names;
}

UsdaFile::UsdaFile(const std::string& path, std::span<const CacheHeader> headers)
    : headers_(headers.begin(), headers.end()) {
  for (const CacheHeader& header : headers) {
    require_rig("USDA", path, header);
    checked_count(header.frames.frame_count, "frames", "USDA", path);
    checked_count(header.vertex_count(), "vertices", "USDA", path);
  }
  prim_names_ = prim_names(ids_of(headers));
  file_.emplace(path);
  sidecar_.emplace(path, headers);
  append(file_head(headers.front().frames));
}

void UsdaFile::begin_mesh(std::size_t mesh) {
  const CacheHeader& header = headers_[mesh];
  append("    def Mesh \"" + prim_names_[mesh] + "\"\n    {\n");
  append("        uniform token subdivisionScheme = \"none\"\n");
  const bool is_in_scene = header.space == Space::kScene;
  append_faces(*header.rig->mesh, is_in_scene && gltf::is_mirrored(*header.rig));
  if (!header.appearance) return;
  const nlohmann::json& primitives = header.appearance->primitives_of(header.rig->node);
  for (const std::string& name : texcoord_names(primitives)) append_texcoords(name, header);
}

void UsdaFile::append_faces(const Mesh& mesh, bool is_mirrored) {
  append("        int[] faceVertexCounts = [");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) append(t == 0 ? "3" : ", 3");
  append("]\n        int[] faceVertexIndices = [");
  std::string_view separator = "";
  for (auto triangle : mesh.triangles) {
    if (is_mirrored) std::swap(triangle[1], triangle[2]);
    for (const VertexIndex v : triangle) {
      append(separator);
      append(std::to_string(v));
      separator = ", ";
    }
  }
  append("]\n");
}

// The origin of texture coordinates is at the bottom in USD, at the top in glTF. A primitive
// without the attribute gets (0, 0).
void UsdaFile::append_texcoords(const std::string& name, const CacheHeader& header) {
  const nlohmann::json& sources = header.appearance->primitives_of(header.rig->node);
  const std::vector<Primitive>& primitives = header.rig->mesh->primitives;
  const std::string set = name.substr(kTexcoordPrefix.size());
  append("        texCoord2f[] primvars:st" + (set == "0" ? "" : set) + " = [");
  std::string text;
  std::string_view separator = "(";
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    const nlohmann::json& attributes = sources[p]["attributes"];
    std::span<const float> values;
    if (attributes.contains(name))
      values = header.appearance->floats_of(attributes[name].get<std::size_t>());
    for (std::size_t v = 0; v < primitives[p].vertex_count; ++v) {
      std::array<float, 2> st{0, 0};
      if (!values.empty()) st = {values[2 * v], 1 - values[2 * v + 1]};
      text = separator;
      append_numbers(text, st);
      append(text += ")");
      separator = ", (";
    }
  }
  append("] (\n            interpolation = \"vertex\"\n        )\n");
}

void UsdaFile::append(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void UsdaFile::flush() {
  file_->write(buffer_);
  hash_.update(buffer_.data(), buffer_.size());
  bytes_ += buffer_.size();
  buffer_.clear();
}

void UsdaFile::end_mesh() {
  if (++ended_ < headers_.size()) return;
  append("}\n");
  flush();
  std::string().swap(
      buffer_);  // the file waits for the end of the run, perhaps with hundreds of others
  xxh128_ = hash_.hex();
  sidecar_->write({"usda", bytes_, xxh128_});
}

std::vector<OutputFile*> UsdaFile::files() {
  return {&*file_, &sidecar_->file()};
}

}  // namespace skinbake
