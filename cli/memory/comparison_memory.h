// The parts of --max-memory that comparisons of frames and of surfaces have in common.

#pragma once

#include <cstdint>

#include "skinbake/bake.h"
#include "skinbake/memory.h"

namespace skinbake::cli {

// What a report and its pages write of each result.
struct ResultText {
  std::uint64_t documents = 0;  // the report and its pages
  bool lists_vertices = false;  // numbers per vertex, in the report
};

// The bytes of the errors of `frames` frames of `vertices` vertices or points, and of their text.
std::uint64_t result_bytes(std::uint64_t vertices, std::uint64_t frames);
std::uint64_t text_bytes(std::uint64_t vertices, std::uint64_t frames, const ResultText& text);

// Adds the errors of `frames` frames of `vertices` vertices or points, and their text.
void hold_result(std::uint64_t vertices, std::uint64_t frames, const ResultText& text,
                 MemoryPlan& plan);

// Adds a bake into temporary frames, which are not in `bake`.
void use_bake(const BakePlan& bake, MemoryPlan& plan);

// The bytes of a block of both sides while their errors are measured.
std::uint64_t compared_block(std::uint64_t vertices, std::uint64_t frames);

}  // namespace skinbake::cli
