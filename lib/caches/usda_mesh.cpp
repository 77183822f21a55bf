#include "caches/usda_mesh.h"

#include <set>

#include "caches/point_text.h"

namespace skinbake {

namespace {

// In pieces of some size, so that no text grows with the mesh.
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

class Pieces {
 public:
  explicit Pieces(const AppendText& append) : append_(append) {}
  ~Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  std::string& text() {
    if (text_.size() >= kPieceBytes) flush();
    return text_;
  }
  void flush() {
    append_(text_);
    text_.clear();
  }

 private:
  const AppendText& append_;
  std::string text_;
};

void write_faces(const Mesh& mesh, Pieces& pieces) {
  pieces.text() += "        int[] faceVertexCounts = [";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) pieces.text() += t == 0 ? "3" : ", 3";
  pieces.text() += "]\n        int[] faceVertexIndices = [";
  const char* separator = "";
  for (const auto& triangle : mesh.triangles) {
    for (const VertexIndex v : triangle) {
      pieces.text() += separator + std::to_string(v);
      separator = ", ";
    }
  }
  pieces.text() += "]\n";
}

constexpr std::string_view kTexcoord = "TEXCOORD_";

std::set<std::string> texcoord_names(const MeshExtras& extras) {
  std::set<std::string> names;
  for (const PrimitiveExtras& primitive : extras.primitives) {
    for (const VertexAttribute& attribute : primitive.attributes) {
      if (attribute.name.starts_with(kTexcoord) && attribute.width == 2) {
        names.insert(attribute.name);
      }
    }
  }
  return names;
}

// Null: the primitive has no such attribute.
const VertexAttribute* find_attribute(const PrimitiveExtras& primitive, const std::string& name) {
  for (const VertexAttribute& attribute : primitive.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

// The origin is at the bottom in USD, at the top in glTF. Where a primitive has none, (0, 0).
void write_texcoords(const std::string& name, const Mesh& mesh, const MeshExtras& extras,
                     Pieces& pieces) {
  const std::string set = name.substr(kTexcoord.size());
  pieces.text() += "        texCoord2f[] primvars:st" + (set == "0" ? "" : set) + " = [";
  const char* separator = "(";
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const VertexAttribute* attribute = find_attribute(extras.primitives[p], name);
    for (std::size_t v = 0; v < mesh.primitives[p].vertex_count; ++v) {
      std::array<float, 2> st{0, 0};
      if (attribute != nullptr) st = {attribute->values[2 * v], 1 - attribute->values[2 * v + 1]};
      append_numbers(pieces.text() += separator, st);
      pieces.text() += ")";
      separator = ", (";
    }
  }
  pieces.text() += "] (\n            interpolation = \"vertex\"\n        )\n";
}

}  // namespace

void write_usda_mesh_head(const CacheHeader& header, const std::string& name,
                          const AppendText& append) {
  const Mesh& mesh = *header.rig->mesh;
  Pieces pieces(append);
  pieces.text() += "    def Mesh \"" + name + "\"\n    {\n";
  pieces.text() += "        uniform token subdivisionScheme = \"none\"\n";
  write_faces(mesh, pieces);
  const MeshExtras* extras =
      header.extras ? header.extras->meshes.at(header.rig->node).get() : nullptr;
  if (extras != nullptr) {
    for (const std::string& texcoords : texcoord_names(*extras)) {
      write_texcoords(texcoords, mesh, *extras, pieces);
    }
  }
  pieces.flush();
}

}  // namespace skinbake
