#include "diff/library/memory.h"

#include "diff/conclusion.h"
#include "outputs/output_paths.h"

namespace skinbake::cli {

namespace {

// Records, names, paths and checks of a result; and their text in a report or on a page.
constexpr std::uint64_t kOfRecord = 6000, kOfRecordText = 5000;
constexpr std::uint64_t kCopies = 2;  // of a run: the report's, and that which is written

}  // namespace

LibraryMemory::LibraryMemory(const DiffOptions& options)
    : limit_(options.load.max_memory), text_(text_of(options)) {}

void LibraryMemory::hold(const Rig& rig) {
  plan_.hold("the meshes", memory_of(rig) + memory_of(*rig.mesh));
}

void LibraryMemory::hold(const RunRecord& run, const Rig& rig, std::uint64_t of_readers) {
  const auto vertices = static_cast<std::uint64_t>(run.error->per_vertex.max.size()),
             frames = static_cast<std::uint64_t>(run.error->per_frame.max.size());
  plan_.hold("the results", kOfRecord + kCopies * result_bytes(vertices, frames));
  plan_.hold("the text of the report",
             text_bytes(vertices, frames, text_) + text_.documents * kOfRecordText);
  plan_.use("16 frames of both sides",
            of_readers + compared_block(rig.mesh->vertex_count(), frames));
}

void LibraryMemory::require(double done, const std::string& path) const {
  if (!is_full()) return;
  MemoryPlan all = plan_;
  all.hold("the results of the other pairs",
           static_cast<std::uint64_t>(static_cast<double>(held()) * (1 / done - 1)));
  all.require(limit_, "the comparison of the libraries",
              "compare fewer files, or write fewer pages", {shown(path), ""});
}

}  // namespace skinbake::cli
