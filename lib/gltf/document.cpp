#include "gltf/document.h"
#include "gltf/humanoid.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "gltf/container.h"
#include "gltf/shape.h"
#include "gltf/uri.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// The folder of a path with its slash, or nothing.
std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

std::string shown_path(const std::string& path) {
  return path.starts_with('/') ? path.substr(path.rfind('/') + 1) : path;
}

// EXT_meshopt_compression: a buffer that only tells older readers how large it would be.
bool is_fallback(const json& buffer) {
  const auto extensions = buffer.find("extensions");
  if (extensions == buffer.end() || !extensions->is_object()) return false;
  for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
    const auto extension = extensions->find(name);
    if (extension == extensions->end() || !extension->is_object()) continue;
    const auto flag = extension->find("fallback");
    if (flag != extension->end() && flag->is_boolean() && flag->get<bool>()) return true;
  }
  return false;
}

class BufferReader {
 public:
  BufferReader(Document& document, ByteSpan bin, bool has_bin)
      : document_(document), bin_(bin), has_bin_(has_bin) {}

  // The bytes of a buffer, exactly as many as it declares.
  ByteSpan read(std::size_t index, const json& buffer, bool fallback) {
    element_ = {describe("buffer", index, buffer.value("name", "")),
                "/buffers/" + std::to_string(index)};
    const std::uint64_t length = buffer.at("byteLength").get<std::uint64_t>();
    ByteSpan bytes;
    if (const auto uri = buffer.find("uri"); uri != buffer.end()) {
      bytes = from_uri(uri->get_ref<const std::string&>());
    } else if (fallback) {
      return {};
    } else if (index == 0 && has_bin_) {
      bytes = bin_;
    } else {
      document_.fail("BUFFER_MISSING", element_,
                     "has no uri and there is no binary chunk for it; re-export the file");
    }
    if (bytes.size() < length) {
      document_.fail("BUFFER_TOO_SHORT", element_,
                     "has " + std::to_string(bytes.size()) + " bytes, " + std::to_string(length) +
                         " declared; the file is cut off or was changed: export or copy it again");
    }
    return bytes.first(length);
  }

 private:
  ByteSpan from_uri(const std::string& uri) {
    if (is_data_uri(uri)) {
      document_.reserve(uri.size(), 1, element_);
      std::optional<Bytes> data = decode_data_uri(uri);
      if (!data) {
        document_.fail("URI_INVALID", element_, "has a broken data URI; re-export the file");
      }
      return keep(std::move(*data));
    }
    const RelativePath relative = relative_path(uri);
    if (!relative.refusal.empty()) {
      document_.fail("URI_REFUSED", element_,
                     "names " + in_quotes(uri) + ", which " + relative.refusal +
                         "; buffers must be files beside the glTF or below it");
    }
    const std::string file = folder_of(document_.path) + relative.path;
    FileContent content = read_file(file);
    if (!content.problem.empty()) {
      document_.fail("BUFFER_MISSING", element_,
                     "names " + in_quotes(file) + ", which " + content.problem +
                         "; put the file there or export as .glb");
    }
    document_.reserve(content.bytes.size(), 1, element_);
    const ByteSpan bytes = keep(std::move(content.bytes));
    document_.inputs.push_back(input_record("buffer", file, bytes));
    document_.files.push_back(file);
    return bytes;
  }

  ByteSpan keep(Bytes bytes) {
    document_.storage.push_back(std::move(bytes));
    return {document_.storage.back().data(), document_.storage.back().size()};
  }

  Document& document_;
  ByteSpan bin_;
  bool has_bin_;
  Element element_;
};

// tinygltf refuses indices without a buffer view, which sparse accessors may have: they get the
// number of an extra, empty view.
void number_missing_views(json& shaped, Document& document) {
  json& views = shaped["bufferViews"];
  if (!views.is_array()) views = json::array();
  document.no_view = static_cast<int>(views.size());
  views.push_back({{"buffer", 0}, {"byteLength", 0}});
  if (!shaped.contains("accessors")) return;
  for (json& accessor : shaped["accessors"]) {
    if (!accessor.contains("bufferView")) accessor["bufferView"] = document.no_view;
  }
}

// tinygltf sees a document without images and buffers, so that it has nothing to decode and no
// file to open; the callbacks make sure of it.
void parse_structure(const json& shaped, Document& document) {
  tinygltf::TinyGLTF parser;
  parser.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int,
                           const unsigned char*, int, void*) { return true; },
                        nullptr);
  tinygltf::FsCallbacks no_files{};
  no_files.FileExists = [](const std::string&, void*) { return false; };
  no_files.ExpandFilePath = [](const std::string& path, void*) { return path; };
  no_files.ReadWholeFile = [](std::vector<unsigned char>*, std::string*, const std::string&,
                              void*) { return false; };
  no_files.WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&,
                               void*) { return false; };
  parser.SetFsCallbacks(no_files);

  const std::string text = shaped.dump();
  std::string error, warning;
  if (!parser.LoadASCIIFromString(&document.model, &error, &warning, text.c_str(),
                                  static_cast<unsigned int>(text.size()), "",
                                  tinygltf::NO_REQUIRE)) {
    for (char& c : error) c = c == '\n' ? ' ' : c;
    document.fail("GLTF_INVALID", {"the file", ""}, "cannot be read: " + error);
  }
}

}  // namespace

void Document::fail(const char* code, const Element& element, const std::string& what) const {
  throw Error(ErrorKind::kInput, code, element.name + " " + what, {path, element.pointer});
}

void Document::note(IssueCode code, std::string pointer, std::string message, std::int64_t count) {
  issues.push_back(make_issue(code, shown_as, std::move(pointer), std::move(message), count));
}

void Document::reserve(std::uint64_t count, std::uint64_t size, const Element& element) {
  if (budget.take(count, size)) return;
  fail("MEMORY_LIMIT", element, "would take the file over 4 GiB of memory; split it");
}

std::string describe(const char* kind, std::size_t index, const std::string& name) {
  std::string text = kind;
  return name.empty() ? text + " " + std::to_string(index) : text + " " + in_quotes(name);
}

InputFile input_record(const char* role, const std::string& path, ByteSpan bytes) {
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return {role, shown_path(path), bytes.size(), hash.hex()};
}

Document open_document(const std::string& path) {
  Document document;
  document.path = path;
  document.shown_as = shown_path(path);
  FileContent content = read_file(path);
  if (!content.problem.empty()) {
    document.fail("FILE_UNREADABLE", {"the file", ""}, content.problem + "; check the path");
  }
  document.reserve(content.bytes.size(), 1, {"the file", ""});
  document.storage.push_back(std::move(content.bytes));
  const ByteSpan file{document.storage.front().data(), document.storage.front().size()};
  document.inputs.push_back(input_record("rig", path, file));
  document.files.push_back(document.path);

  const Container container = split_container(document, file);
  const json source = parse_json(document, container.json);
  json shaped = shape_document(document, source);
  BufferReader reader(document, container.bin, container.has_bin);
  if (shaped.contains("buffers")) {
    for (std::size_t i = 0; i < shaped["buffers"].size(); ++i) {
      document.buffers.push_back(
          reader.read(i, shaped["buffers"][i], is_fallback(source["buffers"][i])));
    }
    shaped.erase("buffers");
  }
  number_missing_views(shaped, document);
  parse_structure(shaped, document);
  document.humanoid = humanoid_map(source, document.model.nodes.size());
  return document;
}

}  // namespace skinbake::gltf
