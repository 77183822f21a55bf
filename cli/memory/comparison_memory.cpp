#include "memory/comparison_memory.h"

#include <algorithm>

#include "skinbake/metrics.h"

namespace skinbake::cli {

namespace {

constexpr std::uint64_t kPosition = 3 * sizeof(float);
// The largest error of a vertex with its frame, and its root mean square.
constexpr std::uint64_t kOfVertex = 2 * sizeof(double) + sizeof(std::int64_t);
// A difference has its errors, of which a run has a copy; a report copies the runs of its meshes.
constexpr std::uint64_t kCopies = 4;
constexpr std::uint64_t kNumbersOfFrame = 6, kNumbersOfVertex = 3;
constexpr std::uint64_t kFrameText = 60, kVertexText = 24;  // of a number, in a text that has grown

}  // namespace

std::uint64_t result_bytes(std::uint64_t vertices, std::uint64_t frames) {
  return vertices * kOfVertex + frames * kNumbersOfFrame * sizeof(double);
}

std::uint64_t text_bytes(std::uint64_t vertices, std::uint64_t frames, const ResultText& text) {
  const std::uint64_t listed = text.lists_vertices ? vertices * kNumbersOfVertex : 0;
  return text.documents * frames * kNumbersOfFrame * kFrameText + listed * kVertexText;
}

void hold_result(std::uint64_t vertices, std::uint64_t frames, const ResultText& text,
                 MemoryPlan& plan) {
  plan.hold("the results", kCopies * result_bytes(vertices, frames));
  plan.hold("the text of the report", text_bytes(vertices, frames, text));
}

void use_bake(const BakePlan& bake, MemoryPlan& plan) {
  const BakeMemory memory = memory_of(bake);
  const std::uint64_t stored = bake.rig->mesh->vertex_count() * kPosition * kFramesPerBlock;
  plan.use("16 frames of a mesh", memory.rigs + std::max(memory.bind, memory.block + stored));
}

std::uint64_t compared_block(std::uint64_t vertices, std::uint64_t frames) {
  const ErrorMemory error = error_memory(static_cast<VertexIndex>(vertices));
  const std::uint64_t in_block = std::min<std::uint64_t>(frames, kFramesPerBlock);
  return vertices * 2 * kPosition * in_block + error.state + error.result;
}

}  // namespace skinbake::cli
