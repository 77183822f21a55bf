// A glTF file in memory: its checked and parsed JSON, its buffers, and the findings of loading it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/issue.h"
#include "gltf/document/linked_file.h"
#include "gltf/document/message_text.h"
#include "gltf/document/model.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"

namespace skinbake {
struct SourceDocument;
}

namespace skinbake::gltf {

// A buffer view that EXT_meshopt_compression or KHR_meshopt_compression compresses.
struct MeshoptView {
  std::string extension;  // name of the extension
  std::size_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint64_t byte_length = 0;
  std::uint64_t byte_stride = 0;  // bytes of a decoded element
  std::uint64_t count = 0;
  std::string mode;
  std::string filter;
  bool is_decoded = false;
  ByteSpan decoded;  // [count][byte_stride]
};

// A primitive that KHR_draco_mesh_compression compresses.
struct DracoPrimitive {
  int view = 0;
  std::map<std::string, std::uint32_t> attributes;  // name to id in the Draco mesh
};

// The error for which an element is not read; null: it is read.
using Fault = std::shared_ptr<const Error>;

// The part of a file that is loaded.
enum class Role {
  kRig,   // meshes, skins and clips
  kClip,  // nodes and clips only
};

struct Document {
  std::string path;                          // as the caller passed it
  std::string shown_as;                      // the path in issues and reports, never absolute
  Model model;                               // also gets the accessors of decoded primitives
  std::size_t view_count = 0;                // the file's buffer views; further ones are decoded
  std::vector<ByteSpan> buffers;             // [buffer]; empty: an extension provides the bytes
  std::vector<Bytes> storage;                // owns the bytes of `buffers`
  std::map<int, MeshoptView> meshopt_views;  // by buffer view
  std::map<std::pair<int, int>, DracoPrimitive> draco_primitives;  // by mesh and primitive
  std::map<std::pair<int, int>, std::string> animation_pointers;   // by animation and channel
  std::vector<int> hidden_nodes;     // by KHR_node_visibility, ascending
  std::vector<int> instanced_nodes;  // by EXT_mesh_gpu_instancing, ascending
  // [node] The first fault of the node and of the nodes above it; empty: no node has one.
  std::vector<Fault> node_faults;
  std::map<std::string, Fault> faults;  // by the pointer of an element whose JSON is broken
  int scene = -1;                       // -1: the file does not have scenes
  std::map<std::string, std::string> extension_uses;  // name to the pointer of its first use
  std::vector<InputFile> inputs;
  std::vector<std::string> files;         // paths of the inputs, for opening them
  std::vector<std::string> unread_files;  // as in Asset
  HumanoidMap humanoid;
  Face face;             // of a VRM model
  FaceNodes face_nodes;  // of a VRM animation
  MorphNames morph_names;
  Issues issues;
  IssueLimit noted;  // of `issues`
  bool allow_outside = false;
  bool keeps_materials = false;                // LoadOptions::materials
  bool keeps_normals = false;                  // LoadOptions::normals_are_kept
  bool reads_tangents = false;                 // LoadOptions::tangents
  bool keeps_tangents = false;                 // LoadOptions::tangents_are_kept
  std::shared_ptr<const nlohmann::json> json;  // the file's, with LoadOptions::materials
  std::shared_ptr<SourceDocument> source;      // with LoadOptions::source; else null
  Role role = Role::kRig;
  std::uint64_t decoded = 0, wasted = 0;  // numbers and bytes; `wasted`: for broken elements

  // Throws Error (kInput) at the element.
  [[noreturn]] void fail(const char* code, const Element& element, const std::string& what) const;
  // Adds an issue. Beyond the first thousands of a code, only the count of the last one grows.
  void note(std::string_view code, std::string pointer, std::string message,
            std::int64_t count = 1);
  bool uses(const char* extension) const { return extension_uses.contains(extension); }

  // Calls `read` for an element and returns the error of the file that it throws. A hostile file
  // can have many elements that are decoded before they fail: beyond seconds, or a hundred thousand
  // messages, the error ends the load.
  template <class Read>
  Fault fault_of(const Read& read) {
    constexpr std::uint64_t kMostWasted = 100'000'000, kOfMessage = 1'000;
    const std::uint64_t before = decoded;
    try {
      read();
    } catch (const Error& error) {
      wasted += decoded - before + kOfMessage;
      if (error.kind() != ErrorKind::kInput || wasted > kMostWasted) throw;
      return std::make_shared<const Error>(error);
    }
    return nullptr;
  }
  // Throws the fault of the JSON of an element: "meshes", 3.
  void require_element(const char* list, int index) const;
  // Adds the issue PART_NOT_READ: the part, "clip 'run'", has the fault.
  void note_fault(const std::string& part, std::string pointer, const Error& fault);
};

}  // namespace skinbake::gltf
