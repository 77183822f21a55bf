// The files of the bind cache.
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

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "methods/bind/bind_form.h"
#include "methods/method.h"

namespace skinbake {

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
// is allocated only for a file whose size is that of its header, and within the form.
std::string read_bind(std::uint64_t size, const std::function<bool(std::span<char>)>& read,
                      const BindContents& of, BindData& bind_data);

// Calls write for each part of the file.
void write_bind(const BindData& bind_data, const std::string& key,
                const std::function<void(std::span<const char>)>& write);

}  // namespace skinbake
