#include "support/gltf/packed.h"

#include <draco/compression/expert_encode.h>
#include <draco/mesh/mesh.h>
#include <meshoptimizer.h>

namespace skinbake::test {

namespace {

using nlohmann::json;

Packed append(GltfFile& file, const std::string& stream) {
  while (file.bytes.size() % 4 != 0) file.bytes += '\0';
  const Packed packed{file.bytes.size(), stream.size()};
  file.bytes += stream;
  return packed;
}

std::string encoded(const std::string& bytes, const Packing& packing) {
  const std::size_t count = bytes.size() / packing.stride;
  std::string out;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto finish = [&](std::size_t size) {
    out.resize(size);
    return out;
  };
  const auto target = [&] { return reinterpret_cast<unsigned char*>(out.data()); };
  if (packing.mode == "ATTRIBUTES") {
    out.resize(meshopt_encodeVertexBufferBound(count, packing.stride));
    return finish(meshopt_encodeVertexBuffer(target(), out.size(), data, count, packing.stride));
  }
  std::vector<unsigned int> indices(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&indices[i], data + i * packing.stride, packing.stride);
  }
  if (packing.mode == "TRIANGLES") {
    meshopt_encodeIndexVersion(1);
    out.resize(meshopt_encodeIndexBufferBound(count, 65536));
    return finish(meshopt_encodeIndexBuffer(target(), out.size(), indices.data(), count));
  }
  meshopt_encodeIndexVersion(1);
  out.resize(meshopt_encodeIndexSequenceBound(count, 65536));
  return finish(meshopt_encodeIndexSequence(target(), out.size(), indices.data(), count));
}

std::size_t fallback_size(const GltfFile& file) {
  std::size_t size = 4;
  for (const json& view : file.json["bufferViews"]) {
    if (view["buffer"] == 1) {
      size = std::max(
          size, view.value("byteOffset", std::size_t{0}) + view["byteLength"].get<std::size_t>());
    }
  }
  return (size + 3) / 4 * 4;
}

draco::GeometryAttribute::Type draco_type_of(const std::string& attribute) {
  if (attribute == "POSITION") return draco::GeometryAttribute::POSITION;
  if (attribute == "NORMAL") return draco::GeometryAttribute::NORMAL;
  if (attribute == "TEXCOORD_0") return draco::GeometryAttribute::TEX_COORD;
  return draco::GeometryAttribute::GENERIC;
}

}  // namespace

Packed pack_view(GltfFile& file, int view, const Packing& packing) {
  json& target = file.json["bufferViews"][static_cast<std::size_t>(view)];
  const std::string bytes = file.bytes.substr(target["byteOffset"], target["byteLength"]);
  const Packed packed = append(file, encoded(bytes, packing));
  const std::size_t at = fallback_size(file);
  target["buffer"] = 1;
  target["byteOffset"] = at;
  target["extensions"][packing.extension] = {{"buffer", 0},
                                             {"byteOffset", packed.offset},
                                             {"byteLength", packed.size},
                                             {"byteStride", packing.stride},
                                             {"count", bytes.size() / packing.stride},
                                             {"mode", packing.mode}};
  return packed;
}

Packed add_packed_view(GltfFile& file, const std::string& bytes, const Packing& packing,
                       const std::string& filter) {
  const int view = file.add_view(std::vector<char>(bytes.begin(), bytes.end()));
  const Packed packed = pack_view(file, view, packing);
  file.json["bufferViews"].back()["extensions"][packing.extension]["filter"] = filter;
  return packed;
}

void finish_packing(GltfFile& file) {
  file.json["extensionsUsed"] = {"EXT_meshopt_compression"};
  file.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", file.data_uri()}},
                          {{"byteLength", fallback_size(file)},
                           {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
}

Packed pack_primitive(GltfFile& file, int primitive, const std::vector<std::uint32_t>& indices,
                      bool edgebreaker, int bits) {
  json& target = file.json["meshes"][0]["primitives"][static_cast<std::size_t>(primitive)];
  draco::Mesh mesh;
  json ids;
  for (const auto& [name, index] : target["attributes"].items()) {
    json& accessor = file.json["accessors"][index.get<std::size_t>()];
    const json& view = file.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const int components = components_of(accessor["type"]);
    const bool is_float = accessor["componentType"] == kFloat;
    const auto type = is_float                            ? draco::DT_FLOAT32
                      : accessor["componentType"] == kU16 ? draco::DT_UINT16
                                                          : draco::DT_UINT8;
    const auto points = accessor["count"].get<std::uint32_t>();
    draco::GeometryAttribute attribute;
    attribute.Init(draco_type_of(name), nullptr, static_cast<std::uint8_t>(components), type, false,
                   draco::DataTypeLength(type) * components, 0);
    mesh.set_num_points(points);
    const int id = mesh.AddAttribute(attribute, true, points);
    const char* data = file.bytes.data() + view["byteOffset"].get<std::size_t>();
    const std::size_t size = view["byteLength"].get<std::size_t>() / points;
    for (std::uint32_t p = 0; p < points; ++p) {
      mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(p), data + p * size);
    }
    ids[name] = mesh.attribute(id)->unique_id();
    accessor.erase("bufferView");
  }
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    mesh.AddFace({draco::PointIndex(indices[i]), draco::PointIndex(indices[i + 1]),
                  draco::PointIndex(indices[i + 2])});
  }
  draco::ExpertEncoder encoder(mesh);
  encoder.SetEncodingMethod(edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING
                                        : draco::MESH_SEQUENTIAL_ENCODING);
  for (int a = 0; bits > 0 && a < mesh.num_attributes(); ++a) {
    if (mesh.attribute(a)->data_type() == draco::DT_FLOAT32) {
      encoder.SetAttributeQuantization(a, bits);
    }
  }
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeToBuffer(&buffer).ok()) throw std::runtime_error("Draco does not encode");
  const Packed packed = append(file, {buffer.data(), buffer.size()});
  file.json["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", packed.offset}, {"byteLength", packed.size}});
  file.json["accessors"].push_back(
      {{"componentType", kU32}, {"count", indices.size()}, {"type", "SCALAR"}});
  target["indices"] = file.json["accessors"].size() - 1;
  target["extensions"]["KHR_draco_mesh_compression"] = {
      {"bufferView", file.json["bufferViews"].size() - 1}, {"attributes", ids}};
  file.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  file.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return packed;
}

}  // namespace skinbake::test
