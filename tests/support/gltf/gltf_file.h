// Small glTF files built in code. Their accessors are in one buffer, a data URI.

#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skinbake/gltf.h"

namespace skinbake::test {

enum ComponentType {
  kByte = 5120,
  kU8 = 5121,
  kShort = 5122,
  kU16 = 5123,
  kU32 = 5125,
  kFloat = 5126
};

template <class T>
constexpr int kComponentType = 0;
template <>
inline constexpr int kComponentType<std::int8_t> = kByte;
template <>
inline constexpr int kComponentType<std::uint8_t> = kU8;
template <>
inline constexpr int kComponentType<std::int16_t> = kShort;
template <>
inline constexpr int kComponentType<std::uint16_t> = kU16;
template <>
inline constexpr int kComponentType<std::uint32_t> = kU32;
template <>
inline constexpr int kComponentType<float> = kFloat;

inline int components_of(const std::string& type) {
  return type == "SCALAR" ? 1 : type == "MAT4" ? 16 : type[3] - '0';
}

class GltfFile {
 public:
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::string bytes;

  // Adds an accessor in a new buffer view. Returns the accessor's index.
  template <class T>
  int add(const std::string& type, const std::vector<T>& values) {
    const int view = add_view(values);
    json["accessors"].push_back({{"bufferView", view},
                                 {"componentType", kComponentType<T>},
                                 {"normalized", false},
                                 {"count", values.size() / components_of(type)},
                                 {"type", type}});
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  template <class T>
  int add_view(const std::vector<T>& values) {
    while (bytes.size() % 4 != 0) bytes += '\0';
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", values.size() * sizeof(T)}});
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return static_cast<int>(json["bufferViews"].size()) - 1;
  }

  // The buffer as hexadecimal percent-encoding.
  std::string data_uri() const {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string uri = "data:application/octet-stream,";
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
    return uri;
  }

  // The JSON text. It contains the buffer, unless the JSON already has buffers.
  std::string text() const {
    nlohmann::json all = json;
    if (!bytes.empty() && !all.contains("buffers")) {
      all["buffers"] = {{{"byteLength", bytes.size()}, {"uri", data_uri()}}};
    }
    return all.dump();
  }

  // The file as a GLB. The first buffer is the binary chunk.
  std::string glb() const {
    nlohmann::json all = json;
    all["buffers"][0] = {{"byteLength", bytes.size()}};
    std::string text = all.dump();
    text.append(-text.size() % 4, ' ');
    std::string bin = bytes;
    bin.append(-bin.size() % 4, '\0');
    std::string glb;
    const auto put = [&](std::size_t n) {
      const auto value = static_cast<std::uint32_t>(n);
      glb.append(reinterpret_cast<const char*>(&value), 4);
    };
    put(0x46546C67), put(2), put(28 + text.size() + bin.size());
    put(text.size()), put(0x4E4F534A), glb += text;
    put(bin.size()), put(0x004E4942), glb += bin;
    return glb;
  }
};

// One triangle whose vertices have two joints with a weight of 0.5 each. Most tests modify it.
inline GltfFile skinned_triangle() {
  GltfFile file;
  const int position = file.add<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const int joints = file.add<std::uint8_t>("VEC4", {0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
  const int weights = file.add<float>("VEC4", {0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0});
  file.json["meshes"] = {
      {{"name", "Body"},
       {"primitives",
        {{{"attributes",
           {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}}}}};
  file.json["nodes"] = {{{"name", "Man"}, {"mesh", 0}, {"skin", 0}},
                        {{"name", "Root"}, {"children", {2}}},
                        {{"name", "Tip"}, {"translation", {0, 1, 0}}}};
  file.json["skins"] = {{{"joints", {1, 2}}}};
  file.json["scenes"] = {{{"nodes", {0, 1}}}};
  return file;
}

// A file in the temporary folder. The destructor removes it.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("skinbake_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "_" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }
  std::string name() const { return path_.filename().string(); }

 private:
  std::filesystem::path path_;
};

// Throws the error of the first rig or clip that could not be read.
inline Asset whole(Asset asset) {
  for (const Rig& rig : asset.rigs) require_read(rig);
  for (const Clip& clip : asset.clips) require_read(clip);
  return asset;
}

// Loads a file of which everything can be read.
inline Asset load_text(const std::string& text) {
  return whole(load_asset(TemporaryFile("test.gltf", text).path()));
}
inline Asset load(const GltfFile& file) {
  return load_text(file.text());
}

// The code of the error that loading throws, or "" if the file loads.
inline std::string error_of(const GltfFile& file) {
  try {
    load(file);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

// The count of an issue; 0 if loading did not report it.
inline std::int64_t issue_count(const Asset& asset, const std::string& code) {
  std::int64_t count = 0;
  for (const Issue& issue : asset.issues) count += issue.code == code ? issue.count : 0;
  return count;
}

}  // namespace skinbake::test
