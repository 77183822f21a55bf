// The JSON of a GLB, and the numbers of its accessors.

#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace skinbake::test {

struct Glb {
  std::string bytes, text, bin;  // the file, the JSON with its padding, the binary chunk
  nlohmann::json parsed;

  explicit Glb(std::string file) : bytes(std::move(file)) {
    REQUIRE(bytes.size() >= 28);
    CHECK(bytes.substr(0, 4) == "glTF");
    CHECK(u32(4) == 2);
    REQUIRE(u32(8) == bytes.size());
    const std::size_t length = u32(12);
    CHECK(bytes.substr(16, 4) == "JSON");
    text = bytes.substr(20, length);
    REQUIRE(u32(20 + length) == bytes.size() - 28 - length);
    CHECK(bytes.substr(24 + length, 4) == std::string("BIN\0", 4));
    bin = bytes.substr(28 + length);
    parsed = nlohmann::json::parse(text);
    CHECK(parsed["buffers"][0]["byteLength"] == bin.size());
  }

  std::uint32_t u32(std::size_t at) const {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  // `count` numbers of a bufferView, from `offset` bytes on.
  template <class T>
  std::vector<T> numbers(int view, std::size_t offset, std::size_t count) const {
    const nlohmann::json& v = parsed["bufferViews"][static_cast<std::size_t>(view)];
    const std::size_t at = v["byteOffset"].get<std::size_t>() + offset;
    REQUIRE(offset + count * sizeof(T) <= v["byteLength"].get<std::size_t>());
    REQUIRE(at + count * sizeof(T) <= bin.size());
    std::vector<T> values(count);
    std::memcpy(values.data(), bin.data() + at, count * sizeof(T));
    return values;
  }

  // All components of an accessor of floats; a sparse one is expanded.
  std::vector<float> floats(int accessor) const {
    const nlohmann::json& a = parsed["accessors"][static_cast<std::size_t>(accessor)];
    const std::size_t width =
        a["type"] == "SCALAR" ? 1 : a["type"].get<std::string>()[3] - std::size_t{'0'};
    std::vector<float> values(a["count"].get<std::size_t>() * width);
    if (a.contains("bufferView")) {
      values = numbers<float>(a["bufferView"], a.value("byteOffset", 0u), values.size());
    }
    if (!a.contains("sparse")) return values;
    const nlohmann::json &s = a["sparse"], &i = s["indices"];
    const std::size_t count = s["count"].get<std::size_t>();
    const auto listed =
        numbers<float>(s["values"]["bufferView"], s["values"]["byteOffset"], count * width);
    std::vector<std::uint32_t> indices;
    if (i["componentType"] == 5123) {
      for (const auto index : numbers<std::uint16_t>(i["bufferView"], i["byteOffset"], count)) {
        indices.push_back(index);
      }
    } else {
      indices = numbers<std::uint32_t>(i["bufferView"], i["byteOffset"], count);
    }
    for (std::size_t n = 0; n < count; ++n) {
      std::copy_n(&listed[n * width], width, &values.at(indices[n] * width));
    }
    return values;
  }

  // The accessor of the positions of target t.
  const nlohmann::json& target(std::size_t mesh, std::size_t primitive, std::size_t t) const {
    const int accessor = parsed["meshes"][mesh]["primitives"][primitive]["targets"][t]["POSITION"];
    return parsed["accessors"][static_cast<std::size_t>(accessor)];
  }
};

}  // namespace skinbake::test
