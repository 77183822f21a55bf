// KHR_draco_mesh_compression: primitives decoded by the Draco library.
//
// The library allocates the sizes that a stream declares. Subclasses of its decoders therefore
// compare the numbers of faces and vertices and the widths of attributes with the accessors'
// counts, after a number has been read and before it is used.

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "gltf/read/accessor.h"
#include "gltf/read/loaders.h"

namespace skinbake::gltf {

namespace {

// Limits of a stream, and the error for a stream that exceeds them.
struct Limits {
  Document& document;
  const Element& element;
  std::uint64_t faces;
  std::uint64_t points;

  [[noreturn]] void fail(const std::string& what) const {
    document.fail("DRACO_INVALID", element, what);
  }
  void check(const char* things, std::uint64_t declared, std::uint64_t expected) const {
    if (declared <= expected) return;
    fail("declares " + std::to_string(declared) + " " + things + ", but its accessors have " +
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
    if (is_edgebreaker) {  // up to version 2.2, the number of vertices that the encoder split off
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
    return Base::DecodeConnectivity();
  }

  // Called when the types and widths of attributes are known, and before their values are decoded.
  bool DecodeAllAttributes() override {
    const draco::PointCloud& cloud = *this->point_cloud();
    limits_.check("vertices", cloud.num_points(), limits_.points);
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
  } catch (const std::length_error&) {
    limits.fail("declares an impossible size");
  }
  if (!result.ok()) limits.fail("cannot be decoded: " + result.error_msg_string());
  return mesh;
}

ComponentType component_type_of(const draco::PointAttribute& attribute) {
  switch (attribute.data_type()) {
    case draco::DT_INT8:
      return ComponentType::kByte;
    case draco::DT_UINT8:
      return ComponentType::kUnsignedByte;
    case draco::DT_INT16:
      return ComponentType::kShort;
    case draco::DT_UINT16:
      return ComponentType::kUnsignedShort;
    case draco::DT_UINT32:
      return ComponentType::kUnsignedInt;
    case draco::DT_FLOAT32:
      return ComponentType::kFloat;
    default:
      return ComponentType::kNone;
  }
}

AccessorType type_of(const draco::PointAttribute& attribute) {
  switch (attribute.num_components()) {
    case 1:
      return AccessorType::kScalar;
    case 2:
      return AccessorType::kVec2;
    case 3:
      return AccessorType::kVec3;
    default:
      return AccessorType::kVec4;
  }
}

// Decodes one primitive into new accessors.
class PrimitiveDecoder {
 public:
  PrimitiveDecoder(Document& document, int mesh, int primitive, const DracoPrimitive& compressed)
      : document_(document),
        number_(static_cast<std::size_t>(primitive)),
        compressed_(compressed),
        primitive_(document.model.meshes[static_cast<std::size_t>(mesh)].primitives[number_]),
        element_(attribute_element(document, mesh, number_, "")) {
    element_.pointer += "/extensions/KHR_draco_mesh_compression";
    element_.name += ", KHR_draco_mesh_compression,";
  }

  void run() {
    const int mode = primitive_.mode;
    if (mode != kTrianglesMode && mode != kTriangleStripMode) {
      document_.fail("DRACO_INVALID", element_, "is on a primitive without triangles");
    }
    refuse_sparse(primitive_.indices, element_);
    const ByteSpan bytes = view_bytes(document_, compressed_.view, element_);
    const Limits limits{document_, element_, expected_faces(), expected_points()};
    document_.decoded += bytes.size() * kMostBytesPerByte;
    const std::unique_ptr<draco::Mesh> mesh = decode(limits, bytes);
    if (mesh->num_points() != limits.points) {
      limits.fail("has " + std::to_string(mesh->num_points()) +
                  " vertices, but its accessors have " + std::to_string(limits.points));
    }
    note_fewer_faces(mesh->num_faces());
    decode_faces(*mesh);
    for (const auto& [name, id] : compressed_.attributes) {
      const auto used = primitive_.attributes.find(name);
      if (used != primitive_.attributes.end()) used->second = decode_attribute(*mesh, name, id);
    }
  }

 private:
  // Without an accessor of indices, nothing but the type bounds the number of faces.
  std::uint64_t expected_faces() const {
    if (primitive_.indices < 0) return std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t corners = accessor_at(document_, primitive_.indices).count;
    return primitive_.mode == kTrianglesMode ? corners / 3 : corners;
  }
  std::uint64_t expected_points() const {
    const auto position = primitive_.attributes.find("POSITION");
    if (position == primitive_.attributes.end()) {
      document_.fail("DRACO_INVALID", element_, "is on a primitive without POSITION");
    }
    return accessor_at(document_, position->second).count;
  }

  // Encoders may leave out degenerate triangles. Strips have them, and always lose them.
  void note_fewer_faces(std::uint64_t faces) {
    if (primitive_.indices < 0 || primitive_.mode != kTrianglesMode) return;
    const std::uint64_t expected = expected_faces();
    if (faces == expected) return;
    document_.note("DRACO_TRIANGLES_FEWER", element_.pointer,
                   element_.name + " has " + std::to_string(faces) +
                       " triangles, but its accessor of indices has " + std::to_string(expected) +
                       "; the triangles of the stream are read");
  }

  // The stream replaces the elements that the sparse part would change, and programs ignore it.
  void refuse_sparse(int accessor, const Element& where) const {
    if (accessor < 0 || accessor_at(document_, accessor).sparse.count == 0) return;
    document_.fail("ACCESSOR_FORMAT", where,
                   "has the sparse accessor " + std::to_string(accessor) +
                       ", but the elements are in a Draco stream");
  }

  void decode_faces(const draco::Mesh& mesh) {
    const std::size_t corners = std::size_t{3} * mesh.num_faces();
    Bytes bytes(corners * sizeof(std::uint32_t));
    auto* out = reinterpret_cast<std::uint32_t*>(bytes.data());
    for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f) {
      for (const draco::PointIndex& point : mesh.face(f)) *out++ = point.value();
    }
    Model::Accessor accessor;
    accessor.component_type = ComponentType::kUnsignedInt;
    accessor.type = AccessorType::kScalar;
    accessor.count = corners;
    primitive_.indices = corners == 0 ? -1 : add(std::move(accessor), std::move(bytes));
    primitive_.mode = corners == 0 ? kPointsMode : kTrianglesMode;
  }

  int decode_attribute(const draco::Mesh& mesh, const std::string& name, std::uint32_t id) {
    Element where = element_;
    where.name += " " + name;
    refuse_sparse(primitive_.attributes.at(name), where);
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id);
    const ComponentType component_type =
        attribute == nullptr ? ComponentType::kNone : component_type_of(*attribute);
    if (component_type == ComponentType::kNone || attribute->num_components() > 4) {
      document_.fail("DRACO_INVALID", where,
                     "is attribute " + std::to_string(id) +
                         " of the stream, which is missing or has a type that glTF does not have");
    }
    const auto size = static_cast<std::size_t>(draco::DataTypeLength(attribute->data_type())) *
                      static_cast<std::size_t>(attribute->num_components());
    const std::size_t points = mesh.num_points();
    Bytes bytes(points * size);
    for (draco::PointIndex p(0); p < static_cast<std::uint32_t>(points); ++p) {
      const draco::AttributeValueIndex value = attribute->mapped_index(p);
      if (value.value() >= attribute->size()) {
        document_.fail("DRACO_INVALID", where, "refers to a missing value");
      }
      attribute->GetValue(value, bytes.data() + p.value() * size);
    }
    Model::Accessor accessor;
    accessor.component_type = component_type;
    accessor.type = type_of(*attribute);
    accessor.count = points;
    accessor.normalized = accessor_at(document_, primitive_.attributes.at(name)).normalized;
    return add(std::move(accessor), std::move(bytes));
  }

  // Adds a buffer with one view for this accessor. Returns the index of the accessor.
  int add(Model::Accessor accessor, Bytes bytes) {
    Model::BufferView view;
    view.buffer = static_cast<int>(document_.buffers.size());
    view.byte_length = bytes.size();
    accessor.buffer_view = static_cast<int>(document_.model.buffer_views.size());
    document_.storage.push_back(std::move(bytes));
    document_.buffers.push_back({document_.storage.back().data(), document_.storage.back().size()});
    document_.model.buffer_views.push_back(std::move(view));
    document_.model.accessors.push_back(std::move(accessor));
    return static_cast<int>(document_.model.accessors.size()) - 1;
  }

  Document& document_;
  std::size_t number_;
  const DracoPrimitive& compressed_;
  Model::Primitive& primitive_;
  Element element_;
};

}  // namespace

void decompress_primitives(Document& document, int mesh) {
  const std::size_t count = document.model.meshes[static_cast<std::size_t>(mesh)].primitives.size();
  for (std::size_t p = 0; p < count; ++p) {
    const auto compressed = document.draco_primitives.find({mesh, static_cast<int>(p)});
    if (compressed == document.draco_primitives.end()) continue;
    PrimitiveDecoder(document, mesh, static_cast<int>(p), compressed->second).run();
  }
}

}  // namespace skinbake::gltf
