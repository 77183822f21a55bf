#include "gltf/document/named_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/containers.h"
#include "base/random_access_file.h"
#include "gltf/document/linked_file.h"
#include "json/json_visitor.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

// Collects the texts /buffers/N/uri and /images/N/uri, without building a document.
class UriCollector : public JsonVisitor {
 public:
  std::vector<std::string> take() { return std::move(uris_); }

  bool start_object(std::size_t) override {
    ++depth_;
    member_.clear();
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) array_ = name;
    if (depth_ == kDepthOfElement) member_ = name;
    return true;
  }
  bool string(string_t& text) override {
    const bool is_named = array_ == "buffers" || array_ == "images";
    if (is_named && depth_ == kDepthOfElement && member_ == "uri") uris_.push_back(std::move(text));
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }

 private:
  static constexpr int kDepthOfElement = 3;  // of the root's array
  int depth_ = 0;
  std::string array_, member_;
  std::vector<std::string> uris_;
};

// The JSON of a .gltf file, or of the first chunk of a .glb file; empty if it is too large. Throws
// Error.
std::string json_of(const std::string& path) {
  const RandomAccessFile file(path);
  std::array<std::uint32_t, 5> head{};
  std::uint64_t begin = 0, bytes = file.size();
  if (bytes >= sizeof head) {
    file.read_at(head.data(), sizeof head, 0);
    if (head.front() == kGlbMagic) {
      begin = sizeof head;
      bytes = std::min<std::uint64_t>(head[3], bytes - begin);
    }
  }
  if (bytes > kMostBytes) return "";
  std::string text(bytes, '\0');
  file.read_at(text.data(), text.size(), begin);
  return text;
}

}  // namespace

std::vector<std::string> files_named_by(const std::string& gltf) {
  UriCollector uris;
  try {
    visit_text(json_of(gltf), uris);
  } catch (const Error&) {
    return {};  // a command that reads the file says why
  }
  std::vector<std::string> files;
  for (const std::string& uri : uris.take()) {
    std::string file = gltf::named_file(gltf, uri);
    if (!file.empty()) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace skinbake
