#include <set>
#include <string>
#include <vector>

#include "clip/clip_motion.h"
#include "gltf/write/document/source_document.h"
#include "skinbake/clip_file.h"
#include "skinbake/gltf.h"

namespace skinbake {

namespace {

template <class T>
std::uint64_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

std::uint64_t bytes_of(const MeshMaterials& mesh) {
  std::uint64_t bytes = bytes_of(mesh.primitives);
  for (const PrimitiveMaterials& primitive : mesh.primitives) {
    bytes += bytes_of(primitive.indices) + bytes_of(primitive.attributes);
    for (const VertexAttribute& attribute : primitive.attributes) {
      bytes += bytes_of(attribute.values);
    }
  }
  return bytes;
}

std::uint64_t bytes_of(const AssetMaterials& materials) {
  std::uint64_t bytes = 0;
  for (const ImageFile& image : materials.images) {
    if (image.bytes) bytes += bytes_of(*image.bytes);
  }
  std::set<const MeshMaterials*> seen;
  for (const auto& [node, mesh] : materials.meshes) {
    if (mesh && seen.insert(mesh.get()).second) bytes += bytes_of(*mesh);
  }
  return bytes;
}

std::uint64_t bytes_of(const SourceDocument& source) {
  std::uint64_t bytes = source.json_memory;
  for (const gltf::Bytes& stored : source.storage) bytes += stored.size();
  for (const ImageFile& image : source.images) {
    if (image.bytes) bytes += bytes_of(*image.bytes);
  }
  return bytes;
}

}  // namespace

std::uint64_t memory_of(const Mesh& mesh) {
  std::uint64_t bytes = bytes_of(mesh.primitives) + bytes_of(mesh.positions) +
                        bytes_of(mesh.normals) + bytes_of(mesh.tangents) + bytes_of(mesh.triangles);
  for (const MorphTarget& target : mesh.morph_targets) {
    bytes += bytes_of(target.positions) + bytes_of(target.normals) + bytes_of(target.tangents);
  }
  return bytes;
}

std::uint64_t memory_of(const Rig& rig) {
  return sizeof(Rig) + bytes_of(rig.joints) + bytes_of(rig.morph_weights) +
         bytes_of(rig.first_influence) + bytes_of(rig.influences) + bytes_of(rig.first_listed) +
         bytes_of(rig.twists);
}

std::uint64_t memory_of(const Asset& asset) {
  std::uint64_t bytes = asset.memory_elsewhere;
  if (asset.skeleton) bytes += bytes_of(asset.skeleton->nodes) + bytes_of(asset.skeleton->order);
  std::set<const void*> seen;
  for (const Rig& rig : asset.rigs) {
    bytes += memory_of(rig);
    if (seen.insert(rig.mesh.get()).second) bytes += memory_of(*rig.mesh);
  }
  for (const Clip& clip : asset.clips) {
    bytes += sizeof(Clip) + memory_of(clip);
    const Clip* const source = clip.motion ? clip.motion->source_clip() : nullptr;
    for (const Clip* const one : {&clip, source}) {
      if (one == nullptr) continue;
      for (const Channel& channel : one->channels) {
        for (const auto& keys : {channel.times, channel.values}) {
          if (keys && seen.insert(keys.get()).second) bytes += bytes_of(*keys);
        }
      }
    }
  }
  for (const auto& [node, names] : asset.morph_names) {
    if (!seen.insert(names.get()).second) continue;
    bytes += bytes_of(*names);
    for (const std::string& name : *names) bytes += name.size();
  }
  bytes += bytes_of(asset.face.expressions);
  for (const Expression& expression : asset.face.expressions) bytes += bytes_of(expression.binds);
  if (asset.materials) bytes += bytes_of(*asset.materials);
  if (asset.source) bytes += bytes_of(*asset.source);
  return bytes;
}

MemoryShare memory_beside(const LoadOptions& options, const Asset& asset) {
  return {options.max_memory, memory_of(asset)};
}

}  // namespace skinbake
