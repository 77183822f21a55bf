#include "gltf/gltf_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace skinbake::fuzz {

namespace {

constexpr std::string_view kData = "data:application/octet-stream;base64,";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0, bits = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    if ((bits += 6) >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255);
  }
  return bytes;
}

std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

void append_u32(std::string& bytes, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// The functions of a JSON value call themselves for its elements, and the stack is limited.
bool is_shallow(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > 100) return false;
  }
  return true;
}

// Moves the bytes of data URIs into GltfFile::buffers.
void take_buffers(GltfFile& file, std::string_view chunk) {
  for (Json& buffer : array_of(file.document, "buffers")) {
    const Json* const uri = find(buffer, "uri");
    std::string bytes;
    if (uri != nullptr && uri->is_string()) {
      const std::string& text = uri->get_ref<const std::string&>();
      const std::size_t comma = text.find(',');
      if (text.starts_with("data:") && comma != text.npos) {
        bytes = from_base64(std::string_view(text).substr(comma + 1));
        buffer.erase("uri");
      }
    } else if (file.is_glb && file.buffers.empty()) {
      bytes = chunk;
    }
    file.buffers.push_back(std::move(bytes));
  }
}

template <class T>
double read_as(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

template <class T>
void write_as(char* to, double value) {
  T number{};
  if constexpr (std::is_integral_v<T>) {
    if (std::isfinite(value)) {
      number = static_cast<T>(std::clamp(value, double{std::numeric_limits<T>::min()},
                                         double{std::numeric_limits<T>::max()}));
    }
  } else {
    constexpr double kMost = std::numeric_limits<T>::max();
    number = static_cast<T>(std::isfinite(value) ? std::clamp(value, -kMost, kMost) : value);
  }
  std::memcpy(to, &number, sizeof number);
}

}  // namespace

std::optional<GltfFile> parse_gltf(std::string_view bytes) {
  GltfFile file;
  std::string_view text = bytes, chunk;
  if (bytes.starts_with("glTF") && bytes.size() >= 20) {
    file.is_glb = true;
    const std::size_t length = std::min<std::size_t>(u32_at(bytes, 12), bytes.size() - 20);
    text = bytes.substr(20, length);
    if (bytes.size() >= 28 + length) {
      chunk = bytes.substr(28 + length, u32_at(bytes, 20 + length));
    }
  }
  if (!is_shallow(text)) return {};
  file.document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!file.document.is_object()) return {};
  take_buffers(file, chunk);
  return file;
}

std::string to_bytes(GltfFile file) {
  Json& buffers = array_of(file.document, "buffers");
  for (std::size_t b = 0; b < file.buffers.size() && b < buffers.size(); ++b) {
    Json& buffer = buffers[b];
    if (!buffer.is_object() || buffer.contains("uri")) continue;
    buffer["byteLength"] = file.buffers[b].size();
    if (!file.is_glb || b > 0) buffer["uri"] = std::string(kData) + to_base64(file.buffers[b]);
  }
  if (buffers.empty()) file.document.erase("buffers");
  std::string text = file.document.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!file.is_glb) return text;
  text.append(-text.size() % 4, ' ');
  std::string chunk = file.buffers.empty() ? "" : std::move(file.buffers.front());
  chunk.append(-chunk.size() % 4, '\0');
  std::string bytes = "glTF";
  append_u32(bytes, 2);
  append_u32(bytes, 28 + text.size() + chunk.size());
  append_u32(bytes, text.size());
  (bytes += "JSON") += text;
  append_u32(bytes, chunk.size());
  return (bytes += std::string_view("BIN\0", 4)) += chunk;
}

int component_size(int component_type) {
  switch (component_type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

int component_count(const std::string& type) {
  if (type == "SCALAR") return 1;
  if (type == "MAT4") return 16;
  return type.size() == 4 && type.starts_with("VEC") && type[3] >= '2' && type[3] <= '4'
             ? type[3] - '0'
             : 0;
}

bool is_index(const Json& value, std::size_t count) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() < count;
}

const Json* find(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

Json* find(Json& object, const char* name) {
  return const_cast<Json*>(find(std::as_const(object), name));
}

Json& array_of(Json& object, const char* name) {
  Json& member = object[name];
  if (!member.is_array()) member = Json::array();
  return member;
}

Json& object_of(Json& object, const char* name) {
  Json& member = object[name];
  if (!member.is_object()) member = Json::object();
  return member;
}

std::size_t size_of(const Json& object, const char* name) {
  const Json* const member = find(object, name);
  return member != nullptr && member->is_array() ? member->size() : 0;
}

std::uint64_t whole_of(const Json& object, const char* name, std::uint64_t otherwise) {
  const Json* const member = find(object, name);
  return member != nullptr && member->is_number_unsigned() ? member->get<std::uint64_t>()
                                                           : otherwise;
}

std::optional<Elements> elements_of(GltfFile& file, std::size_t index) {
  if (index >= size_of(file.document, "accessors")) return {};
  const Json& accessor = file.document["accessors"][index];
  const std::uint64_t v = whole_of(accessor, "bufferView", UINT64_MAX);
  if (v >= size_of(file.document, "bufferViews")) return {};
  const Json& view = file.document["bufferViews"][v];
  const std::uint64_t b = whole_of(view, "buffer", UINT64_MAX);
  const Json* const type = find(accessor, "type");
  if (b >= file.buffers.size() || type == nullptr || !type->is_string()) return {};

  constexpr std::uint64_t kMost = 1 << 24;  // sums of such numbers do not overflow
  const std::uint64_t start = whole_of(view, "byteOffset", 0);
  const std::uint64_t inside = whole_of(accessor, "byteOffset", 0);
  Elements elements{&file.buffers[b]};
  elements.component_type = static_cast<int>(whole_of(accessor, "componentType", 0) & 0xFFFF);
  elements.components = component_count(type->get_ref<const std::string&>());
  const auto size = static_cast<std::size_t>(component_size(elements.component_type)) *
                    static_cast<std::size_t>(elements.components);
  const std::uint64_t stride = whole_of(view, "byteStride", size);
  const std::uint64_t count = whole_of(accessor, "count", 0);
  if (size == 0 || count == 0 || std::max({start, inside, stride, count}) > kMost) return {};
  if (start + inside + stride * (count - 1) + size > elements.bytes->size()) return {};
  elements.offset = start + inside;
  elements.stride = stride;
  elements.count = count;
  return elements;
}

double Elements::get(std::size_t element, int component) const {
  const char* const from = bytes->data() + offset + element * stride +
                           static_cast<std::size_t>(component) *
                               static_cast<std::size_t>(component_size(component_type));
  switch (component_type) {
    case 5120:
      return read_as<std::int8_t>(from);
    case 5121:
      return read_as<std::uint8_t>(from);
    case 5122:
      return read_as<std::int16_t>(from);
    case 5123:
      return read_as<std::uint16_t>(from);
    case 5125:
      return read_as<std::uint32_t>(from);
    default:
      return read_as<float>(from);
  }
}

void Elements::set(std::size_t element, int component, double value) {
  char* const to = bytes->data() + offset + element * stride +
                   static_cast<std::size_t>(component) *
                       static_cast<std::size_t>(component_size(component_type));
  switch (component_type) {
    case 5120:
      return write_as<std::int8_t>(to, value);
    case 5121:
      return write_as<std::uint8_t>(to, value);
    case 5122:
      return write_as<std::int16_t>(to, value);
    case 5123:
      return write_as<std::uint16_t>(to, value);
    case 5125:
      return write_as<std::uint32_t>(to, value);
    default:
      return write_as<float>(to, value);
  }
}

}  // namespace skinbake::fuzz
