#include "bake_job.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

#include "cache_outputs.h"
#include "output_paths.h"
#include "selection.h"
#include "sidecar_text.h"

namespace skinbake::cli {

std::string clip_id(const Clip* clip) {
  return clip == nullptr ? "" : clip->id;
}

namespace {

void modify_rigs(const BakeOptions& options, const Asset& asset, Resolved& resolved) {
  if (options.modifiers.empty()) return;
  std::vector<const Rig*> file;
  for (const Rig& rig : asset.rigs) file.push_back(&rig);
  resolved.modified = modify(resolved.rigs, options.modifiers, asset.humanoid, file);
  for (std::size_t r = 0; r < resolved.rigs.size(); ++r) {
    resolved.rigs[r] = &resolved.modified[r].rig;
    for (Issue issue : resolved.modified[r].issues) {
      issue.file = asset.path;
      const auto is_same = [&](const Issue& other) { return other.message == issue.message; };
      const bool known = std::any_of(resolved.issues.begin(), resolved.issues.end(), is_same);
      if (!known) resolved.issues.push_back(issue);
    }
  }
}

void require_unambiguous_reference(const BakeOptions& options, const Resolved& resolved) {
  if (resolved.reference.kind != Reference::Kind::kFrames) return;
  const std::string text = ambiguity(options.reference, resolved);
  if (!text.empty()) throw Error(ErrorKind::kUsage, "REFERENCE_AMBIGUOUS", "reference " + text);
}

// Itself, or the method that it smooths.
bool takes_joint_parameters(const Method& method) {
  bool takes = method.info().takes_joint_parameters;
  for (std::size_t i = 0; i < method.values.size(); ++i) {
    if (!method.info().parameters[i].names_method) continue;
    takes |= methods()[static_cast<std::size_t>(method.values[i])].takes_joint_parameters;
  }
  return takes;
}

// Says so if nothing takes them.
void read_joint_parameters(const BakeOptions& options, Asset& asset, Resolved& resolved) {
  JointParametersFile file = load_joint_parameters(options.joint_params, asset);
  resolved.joint_parameters = std::move(file.joints);
  asset.files.push_back(options.joint_params);
  asset.inputs.push_back(file.input);
  const bool reference_takes_them = resolved.reference.kind == Reference::Kind::kMethod &&
                                    takes_joint_parameters(resolved.reference.method);
  const bool method_takes_them =
      std::any_of(resolved.methods.begin(), resolved.methods.end(), takes_joint_parameters);
  if (method_takes_them || reference_takes_them) return;
  Issue unused;
  unused.code = "JOINT_PARAMETERS_UNUSED";
  unused.file = file.input.path;
  unused.message = options.methods.size() > 1
                       ? "no method takes numbers for single joints"
                       : "method '" + std::string(resolved.methods.front().info().id) +
                             "' takes no numbers for single joints";
  unused.message += "; --joint-params changes nothing";
  resolved.issues.push_back(unused);
}

Reference reference_of(const BakeOptions& options, const std::vector<Method>& methods) {
  if (names_cache(options.reference)) return {Reference::Kind::kFrames};
  const Method linear = parse_method("lbs");
  const auto of_method = [](const Method& method) {
    return Reference{Reference::Kind::kMethod, method};
  };
  if (options.reference == "exact") return {Reference::Kind::kExact, linear};
  if (!options.reference.empty()) return of_method(parse_method(options.reference));
  if (options.command == "compare") return of_method(methods.front());
  if (methods.front().index == linear.index) return {Reference::Kind::kExact, linear};
  return of_method(linear);
}

std::string reference_name(const BakeOptions& options, const Reference& reference) {
  if (reference.kind == Reference::Kind::kExact) return "exact";
  if (reference.kind == Reference::Kind::kFrames) return shown(options.reference);
  return reference.method.canonical();
}

void open_reference(const BakeOptions& options, const Method& method, Asset& asset, Job& job) {
  const std::string path =
      expand(options.reference, {job.rig->id, clip_id(job.clip), method.canonical()}, "reference");
  job.reference = std::make_unique<ReferenceCache>(
      path, ReferenceUse{job.rig, job.frames, options.frames.space});
  asset.files.push_back(path);
  if (std::filesystem::exists(path + ".json")) asset.files.push_back(path + ".json");
  const Issues ignored = ignored_sidecar(job.reference->cache());
  log_issues(ignored, asset.files);
  asset.issues.insert(asset.issues.end(), ignored.begin(), ignored.end());
}

void check_reference(const BakeOptions& options) {
  if (options.reference.empty() || options.reference == "exact") return;
  if (names_cache(options.reference)) {
    expand(options.reference, {"mesh", "clip", "method"}, "reference");
    const bool by_method = options.reference.find("{method}") != std::string::npos;
    if (!by_method || options.methods.size() == 1) return;
    throw Error(ErrorKind::kUsage, "REFERENCE_AMBIGUOUS",
                "reference '" + options.reference +
                    "': one reference is for all methods; name a cache without {method}");
  }
  try {
    parse_method(options.reference);
  } catch (const Error& error) {
    throw Error(
        error.kind(), error.code(),
        "--reference: " + std::string(error.what()) + ", 'exact', and caches by their extension");
  }
}

// A few hundred bytes may declare millions of vertices that are all zero: what they take beyond the
// loaded file is held against the same limit. Measured, for a vertex: up to 160 bytes while its
// mesh has its turn, 350 for each method that is measured or looks at the whole mesh, of which 60
// stay until the report is written.
void require_memory(const BakeOptions& options, const Asset& asset, const Resolved& resolved) {
  constexpr std::uint64_t kMeshBytes = 200, kRunBytes = 350, kKeptBytes = 60;
  const std::uint64_t runs = resolved.methods.size(), clips = resolved.clips.size();
  std::uint64_t all = 0;
  const Rig* largest = resolved.rigs.front();
  for (const Rig* rig : resolved.rigs) {
    all += rig->mesh->vertex_count();
    if (rig->mesh->vertex_count() > largest->mesh->vertex_count()) largest = rig;
  }
  const std::uint64_t needed = all * kKeptBytes * runs * clips +
                               largest->mesh->vertex_count() * (kMeshBytes + kRunBytes * runs);
  if (needed <= options.load.max_memory) return;
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              fmt::format("{} vertices ask for {} bytes, --max-memory allows {}; give --max-memory "
                          "{} if you trust the file, or take fewer meshes or methods at a time",
                          all, needed, options.load.max_memory, needed),
              {asset.path, "/nodes/" + std::to_string(largest->node)});
}

}  // namespace

void check_words(const BakeOptions& options) {
  for (const std::string& method : options.methods) parse_method(method);
  check_reference(options);
  check_output_words(options);
}

std::vector<std::string> modifier_texts(const BakeOptions& options) {
  std::vector<std::string> texts;
  for (const Modifier& modifier : options.modifiers) texts.push_back(canonical(modifier));
  return texts;
}

Resolved resolve(const BakeOptions& options, Asset& asset) {
  Resolved resolved;
  for (const std::string& method : options.methods) {
    resolved.methods.push_back(parse_method(method));
  }
  resolved.rigs = select_meshes(asset, options.meshes);
  resolved.clips = select_clips(asset.clips, asset.path, options.clip);
  require_memory(options, asset, resolved);
  modify_rigs(options, asset, resolved);
  for (const Clip* clip : resolved.clips) {
    resolved.frames.push_back(select_frames(asset.path, clip, options.frames));
  }
  if (options.wants_report()) {
    resolved.reference = reference_of(options, resolved.methods);
    resolved.reference_name = reference_name(options, resolved.reference);
  }
  if (!options.joint_params.empty()) read_joint_parameters(options, asset, resolved);
  return resolved;
}

std::deque<MeshJobs> open_jobs(const BakeOptions& options, Asset& asset, const Resolved& resolved) {
  require_unambiguous_reference(options, resolved);
  require_unambiguous_outputs(options, resolved);
  std::deque<MeshJobs> meshes;
  for (std::size_t r = 0; r < resolved.rigs.size(); ++r) {
    const Rig* rig = resolved.rigs[r];
    MeshJobs& mesh = meshes.emplace_back();
    mesh.record.rig = rig;
    if (!resolved.modified.empty()) mesh.record.modifiers = resolved.modified[r].changes;
    for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
      Job& job = mesh.jobs.emplace_back();
      job.rig = rig;
      job.clip = resolved.clips[c];
      job.frames = resolved.frames[c];
      if (resolved.reference.kind == Reference::Kind::kFrames) {
        open_reference(options, resolved.methods.front(), asset, job);
      }
    }
  }
  open_caches(options, asset, resolved, meshes);
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      if (job.reference) asset.inputs.push_back(job.reference->input());
    }
  }
  return meshes;
}

}  // namespace skinbake::cli
