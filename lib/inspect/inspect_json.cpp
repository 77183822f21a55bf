#include "base/paths.h"
#include "inspect/inspect.h"
#include "inspect/inspection.h"
#include "json/input_files.h"

namespace skinbake {

namespace {

template <class T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

template <class Elements, class Function>
OrderedJson list_json(const Elements& elements, const Function& json_of) {
  OrderedJson list = OrderedJson::array();
  for (const auto& element : elements) list.push_back(json_of(element));
  return list;
}

OrderedJson influences_json(const InfluenceCounts& counts) {
  OrderedJson json{{"max", counts.max}};
  for (std::size_t i = 0; i < kInfluenceLimits.size(); ++i) {
    json["vertices_over_" + std::to_string(kInfluenceLimits[i])] = counts.over[i];
  }
  return json;
}

OrderedJson draw_sections_json(const Rig& rig) {
  OrderedJson json = OrderedJson::object();
  const SectionCounts sections = count_sections(rig);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    json["max_" + std::to_string(kDrawSectionJointLimits[i]) + "_joints"] = or_null(sections[i]);
  }
  return json;
}

OrderedJson crack_json(const ClipCrack& widest) {
  return {{"gap_m", widest.crack.gap_m},
          {"vertices", widest.crack.at.edge},
          {"clip", name_json(widest.clip == nullptr ? "" : widest.clip->id)},
          {"frame", widest.frames.frame(widest.crack.at.frame)}};
}

OrderedJson surface_json(const Rig& rig, const MeshCracks& cracks) {
  const SurfaceCounts surface = count_surface(rig);
  const auto widest = cracks.find(&rig);
  return {{"closed", surface.closed},
          {"components", surface.components},
          {"boundary_edges", surface.boundary_edges},
          {"nonmanifold_edges", surface.nonmanifold_edges},
          {"degenerate_triangles", surface.degenerate_triangles},
          {"cracked_positions", surface.cracked_positions},
          {"widest_crack", widest == cracks.end() ? OrderedJson() : crack_json(widest->second)}};
}

OrderedJson primitive_json(const Primitive& primitive) {
  return {{"first_vertex", primitive.first_vertex}, {"vertex_count", primitive.vertex_count}};
}

OrderedJson mesh_json(const Rig& rig, const MeshCracks& cracks) {
  const Mesh& mesh = *rig.mesh;
  OrderedJson json{
      {"id", rig.id},
      {"node", rig.node},
      {"node_name", name_json(rig.skeleton->nodes[static_cast<std::size_t>(rig.node)].name)},
      {"mesh_name", name_json(mesh.name)},
      {"skinned", rig.skinned},
      {"vertex_count", mesh.vertex_count()},
      {"triangle_count", mesh.triangles.size()},
      {"has_normals", !mesh.normals.empty()},
      {"morph_target_count", mesh.morph_targets.size()},
      {"joint_count", rig.joints.size()},
      {"primitives", list_json(mesh.primitives, primitive_json)},
      {"influences", influences_json(count_influences(rig))},
      {"sections", draw_sections_json(rig)}};
  if (const std::vector<std::string> methods = methods_on(rig); !methods.empty()) {
    json["methods"] = methods;
  }
  json["surface"] = surface_json(rig, cracks);
  return json;
}

OrderedJson bone_json(const HumanoidRow& row, const Skeleton& skeleton) {
  return {{"bone", row.bone.bone},
          {"node", row.bone.node},
          {"node_name", name_json(skeleton.nodes[static_cast<std::size_t>(row.bone.node)].name)},
          {"degrees_off", or_null(row.degrees_off)},
          {"tolerance_deg", row.degrees_off ? OrderedJson(row.tolerance_deg) : OrderedJson()}};
}

OrderedJson humanoid_json(const Asset& asset) {
  if (asset.humanoid.bones.empty()) return {};
  const HumanoidSummary summary = summarise_humanoid(asset);
  return {{"source", summary.source},
          {"missing", summary.missing},
          {"hips_height_m", summary.is_posed ? OrderedJson(summary.hips_height_m) : OrderedJson()},
          {"facing", summary.is_posed ? OrderedJson(summary.facing) : OrderedJson()},
          {"bones", list_json(summary.rows, [&](const HumanoidRow& row) {
             return bone_json(row, *asset.skeleton);
           })}};
}

OrderedJson clip_json(const Asset& asset, const Clip& clip, double fps) {
  const std::optional<PoseGap> gap = loop_gap_of(asset, clip);
  return {{"id", clip.id},
          {"index", clip.index},
          {"name", name_json(clip.name)},
          {"duration_s", clip.duration_s},
          {"first_key_s", first_key_s(clip)},
          {"fps", fps},
          {"frame_count", or_null(frame_count(clip, fps))},
          {"channel_count", clip.channels.size()},
          {"key_count", key_count(clip)},
          {"loop_error_m", gap ? OrderedJson(gap->metres) : OrderedJson()},
          {"loop_joint", name_json(gap ? gap->joint : "")}};
}

OrderedJson scene_json(const SceneSummary& scene) {
  return {{"name", name_json(scene.name)},
          {"mesh_node_count", scene.mesh_nodes},
          {"is_read", scene.is_read}};
}

OrderedJson skin_json(const SkinSummary& skin) {
  return {{"name", name_json(skin.name)},
          {"joint_count", skin.joints.size()},
          {"has_inverse_bind_matrices", skin.has_inverse_bind_matrices}};
}

OrderedJson issue_json(const Issue& issue) {
  return {{"code", issue.code},       {"severity", to_string(issue.severity)},
          {"file", issue.file},       {"pointer", issue.pointer},
          {"message", issue.message}, {"remedy", remedy_of(issue.code)},
          {"count", issue.count}};
}

OrderedJson group_json(const IssueGroup& group) {
  return {{"code", group.code},
          {"severity", to_string(group.severity)},
          {"places", group.issues.size()},
          {"count", group.count}};
}

OrderedJson head_json() {
  return {{"schema", "skinbake.inspection"},
          {"schema_version", "1.0"},
          {"tool", {{"name", "skinbake"}, {"version", SKINBAKE_VERSION}}}};
}

}  // namespace

std::string refusal_json(const Error& error, const std::string& shown_as) {
  OrderedJson json = head_json();
  json["refused"] = {{"code", error.code()},
                     {"file", shown_as},
                     {"pointer", error.location().pointer},
                     {"message", error.message()},
                     {"remedy", error.remedy()}};
  return print(json);
}

std::string cache_json(const CacheReader& cache) {
  OrderedJson json = head_json();
  const std::vector<InputFile> inputs{
      {"cache", shown(cache.path()), cache.bytes(), cache.xxh128()}};
  json["inputs"] = inputs_json(inputs);
  json["cache"] = cache_section(cache);
  return print(json);
}

std::string inspect_json(const Asset& asset, const MeshCracks& cracks, double fps,
                         const CacheReader* cache) {
  const Totals totals = totals_of(asset);
  OrderedJson json = head_json();
  json["inputs"] = inputs_json(asset.inputs);
  json["generator"] = name_json(asset.generator);
  json["extensions_used"] = asset.extensions_used;
  json["extensions_required"] = asset.extensions_required;
  json["totals"] = {{"nodes", asset.skeleton->nodes.size()},
                    {"mesh_nodes", asset.rigs.size()},
                    {"meshes", totals.meshes},
                    {"primitives", totals.primitives},
                    {"vertices", totals.vertices},
                    {"triangles", totals.triangles}};
  json["issue_counts"] = list_json(grouped(asset.issues), group_json);
  json["issues"] = list_json(asset.issues, issue_json);
  json["scenes"] = list_json(asset.scenes, scene_json);
  json["skins"] = list_json(asset.skins, skin_json);
  json["clips"] =
      list_json(asset.clips, [&](const Clip& clip) { return clip_json(asset, clip, fps); });
  json["humanoid"] = humanoid_json(asset);
  json["meshes"] = list_json(asset.rigs, [&](const Rig& rig) { return mesh_json(rig, cracks); });
  if (cache != nullptr) json["cache"] = cache_section(*cache);
  return print(json);
}

}  // namespace skinbake
