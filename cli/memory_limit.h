// --max-memory: the operators new and delete of the program count what it holds. An allocation
// beyond the limit throws std::bad_alloc, as one does that the system refuses.

#pragma once

#include <cstdint>
#include <string_view>

namespace skinbake::cli {

inline constexpr std::uint64_t kUsualMemoryLimit = std::uint64_t{4} << 30;

// Bounds the memory of the process in bytes, and the freed memory that it keeps. Builds with
// sanitizers have no limit.
void limit_memory(std::uint64_t bytes);
std::uint64_t memory_limit();

// Notes what this thread does until the next call, for the message: "reading rig.glb".
void note_work(std::string_view work, std::string_view object = {});

// "out of memory while reading rig.glb; raise the limit of 48 MiB". Allocates nothing. The text is
// valid until the thread's next call.
std::string_view out_of_memory_text();

// Whether an allocation has failed.
bool memory_ran_out();

}  // namespace skinbake::cli
