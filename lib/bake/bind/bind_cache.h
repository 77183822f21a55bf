// The bind cache: its folder and its files.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/issue.h"
#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// ---- The files of the bind cache.
//
//   offset  type        field
//        0  char[8]     "SKBIND\0" and the version, 5
//        8  char[32]    the key, which is also the file's name: a hash of the bind's inputs, in
//                       hexadecimal digits
//       40  uint32[2]   numbers per entry, entries
//       48  uint32[]    first_entry, indices (of BindData)
//           float64[]   numbers
//      end  char[32]    XXH3-128 of everything before
//
// Little-endian. The checksum detects accidents; everything else in a file may be hostile.

// A rig and a key, and the form that bind data has for them.
struct BindContents {
  const BindInput& input;
  BindForm form;
  const std::string& key;
};

// Says which element of bind data contradicts the form. Empty: none does.
std::string fault_of(const BindData& bind_data, const BindContents& of);

// Reads a file of `size` bytes into bind data. read(span) must fill the span with the bytes that
// follow, and return whether it could. Returns what is wrong with the file; empty: nothing. Memory
// is allocated only for a file that is as large as its header says, within the form.
std::string read_bind(std::uint64_t size, const std::function<bool(std::span<char>)>& read,
                      const BindContents& of, BindData& bind_data);

// Calls write for each part of the file.
void write_bind(const BindData& bind_data, const std::string& key,
                const std::function<void(std::span<const char>)>& write);

// ---- The bind cache: a folder of binds, which later runs with the same mesh and method load. It
// stores the binds of methods with a form (methods/method.h); other binds take one pass over the
// vertices, which is faster than to read a file.
//
// The user or root must own the folder and its files, and neither others nor another group may
// write to them. Files are written aside and renamed, so that several programs may share a folder.

class BindCache {
 public:
  // plan.bind_cache is the folder. Issues are reported to plan.found. Throws Error (kInput,
  // BIND_CACHE_UNTRUSTED) if other users can write to it.
  BindCache(const BakePlan& plan, const BindContents& contents);

  // Returns nothing if the folder does not have the bind, or if its file is refused; an issue
  // then names the cause.
  std::optional<BindData> load();

  // Replaces the file. If it cannot be written, an issue reports it and the run continues.
  void store(const BindData& bind_data);

 private:
  void report(std::string_view code, const std::string& message) const;

  const BakePlan& plan_;
  BindContents contents_;
  std::string path_;
};

}  // namespace skinbake
