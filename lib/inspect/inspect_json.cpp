#include "inspect/inspect.h"
#include "inspect/inspection.h"
#include "json/input_files.h"
#include "json/json_writer.h"

namespace skinbake {

namespace {

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
  for (std::size_t i = 0; i < kInfluenceLimits.size(); ++i) {
    json.key("vertices_over_" + std::to_string(kInfluenceLimits[i])).value(counts.over[i]);
  }
  json.end_object();
  json.key("sections").begin_line_object();
  const SectionCounts sections = count_sections(rig);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    json.key("max_" + std::to_string(kDrawSectionJointLimits[i]) + "_joints").value(sections[i]);
  }
  json.end_object();
  if (const std::vector<std::string> methods = methods_on(rig); !methods.empty()) {
    json.key("methods").strings(methods);
  }
  const SurfaceCounts surface = count_surface(rig);
  json.key("surface").begin_line_object();
  json.key("closed").value(surface.closed).key("components").value(surface.components);
  json.key("boundary_edges").value(surface.boundary_edges);
  json.key("nonmanifold_edges").value(surface.nonmanifold_edges);
  json.key("degenerate_triangles").value(surface.degenerate_triangles);
  json.end_object().end_object();
}

template <class Elements, class Write>
void write_array(JsonWriter& json, const char* key, const Elements& elements, const Write& write) {
  json.key(key).begin_array();
  for (const auto& element : elements) write(json, element);
  json.end_array();
}

void write_bone(JsonWriter& json, const HumanoidRow& row, const Skeleton& skeleton) {
  json.begin_line_object();
  json.key("bone").value(row.bone.bone).key("node").value(row.bone.node);
  write_name(json, "node_name", skeleton.nodes[static_cast<std::size_t>(row.bone.node)].name);
  json.key("degrees_off");
  row.degrees_off ? json.value(*row.degrees_off) : json.null();
  json.key("tolerance_deg");
  row.degrees_off ? json.value(row.tolerance_deg) : json.null();
  json.end_object();
}

void write_humanoid(JsonWriter& json, const Asset& asset) {
  json.key("humanoid");
  if (asset.humanoid.bones.empty()) {
    json.null();
    return;
  }
  const HumanoidSummary summary = summarise_humanoid(asset);
  json.begin_object().key("source").value(summary.source);
  json.key("missing").strings(summary.missing);
  json.key("hips_height_m");
  summary.is_posed ? json.value(summary.hips_height_m) : json.null();
  json.key("facing");
  summary.is_posed ? json.value(summary.facing) : json.null();
  write_array(json, "bones", summary.rows, [&](JsonWriter& to, const HumanoidRow& row) {
    write_bone(to, row, *asset.skeleton);
  });
  json.end_object();
}

void write_clip(JsonWriter& json, const Asset& asset, const Clip& clip, double fps) {
  const std::optional<LoopGap> gap = loop_gap_of(asset, clip, fps);
  json.begin_line_object();
  json.key("id").value(clip.id).key("index").value(clip.index);
  write_name(json, "name", clip.name);
  json.key("duration_s").value(clip.duration_s).key("first_key_s").value(first_key_s(clip));
  json.key("fps").value(fps).key("frame_count").value(frame_count(clip, fps));
  json.key("channel_count").value(static_cast<std::int64_t>(clip.channels.size()));
  json.key("key_count").value(key_count(clip));
  json.key("loop_error_m");
  gap ? json.value(gap->metres) : json.null();
  json.key("loop_joint");
  gap && !gap->joint.empty() ? json.value(gap->joint) : json.null();
  json.end_object();
}

void write_scene(JsonWriter& json, const SceneSummary& scene) {
  json.begin_line_object();
  write_name(json, "name", scene.name);
  json.key("mesh_node_count").value(scene.mesh_nodes);
  json.key("is_read").value(scene.is_read).end_object();
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

void write_group(JsonWriter& json, const IssueGroup& group) {
  json.begin_line_object();
  json.key("code").value(group.code).key("severity").value(to_string(group.severity));
  json.key("places").value(static_cast<std::int64_t>(group.issues.size()));
  json.key("count").value(group.count).end_object();
}

void write_head(JsonWriter& json) {
  json.key("schema").value("skinbake.inspection").key("schema_version").value("1.0");
  json.key("tool").begin_line_object();
  json.key("name").value("skinbake").key("version").value(SKINBAKE_VERSION).end_object();
}

}  // namespace

std::string refusal_json(const Error& error, const std::string& shown_as) {
  JsonWriter json;
  json.begin_object();
  write_head(json);
  json.key("refused").begin_line_object();
  json.key("code").value(error.code()).key("file").value(shown_as);
  json.key("pointer").value(error.location().pointer);
  json.key("message").value(error.message());
  json.key("remedy").value(error.remedy()).end_object();
  json.end_object();
  return json.take();
}

std::string inspect_json(const Asset& asset, double fps) {
  const Totals totals = totals_of(asset);
  JsonWriter json;
  json.begin_object();
  write_head(json);
  write_inputs(asset.inputs, json);
  write_name(json, "generator", asset.generator);
  json.key("extensions_used").strings(asset.extensions_used);
  json.key("extensions_required").strings(asset.extensions_required);
  json.key("totals").begin_line_object();
  json.key("nodes").value(static_cast<std::int64_t>(asset.skeleton->nodes.size()));
  json.key("mesh_nodes").value(static_cast<std::int64_t>(asset.rigs.size()));
  json.key("meshes").value(totals.meshes).key("primitives").value(totals.primitives);
  json.key("vertices").value(totals.vertices).key("triangles").value(totals.triangles);
  json.end_object();
  write_array(json, "issue_counts", grouped(asset.issues), write_group);
  write_array(json, "issues", asset.issues, write_issue);
  write_array(json, "scenes", asset.scenes, write_scene);
  write_array(json, "skins", asset.skins, write_skin);
  write_array(json, "clips", asset.clips,
              [&](JsonWriter& to, const Clip& clip) { write_clip(to, asset, clip, fps); });
  write_humanoid(json, asset);
  write_array(json, "meshes", asset.rigs, write_mesh);
  json.end_object();
  return json.take();
}

}  // namespace skinbake
