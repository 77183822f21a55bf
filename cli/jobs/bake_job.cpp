#include "jobs/bake_job.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file_kind.h"
#include "base/paths.h"
#include "clips/clip_files.h"
#include "clips/selection.h"
#include "clips/used_issues.h"
#include "jobs/array_outputs.h"
#include "jobs/cache_outputs.h"
#include "json/text.h"
#include "options/fit_training.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

std::string clip_id(const Clip* clip) {
  return clip == nullptr ? "" : clip->id;
}

namespace {

std::vector<const Rig*> rigs_of(const std::vector<ModifiedRig>& modified) {
  std::vector<const Rig*> rigs;
  for (const ModifiedRig& one : modified) rigs.push_back(&one.rig);
  return rigs;
}

// An issue that several meshes have is reported once.
void add_modifier_issues(const Asset& asset, ResolvedOptions& resolved) {
  for (const ModifiedRig& rig : resolved.modified) {
    for (Issue issue : rig.issues) {
      issue.file = asset.path;
      const auto is_same = [&](const Issue& other) { return other.message == issue.message; };
      const bool known = std::any_of(resolved.issues.begin(), resolved.issues.end(), is_same);
      if (!known) resolved.issues.push_back(issue);
    }
  }
}

void modify_rigs(const BakeOptions& options, const Asset& asset, const std::vector<Clip>& own,
                 ResolvedOptions& resolved) {
  if (!options.modifiers.empty()) {
    std::vector<const Rig*> file;
    for (const Rig& rig : asset.rigs) file.push_back(&rig);
    FitTraining training(own, asset, options.threads);
    const auto fit = [&](const Rig& rig, const FitInfluences& to) { return training.fit(rig, to); };
    resolved.modified = modify(resolved.rigs, options.modifiers, {asset.humanoid.bones, file, fit});
    resolved.rigs = rigs_of(resolved.modified);
    add_modifier_issues(asset, resolved);
  }
  for (const EngineProfile& profile : options.profiles) {
    const Modifier modifier = profile;
    resolved.profiled.push_back(modify(resolved.rigs, {&modifier, 1}, {asset.humanoid.bones}));
  }
}

// Throws UsageError if the frames leave out the last one of the clip, and --end exact asks for what
// is after it.
void require_last_frame(const Clip& clip, const FrameRange& frames, const BakeOptions& options) {
  const std::int64_t last = last_frame(clip.duration_s, frames.fps);
  const std::int64_t final = frames.frame(frames.frame_count - 1);
  if (!options.exact_end || final == last) return;
  throw UsageError("--end",
                   fmt::format("{}: the frames of clip '{}' end at {}, and its exact end is "
                               "after frame {}; choose frames up to that one, or omit --end",
                               options.rig, printable(clip.id), final, last));
}

// Frames may end before the clip. --loop leaves out the last frame, which is right only if it
// repeats the first.
void note_ends(const Clip& clip, const FrameRange& frames, const BakeOptions& options,
               const Asset& asset, ResolvedOptions& resolved) {
  const UsedClips& used = resolved.used_clips;
  const auto other = used.file_of.find(clip.id);
  const std::string file = other == used.file_of.end() ? asset.path : other->second;
  Issues found = options.frames.loop ? loop_issues(resolved.rigs, clip, frames.fps, file)
                 : options.exact_end
                     ? Issues{}
                     : end_issues(resolved.rigs, clip, frames, file, resolved.clips);
  const bool have_times = std::ranges::all_of(
      options.outputs, [](const std::string& path) { return cache_format_of(path).holds_times; });
  for (Issue& issue : found) {
    if (!options.frames.loop && !options.outputs.empty() && have_times) {
      issue.message += "; --end exact writes the end as a last frame";
    }
    if (!used.made.contains(clip.id)) issue.pointer = fmt::format("/animations/{}", clip.index);
    resolved.issues.push_back(std::move(issue));
  }
}

// Every method with the unmodified rigs, then with each profile.
void add_variants(const BakeOptions& options, ResolvedOptions& resolved) {
  for (const std::string& text : options.methods) {
    const Method method = parse_method(text);
    resolved.variants.push_back({method, "", resolved.rigs});
    for (std::size_t p = 0; p < options.profiles.size(); ++p) {
      resolved.variants.push_back(
          {method, std::string(options.profiles[p].id), rigs_of(resolved.profiled[p])});
    }
  }
}

void require_unambiguous_reference(const BakeOptions& options, const ResolvedOptions& resolved) {
  if (resolved.reference.kind != Reference::Kind::kFrames) return;
  const std::string text = is_shared(options.reference)
                               ? clip_ambiguity(options.reference, resolved)
                               : ambiguity(options.reference, resolved);
  if (!text.empty()) throw Error("REFERENCE_AMBIGUOUS", "reference " + text);
  require_distinct_names({options.reference}, "REFERENCE_AMBIGUOUS", options, resolved);
}

// Whether the method, or the method that it smooths, has joint parameters.
bool takes_joint_parameters(const Method& method) {
  bool takes = method.info().takes_joint_parameters;
  for (std::size_t i = 0; i < method.values.size(); ++i) {
    if (!method.info().parameters[i].names_method) continue;
    takes |= methods()[static_cast<std::size_t>(method.values[i])].takes_joint_parameters;
  }
  return takes;
}

bool any_takes_joint_parameters(const std::vector<Variant>& variants) {
  return std::any_of(variants.begin(), variants.end(),
                     [](const Variant& v) { return takes_joint_parameters(v.method); });
}

// Adds an issue if no method of the run has joint parameters.
void read_joint_parameters(const BakeOptions& options, Asset& asset, ResolvedOptions& resolved) {
  JointParametersFile file = load_joint_parameters(options.joint_params, asset);
  resolved.joint_parameters = std::move(file.joints);
  asset.files.push_back(options.joint_params);
  asset.inputs.push_back(file.input);
  const bool reference_takes_them = resolved.reference.kind == Reference::Kind::kMethod &&
                                    takes_joint_parameters(resolved.reference.method);
  if (any_takes_joint_parameters(resolved.variants) || reference_takes_them) return;
  Issue unused;
  unused.code = "JOINT_PARAMETERS_UNUSED";
  unused.file = file.input.path;
  unused.message = options.methods.size() > 1
                       ? "no method of the run has joint parameters"
                       : "method '" + std::string(resolved.variants.front().method.info().id) +
                             "' does not have joint parameters";
  unused.message += "; the file is not used";
  resolved.issues.push_back(unused);
}

Reference reference_of(const BakeOptions& options, const Method& first) {
  if (names_cache(options.reference)) return {Reference::Kind::kFrames};
  const Method linear = parse_method("lbs");
  const auto of_method = [](const Method& method) {
    return Reference{Reference::Kind::kMethod, method};
  };
  if (options.reference == "exact") return {Reference::Kind::kExact, linear};
  if (!options.reference.empty()) return of_method(parse_method(options.reference));
  if (options.command == "compare") return of_method(first);
  if (first.index == linear.index) return {Reference::Kind::kExact, linear};
  return of_method(linear);
}

std::string reference_name(const BakeOptions& options, const Reference& reference) {
  if (reference.kind == Reference::Kind::kExact) return "exact";
  if (reference.kind == Reference::Kind::kFrames) return shown(options.reference);
  return reference.method.canonical();
}

// Requires a reference with named meshes if the run has several: a file of one mesh would match any
// of them.
void require_several_meshes(const std::string& path) {
  if (!open_cache(path)->parts().empty()) return;
  throw Error(
      "REFERENCE_AMBIGUOUS",
      "reference '" + path +
          "' has one mesh, and the run has several; put {mesh} into the path, or choose one "
          "mesh");
}

void open_reference(const BakeOptions& options, const ResolvedOptions& resolved, Asset& asset,
                    Job& job) {
  const Method& method = resolved.variants.front().method;
  const std::string path =
      expand(options.reference, {job.rig->id, clip_id(job.clip), method.canonical()}, "reference");
  const ReferenceUse use{job.rig, job.frames, options.frames.space};
  if (resolved.rigs.size() > 1 && is_shared(options.reference)) {
    require_several_meshes(path);
  }
  record_inputs({path + ".json"});
  job.reference = std::make_unique<ReferenceCache>(path, use);
  asset.files.push_back(path);
  std::error_code unknown;  // the name of a sidecar can be too long
  if (std::filesystem::exists(path + ".json", unknown)) asset.files.push_back(path + ".json");
  const Issues issues = job.reference->issues(asset.path, clip_id(job.clip));
  log_issues(issues, asset.files);
  asset.issues.insert(asset.issues.end(), issues.begin(), issues.end());
}

void check_reference(const BakeOptions& options) {
  if (options.reference.empty() || options.reference == "exact") return;
  if (names_cache(options.reference)) {
    expand(options.reference, {"mesh", "clip", "method"}, "reference");
    std::error_code unknown;  // the name can be too long
    const auto status = std::filesystem::status(options.reference, unknown);
    if (options.reference.find('{') == std::string::npos &&
        status.type() == std::filesystem::file_type::not_found) {
      throw Error("FILE_UNREADABLE", "does not exist", {options.reference, ""});
    }
    const bool by_method = options.reference.find("{method}") != std::string::npos;
    const bool is_one = options.methods.size() == 1 && options.profiles.empty();
    if (!by_method || is_one) return;
    throw Error("REFERENCE_AMBIGUOUS",
                "reference '" + options.reference +
                    "': all methods have the same reference; name a cache without {method}");
  }
  refuse_other_kind(options.reference);
  try {
    parse_method(options.reference);
  } catch (const Error& error) {
    throw Error(error.code(),
                "--reference: " + error.message() + ", 'exact', and caches by their extension", {},
                error.remedy());
  }
}

// Throws if the bake would take minutes.
void require_few_meshes(const Asset& asset, const ResolvedOptions& resolved) {
  const std::size_t meshes = resolved.rigs.size(), most = most_mesh_nodes(asset);
  if (meshes <= most) return;
  throw Error("TOO_MANY_MESHES",
              std::to_string(meshes) + " mesh nodes in a scene of " +
                  std::to_string(asset.skeleton->nodes.size()) +
                  " nodes, of which a bake takes at most " + std::to_string(most),
              {asset.path, "/nodes"});
}

}  // namespace

void check_words(const BakeOptions& options) {
  for (const std::string& method : options.methods) parse_method(method);
  check_reference(options);
  check_output_words(options);
  require_report(options.per_vertex, options.reports);
  if (!options.error_matrix.empty()) {
    expand(options.error_matrix, {"mesh", "clip", "method"}, "error matrix");
  }
}

std::vector<std::string> modifier_texts(const BakeOptions& options) {
  std::vector<std::string> texts;
  for (const Modifier& modifier : options.modifiers) texts.push_back(canonical(modifier));
  return texts;
}

namespace {

// Whether the values of --mesh name meshes: `all` and exclusions do not.
bool has_named_meshes(const BakeOptions& options) {
  return !options.meshes.empty() &&
         std::ranges::none_of(options.meshes, [](const std::string& value) {
           return value == "all" || value.starts_with('!');
         });
}

}  // namespace

ResolvedOptions resolve(BakeOptions& options, Asset& asset, const std::vector<Clip>& own,
                        UsedClips used) {
  ResolvedOptions resolved;
  resolved.used_clips = std::move(used);
  resolved.clips = select_clips(asset.clips, asset.path, options.clips.clips);
  resolved.rigs = select_meshes(asset, options.meshes);
  asset.issues = issues_of_used(asset, resolved.rigs, resolved.clips, resolved.used_clips.file_of,
                                has_named_meshes(options));
  log_issues(asset.issues, asset.files);
  require_few_meshes(asset, resolved);
  settle_fps(keyed_clips(asset.path, *asset.skeleton, resolved.clips), options.frames);
  resolved.issues = warn_of_exclusions(asset, options.clips.clips, options.meshes);
  const bool needs_bones = !options.modifiers.empty() || !options.profiles.empty();
  if (needs_bones) map_humanoid(asset);
  modify_rigs(options, asset, own, resolved);
  add_variants(options, resolved);
  for (const Clip* clip : resolved.clips) {
    resolved.frames.push_back(select_frames(asset.path, clip, options.frames));
    if (clip == nullptr) continue;
    require_last_frame(*clip, resolved.frames.back(), options);
    note_ends(*clip, resolved.frames.back(), options, asset, resolved);
  }
  if (options.wants_report()) {
    resolved.reference = reference_of(options, resolved.variants.front().method);
    resolved.reference_name = reference_name(options, resolved.reference);
  }
  if (!options.joint_params.empty()) read_joint_parameters(options, asset, resolved);
  return resolved;
}

namespace {

// Appends the changes that modifiers and profiles make to a mesh.
void add_changes(const ResolvedOptions& resolved, std::size_t mesh,
                 std::vector<ModifierRecord>& changes) {
  const auto add = [&](const std::vector<ModifiedRig>& rigs) {
    if (rigs.empty()) return;
    changes.insert(changes.end(), rigs[mesh].changes.begin(), rigs[mesh].changes.end());
  };
  add(resolved.modified);
  for (const std::vector<ModifiedRig>& rigs : resolved.profiled) add(rigs);
}

// Adds an input unless it is in the list: several meshes may have one reference file.
void add_input(InputFile input, std::vector<InputFile>& inputs) {
  const auto is_same = [&](const InputFile& other) {
    return other.role == input.role && other.path == input.path;
  };
  if (std::none_of(inputs.begin(), inputs.end(), is_same)) inputs.push_back(std::move(input));
}

}  // namespace

FrameRange cache_frames(const BakeOptions& options, const Job& job) {
  if (!options.exact_end || job.clip == nullptr) return job.frames;
  const FrameRange frames = with_exact_end(job.frames, *job.clip);
  return frames.is_end(frames.frame_count - 1) ? frames : job.frames;
}

std::deque<MeshJobs> list_jobs(const ResolvedOptions& resolved) {
  std::deque<MeshJobs> meshes;
  for (std::size_t r = 0; r < resolved.rigs.size(); ++r) {
    const Rig* rig = resolved.rigs[r];
    MeshJobs& mesh = meshes.emplace_back();
    mesh.number = r;
    mesh.record.rig = rig;
    add_changes(resolved, r, mesh.record.modifiers);
    for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
      Job& job = mesh.jobs.emplace_back();
      job.rig = rig;
      job.clip = resolved.clips[c];
      job.frames = resolved.frames[c];
    }
  }
  return meshes;
}

std::deque<MeshJobs> open_jobs(const BakeOptions& options, Asset& asset,
                               const ResolvedOptions& resolved) {
  require_unambiguous_reference(options, resolved);
  require_unambiguous_outputs(options, resolved);
  require_unambiguous_matrix(options, resolved);
  std::deque<MeshJobs> meshes = list_jobs(resolved);
  if (resolved.reference.kind == Reference::Kind::kFrames) {
    for (MeshJobs& mesh : meshes) {
      for (Job& job : mesh.jobs) open_reference(options, resolved, asset, job);
    }
  }
  open_caches(options, asset, resolved, meshes);
  open_arrays(options, resolved, meshes);
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      if (job.reference) add_input(job.reference->input(), asset.inputs);
    }
  }
  return meshes;
}

}  // namespace skinbake::cli
