#include "skinbake/inspect.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/issue.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

// Engines limit influences to these numbers.
constexpr std::array<std::size_t, 4> kLimits{1, 2, 4, 8};

struct InfluenceCounts {
  std::size_t max = 0;
  std::array<std::int64_t, kLimits.size()> over{};  // vertices with more than kLimits[i]
};

InfluenceCounts count_influences(const Rig& rig) {
  InfluenceCounts counts;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const std::size_t n = rig.influences_of(v).size();
    counts.max = std::max(counts.max, n);
    for (std::size_t i = 0; i < kLimits.size(); ++i) counts.over[i] += n > kLimits[i];
  }
  return counts;
}

// Keys of all channels; a time that several channels share counts once for each.
std::int64_t key_count(const Clip& clip) {
  std::int64_t count = 0;
  for (const Channel& channel : clip.channels) {
    count += static_cast<std::int64_t>(channel.times->size());
  }
  return count;
}

double first_key_s(const Clip& clip) {
  double first = clip.duration_s;
  for (const Channel& channel : clip.channels) first = std::min(first, channel.times->front());
  return first;
}

std::string_view remedy_of(const Issue& issue) {
  for (const IssueInfo& info : issue_table()) {
    if (info.code == issue.code) return info.remedy;
  }
  return "";
}

struct Totals {
  std::int64_t meshes = 0, primitives = 0, vertices = 0, triangles = 0;
};

Totals totals_of(const Asset& asset) {
  Totals totals;
  std::set<const Mesh*> meshes;
  for (const Rig& rig : asset.rigs) {
    meshes.insert(rig.mesh.get());
    totals.primitives += static_cast<std::int64_t>(rig.mesh->primitives.size());
    totals.vertices += rig.mesh->vertex_count();
    totals.triangles += static_cast<std::int64_t>(rig.mesh->triangles.size());
  }
  totals.meshes = static_cast<std::int64_t>(meshes.size());
  return totals;
}

// Rows of cells; every column as wide as its widest cell, numbers to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // Nothing if there are no rows.
  std::string text() const {
    if (rows_.size() == 1) return "";
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line = "  " + padded(row[0], widths[0], false);
      for (std::size_t c = 1; c < row.size(); ++c) line += "  " + padded(row[c], widths[c], true);
      text += line + "\n";
    }
    return text;
  }

 private:
  // Characters of UTF-8.
  static std::size_t width(const std::string& cell) {
    return static_cast<std::size_t>(std::count_if(cell.begin(), cell.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  }
  static std::string padded(const std::string& cell, std::size_t to, bool right) {
    const std::string gap(to - width(cell), ' ');
    return right ? gap + cell : cell + gap;
  }

  std::vector<std::vector<std::string>> rows_;
};

// Names come from the file: control characters must not reach a terminal.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  }
  return text;
}

std::string seconds(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g s", value);
  return text.data();
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text.empty() ? "none" : text;
}

std::string mesh_table(const Asset& asset) {
  Table table({"mesh", "primitives", "vertices", "triangles", "targets", "joints", "influences",
               ">1", ">2", ">4", ">8"});
  for (const Rig& rig : asset.rigs) {
    const InfluenceCounts counts = count_influences(rig);
    std::vector<std::string> row{printable(rig.id),
                                 std::to_string(rig.mesh->primitives.size()),
                                 std::to_string(rig.mesh->vertex_count()),
                                 std::to_string(rig.mesh->triangles.size()),
                                 std::to_string(rig.mesh->morph_targets.size()),
                                 rig.skinned ? std::to_string(rig.joints.size()) : "rigid",
                                 std::to_string(counts.max)};
    for (const std::int64_t over : counts.over) row.push_back(std::to_string(over));
    table.add(std::move(row));
  }
  return table.text();
}

std::string clip_table(const Asset& asset) {
  Table table({"clip", "duration", "first key", "channels", "keys"});
  for (const Clip& clip : asset.clips) {
    table.add({printable(clip.id), seconds(clip.duration_s), seconds(first_key_s(clip)),
               std::to_string(clip.channels.size()), std::to_string(key_count(clip))});
  }
  return table.text();
}

std::string skin_table(const Asset& asset) {
  Table table({"skin", "joints", "inverse bind matrices"});
  for (std::size_t i = 0; i < asset.skins.size(); ++i) {
    const SkinSummary& skin = asset.skins[i];
    std::string id = skin.name.empty() ? "#" : printable(skin.name);
    if (skin.name.empty()) id += std::to_string(i);
    table.add({std::move(id), std::to_string(skin.joints.size()),
               skin.has_inverse_bind_matrices ? "yes" : "no"});
  }
  return table.text();
}

std::string issue_lines(const Issues& issues) {
  if (issues.empty()) return "  no issues\n";
  std::string text;
  for (const Issue& issue : issues) {
    text += "  " + std::string(to_string(issue.severity)) + " " + issue.code + " " +
            printable(issue.pointer) + "\n    " + printable(issue.message) +
            "\n    remedy: " + std::string(remedy_of(issue)) + "\n";
  }
  return text;
}

void write_name(JsonWriter& json, const char* key, const std::string& name) {
  json.key(key);
  name.empty() ? json.null() : json.value(name);
}

void write_mesh(JsonWriter& json, const Rig& rig) {
  const InfluenceCounts counts = count_influences(rig);
  json.begin_object();
  json.key("id").value(rig.id).key("node").value(rig.node);
  write_name(json, "node_name", rig.skeleton->nodes[static_cast<std::size_t>(rig.node)].name);
  write_name(json, "mesh_name", rig.mesh->name);
  json.key("skinned").value(rig.skinned);
  json.key("vertex_count").value(static_cast<std::int64_t>(rig.mesh->vertex_count()));
  json.key("triangle_count").value(static_cast<std::int64_t>(rig.mesh->triangles.size()));
  json.key("has_normals").value(!rig.mesh->normals.empty());
  json.key("morph_target_count").value(static_cast<std::int64_t>(rig.mesh->morph_targets.size()));
  json.key("joint_count").value(static_cast<std::int64_t>(rig.joints.size()));
  json.key("primitives").begin_array();
  for (const Primitive& primitive : rig.mesh->primitives) {
    json.begin_line_object();
    json.key("first_vertex").value(static_cast<std::int64_t>(primitive.first_vertex));
    json.key("vertex_count").value(static_cast<std::int64_t>(primitive.vertex_count));
    json.end_object();
  }
  json.end_array();
  json.key("influences").begin_line_object();
  json.key("max").value(static_cast<std::int64_t>(counts.max));
  for (std::size_t i = 0; i < kLimits.size(); ++i) {
    json.key("vertices_over_" + std::to_string(kLimits[i])).value(counts.over[i]);
  }
  json.end_object().end_object();
}

void write_clip(JsonWriter& json, const Clip& clip) {
  json.begin_line_object();
  json.key("id").value(clip.id).key("index").value(clip.index);
  write_name(json, "name", clip.name);
  json.key("duration_s").value(clip.duration_s).key("first_key_s").value(first_key_s(clip));
  json.key("channel_count").value(static_cast<std::int64_t>(clip.channels.size()));
  json.key("key_count").value(key_count(clip)).end_object();
}

void write_skin(JsonWriter& json, const SkinSummary& skin) {
  json.begin_line_object();
  write_name(json, "name", skin.name);
  json.key("joint_count").value(static_cast<std::int64_t>(skin.joints.size()));
  json.key("has_inverse_bind_matrices").value(skin.has_inverse_bind_matrices).end_object();
}

void write_issue(JsonWriter& json, const Issue& issue) {
  json.begin_line_object();
  json.key("code").value(issue.code).key("severity").value(to_string(issue.severity));
  json.key("file").value(issue.file).key("pointer").value(issue.pointer);
  json.key("message").value(issue.message).key("remedy").value(remedy_of(issue));
  json.key("count").value(issue.count).end_object();
}

void write_input(JsonWriter& json, const InputFile& input) {
  json.begin_line_object();
  json.key("role").value(input.role).key("path").value(input.path);
  json.key("bytes").value(input.bytes).key("xxh128").value(input.xxh128).end_object();
}

template <class Things, class Write>
void write_array(JsonWriter& json, const char* key, const Things& things, const Write& write) {
  json.key(key).begin_array();
  for (const auto& thing : things) write(json, thing);
  json.end_array();
}

}  // namespace

std::string inspect_text(const Asset& asset) {
  const Totals totals = totals_of(asset);
  std::string text = printable(asset.path) + "\n";
  if (!asset.generator.empty()) text += "  generator: " + printable(asset.generator) + "\n";
  text += "  extensions: " + listed(asset.extensions_used) +
          "; required: " + listed(asset.extensions_required) + "\n  " +
          std::to_string(asset.rigs.size()) + " mesh nodes of " + std::to_string(totals.meshes) +
          " meshes, " + std::to_string(totals.primitives) + " primitives, " +
          std::to_string(totals.vertices) + " vertices, " + std::to_string(totals.triangles) +
          " triangles, " + std::to_string(asset.skeleton->nodes.size()) + " nodes, " +
          std::to_string(asset.skins.size()) + " skins, " + std::to_string(asset.clips.size()) +
          " clips\n";
  for (const std::string& section :
       {mesh_table(asset), skin_table(asset), clip_table(asset), issue_lines(asset.issues)}) {
    if (section.empty()) continue;
    text += '\n';
    text += section;
  }
  return text;
}

std::string inspect_json(const Asset& asset) {
  const Totals totals = totals_of(asset);
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("skinbake.inspection").key("schema_version").value("1.0");
  json.key("tool").begin_line_object();
  json.key("name").value("skinbake").key("version").value(SKINBAKE_VERSION).end_object();
  write_array(json, "inputs", asset.inputs, write_input);
  write_name(json, "generator", asset.generator);
  json.key("extensions_used").strings(asset.extensions_used);
  json.key("extensions_required").strings(asset.extensions_required);
  json.key("totals").begin_line_object();
  json.key("nodes").value(static_cast<std::int64_t>(asset.skeleton->nodes.size()));
  json.key("mesh_nodes").value(static_cast<std::int64_t>(asset.rigs.size()));
  json.key("meshes").value(totals.meshes).key("primitives").value(totals.primitives);
  json.key("vertices").value(totals.vertices).key("triangles").value(totals.triangles);
  json.end_object();
  write_array(json, "issues", asset.issues, write_issue);
  write_array(json, "skins", asset.skins, write_skin);
  write_array(json, "clips", asset.clips, write_clip);
  write_array(json, "meshes", asset.rigs, write_mesh);
  json.end_object();
  return json.take();
}

}  // namespace skinbake
