#include "batch/files/orphans.h"

#include <filesystem>
#include <system_error>

#include "batch/files/possible_outputs.h"

namespace skinbake::cli {

void remove_orphans(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                    std::span<const std::string> others) {
  PossibleOutputs possible;
  for (const std::uint64_t t : tasks) {
    for (const std::string& output : plan.outputs(plan.tasks()[t])) possible.add(output);
  }
  for (const std::string& other : others) {
    if (!other.empty()) possible.add(other);
  }
  for (const std::string& folder : possible.folders()) {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (const std::filesystem::directory_iterator end; !error && entry != end;
         entry.increment(error)) {
      const std::string path = entry->path().string();
      std::error_code ignored;  // it does no harm
      if (possible.have_temporary(path)) std::filesystem::remove(path, ignored);
    }
  }
}

}  // namespace skinbake::cli
