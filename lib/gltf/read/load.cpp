// Loads a glTF file as an Asset: the order in which its parts are made.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "gltf/document/extensions.h"
#include "gltf/document/message_text.h"
#include "gltf/document/open_document.h"
#include "gltf/document/references.h"
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
    note_instanced_elsewhere(nodes);
    std::vector<std::string> names;
    for (const NodeIndex node : nodes) {
      names.push_back(skeleton_->nodes[static_cast<std::size_t>(node)].name);
      ++users_left_[source(node).mesh];
    }
    const std::vector<std::string> ids = unique_ids(names, nodes);
    std::vector<Rig> rigs;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Rig rig;
      const Fault fault = document_.fault_of([&] { rig = load_rig(nodes[i], ids[i]); });
      if (fault) {
        rig = broken_rig(nodes[i], ids[i], fault);
        note_broken(document_, rig);
      }
      if (fault || rig.mesh->vertex_count() != 0) rigs.push_back(std::move(rig));
    }
    return rigs;
  }

 private:
  struct LoadedMesh {
    std::shared_ptr<const Mesh> geometry;
    std::optional<SkinWeights> weights;
    Fault geometry_fault, weights_fault;                       // each is read once
    std::shared_ptr<const Mesh> without_vertices;              // of broken rigs
    std::shared_ptr<const std::vector<std::string>> elements;  // as in Rig
  };

  const Model::Node& source(NodeIndex node) const {
    return document_.model.nodes[static_cast<std::size_t>(node)];
  }
  Location location(NodeIndex node) const {
    return {document_.path, "/nodes/" + std::to_string(node)};
  }

  // Notes instances outside the scene, whose meshes are not read.
  void note_instanced_elsewhere(const std::vector<NodeIndex>& nodes) {
    for (const int node : document_.instanced_nodes) {
      if (std::binary_search(nodes.begin(), nodes.end(), node)) continue;
      const Fault fault = document_.fault_of([&] { require_one_instance(node); });
      document_.note_fault(describe("node", static_cast<std::size_t>(node), source(node).name),
                           location(node).pointer, *fault);
    }
  }

  void require_one_instance(NodeIndex node) const {
    const std::vector<int>& instanced = document_.instanced_nodes;
    if (!std::binary_search(instanced.begin(), instanced.end(), node)) return;
    document_.fail("INSTANCING_UNSUPPORTED",
                   {"extension " + in_quotes(kGpuInstancing),
                    location(node).pointer + "/extensions/" + kGpuInstancing},
                   "multiplies meshes and is not supported");
  }

  // Throws an error that makes the rig a broken one before its mesh is read.
  void require_sound(NodeIndex node) {
    require_one_instance(node);
    require_nodes(document_, {&node, 1});
    document_.require_element("meshes", source(node).mesh);
    const int skin = source(node).skin;
    document_.require_element("skins", skin);
    if (skin < 0 || document_.node_faults.empty()) return;
    const std::vector<int>& joints = document_.model.skins[static_cast<std::size_t>(skin)].joints;
    document_.decoded += joints.size();
    require_nodes(document_, joints);
  }

  Rig new_rig(NodeIndex node, const std::string& id) {
    const int mesh = source(node).mesh;
    LoadedMesh& loaded = loaded_[mesh];
    if (!loaded.elements) {
      loaded.elements = std::make_shared<const std::vector<std::string>>(
          std::vector{"/meshes/" + std::to_string(mesh)});
    }
    Rig rig;
    rig.id = id;
    rig.node = node;
    rig.skeleton = skeleton_;
    rig.elements = loaded.elements;
    rig.skin = source(node).skin;
    return rig;
  }

  // A rig without vertices, which has the morph weights that clips move.
  Rig broken_rig(NodeIndex node, const std::string& id, const Fault& fault) {
    const auto index = static_cast<std::size_t>(source(node).mesh);
    std::shared_ptr<const Mesh>& shared = loaded_[source(node).mesh].without_vertices;
    if (!shared) {
      const Model::Mesh& mesh = document_.model.meshes[index];
      const std::size_t targets =
          mesh.primitives.empty() ? 0 : mesh.primitives.front().targets.size();
      auto without_vertices = std::make_shared<Mesh>();
      without_vertices->name = mesh.name;
      without_vertices->morph_targets.resize(targets);
      shared = std::move(without_vertices);
    }
    Rig rig = new_rig(node, id);
    rig.mesh = shared;
    rig.morph_weights.assign(shared->morph_targets.size(), 0);
    bind_to_node(rig);
    rig.fault = fault;
    return rig;
  }

  Rig load_rig(NodeIndex node, const std::string& id) {
    const int mesh = source(node).mesh;
    LoadedMesh& loaded = loaded_[mesh];
    --users_left_[mesh];
    require_sound(node);
    if (!loaded.geometry && !loaded.geometry_fault) {
      loaded.geometry_fault = document_.fault_of([&] { load_geometry(mesh, loaded); });
    }
    if (loaded.geometry_fault) throw Error(*loaded.geometry_fault);
    Rig rig = new_rig(node, id);
    rig.mesh = loaded.geometry;
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
    if (!loaded.weights && !loaded.weights_fault) {
      loaded.weights_fault = document_.fault_of(
          [&] { loaded.weights = load_skin_weights(document_, node.mesh, *rig.mesh); });
    }
    if (loaded.weights_fault) throw Error(*loaded.weights_fault);
    document_.decoded += loaded.weights->influences.influences.size();
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

void note_broken(Document& document, const Rig& rig) {
  document.note_fault("mesh node " + in_quotes(rig.id), "/nodes/" + std::to_string(rig.node),
                      *rig.fault);
}

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
  document.require_element("scenes", document.scene);
  Asset asset;
  asset.path = document.path;
  asset.generator = document.model.generator;
  asset.skeleton = gltf::load_skeleton(document);
  validate(*asset.skeleton, {asset.path, "/nodes"});
  gltf::note_scenes(document, *asset.skeleton);
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
  asset.issues = sorted_unique(std::move(document.issues));
  return asset;
}

}  // namespace

Asset load_asset(const std::string& path, const LoadOptions& options) {
  return build_asset(gltf::open_document(path, options, gltf::Role::kRig), options.scene);
}

}  // namespace skinbake
