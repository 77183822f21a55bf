// The options of `skinbake batch`.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/option_groups.h"
#include "report/report_form.h"

namespace skinbake::cli {

enum class BatchProgress { kAuto, kAlways, kNever, kJson };

struct BatchOptions {
  CommonOptions common;
  std::string manifest;           // "-": standard input
  std::vector<std::string> set;   // KEY=VALUE
  std::vector<std::string> only;  // patterns of names
  bool schema = false, dry_run = false, json = false;
  int jobs = 0;  // tasks at a time; 0: by processors and memory
  bool fail_fast = false;
  std::string state;                // empty: beside the manifest
  std::vector<ReportFile> reports;  // files with the results of all tasks
  bool trust_mtime = false;
  std::uint64_t shard = 1, shards = 1;
  BatchProgress progress = BatchProgress::kAuto;
};

// `skinbake batch merge`.
struct MergeOptions {
  CommonOptions common;
  std::string manifest;
  std::vector<std::string> states;
  std::vector<std::string> set, only;
  std::vector<ReportFile> reports;  // files with the results of all tasks
};

// Return the exit code. Throw Error and UsageError.
int run_batch(BatchOptions options);
int run_batch_merge(MergeOptions options);

}  // namespace skinbake::cli
