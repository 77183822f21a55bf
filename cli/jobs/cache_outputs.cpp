#include "jobs/cache_outputs.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "caches/format_list.h"
#include "jobs/array_outputs.h"
#include "jobs/auxiliary_files.h"
#include "options/usage_error.h"
#include "outputs/format_options.h"
#include "outputs/output_paths.h"
#include "skinbake/caches.h"

namespace skinbake::cli {

namespace {

std::string cache_path(const std::string& output, const Job& job, const Variant& variant) {
  return expand(output, {job.rig->id, clip_id(job.clip), variant.name()});
}

struct Placeholder {
  const char *text, *what, *option;
};
constexpr Placeholder kMeshes{"{mesh}", "mesh nodes", "--mesh"};
constexpr Placeholder kClips{"{clip}", "clips", "--clip"};

// The cause and the remedy if one path stands for several elements; empty if it has the
// placeholder.
std::string ambiguity(const std::string& path, bool several, const Placeholder& placeholder) {
  if (!several || path.find(placeholder.text) != std::string::npos) return "";
  return "'" + path + "' is one file for several " + placeholder.what + "; put " +
         placeholder.text + " into it, or choose one with " + placeholder.option;
}

}  // namespace

std::string clip_ambiguity(const std::string& path, const ResolvedOptions& resolved) {
  return ambiguity(path, resolved.clips.size() > 1, kClips);
}

bool is_shared(const std::string& path) {
  return cache_format_of(path).holds_meshes && path.find(kMeshes.text) == std::string::npos;
}

bool holds_all_clips(const std::string& path) {
  return cache_format_of(path).holds_clips && path.find(kClips.text) == std::string::npos;
}

void require_distinct_names(const std::vector<std::string>& patterns, const std::string& code,
                            const BakeOptions& options, const ResolvedOptions& resolved) {
  std::vector<std::string> mesh_ids, clip_ids;
  for (const Rig* rig : resolved.rigs) mesh_ids.push_back(rig->id);
  for (const Clip* clip : resolved.clips) clip_ids.push_back(clip_id(clip));
  for (const auto& [placeholder, ids] : {std::pair(kMeshes, &mesh_ids), {kClips, &clip_ids}}) {
    const std::string text = names_twice(patterns, placeholder.text, *ids);
    if (text.empty()) continue;
    throw Error(code,
                text + "; rename one of these " + placeholder.what +
                    " in the file, or bake them one at a time with " + placeholder.option,
                {options.rig, ""});
  }
}

namespace {

// Explains how the path of an output that is given twice is formed. `is_expanded`: it is the path
// of a pattern with ids in place of {mesh}, {clip} or {method}.
std::string note_on_twice(const std::string& path, bool is_expanded) {
  std::string note;
  if (is_expanded) note = "; {mesh}, {clip} and {method} are replaced by ids";
  if (path.ends_with(".json")) note += "; the sidecar of a cache has its name and .json";
  return note;
}

// Throws if two outputs have the same path, or if an output would replace an input.
void require_distinct_outputs(const BakeOptions& options, const Asset& asset,
                              const ResolvedOptions& resolved, const std::deque<MeshJobs>& meshes) {
  require_distinct_names(options.outputs, "OUTPUT_TWICE", options, resolved);
  std::vector<std::string> paths, expanded;
  paths = options.reports.paths();
  for (const std::string& path : {options.depfile, options.timing}) {
    if (!path.empty()) paths.push_back(path);
  }
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      append_array_paths(options, job, resolved.variants, paths);
      for (const std::string& output : options.outputs) {
        if (is_shared(output) && &mesh != &meshes.front()) continue;
        if (holds_all_clips(output) && &job != &mesh.jobs.front()) continue;
        for (const Variant& variant : resolved.variants) {
          const std::string path = cache_path(output, job, variant);
          paths.push_back(path);
          paths.push_back(path + ".json");  // its sidecar
          if (path != output) expanded.insert(expanded.end(), {path, path + ".json"});
          const FormatOptions words = options_of(cache_format_of(path), options.formats);
          for (std::string& beside : auxiliary_files_of(path, words))
            paths.push_back(std::move(beside));
        }
      }
    }
  }
  require_distinct(paths, [&](const std::string& path) {
    return note_on_twice(path, std::find(expanded.begin(), expanded.end(), path) != expanded.end());
  });
  refuse_binds(paths, options.bind_cache);
  InputFiles inputs;
  inputs.add(asset);
  inputs.refuse(paths);
}

// A variant and its index in the run.
struct NumberedVariant {
  std::size_t number;
  const Variant* variant;
};

std::vector<std::string> modifier_texts(const BakeOptions& options, const Variant& variant) {
  std::vector<std::string> texts = modifier_texts(options);
  if (!variant.profile.empty()) texts.push_back("profile=" + variant.profile);
  return texts;
}

bool stores_normals(const CacheFormat& format, const FormatOptions& options) {
  return format.keeps_normals != nullptr && format.keeps_normals(options);
}

bool stores_tangents(const CacheFormat& format, const FormatOptions& options) {
  return format.keeps_tangents != nullptr && format.keeps_tangents(options);
}

// The header of a cache of a job. Issues of the vectors that it stores are added to the mesh.
CacheHeader header_of(const std::string& output, const BakeOptions& options, const Asset& asset,
                      const Variant& variant, const Job& job, MeshJobs& mesh) {
  const CacheFormat& format = cache_format_of(output);
  CacheHeader header{job.rig,
                     clip_id(job.clip),
                     cache_frames(options, job),
                     options.frames.space,
                     variant.method.canonical(),
                     asset.inputs,
                     modifier_texts(options, variant),
                     options.axes};
  if (job.clip != nullptr) {
    header.clip_frame_count = clip_frame_count(*job.clip, job.frames.fps, options.frames.loop);
  }
  header.appearance = asset.appearance;
  header.method_on_mesh = name_on_mesh(variant.method, *variant.rigs[mesh.number]);
  header.options = options_of(format, options.formats);
  set_precision(output, options.half, header.options);
  const NormalKind wanted = options.normals.value_or(NormalKind::kSkinned);
  header.normals = available_normals(*job.rig->mesh, variant.method, wanted);
  header.tangents = header.normals && available_tangents(*job.rig->mesh, variant.method);
  add_once(vector_issues(format, header, variant.method, wanted), mesh.issues);
  add_once(appearance_issues(format, header, job.clip), mesh.issues);
  return header;
}

// The meshes and clips of one file, [first, end).
struct FileContent {
  std::size_t first_mesh = 0, end_mesh = 0;
  std::size_t first_clip = 0, end_clip = 0;
};

// One file of an output and one variant, before it is opened.
struct PlannedFile {
  std::string path;
  std::size_t variant = 0;  // number
  FileContent content;
  std::vector<CacheHeader> headers;  // [mesh][clip]
  std::vector<Job*> jobs;            // of each header
};

PlannedFile plan_file(const std::string& output, const BakeOptions& options, const Asset& asset,
                      const NumberedVariant& numbered, const FileContent& content,
                      std::deque<MeshJobs>& meshes) {
  PlannedFile file{"", numbered.number, content, {}, {}};
  for (std::size_t m = content.first_mesh; m < content.end_mesh; ++m) {
    for (std::size_t c = content.first_clip; c < content.end_clip; ++c) {
      file.jobs.push_back(&meshes[m].jobs[c]);
      file.headers.push_back(
          header_of(output, options, asset, *numbered.variant, *file.jobs.back(), meshes[m]));
    }
  }
  file.path = cache_path(output, *file.jobs.front(), *numbered.variant);
  return file;
}

void open_file(PlannedFile file, std::deque<MeshJobs>& meshes) {
  const auto& [path, variant, content, headers, jobs] = file;
  const CacheFormat& format = cache_format_of(path);
  if (format.find_issues != nullptr) {
    add_once(format.find_issues(path, headers), meshes[content.first_mesh].issues);
  }
  std::vector<std::unique_ptr<CacheWriter>> writers;
  if (format.open_together != nullptr) {
    writers = format.open_together(path, headers);
  } else {
    writers.push_back(format.open(path, headers.front()));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i]->caches.push_back({variant, headers[i], std::move(writers[i]), {}});
  }
}

// Plans each file of the run and passes it to `use`, one after another.
void for_each_file(const BakeOptions& options, const Asset& asset, const ResolvedOptions& resolved,
                   std::deque<MeshJobs>& meshes, const std::function<void(PlannedFile)>& use) {
  const std::size_t clips = meshes.empty() ? 0 : meshes.front().jobs.size();
  for (const std::string& output : options.outputs) {
    const std::size_t mesh_step = is_shared(output) ? meshes.size() : 1;
    const std::size_t clip_step = holds_all_clips(output) ? clips : 1;
    for (std::size_t v = 0; v < resolved.variants.size(); ++v) {
      for (std::size_t c = 0; c < clips; c += clip_step) {
        for (std::size_t m = 0; m < meshes.size(); m += mesh_step) {
          use(plan_file(output, options, asset, {v, &resolved.variants[v]},
                        {m, m + mesh_step, c, c + clip_step}, meshes));
        }
      }
    }
  }
}

}  // namespace

bool any_stores_normals(const BakeOptions& options) {
  return std::any_of(options.outputs.begin(), options.outputs.end(),
                     [&](const std::string& output) {
                       const CacheFormat& format = cache_format_of(output);
                       return stores_normals(format, options_of(format, options.formats));
                     });
}

namespace {

// Throws UsageError if --end exact is for a cache that cannot have the end of a clip between two
// frames, or for none.
void require_times(const BakeOptions& options) {
  if (!options.exact_end) return;
  const std::string formats = "; formats with a time for each frame: " + formats_with_times();
  if (options.outputs.empty()) {
    throw UsageError("--end",
                     "no output is a cache, which alone has the exact end; add -o" + formats);
  }
  for (const std::string& output : options.outputs) {
    if (cache_format_of(output).holds_times) continue;
    throw UsageError("--end",
                     "'" + output +
                         "' has one frame rate, and the exact end of a clip may be between "
                         "two frames" +
                         formats);
  }
  if (options.frames.loop) {
    throw UsageError("--end", "--loop leaves out the last frame and the end; omit one of the two");
  }
}

}  // namespace

void check_output_words(const BakeOptions& options) {
  require_outputs_of(options.formats, options.outputs);
  if (options.half) require_half_precision(options.outputs, options.formats);
  if (options.normals && !any_stores_normals(options)) {
    throw UsageError("--normals",
                     "no output stores normals; add --format ID:normals=1, where ID is one of: " +
                         formats_taking("normals"));
  }
  for (const std::string& output : options.outputs) {
    cache_format_of(output);  // throws if the extension is unknown
    expand(output, {"mesh", "clip", "method"});
  }
  require_times(options);
}

void choose_materials(BakeOptions& options) {
  bool all_store_normals = true, all_store_tangents = true;
  for (const std::string& output : options.outputs) {
    const CacheFormat& format = cache_format_of(output);
    if (!format.keeps_materials) continue;
    options.load.materials = true;
    const FormatOptions of_format = options_of(format, options.formats);
    all_store_normals &= stores_normals(format, of_format);
    const bool has_tangents = stores_tangents(format, of_format);
    options.load.tangents |= has_tangents;
    all_store_tangents &= has_tangents;
  }
  options.load.normals_are_kept = all_store_normals;
  options.load.tangents_are_kept = all_store_tangents;
}

std::string mesh_ambiguity(const std::string& path, const ResolvedOptions& resolved) {
  return ambiguity(path, resolved.rigs.size() > 1, kMeshes);
}

std::string ambiguity(const std::string& path, const ResolvedOptions& resolved) {
  const std::string meshes = mesh_ambiguity(path, resolved);
  return meshes.empty() ? clip_ambiguity(path, resolved) : meshes;
}

void require_one_method(const std::string& what, const std::string& path,
                        const ResolvedOptions& resolved) {
  if (resolved.variants.size() == 1 || path.find("{method}") != std::string::npos) return;
  throw Error("OUTPUT_AMBIGUOUS",
              what + " '" + path + "' is one file for several methods; put {method} into it");
}

void require_unambiguous_outputs(const BakeOptions& options, const ResolvedOptions& resolved) {
  for (const std::string& output : options.outputs) {
    std::string text = is_shared(output) ? "" : mesh_ambiguity(output, resolved);
    if (text.empty() && !holds_all_clips(output)) text = clip_ambiguity(output, resolved);
    if (!text.empty()) throw Error("OUTPUT_AMBIGUOUS", "output " + text);
    require_one_method("output", output, resolved);
  }
}

void open_caches(const BakeOptions& options, const Asset& asset, const ResolvedOptions& resolved,
                 std::deque<MeshJobs>& meshes) {
  require_distinct_outputs(options, asset, resolved, meshes);
  for_each_file(options, asset, resolved, meshes,
                [&](PlannedFile file) { open_file(std::move(file), meshes); });
}

}  // namespace skinbake::cli
