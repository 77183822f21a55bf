#include "gltf/document/open_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/file_kind.h"
#include "gltf/document/container.h"
#include "gltf/document/extensions.h"
#include "gltf/document/json_check.h"
#include "gltf/document/json_member.h"
#include "gltf/document/uri.h"
#include "gltf/read/loaders.h"
#include "gltf/write/source_document.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// Whether a buffer serves readers without EXT_meshopt_compression. Its bytes may be absent; they
// are needed only if an uncompressed view uses the buffer.
bool is_fallback(const json& buffer) {
  const auto extensions = buffer.find("extensions");
  if (extensions == buffer.end()) return false;
  return std::any_of(extensions->begin(), extensions->end(),
                     [](const json& extension) { return extension.value("fallback", false); });
}

// Returns, for each buffer, whether a view needs it, compressed or not.
std::vector<bool> used_buffers(const json& checked, const Document& document) {
  const auto buffers = checked.find("buffers");
  std::vector<bool> used(buffers == checked.end() ? 0 : buffers->size());
  const auto views = checked.find("bufferViews");
  if (views == checked.end()) return used;
  for (std::size_t v = 0; v < views->size(); ++v) {
    if (document.faults.contains("/bufferViews/" + std::to_string(v))) continue;
    const auto packed = document.meshopt_views.find(static_cast<int>(v));
    used[packed == document.meshopt_views.end() ? (*views)[v]["buffer"].get<std::size_t>()
                                                : packed->second.buffer] = true;
  }
  return used;
}

constexpr std::uint64_t kMostBinPadding = 3;  // a chunk ends at a multiple of four bytes

class BufferReader {
 public:
  BufferReader(Document& document, ByteSpan bin, bool has_bin)
      : document_(document), bin_(bin), has_bin_(has_bin) {}

  // Returns exactly the bytes that the buffer declares.
  ByteSpan read(std::size_t index, const json& buffer, bool is_used) {
    element_ = {describe("buffer", index, buffer.value("name", "")),
                "/buffers/" + std::to_string(index)};
    from_.clear();
    const std::uint64_t length = buffer.at("byteLength").get<std::uint64_t>();
    if (!is_used && is_fallback(buffer) && !(document_.source && buffer.contains("uri"))) return {};
    ByteSpan bytes;
    std::uint64_t padding = 0;
    if (const auto uri = buffer.find("uri"); uri != buffer.end()) {
      bytes = from_uri(uri->get_ref<const std::string&>());
    } else if (index == 0 && has_bin_) {
      bytes = bin_;
      padding = kMostBinPadding;
    } else {
      throw Error(
          "BUFFER_MISSING",
          element_.name + " does not have a uri, and the file does not have a binary chunk for it",
          {document_.path, element_.pointer}, "export the file again, with its buffers");
    }
    if (bytes.size() < length) {
      document_.decoded += bytes.size();
      document_.fail("BUFFER_TOO_SHORT", element_,
                     "has " + std::to_string(bytes.size()) + " bytes" + from_ + " but declares " +
                         std::to_string(length));
    }
    if (bytes.size() > length + padding) {
      document_.note("BUFFER_TOO_LONG", element_.pointer,
                     element_.name + " has " + std::to_string(bytes.size()) +
                         " bytes but declares " + std::to_string(length) +
                         "; the others are ignored");
    }
    return bytes.first(length);
  }

 private:
  ByteSpan from_uri(const std::string& uri) {
    if (is_data_uri(uri)) {
      UriData data = decode_data_uri(uri);
      if (!data.problem.empty()) document_.fail("URI_INVALID", element_, data.problem);
      return keep(std::move(data.bytes));
    }
    LinkedFile linked = read_linked(document_.path, uri, document_.allow_outside);
    if (linked.is_outside) refuse_outside(uri, linked.refusal);
    if (!linked.refusal.empty()) {
      document_.fail("URI_INVALID", element_,
                     "names " + in_quotes(uri) + ", which " + linked.refusal);
    }
    FileContent& content = linked.content;
    if (!content.problem.empty()) {
      document_.fail("BUFFER_MISSING", element_,
                     "names " + in_quotes(uri) + ", which " + content.problem);
    }
    const ByteSpan bytes = keep(std::move(content.bytes));
    document_.inputs.push_back(input_record("buffer", shown_path(linked.path), bytes));
    document_.files.push_back(linked.path);
    from_ = " in " + in_quotes(shown_path(linked.path));
    return bytes;
  }

  [[noreturn]] void refuse_outside(const std::string& uri, const std::string& why) const {
    document_.fail("URI_REFUSED", element_, "names " + in_quotes(uri) + ", which " + why);
  }

  ByteSpan keep(Bytes bytes) {
    document_.storage.push_back(std::move(bytes));
    return {document_.storage.back().data(), document_.storage.back().size()};
  }

  Document& document_;
  ByteSpan bin_;
  bool has_bin_;
  Element element_;
  std::string from_;  // " in 'run.bin'"; empty: not from a file of its own
};

// tinygltf reads the matrix only, so the JSON is searched.
void note_redundant_matrices(const json& checked, Document& document) {
  if (!checked.contains("nodes")) return;
  std::size_t i = 0;
  for (const json& node : checked["nodes"]) {
    const std::size_t number = i++;
    if (!node.contains("matrix")) continue;
    if (!node.contains("translation") && !node.contains("rotation") && !node.contains("scale")) {
      continue;
    }
    document.note("MATRIX_BESIDE_PARTS", "/nodes/" + std::to_string(number),
                  describe("node", number, node.value("name", "")) +
                      " has a matrix and a translation, rotation or scale; the matrix is used");
  }
}

// Reads the whole file into the document's storage.
ByteSpan read_whole(Document& document, const char* role) {
  const Element element{"the file", ""};
  FileContent content = read_file(document.path);
  if (!content.problem.empty()) {
    document.fail("FILE_UNREADABLE", element, content.problem);
  }
  document.storage.push_back(std::move(content.bytes));
  const ByteSpan file{document.storage.front().data(), document.storage.front().size()};
  document.inputs.push_back(input_record(role, document.shown_as, file));
  document.files.push_back(document.path);
  return file;
}

// The files that buffers and images name. Buffers and images that are read become files of the
// document too.
void note_named_files(const json& source, Document& document) {
  for (const char* array : {"buffers", "images"}) {
    if (!source.is_object() || !source.contains(array) || !source[array].is_array()) continue;
    for (const json& element : source[array]) {
      if (!element.is_object() || !element.contains("uri") || !element["uri"].is_string()) continue;
      std::string path = named_file(document.path, element["uri"].get<std::string>());
      if (!path.empty()) document.unread_files.push_back(std::move(path));
    }
  }
}

// A buffer that cannot be read is a fault of the parts that use it. A program that writes the file
// again needs all buffers.
void read_buffers(Document& document, const Container& container, const json& checked) {
  const std::vector<bool> used = used_buffers(checked, document);
  BufferReader reader(document, container.bin, container.has_bin);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const json& buffer = checked["buffers"][i];
    ByteSpan& bytes = document.buffers.emplace_back();
    const auto read = [&] { bytes = reader.read(i, buffer, used[i]); };
    const std::size_t kept = document.storage.size();
    if (document.source) {
      read();
    } else if (const Fault fault = document.fault_of(read)) {
      document.storage.resize(kept);
      const std::string pointer = "/buffers/" + std::to_string(i);
      document.faults.emplace(pointer, fault);
      if (used[i]) continue;
      document.note_fault(describe("buffer", i, buffer.value("name", "")), pointer, *fault);
    }
  }
}

// A document without content.
Document new_document(const std::string& path, const LoadOptions& options, Role role) {
  Document document;
  document.path = path;
  document.shown_as = shown_path(path);
  document.allow_outside = options.allow_outside;
  document.role = role;
  if (options.source && role == Role::kRig) document.source = std::make_shared<SourceDocument>();
  document.keeps_materials = options.materials && role == Role::kRig;
  document.keeps_normals = options.normals_are_kept;
  document.reads_tangents = options.tangents && role == Role::kRig;
  document.keeps_tangents = options.tangents_are_kept;
  return document;
}

// Refuses the JSON of a skinbake document, and JSON without any member of glTF.
void refuse_other_json(const Document& document, const json& source) {
  if (!source.is_object() || source.empty() || source.contains("asset")) return;
  const json& schema = member(source, "schema");
  const std::string name = schema.is_string() ? schema.get<std::string>() : "";
  if (name.starts_with("skinbake.")) refuse_schema(name, document.path);
  for (const char* list : {"accessors", "bufferViews", "buffers", "meshes", "nodes", "scenes"}) {
    if (source.contains(list)) return;
  }
  throw Error("FILE_KIND_UNSUPPORTED", "the file is JSON, but not glTF, which has a member 'asset'",
              {document.path, ""}, "export glTF 2.0 (.glb) from the program that wrote the file");
}

// Parses and checks the JSON, and loads what it alone contains.
json read_json(Document& document, std::string_view text) {
  json source = parse_json(document.path, text);
  refuse_other_json(document, source);
  json checked = checked_json(document, source);
  note_named_files(source, document);
  load_humanoid(document, source, checked.contains("nodes") ? checked["nodes"].size() : 0);
  note_spring_bones(document, source);
  find_special_nodes(source, document);
  load_face(document, source, checked);
  load_morph_names(document, source, checked);
  if (document.source) document.source->json = source;
  if (document.keeps_materials) document.json = std::make_shared<const json>(std::move(source));
  return checked;
}

}  // namespace

Document open_document(const std::string& path, const LoadOptions& options, Role role) {
  Document document = new_document(path, options, role);
  const ByteSpan file = read_whole(document, role == Role::kRig ? "rig" : "clip");
  const Container container = split_container(path, file);
  if (container.trailing_bytes != 0) {
    document.note("GLB_TRAILING_BYTES", "",
                  std::to_string(container.trailing_bytes) +
                      " bytes follow the length that the GLB declares; ignored");
  }
  if (container.ignored_chunks != 0) {
    document.note("GLB_CHUNK_IGNORED", "",
                  "chunks after the JSON and the binary chunk of the GLB: " +
                      std::to_string(container.ignored_chunks) + "; ignored",
                  static_cast<std::int64_t>(container.ignored_chunks));
  }
  json checked = read_json(document, container.json);
  take_extensions(checked, document);
  note_redundant_matrices(checked, document);
  read_buffers(document, container, checked);
  document.model = parse_model(std::move(checked), path);
  document.view_count = document.model.buffer_views.size();
  return document;
}

}  // namespace skinbake::gltf
