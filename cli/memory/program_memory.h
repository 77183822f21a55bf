// The memory of the process itself, a part of --max-memory that no account of a command counts.

#pragma once

#include <cstdint>

#include "skinbake/memory.h"

namespace skinbake::cli {

// The pages of the program and its libraries that a run touches, their data, the stacks of the
// threads, and what the smallest files need: the peaks of all commands with the rigs of data/rigs
// are 11 to 16 MiB.
constexpr std::uint64_t kProgramMemory = std::uint64_t{16} << 20;

// What a figure of --max-memory leaves for the accounts of a command.
inline std::uint64_t memory_for_accounts(std::uint64_t figure) {
  return figure > program_memory() ? figure - program_memory() : 0;
}

// The figure that leaves these bytes.
inline std::uint64_t figure_for_accounts(std::uint64_t bytes) {
  return saturated_sum(bytes, program_memory());
}

}  // namespace skinbake::cli
