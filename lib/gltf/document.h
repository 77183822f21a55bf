// A glTF file taken apart: its JSON checked and parsed, its buffers in memory.

#pragma once

#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_array.h"
#include "base/issue.h"
#include "gltf/budget.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

using Bytes = AlignedArray<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

// What messages call a part of the file, and where it is.
struct Element {
  std::string name;     // "mesh 'Body' primitive 2, JOINTS_0"
  std::string pointer;  // "/meshes/0/primitives/2/attributes/JOINTS_0"
};

// A buffer view whose bytes are packed by EXT_meshopt_compression or KHR_meshopt_compression.
struct MeshoptView {
  std::string extension;  // its name
  std::size_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint64_t byte_length = 0;
  std::uint64_t byte_stride = 0;  // of an element, unpacked
  std::uint64_t count = 0;
  std::string mode;
  std::string filter;
  bool is_decoded = false;
  ByteSpan decoded;  // [count][byte_stride]
};

// A primitive packed by KHR_draco_mesh_compression.
struct DracoPrimitive {
  int view = 0;
  std::map<std::string, std::uint32_t> attributes;  // name to number in the packed mesh
};

// What is wanted of a file.
enum class Role { kRig, kClip };

struct Document {
  std::string path;                          // as typed
  std::string shown_as;                      // in issues and reports: never an absolute path
  tinygltf::Model model;                     // structure only: buffers and images are not in it
  int no_view = 0;                           // accessors of this buffer view have none
  std::vector<ByteSpan> buffers;             // [buffer]; empty: provided by an extension
  std::vector<Bytes> storage;                // owns what `buffers` shows
  std::map<int, MeshoptView> meshopt_views;  // by buffer view
  std::map<std::pair<int, int>, DracoPrimitive> draco_primitives;  // by mesh and primitive
  std::map<std::pair<int, int>, std::string> animation_pointers;   // by animation, channel
  int scene = -1;                                     // -1: the file has none, every root counts
  std::map<std::string, std::string> extension_uses;  // name to the pointer of its first use
  std::vector<InputFile> inputs;
  std::vector<std::string> files;  // the same, as they can be opened
  std::vector<HumanoidBone> humanoid;
  Issues issues;
  std::map<IssueCode, std::vector<std::size_t>> noted;  // where in `issues` a code stands
  MemoryBudget budget{LoadOptions{}.max_memory};
  bool allow_outside = false;
  bool keeps_looks = false;                     // the extras are wanted too
  bool keeps_normals = false;                   // then: and normals go where they go
  bool reads_tangents = false;                  // of meshes that have normals
  bool keeps_tangents = false;                  // then: and they go where the extras go
  std::shared_ptr<const nlohmann::json> looks;  // then: the file's JSON of what they are made of
  Role role = Role::kRig;

  // Throws an Error that names the element.
  [[noreturn]] void fail(const char* code, const Element& element, const std::string& what) const;
  // Keeps the first thousands of places of a code; later ones only count.
  void note(IssueCode code, std::string pointer, std::string message, std::int64_t count = 1);
  // The forecast said that there is enough; this is the second lock on the same door. Throws unless
  // `count` things of `size` bytes fit into the budget.
  void reserve(std::uint64_t count, std::uint64_t size, const Element& element);
  bool uses(const char* extension) const { return extension_uses.contains(extension); }
};

// Reads the file and its buffers. Structure is checked: types, references, lengths; and that what
// it declares keeps within options.max_memory.
Document open_document(const std::string& path, const LoadOptions& options, Role role);

// Throws Error if the file needs an extension that changes geometry and is not supported.
void check_extensions(Document& document);

// A file that was read, as reports list it.
InputFile input_record(const char* role, const std::string& shown_as, ByteSpan bytes);

// A path as issues and reports show it: the file name alone if it is absolute.
std::string shown_path(const std::string& path);

// "mesh 'Body'", "node 3": how messages name the element `index` of the array `kind` + "s".
std::string describe(const char* kind, std::size_t index, const std::string& name);

}  // namespace skinbake::gltf
