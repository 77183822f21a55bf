// --max-memory: the memory that the results of a library take, pair by pair.

#pragma once

#include <cstdint>
#include <string>

#include "diff/options.h"
#include "memory/comparison_memory.h"
#include "report/report.h"
#include "skinbake/memory.h"

namespace skinbake::cli {

// Results are kept until the report is written. The counts of a pair are known only when it is
// opened, so a library is refused when its results so far exceed the limit. The message then names
// the memory that all results would take if the rest were like those.
class LibraryMemory {
 public:
  explicit LibraryMemory(const DiffOptions& options);

  // Adds a mesh of the report.
  void hold(const Rig& rig);
  // Adds the newest run of a mesh, whose readers held some bytes.
  void hold(const RunRecord& run, const Rig& rig, std::uint64_t of_readers);

  std::uint64_t held() const { return plan_.held(); }
  // Whether the results and a comparison like the largest so far exceed the limit.
  bool is_full() const { return plan_.bytes() > limit_; }

  // `done`: the part of the work behind these results, above 0 and at most 1. Throws Error (kInput,
  // MEMORY_LIMIT).
  void require(double done, const std::string& path) const;

 private:
  std::uint64_t limit_;
  ResultText text_;
  MemoryPlan plan_;
};

}  // namespace skinbake::cli
