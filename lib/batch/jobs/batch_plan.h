// The tasks of a manifest. A task is one rig with one clip and the settings of a job, or with all
// clips of the job where one of its outputs holds them all.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/output_file.h"
#include "batch/jobs/manifest.h"

namespace skinbake {

struct ClipFacts {
  std::string id;
  double duration_s = 0;
};

struct MeshFacts {
  std::string id;
  int node = -1;
  std::int64_t vertices = 0;
};

// What a plan needs to know of a rig.
struct RigFacts {
  std::vector<ClipFacts> clips;
  std::vector<MeshFacts> meshes;
  std::uint64_t bytes = 0;  // of its files
  // Paths of the files that it was read from or that it names, such as textures.
  std::vector<std::string> files = {};
};

// A rig's file, and how it is read.
struct PlannedRig {
  std::string path;   // as in the manifest, or as a pattern of the manifest matches it
  std::string scene;  // empty: the default scene
  bool allow_outside = false;
  std::optional<RigFacts> facts;  // none: the file could not be read; its tasks will say why
};

// Indices into the plan. A plan may have a million tasks.
struct BatchTask {
  std::uint32_t job = 0;
  std::uint32_t rig = 0;   // kNoRig: the job has none
  std::uint32_t clip = 0;  // index of a text of the plan; kNoClip: as the job says
  std::uint32_t frames = 0;
  double cost = 0;  // relative to other tasks: vertices x frames x cost of the method, and loading

  static constexpr std::uint32_t kNoRig = 0xFFFFFFFF, kNoClip = 0xFFFFFFFF;
};

// What names a task in states, tables and summaries.
struct TaskName {
  std::string job;
  std::string rig;   // its path; empty: the job has none
  std::string clip;  // empty: as the job says

  bool operator==(const TaskName&) const = default;
  auto operator<=>(const TaskName&) const = default;
};

// The files of the batch itself, not of its tasks: its manifest, states and results.
struct BatchFiles {
  std::vector<NamedInput> read, written;
};

struct PathNames;

class BatchPlan {
 public:
  // Lists the rigs of all jobs whose names match one of the patterns in `only` (empty: all jobs).
  // `manifest` and `commands` must outlive the plan. Throws Error (kInput): MANIFEST_INVALID if a
  // job lacks a required key, if an output is standard output or has an unknown placeholder, or if
  // a default does not fit the command of a job or is an option of no job's; PATTERN_UNMATCHED if a
  // pattern of `rig` or `only` matches nothing. Throws Error (kUsage, MANIFEST_INVALID) if an
  // override has one of these faults.
  BatchPlan(const Manifest& manifest, std::span<const ManifestCommand> commands,
            std::vector<Setting> overrides, const std::vector<std::string>& only);

  // Set the facts of the rigs, then list the tasks. The files of other clips are rigs without
  // tasks.
  std::vector<PlannedRig>& rigs() { return rigs_; }
  const std::vector<PlannedRig>& rigs() const { return rigs_; }

  // Throws Error (kInput, PATTERN_UNMATCHED) if a pattern of `clip` matches no clip of any rig of
  // its job, or if `clip` omits all of them: a job without a task would pass; MANIFEST_INVALID if a
  // value of a strict job omits none.
  void list_tasks();
  const std::vector<BatchTask>& tasks() const { return tasks_; }

  // Throws Error (kUsage): OUTPUT_TWICE if two tasks, or a task and the batch, have an output in
  // common; OUTPUT_IS_INPUT if a task would replace a file of any job's rig, of `own.read`, or of
  // another task's inputs.
  void refuse_shared_outputs(const BatchFiles& own) const;

  TaskName name(const BatchTask& task) const;
  // "no clip 'wlak'; did you mean 'walk'?" if the rig does not have a clip of the task, which will
  // fail; else empty.
  std::string missing_clip(const BatchTask& task) const;
  // The frames of all meshes of the task together, which its progress counts.
  std::int64_t mesh_frames(const BatchTask& task) const;
  // The words of the task's command line, without the program's name: {"bake", "hero.glb", …}.
  std::vector<std::string> words(const BatchTask& task) const;
  // The files that the task writes, as far as the manifest and the facts determine them; without
  // sidecars and files beside caches.
  std::vector<std::string> outputs(const BatchTask& task) const;
  // The outputs, with the sidecars of caches, the files that formats may write beside them, and the
  // arrays beside reports.
  std::vector<std::string> written_files(const BatchTask& task) const;
  // The files and folders that the task's settings name, without its rig: caches, clips of other
  // files, maps. files_of_input() has the files that these lead to.
  std::vector<std::string> inputs(const BatchTask& task) const;

 private:
  struct JobRigs {
    std::uint32_t job = 0;
    std::vector<std::uint32_t> rigs;
  };

  const ManifestCommand& command_of(const ManifestJob& job) const;
  std::vector<Setting> settings(std::uint32_t job) const;
  void require_matches(const std::vector<std::string>& only) const;
  void list_rigs(std::uint32_t job);
  // Throws unless every value of an output is a path that the command understands.
  void require_files(std::uint32_t job, const Setting& setting) const;
  void require_fit(std::uint32_t job, const std::vector<Setting>& settings) const;
  void require_used(std::span<const Setting> settings, bool are_overrides,
                    const std::vector<std::uint32_t>& jobs) const;
  [[noreturn]] void refuse(const Setting& setting, bool is_override,
                           const std::string& message) const;
  std::uint32_t add_rig(const std::string& path, const std::vector<Setting>& settings);
  std::uint32_t add_rig(PlannedRig rig);
  void add_tasks(const JobRigs& unit);
  void require_strict_omissions(const JobRigs& unit, const std::vector<Setting>& settings) const;
  // `clips`: the clips that the task evaluates.
  void add_task(std::uint32_t job, std::uint32_t rig, std::uint32_t clip,
                std::span<const std::string> clips, const std::vector<Setting>& settings);
  // The seconds of a clip of the rig or of another file; 0: not known.
  double duration_of(const std::string& clip, const RigFacts& rig,
                     const std::vector<Setting>& settings) const;
  std::uint32_t text(const std::string& clip);
  void refuse_replaced_files(const BatchFiles& own) const;
  void refuse_dependent_tasks() const;
  PathNames path_names_of(const BatchTask& task, const std::vector<Setting>& settings) const;
  std::string bind_cache(const BatchTask& task) const;    // its folder; empty: none
  const RigFacts* facts_of(const BatchTask& task) const;  // null: not known
  const RigFacts* facts_of_clip_file(const std::string& file,
                                     const std::vector<Setting>& settings) const;
  // The ids of the task's clips: "Run" of "run.glb#Run"; "" is the rest pose. None: not known.
  std::vector<std::string> clip_ids(const BatchTask& task,
                                    const std::vector<Setting>& settings) const;
  // The ids of the clips of "run.glb", "run.glb#Run", "run.glb#all".
  std::vector<std::string> ids_in_file(const std::string& value,
                                       const std::vector<Setting>& settings) const;
  [[noreturn]] void fail(std::uint32_t job, const std::string& key,
                         const std::string& message) const;

  const Manifest& manifest_;
  std::span<const ManifestCommand> commands_;
  std::vector<Setting> overrides_;
  std::vector<PlannedRig> rigs_;
  std::unordered_map<std::string, std::uint32_t> rig_numbers_;
  std::vector<JobRigs> units_;  // of each chosen job
  std::vector<BatchTask> tasks_;
  std::vector<std::string> texts_;  // ids and other values of --clip
  std::unordered_map<std::string, std::uint32_t> text_numbers_;
};

// Divides the tasks among `shards` machines and returns the tasks of shard `shard`, from 1, in
// order. The shards have about equal costs, and tasks of one rig stay together where that allows
// it. The division depends on the plan alone.
std::vector<std::uint64_t> tasks_of_shard(const BatchPlan& plan, std::uint64_t shard,
                                          std::uint64_t shards);

// The files that a command may read where its settings name `input`, one of BatchPlan::inputs: the
// file, its sidecar, the mesh beside a texture, the buffers and images of a glTF file, and the
// arrays of a report. Of a folder, the files of each cache and rig in it. They need not exist.
std::vector<std::string> files_of_input(const std::string& input);

}  // namespace skinbake
