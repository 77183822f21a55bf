// Loads a glTF file as an Asset: the order in which its parts are made.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "gltf/document/extensions.h"
#include "gltf/document/open_document.h"
#include "gltf/read/loaders.h"
#include "gltf/write/source_document.h"
#include "rig/validate.h"
#include "skinbake/gltf.h"

namespace skinbake {

namespace gltf {

namespace {

// Whether a name has the form of the ids of unnamed elements, "#12".
bool looks_like_number(const std::string& name) {
  return name.size() > 1 && name[0] == '#' &&
         name.find_first_not_of("0123456789", 1) == std::string::npos;
}

class RigsLoader {
 public:
  RigsLoader(Document& document, std::shared_ptr<const Skeleton> skeleton)
      : document_(document), skeleton_(std::move(skeleton)) {}

  std::vector<Rig> load() {
    const std::vector<NodeIndex> nodes = scene_mesh_nodes(document_);
    note_left_out(document_, *skeleton_, nodes);
    note_hidden(document_, *skeleton_, nodes);
    std::vector<std::string> names;
    for (const NodeIndex node : nodes) {
      names.push_back(skeleton_->nodes[static_cast<std::size_t>(node)].name);
      ++users_left_[source(node).mesh];
    }
    const std::vector<std::string> ids = unique_ids(names, nodes);
    std::vector<Rig> rigs;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Rig rig = load_rig(nodes[i], ids[i]);
      if (rig.mesh->vertex_count() != 0) rigs.push_back(std::move(rig));
    }
    return rigs;
  }

 private:
  struct LoadedMesh {
    std::shared_ptr<const Mesh> geometry;
    std::optional<SkinWeights> weights;
  };

  const Model::Node& source(NodeIndex node) const {
    return document_.model.nodes[static_cast<std::size_t>(node)];
  }
  Location location(NodeIndex node) const {
    return {document_.path, "/nodes/" + std::to_string(node)};
  }

  Rig load_rig(NodeIndex node, const std::string& id) {
    const int mesh = source(node).mesh;
    LoadedMesh& loaded = loaded_[mesh];
    if (!loaded.geometry) load_geometry(mesh, loaded);
    Rig rig;
    rig.id = id;
    rig.node = node;
    rig.skeleton = skeleton_;
    rig.mesh = loaded.geometry;
    --users_left_[mesh];
    if (rig.mesh->vertex_count() == 0) return rig;
    load_morph_weights(rig);
    bind(loaded, rig);
    validate(rig, location(node));
    return rig;
  }

  void load_geometry(int mesh, LoadedMesh& loaded) {
    loaded.geometry = load_mesh(document_, mesh);
    const std::string pointer = "/meshes/" + std::to_string(mesh);
    if (loaded.geometry->vertex_count() != 0) {
      validate(*loaded.geometry, {document_.path, pointer});
      return;
    }
    document_.note("PRIMITIVE_EMPTY", pointer, "the mesh does not have vertices; left out");
  }

  // The node's morph weights, else the mesh's weights, else zeros.
  void load_morph_weights(Rig& rig) {
    const Model::Node& node = source(rig.node);
    const bool own = !node.weights.empty();
    const std::vector<double>& weights =
        own ? node.weights : document_.model.meshes[static_cast<std::size_t>(node.mesh)].weights;
    const std::size_t targets = rig.mesh->morph_targets.size();
    rig.morph_weights.assign(targets, 0);
    std::copy_n(weights.begin(), std::min(targets, weights.size()), rig.morph_weights.begin());
    if (weights.empty() || weights.size() == targets) return;
    document_.note(
        "MORPH_WEIGHTS_COUNT",
        (own ? location(rig.node).pointer : "/meshes/" + std::to_string(node.mesh)) + "/weights",
        std::to_string(weights.size()) + " weights for " + std::to_string(targets) +
            " morph targets");
  }

  void bind(LoadedMesh& loaded, Rig& rig) {
    const Model::Node& node = source(rig.node);
    if (node.skin < 0) {
      note_unused_joints(node.mesh, rig.node);
      bind_to_node(rig);
      return;
    }
    if (!loaded.weights) loaded.weights = load_skin_weights(document_, node.mesh, *rig.mesh);
    if (!loaded.weights->has_joints) {
      bind_to_node(rig);
      return;
    }
    if (users_left_[node.mesh] == 0) {
      bind_skin(document_, node.skin, std::move(*loaded.weights), rig);
      return;
    }
    bind_skin(document_, node.skin, *loaded.weights, rig);
  }

  void note_unused_joints(int mesh, NodeIndex node) {
    const auto& primitives = document_.model.meshes[static_cast<std::size_t>(mesh)].primitives;
    const bool has_joints =
        std::any_of(primitives.begin(), primitives.end(), [](const Model::Primitive& p) {
          return p.attributes.contains("JOINTS_0") || p.attributes.contains("WEIGHTS_0");
        });
    if (!has_joints) return;
    document_.note("JOINTS_WITHOUT_SKIN", location(node).pointer,
                   "the mesh has joints and weights, but the node does not have a skin; the mesh "
                   "follows the node");
  }

  Document& document_;
  std::shared_ptr<const Skeleton> skeleton_;
  std::map<int, LoadedMesh> loaded_;  // by mesh
  std::map<int, int> users_left_;     // by mesh: the number of its nodes that are not loaded yet
};

std::vector<SkinSummary> summarise_skins(const Document& document) {
  std::vector<SkinSummary> summaries;
  for (const Model::Skin& skin : document.model.skins) {
    summaries.push_back({skin.name, skin.joints, skin.inverse_bind_matrices >= 0});
  }
  return summaries;
}

}  // namespace

std::vector<std::string> unique_ids(const std::vector<std::string>& names,
                                    const std::vector<int>& numbers) {
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool usable = !names[i].empty() && uses[names[i]] == 1 && !looks_like_number(names[i]);
    ids.push_back(usable ? names[i] : "#");
    if (!usable) ids.back() += std::to_string(numbers[i]);
  }
  return ids;
}

}  // namespace gltf

namespace {

Asset build_asset(gltf::Document document, const std::string& scene) {
  gltf::check_extensions(document);
  document.scene = gltf::chosen_scene(document, scene);
  Asset asset;
  asset.path = document.path;
  asset.generator = document.model.generator;
  asset.skeleton = gltf::load_skeleton(document);
  validate(*asset.skeleton, {asset.path, "/nodes"});
  gltf::note_listed_children(document, *asset.skeleton);
  asset.rigs = gltf::RigsLoader(document, asset.skeleton).load();
  asset.clips = gltf::load_clips(document, *asset.skeleton);
  if (document.keeps_materials) asset.appearance = gltf::load_appearance(document, asset.rigs);
  asset.source = gltf::take_source(document);
  asset.scenes = gltf::summarise_scenes(document, *asset.skeleton);
  asset.skins = gltf::summarise_skins(document);
  asset.humanoid = std::move(document.humanoid);
  asset.face = std::move(document.face);
  asset.morph_names = std::move(document.morph_names);
  asset.extensions_used = std::move(document.model.extensions_used);
  asset.extensions_required = std::move(document.model.extensions_required);
  asset.inputs = std::move(document.inputs);
  asset.unread_files = std::move(document.unread_files);
  asset.files = std::move(document.files);
  asset.issues = fold_repeated(std::move(document.issues));
  return asset;
}

}  // namespace

Asset load_asset(const std::string& path, const LoadOptions& options) {
  return build_asset(gltf::open_document(path, options, gltf::Role::kRig), options.scene);
}

}  // namespace skinbake
