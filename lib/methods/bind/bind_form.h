// The form of a method's bind data, with which the bind cache checks a file before a method reads
// it: anybody can write a file with a right checksum.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "methods/method.h"

namespace skinbake {

// The entries of one vertex.
struct BindEntries {
  std::span<const std::uint32_t> indices;
  std::span<const double> numbers;
};

// Bind data with this form does not have parts, and has a list of entries for every vertex.
struct BindForm {
  std::uint32_t numbers_per_entry;
  std::uint64_t most_entries;  // of all vertices together
  // Says why `bind` cannot return these entries, as "its index 7 is not 0". Empty if it can.
  // Numbers are finite.
  std::string (*fault)(const BindInput& input, const BindEntries& entries);
};

}  // namespace skinbake
