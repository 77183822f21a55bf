// A glTF file taken apart: its JSON checked and parsed, its buffers in memory.

#pragma once

#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
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

struct Document {
  std::string path;               // as typed
  std::string shown_as;           // in issues and reports: never an absolute path
  tinygltf::Model model;          // structure only: buffers and images are not in it
  int no_view = 0;                // accessors of this buffer view have none
  std::vector<ByteSpan> buffers;  // [buffer]; empty: provided by an extension
  std::vector<Bytes> storage;     // owns what `buffers` shows
  std::map<std::string, std::string> extension_uses;  // name to the pointer of its first use
  std::vector<InputFile> inputs;
  std::vector<std::string> files;  // the same, as they can be opened
  std::vector<HumanoidBone> humanoid;
  Issues issues;
  MemoryBudget budget;

  // Throws an Error that names the element.
  [[noreturn]] void fail(const char* code, const Element& element, const std::string& what) const;
  void note(IssueCode code, std::string pointer, std::string message, std::int64_t count = 1);
  // Throws unless `count` things of `size` bytes fit into the budget.
  void reserve(std::uint64_t count, std::uint64_t size, const Element& element);
  bool uses(const char* extension) const { return extension_uses.contains(extension); }
};

// What a report says of a file that was read.
InputFile input_record(const char* role, const std::string& path, ByteSpan bytes);

// Reads the file and its buffers. Structure is checked: types, references, lengths.
Document open_document(const std::string& path);

// Throws Error if the file needs an extension that changes geometry and is not supported.
void check_extensions(Document& document);

// "mesh 'Body'", "node 3": how messages name the element `index` of the array `kind` + "s".
std::string describe(const char* kind, std::size_t index, const std::string& name);

}  // namespace skinbake::gltf
