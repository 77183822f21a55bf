// Opens a manifest: its text, the overrides of the command line, its folder and its plan.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch/jobs/batch_plan.h"
#include "batch/jobs/manifest.h"
#include "batch/options.h"

namespace skinbake::cli {

// The commands that jobs can name, with a key for each option that has a meaning in a batch.
std::vector<ManifestCommand> manifest_commands();

// The manifest and all that does not change while its tasks are done.
struct Batch {
  std::vector<ManifestCommand> commands = manifest_commands();
  Manifest manifest;
  std::string folder;  // of the manifest, relative to the folder of the caller; empty: the same
  std::optional<BatchPlan> plan;
};

// Reads the manifest and lists its rigs. Goes to the folder of the manifest, to which its paths are
// relative. `set`, `only`: as in BatchOptions. Throws Error and UsageError.
void open_batch(const std::string& path, const std::vector<std::string>& set,
                const std::vector<std::string>& only, Batch& batch);

// Makes a path of the command line absolute, so that it stays valid after open_batch. An empty path
// and "-" stay as they are.
void make_absolute(std::string& path);
void make_absolute(std::vector<ReportFile>& reports);

// Throws Error (kInput, MANIFEST_INVALID) if the jobs have no task: a batch that does nothing must
// not pass. Precondition: BatchPlan::list_tasks() has been called.
void require_tasks(const Batch& batch);

}  // namespace skinbake::cli
