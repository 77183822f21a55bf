#include "gltf/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "gltf/compressed.h"
#include "gltf/container.h"
#include "gltf/forecast.h"
#include "gltf/humanoid.h"
#include "gltf/linked_file.h"
#include "gltf/looks.h"
#include "gltf/shape.h"
#include "gltf/uri.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// EXT_meshopt_compression: a buffer for readers without the extension. Only if a view shows it as
// it is are its bytes needed, and there may be none.
bool is_fallback(const json& buffer) {
  const auto extensions = buffer.find("extensions");
  if (extensions == buffer.end()) return false;
  return std::any_of(extensions->begin(), extensions->end(),
                     [](const json& extension) { return extension.value("fallback", false); });
}

std::vector<bool> plainly_used_buffers(const json& shaped, const Document& document) {
  const auto buffers = shaped.find("buffers");
  std::vector<bool> used(buffers == shaped.end() ? 0 : buffers->size());
  const auto views = shaped.find("bufferViews");
  if (views == shaped.end()) return used;
  for (std::size_t v = 0; v < views->size(); ++v) {
    const auto packed = document.meshopt_views.find(static_cast<int>(v));
    used[packed == document.meshopt_views.end() ? (*views)[v]["buffer"].get<std::size_t>()
                                                : packed->second.buffer] = true;
  }
  return used;
}

class BufferReader {
 public:
  BufferReader(Document& document, ByteSpan bin, bool has_bin)
      : document_(document), bin_(bin), has_bin_(has_bin) {}

  // The bytes of a buffer, exactly as many as it declares.
  ByteSpan read(std::size_t index, const json& buffer, bool is_used) {
    element_ = {describe("buffer", index, buffer.value("name", "")),
                "/buffers/" + std::to_string(index)};
    const std::uint64_t length = buffer.at("byteLength").get<std::uint64_t>();
    if (!is_used && is_fallback(buffer)) return {};
    ByteSpan bytes;
    if (const auto uri = buffer.find("uri"); uri != buffer.end()) {
      bytes = from_uri(uri->get_ref<const std::string&>());
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
    LinkedFile linked = read_linked(document_, uri);
    if (linked.is_outside) refuse_outside(uri, linked.refusal);
    if (!linked.refusal.empty()) {
      document_.fail("URI_REFUSED", element_,
                     "names " + in_quotes(uri) + ", which " + linked.refusal +
                         "; write the path of a file beside the glTF, or export as .glb");
    }
    FileContent& content = linked.content;
    if (content.too_large != 0) document_.reserve(content.too_large, 1, element_);
    if (!content.problem.empty()) {
      document_.fail("BUFFER_MISSING", element_,
                     "names " + in_quotes(shown_path(linked.path)) + ", which " + content.problem +
                         "; put the file there or export as .glb");
    }
    document_.reserve(content.bytes.size(), 1, element_);
    const ByteSpan bytes = keep(std::move(content.bytes));
    document_.inputs.push_back(input_record("buffer", shown_path(linked.path), bytes));
    document_.files.push_back(linked.path);
    return bytes;
  }

  [[noreturn]] void refuse_outside(const std::string& uri, const std::string& why) const {
    document_.fail("URI_REFUSED", element_,
                   "names " + in_quotes(uri) + ", which " + why +
                       "; put it beside the glTF or below, or give --allow-outside if you trust "
                       "the file");
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

// tinygltf keeps the matrix alone.
void note_matrices_beside_parts(const json& shaped, Document& document) {
  if (!shaped.contains("nodes")) return;
  std::size_t i = 0;
  for (const json& node : shaped["nodes"]) {
    const std::size_t number = i++;
    if (!node.contains("matrix")) continue;
    if (!node.contains("translation") && !node.contains("rotation") && !node.contains("scale")) {
      continue;
    }
    document.note(IssueCode::MATRIX_BESIDE_PARTS, "/nodes/" + std::to_string(number),
                  describe("node", number, node.value("name", "")) +
                      " has a matrix and a translation, rotation or scale; the matrix is used");
  }
}

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
void parse_structure(json shaped, Document& document) {
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
  shaped = nullptr;  // tinygltf makes its own
  std::string error, warning;
  if (!parser.LoadASCIIFromString(&document.model, &error, &warning, text.c_str(),
                                  static_cast<unsigned int>(text.size()), "",
                                  tinygltf::NO_REQUIRE)) {
    for (char& c : error) c = c == '\n' ? ' ' : c;
    document.fail("GLTF_INVALID", {"the file", ""},
                  "cannot be read: " + error + "; report the file, please");
  }
}

}  // namespace

InputFile input_record(const char* role, const std::string& shown_as, ByteSpan bytes) {
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return {role, shown_as, bytes.size(), hash.hex()};
}

std::string shown_path(const std::string& path) {
  return path.starts_with('/') ? path.substr(path.rfind('/') + 1) : path;
}

void Document::fail(const char* code, const Element& element, const std::string& what) const {
  throw Error(ErrorKind::kInput, code, element.name + " " + what, {path, element.pointer});
}

void Document::note(IssueCode code, std::string pointer, std::string message, std::int64_t count) {
  constexpr std::size_t kMostPlaces = 10'000;  // a hostile file has a finding every few bytes
  std::vector<std::size_t>& places = noted[code];
  if (places.size() == kMostPlaces) {
    issues[places.back()].count += count;
    return;
  }
  places.push_back(issues.size());
  issues.push_back(make_issue(code, shown_as, std::move(pointer), std::move(message), count));
}

void Document::reserve(std::uint64_t count, std::uint64_t size, const Element& element) {
  if (budget.take(count, size)) return;
  const std::uint64_t needed = saturated_sum(budget.taken(), saturated_product(count, size));
  fail("MEMORY_LIMIT", element, over_the_limit(needed, budget.limit()));
}

std::string describe(const char* kind, std::size_t index, const std::string& name) {
  std::string text = kind;
  return name.empty() ? text + " " + std::to_string(index) : text + " " + in_quotes(name);
}

namespace {

// The whole file, into the document's storage.
ByteSpan read_whole(Document& document, const char* role) {
  const Element element{"the file", ""};
  FileContent content = read_file(document.path, document.budget.limit());
  if (content.too_large != 0) document.reserve(content.too_large, 1, element);
  if (!content.problem.empty()) {
    document.fail("FILE_UNREADABLE", element, content.problem + "; check the path");
  }
  document.reserve(content.bytes.size(), 1, element);
  document.storage.push_back(std::move(content.bytes));
  const ByteSpan file{document.storage.front().data(), document.storage.front().size()};
  document.inputs.push_back(input_record(role, document.shown_as, file));
  document.files.push_back(document.path);
  return file;
}

void read_buffers(Document& document, const Container& container, const json& shaped) {
  const std::vector<bool> used = plainly_used_buffers(shaped, document);
  BufferReader reader(document, container.bin, container.has_bin);
  for (std::size_t i = 0; i < used.size(); ++i) {
    document.buffers.push_back(reader.read(i, shaped["buffers"][i], used[i]));
  }
}

}  // namespace

Document open_document(const std::string& path, const LoadOptions& options, Role role) {
  Document document;
  document.path = path;
  document.shown_as = shown_path(path);
  document.budget = MemoryBudget(options.max_memory);
  document.allow_outside = options.allow_outside;
  document.role = role;
  document.keeps_looks = options.extras && role == Role::kRig;
  document.keeps_normals = options.normals_are_kept;
  document.reads_tangents = options.tangents && role == Role::kRig;
  document.keeps_tangents = options.tangents_are_kept;
  const ByteSpan file = read_whole(document, role == Role::kRig ? "rig" : "clip");
  const Container container = split_container(document, file);
  if (container.trailing_bytes != 0) {
    document.note(IssueCode::GLB_TRAILING_BYTES, "",
                  std::to_string(container.trailing_bytes) +
                      " bytes follow the length that the GLB declares; ignored");
  }
  json shaped;
  {
    json source = parse_json(document, container.json);
    shaped = shape_document(document, source);
    take_humanoid(document, source, shaped.contains("nodes") ? shaped["nodes"].size() : 0);
    if (document.keeps_looks) document.looks = take_looks(source);
  }
  require_memory(document, forecast(shaped, role == Role::kRig));
  take_extensions(shaped, document);
  note_matrices_beside_parts(shaped, document);
  read_buffers(document, container, shaped);
  shaped.erase("buffers");
  number_missing_views(shaped, document);
  parse_structure(std::move(shaped), document);
  return document;
}

}  // namespace skinbake::gltf
