// The options of `skinbake batch`.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "options/option_groups.h"

namespace skinbake::cli {

enum class BatchProgress { kAuto, kAlways, kNever, kJson };

// The files with the results of all tasks. Empty: not requested; "-": standard output.
struct BatchPages {
  std::string summary, junit, markdown;
  std::string html;  // an overview, with the page of each report beside it; never "-"

  bool use_stdout() const { return summary == "-" || junit == "-" || markdown == "-"; }

  // With their options.
  std::array<std::pair<const char*, const std::string*>, 4> named() const {
    return {{{"--summary", &summary},
             {"--junit", &junit},
             {"--markdown", &markdown},
             {"--html", &html}}};
  }
};

struct BatchOptions {
  CommonOptions common;
  std::string manifest;           // "-": standard input
  std::vector<std::string> set;   // KEY=VALUE
  std::vector<std::string> only;  // patterns of names
  bool schema = false, dry_run = false, json = false;
  int jobs = 0;  // tasks at a time; 0: by processors and memory
  std::uint64_t max_memory = std::uint64_t{4} << 30;
  bool fail_fast = false;
  std::string state;  // empty: beside the manifest
  BatchPages pages;
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
  BatchPages pages;
};

// Return the exit code. Throw Error and UsageError.
int run_batch(BatchOptions options);
int run_batch_merge(MergeOptions options);

}  // namespace skinbake::cli
