// KHR_draco_mesh_compression: primitives decoded by the Draco library.
//
// The library allocates what a stream declares. Its decoders are therefore subclassed where they
// have read a count and not yet used it: faces, vertices and the width of attributes are held
// against the accessors' counts and the memory limit first.

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "gltf/accessor.h"
#include "gltf/compressed.h"
#include "gltf/parts.h"

namespace skinbake::gltf {

namespace {

// Bytes that the library holds for a face while it decodes: corners, their opposites, vertices; and
// as much again for each attribute with seams of its own. Measured on triangles that share no
// vertex: 63 and 61.
constexpr std::uint64_t kBytesPerFace = 64;
constexpr std::uint64_t kSeamBytesPerFace = 64;

// What a stream may hold, and what stopped it.
struct Limits {
  Document& document;
  const Element& element;
  std::uint64_t faces;
  std::uint64_t points;

  [[noreturn]] void fail(const std::string& what) const {
    document.fail("DRACO_INVALID", element, what + "; compress the file again");
  }
  void check(const char* things, std::uint64_t declared, std::uint64_t expected) const {
    if (declared <= expected) return;
    fail("declares " + std::to_string(declared) + " " + things + ", its accessors " +
         std::to_string(expected));
  }
};

template <class Base>
class Bounded final : public Base {
 public:
  explicit Bounded(const Limits& limits) : limits_(limits) {}

 protected:
  bool DecodeConnectivity() override {
    draco::DecoderBuffer ahead = *this->buffer();
    const bool is_edgebreaker = std::is_same_v<Base, draco::MeshEdgebreakerDecoder>;
    std::uint32_t faces = 0, vertices = 0;
    std::uint8_t attributes_with_seams = 0;
    if (is_edgebreaker) {  // how many vertices the encoder split off, up to version 2.2
      std::uint32_t split = 0;
      if (before(2, 2) && !read(ahead, before(2, 0), split)) return false;
      if (!read(ahead, before(2, 0), vertices) || !read(ahead, before(2, 0), faces) ||
          !ahead.Decode(&attributes_with_seams)) {
        return false;
      }
    } else if (!read(ahead, before(2, 2), faces) || !read(ahead, before(2, 2), vertices)) {
      return false;
    }
    limits_.check("triangles", faces, limits_.faces);
    limits_.check("vertices", vertices, limits_.points);
    limits_.document.reserve(faces, kBytesPerFace + attributes_with_seams * kSeamBytesPerFace,
                             limits_.element);
    return Base::DecodeConnectivity();
  }

  // Attributes are known here by type and width; their values come next.
  bool DecodeAllAttributes() override {
    const draco::PointCloud& cloud = *this->point_cloud();
    limits_.check("vertices", cloud.num_points(), limits_.points);
    for (std::int32_t a = 0; a < cloud.num_attributes(); ++a) {
      const draco::PointAttribute& attribute = *cloud.attribute(a);
      // Values, the integers that they are made of, and which value a point has.
      const auto size = static_cast<std::uint64_t>(draco::DataTypeLength(attribute.data_type()) +
                                                   static_cast<int>(sizeof(std::int32_t)));
      const auto components = static_cast<std::uint64_t>(attribute.num_components());
      limits_.document.reserve(cloud.num_points(), components * size + sizeof(std::uint32_t),
                               limits_.element);
    }
    return Base::DecodeAllAttributes();
  }

 private:
  bool before(std::uint8_t major, std::uint8_t minor) const {
    return this->bitstream_version() < DRACO_BITSTREAM_VERSION(major, minor);
  }
  static bool read(draco::DecoderBuffer& buffer, bool is_fixed, std::uint32_t& number) {
    return is_fixed ? buffer.Decode(&number) : draco::DecodeVarint(&number, &buffer);
  }

  Limits limits_;
};

template <class Base>
draco::Status run(const Limits& limits, draco::DecoderBuffer& buffer, draco::Mesh& mesh) {
  return Bounded<Base>(limits).Decode(draco::DecoderOptions(), &buffer, &mesh);
}

std::unique_ptr<draco::Mesh> decode(const Limits& limits, ByteSpan bytes) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  draco::DecoderBuffer ahead = buffer;
  draco::DracoHeader header;
  const draco::Status status = draco::PointCloudDecoder::DecodeHeader(&ahead, &header);
  if (!status.ok()) limits.fail("is not a Draco stream");
  if (header.encoder_type != draco::TRIANGULAR_MESH) limits.fail("is not a mesh of triangles");
  auto mesh = std::make_unique<draco::Mesh>();
  draco::Status result;
  try {
    result = header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING
                 ? run<draco::MeshEdgebreakerDecoder>(limits, buffer, *mesh)
                 : run<draco::MeshSequentialDecoder>(limits, buffer, *mesh);
  } catch (const std::bad_alloc&) {
    limits.fail("asks for more memory than there is");
  } catch (const std::length_error&) {
    limits.fail("declares a size that cannot be");
  }
  if (!result.ok()) limits.fail("cannot be decoded: " + result.error_msg_string());
  return mesh;
}

int component_type_of(const draco::PointAttribute& attribute) {
  switch (attribute.data_type()) {
    case draco::DT_INT8:
      return TINYGLTF_COMPONENT_TYPE_BYTE;
    case draco::DT_UINT8:
      return TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE;
    case draco::DT_INT16:
      return TINYGLTF_COMPONENT_TYPE_SHORT;
    case draco::DT_UINT16:
      return TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
    case draco::DT_UINT32:
      return TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    case draco::DT_FLOAT32:
      return TINYGLTF_COMPONENT_TYPE_FLOAT;
    default:
      return 0;
  }
}

int type_of(const draco::PointAttribute& attribute) {
  switch (attribute.num_components()) {
    case 1:
      return TINYGLTF_TYPE_SCALAR;
    case 2:
      return TINYGLTF_TYPE_VEC2;
    case 3:
      return TINYGLTF_TYPE_VEC3;
    default:
      return TINYGLTF_TYPE_VEC4;
  }
}

// One primitive: from the packed mesh to accessors of its own.
class Unpacker {
 public:
  Unpacker(Document& document, int mesh, int primitive, const DracoPrimitive& packed)
      : document_(document),
        number_(static_cast<std::size_t>(primitive)),
        packed_(packed),
        primitive_(document.model.meshes[static_cast<std::size_t>(mesh)].primitives[number_]),
        element_(attribute_element(document, mesh, number_, "")) {
    element_.pointer += "/extensions/KHR_draco_mesh_compression";
    element_.name += ", KHR_draco_mesh_compression,";
  }

  void unpack() {
    const int mode = primitive_.mode;
    if (mode != TINYGLTF_MODE_TRIANGLES && mode != TINYGLTF_MODE_TRIANGLE_STRIP) {
      document_.fail("DRACO_INVALID", element_, "is on a primitive that has no triangles");
    }
    const ByteSpan bytes = view_bytes(document_, packed_.view, element_);
    const Limits limits{document_, element_, expected_faces(), expected_points()};
    const std::unique_ptr<draco::Mesh> mesh = decode(limits, bytes);
    if (mesh->num_points() != limits.points) {
      limits.fail("has " + std::to_string(mesh->num_points()) + " vertices, its accessors " +
                  std::to_string(limits.points));
    }
    unpack_faces(*mesh);
    for (const auto& [name, id] : packed_.attributes) {
      const auto used = primitive_.attributes.find(name);
      if (used != primitive_.attributes.end()) used->second = unpack_attribute(*mesh, name, id);
    }
  }

 private:
  // Without accessors to hold a stream against, only the memory limit is left.
  std::uint64_t expected_faces() const {
    if (primitive_.indices < 0) return document_.budget.limit();
    const std::uint64_t corners = accessor_at(document_, primitive_.indices).count;
    return primitive_.mode == TINYGLTF_MODE_TRIANGLES ? corners / 3 : corners;
  }
  std::uint64_t expected_points() const {
    const auto position = primitive_.attributes.find("POSITION");
    if (position == primitive_.attributes.end()) {
      document_.fail("DRACO_INVALID", element_, "is on a primitive without POSITION");
    }
    return accessor_at(document_, position->second).count;
  }

  void unpack_faces(const draco::Mesh& mesh) {
    const std::size_t corners = std::size_t{3} * mesh.num_faces();
    document_.reserve(corners, sizeof(std::uint32_t), element_);
    Bytes bytes(corners * sizeof(std::uint32_t));
    auto* out = reinterpret_cast<std::uint32_t*>(bytes.data());
    for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f) {
      for (const draco::PointIndex& point : mesh.face(f)) *out++ = point.value();
    }
    tinygltf::Accessor accessor;
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    accessor.type = TINYGLTF_TYPE_SCALAR;
    accessor.count = corners;
    primitive_.indices = corners == 0 ? -1 : add(std::move(accessor), std::move(bytes));
    primitive_.mode = corners == 0 ? TINYGLTF_MODE_POINTS : TINYGLTF_MODE_TRIANGLES;
  }

  int unpack_attribute(const draco::Mesh& mesh, const std::string& name, std::uint32_t id) {
    Element where = element_;
    where.name += " " + name;
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id);
    const int component_type = attribute == nullptr ? 0 : component_type_of(*attribute);
    if (component_type == 0 || attribute->num_components() > 4) {
      document_.fail("DRACO_INVALID", where,
                     "is attribute " + std::to_string(id) +
                         " of the stream, which is missing or of no type that glTF has; compress "
                         "the file again");
    }
    const auto size = static_cast<std::size_t>(draco::DataTypeLength(attribute->data_type())) *
                      static_cast<std::size_t>(attribute->num_components());
    const std::size_t points = mesh.num_points();
    document_.reserve(points, size, where);
    Bytes bytes(points * size);
    for (draco::PointIndex p(0); p < static_cast<std::uint32_t>(points); ++p) {
      const draco::AttributeValueIndex value = attribute->mapped_index(p);
      if (value.value() >= attribute->size()) {
        document_.fail("DRACO_INVALID", where, "has a value that is missing; compress it again");
      }
      attribute->GetValue(value, bytes.data() + p.value() * size);
    }
    tinygltf::Accessor accessor;
    accessor.componentType = component_type;
    accessor.type = type_of(*attribute);
    accessor.count = points;
    accessor.normalized = accessor_at(document_, primitive_.attributes.at(name)).normalized;
    return add(std::move(accessor), std::move(bytes));
  }

  // A buffer with one view and this accessor. Returns the accessor's number.
  int add(tinygltf::Accessor accessor, Bytes bytes) {
    tinygltf::BufferView view;
    view.buffer = static_cast<int>(document_.buffers.size());
    view.byteLength = bytes.size();
    accessor.bufferView = static_cast<int>(document_.model.bufferViews.size());
    document_.storage.push_back(std::move(bytes));
    document_.buffers.push_back({document_.storage.back().data(), document_.storage.back().size()});
    document_.model.bufferViews.push_back(std::move(view));
    document_.model.accessors.push_back(std::move(accessor));
    return static_cast<int>(document_.model.accessors.size()) - 1;
  }

  Document& document_;
  std::size_t number_;
  const DracoPrimitive& packed_;
  tinygltf::Primitive& primitive_;
  Element element_;
};

}  // namespace

void decompress_primitives(Document& document, int mesh) {
  const std::size_t count = document.model.meshes[static_cast<std::size_t>(mesh)].primitives.size();
  for (std::size_t p = 0; p < count; ++p) {
    const auto packed = document.draco_primitives.find({mesh, static_cast<int>(p)});
    if (packed == document.draco_primitives.end()) continue;
    Unpacker(document, mesh, static_cast<int>(p), packed->second).unpack();
  }
}

}  // namespace skinbake::gltf
