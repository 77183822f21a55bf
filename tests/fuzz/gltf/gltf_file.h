// A glTF file in parts that can be changed: its JSON, and the bytes of its buffers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace skinbake::fuzz {

using Json = nlohmann::json;
using Random = std::minstd_rand;

struct GltfFile {
  Json document;                     // an object; buffers are without their data URIs
  std::vector<std::string> buffers;  // the bytes, by index in the document
  bool is_glb = false;               // the first buffer is the binary chunk
};

// Nothing if the bytes are not a GLB or a JSON object, or if the JSON is nested deeply.
std::optional<GltfFile> parse_gltf(std::string_view bytes);

// The bytes of the file, with the lengths of all buffers and chunks.
std::string to_bytes(GltfFile file);

// The elements of an accessor, which lie inside its buffer.
struct Elements {
  std::string* bytes = nullptr;
  std::size_t offset = 0, stride = 0, count = 0;
  int component_type = 0, components = 0;

  double get(std::size_t element, int component) const;
  void set(std::size_t element, int component, double value);
};

// Nothing if the accessor does not have a buffer view, or if it ends past its buffer.
std::optional<Elements> elements_of(GltfFile& file, std::size_t accessor);

int component_size(int component_type);               // 0: not a type of components
int component_count(const std::string& type);         // 0: not a type of elements
bool is_index(const Json& value, std::size_t count);  // whether 0 <= value < count

// A member; null if `object` is not an object, or does not have it.
const Json* find(const Json& object, const char* name);
Json* find(Json& object, const char* name);
// A member that becomes an empty array or object if it has another form.
Json& array_of(Json& object, const char* name);
Json& object_of(Json& object, const char* name);
// The number of elements of a member; 0 if it is not an array.
std::size_t size_of(const Json& object, const char* name);
// A whole number from 0 on; `otherwise` if the member is another value.
std::uint64_t whole_of(const Json& object, const char* name, std::uint64_t otherwise);

// A number from 0 to `count` - 1; 0 if `count` is 0.
inline std::size_t below(Random& random, std::size_t count) {
  return count == 0 ? 0 : random() % count;
}
template <class T, std::size_t N>
const T& pick(Random& random, const T (&choices)[N]) {
  return choices[below(random, N)];
}

}  // namespace skinbake::fuzz
