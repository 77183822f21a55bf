// The elements of a glTF file that move vertices, as plain structs. model.cpp fills them by
// tinygltf and is the only file that includes its header.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace skinbake::gltf {

// The values equal accessor.componentType in glTF 2.0.
enum class ComponentType : int {
  kNone = 0,
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kInt = 5124,  // not allowed by glTF
  kUnsignedInt = 5125,
  kFloat = 5126,
};

enum class AccessorType { kScalar, kVec2, kVec3, kVec4, kMat2, kMat3, kMat4 };

// Values of primitive.mode; a file may contain other numbers.
inline constexpr int kPointsMode = 0, kTrianglesMode = 4, kTriangleStripMode = 5,
                     kTriangleFanMode = 6;

// Indices refer to the vectors of the same model; -1 stands for a reference that is absent.
struct Model {
  struct BufferView {
    int buffer = 0;
    std::size_t byte_offset = 0;
    std::size_t byte_length = 0;
    std::size_t byte_stride = 0;  // 0: elements are adjacent
  };

  struct Sparse {
    struct Indices {
      int buffer_view = -1;
      std::size_t byte_offset = 0;
      ComponentType component_type = ComponentType::kNone;  // unchecked
    };
    struct Values {
      int buffer_view = -1;
      std::size_t byte_offset = 0;
    };
    std::size_t count = 0;  // 0: the accessor is not sparse
    Indices indices;
    Values values;
  };

  struct Accessor {
    int buffer_view = -1;  // -1: all elements are zero
    std::size_t byte_offset = 0;
    ComponentType component_type = ComponentType::kFloat;
    AccessorType type = AccessorType::kScalar;
    bool normalized = false;
    std::size_t count = 0;
    Sparse sparse;
  };

  using Attributes = std::map<std::string, int>;  // name to accessor

  struct Primitive {
    Attributes attributes;
    int indices = -1;  // accessor
    int mode = kTrianglesMode;
    std::vector<Attributes> targets;
  };

  struct Mesh {
    std::string name;
    std::vector<Primitive> primitives;
    std::vector<double> weights;
  };

  struct Node {
    std::string name;
    int mesh = -1;
    int skin = -1;
    std::vector<int> children;
    std::vector<double> matrix;       // 16, column-major, or empty
    std::vector<double> translation;  // 3, or empty
    std::vector<double> rotation;     // 4: x y z w, or empty
    std::vector<double> scale;        // 3, or empty
    std::vector<double> weights;      // of morph targets
  };

  struct Skin {
    std::string name;
    std::vector<int> joints;         // nodes
    int inverse_bind_matrices = -1;  // accessor
  };

  struct Scene {
    std::string name;
    std::vector<int> nodes;
  };

  struct Channel {
    int sampler = -1;
    int target_node = -1;
    std::string target_path;
  };

  struct Sampler {
    int input = -1;   // accessor
    int output = -1;  // accessor
    std::string interpolation;
  };

  struct Animation {
    std::string name;
    std::vector<Channel> channels;
    std::vector<Sampler> samplers;
  };

  std::string generator;
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  std::vector<BufferView> buffer_views;
  std::vector<Accessor> accessors;
  std::vector<Mesh> meshes;
  std::vector<Node> nodes;
  std::vector<Skin> skins;
  std::vector<Scene> scenes;
  std::vector<Animation> animations;
  int default_scene = -1;
};

// Parses a document that checked_json has returned. Buffers and images are ignored. tinygltf takes
// JSON as text only, so the document is printed for it.
// Throws Error (kInput, GLTF_INVALID) at `path` if tinygltf refuses the document.
Model parse_model(nlohmann::json checked, const std::string& path);

}  // namespace skinbake::gltf
