#include "gltf/shape_checks.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace skinbake::gltf {

namespace {

using nlohmann::json;

void check_samplers(const Document& document, const json& shaped) {
  if (!shaped.contains("animations")) return;
  for (std::size_t a = 0; a < shaped["animations"].size(); ++a) {
    const json& animation = shaped["animations"][a];
    for (std::size_t c = 0; c < animation["channels"].size(); ++c) {
      if (animation["channels"][c]["sampler"].get<std::size_t>() < animation["samplers"].size()) {
        continue;
      }
      const std::string at = "/animations/" + std::to_string(a) + "/channels/" + std::to_string(c);
      document.fail("REFERENCE_INVALID",
                    {describe("animation", a, animation.value("name", "")), at},
                    "has a channel whose sampler does not exist; re-export the file");
    }
  }
}

void check_accessors(const Document& document, const json& shaped) {
  if (!shaped.contains("accessors")) return;
  std::size_t i = 0;
  for (const json& accessor : shaped["accessors"]) {
    const Element element{"accessor " + std::to_string(i), "/accessors/" + std::to_string(i)};
    ++i;
    const int component = accessor["componentType"].get<int>();
    if (component < TINYGLTF_COMPONENT_TYPE_BYTE || component > TINYGLTF_COMPONENT_TYPE_FLOAT ||
        component == TINYGLTF_COMPONENT_TYPE_INT) {
      document.fail(
          "ACCESSOR_FORMAT", element,
          "has the unknown componentType " + std::to_string(component) + "; re-export the file");
    }
    static constexpr std::array kTypes{"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    if (std::find(kTypes.begin(), kTypes.end(), accessor["type"].get<std::string>()) ==
        kTypes.end()) {
      document.fail("ACCESSOR_FORMAT", element, "has an unknown type; re-export the file");
    }
  }
}

void check_strides(const Document& document, const json& shaped) {
  if (!shaped.contains("bufferViews")) return;
  std::size_t i = 0;
  for (const json& view : shaped["bufferViews"]) {
    const std::uint64_t stride = view.value("byteStride", std::uint64_t{4});
    if (stride < 4 || stride > 252 || stride % 4 != 0) {
      document.fail("SCHEMA_VIOLATION",
                    {"bufferView " + std::to_string(i), "/bufferViews/" + std::to_string(i)},
                    "has the byteStride " + std::to_string(stride) +
                        "; it must be a multiple of 4 from 4 to 252: re-export the file");
    }
    ++i;
  }
}

}  // namespace

void check_values(const Document& document, const json& shaped) {
  check_accessors(document, shaped);
  check_strides(document, shaped);
  check_samplers(document, shaped);
}

}  // namespace skinbake::gltf
