#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/codes.h"
#include "base/issue.h"
#include "inspect/inspect.h"
#include "inspect/inspection.h"
#include "json/text.h"

namespace skinbake {

namespace {

// A table with columns as wide as their widest cells. All columns but the first are right-aligned.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // The text of the table; empty if it does not have rows below the header.
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
  // The number of UTF-8 characters.
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

std::string seconds(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g s", value);
  return text.data();
}

std::string fixed(double value, int digits) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string rate(double fps) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g fps", fps);
  return text.data();
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text.empty() ? "none" : text;
}

std::string mesh_table(const Asset& asset) {
  Table table({"mesh", "primitives", "vertices", "triangles", "targets", "joints", "influences",
               ">1", ">2", ">4", ">8", "sections/75", "/256"});
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
    for (const auto& sections : count_sections(rig)) {
      row.push_back(sections ? std::to_string(*sections) : "-");
    }
    table.add(std::move(row));
  }
  return table.text();
}

// The methods whose defaults follow a mesh, with the defaults for each skinned mesh.
std::string method_table(const Asset& asset) {
  Table table({"mesh", "defaults that follow the mesh"});
  for (const Rig& rig : asset.rigs) {
    std::string text;
    for (const std::string& method : methods_on(rig)) text += (text.empty() ? "" : "  ") + method;
    if (!text.empty()) table.add({printable(rig.id), std::move(text)});
  }
  return table.text();
}

std::string clip_table(const Asset& asset, double fps) {
  Table table({"clip", "duration", "frames at " + rate(fps), "first key", "channels", "keys",
               "loop error m", "at joint"});
  for (const Clip& clip : asset.clips) {
    const std::optional<PoseGap> gap = loop_gap_of(asset, clip);
    const std::optional<std::int64_t> frames = frame_count(clip, fps);
    const std::string metres = gap ? fixed(gap->metres, 4) : "-";
    table.add({printable(clip.id), seconds(clip.duration_s),
               frames ? std::to_string(*frames) : "too many", seconds(first_key_s(clip)),
               std::to_string(clip.channels.size()), std::to_string(key_count(clip)), metres,
               !gap || metres == fixed(0, 4) ? "-"
               : gap->joint.empty()          ? "morph targets"
                                             : printable(gap->joint)});
  }
  return table.text();
}

std::string surface_table(const Asset& asset) {
  Table table({"surface", "closed", "components", "open edges", "non-manifold", "degenerate"});
  for (const Rig& rig : asset.rigs) {
    if (rig.mesh->triangles.empty()) continue;
    const SurfaceCounts counts = count_surface(rig);
    table.add({printable(rig.id), counts.closed ? "yes" : "no", std::to_string(counts.components),
               std::to_string(counts.boundary_edges), std::to_string(counts.nonmanifold_edges),
               std::to_string(counts.degenerate_triangles)});
  }
  return table.text();
}

// The bones in the order of the body, and the body's height, facing and missing bones.
std::string humanoid_table(const Asset& asset) {
  if (asset.humanoid.bones.empty()) return "";
  const HumanoidSummary summary = summarise_humanoid(asset);
  Table table({"humanoid bone", "node", "degrees from the T-pose"});
  for (const HumanoidRow& row : summary.rows) {
    const std::string& name = asset.skeleton->nodes[static_cast<std::size_t>(row.bone.node)].name;
    table.add({printable(row.bone.bone),
               name.empty() ? "#" + std::to_string(row.bone.node) : printable(name),
               row.degrees_off ? fixed(*row.degrees_off, 1) : "-"});
  }
  std::string text = "  humanoid (" + summary.source + ")";
  if (summary.is_posed) {
    text += ", hips " + fixed(summary.hips_height_m, 3) + " m above the ground, facing " +
            summary.facing;
  } else if (summary.missing.empty()) {
    text += ", without a T-pose, because its bones coincide or have huge positions";
  } else {
    text += ", without the required bones " + listed(summary.missing);
  }
  return text + "\n\n" + table.text();
}

// The table of scenes; empty for a single scene, because the user does not have a choice.
std::string scene_table(const Asset& asset) {
  if (asset.scenes.size() < 2) return "";
  Table table({"scene", "number", "mesh nodes", "read"});
  for (std::size_t i = 0; i < asset.scenes.size(); ++i) {
    const SceneSummary& scene = asset.scenes[i];
    table.add({scene.name.empty() ? "#" + std::to_string(i) : printable(scene.name),
               std::to_string(i), std::to_string(scene.mesh_nodes), scene.is_read ? "yes" : "no"});
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

std::string group_lines(const IssueGroup& group) {
  std::string text = "  " + std::string(to_string(group.severity)) + " " + std::string(group.code);
  const std::size_t places = group.issues.size();
  const bool is_folded = places > kPlacesListed;
  if (places > 1) {
    text += is_folded ? " (more than " + std::to_string(kPlacesListed) + " places)"
                      : " (" + std::to_string(places) + " places)";
  }
  text += '\n';
  for (std::size_t i = 0; i < std::min(places, kPlacesShown); ++i) {
    const Issue& issue = *group.issues[i];
    text += "    " + (issue.pointer.empty() ? "" : printable(issue.pointer) + ": ") +
            printable(issue.message) + "\n";
  }
  if (is_folded) {
    text += "    and more; the JSON lists the first " + std::to_string(kPlacesListed) +
            " and counts the others\n";
  } else if (places > kPlacesShown) {
    text += "    and " + std::to_string(places - kPlacesShown) + " more; the JSON lists them\n";
  }
  const CodeInfo* const info = find_code(group.code);
  const std::string_view help = info == nullptr ? std::string_view() : info->help;
  text += "    remedy: " + std::string(group.remedy);
  return text + (help.empty() ? "" : " (" + std::string(help) + ")") + "\n";
}

std::string issue_lines(const Issues& issues) {
  if (issues.empty()) return "  no issues\n";
  std::string text;
  for (const IssueGroup& group : grouped(issues)) text += group_lines(group);
  return text;
}

}  // namespace

std::string inspect_text(const Asset& asset, double fps) {
  const Totals totals = totals_of(asset);
  std::string text = printable(asset.path) + "\n";
  if (!asset.generator.empty()) text += "  generator: " + printable(asset.generator) + "\n";
  text += "  extensions: " + listed(asset.extensions_used) +
          "; required: " + listed(asset.extensions_required) + "\n  " +
          std::to_string(asset.rigs.size()) + " mesh nodes of " + std::to_string(totals.meshes) +
          " meshes, " + std::to_string(totals.primitives) + " primitives, " +
          std::to_string(totals.vertices) + " vertices, " + std::to_string(totals.triangles) +
          " triangles, " + std::to_string(asset.skeleton->nodes.size()) + " nodes, " +
          std::to_string(asset.scenes.size()) + " scenes, " + std::to_string(asset.skins.size()) +
          " skins, " + std::to_string(asset.clips.size()) + " clips\n";
  for (const std::string& section : {scene_table(asset), mesh_table(asset), surface_table(asset),
                                     method_table(asset), skin_table(asset), clip_table(asset, fps),
                                     humanoid_table(asset), issue_lines(asset.issues)}) {
    if (section.empty()) continue;
    text += '\n';
    text += section;
  }
  return text;
}

}  // namespace skinbake
