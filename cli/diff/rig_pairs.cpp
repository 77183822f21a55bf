// Pairs of rigs, their caches, and the causes of their differences.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/paths.h"
#include "batch/jobs/glob.h"
#include "clips/clip_files.h"
#include "clips/selection.h"
#include "clips/used_issues.h"
#include "compare/rig_data.h"
#include "diff/compared.h"
#include "diff/renamed.h"
#include "diff/rig_pairs.h"
#include "options/usage_error.h"
#include "report/causes.h"
#include "skinbake/gltf.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

void add_renamed(const char* option, const std::vector<std::string>& a,
                 const std::vector<std::string>& b, RenamedNames& renamed) {
  require_paired_names(option, a, b);
  for (std::size_t i = 0; i < b.size(); ++i) renamed[a[i]] = b[i];
}

// Calls `select`. If the values omit everything that they choose, nothing is selected.
template <class Select>
auto selected_or_none(const Select& select) -> decltype(select()) {
  try {
    return select();
  } catch (const Error& error) {
    if (error.code() != "CLIP_UNKNOWN" && error.code() != "MESH_UNKNOWN") throw;
    return {};
  }
}

struct RigSide {
  std::shared_ptr<Asset> asset;
  std::vector<const Rig*> meshes;
  std::vector<const Clip*> clips;
  std::vector<std::string> chosen_clips;  // ids, in the order of the values of --clip
  UnmatchedValues unmatched;
};

// The values that match something; none: no value that chooses does.
std::optional<std::vector<std::string>> matching_values(std::vector<std::string> values,
                                                        const std::vector<std::string>& unmatched) {
  std::erase_if(values, [&](const std::string& value) {
    return std::find(unmatched.begin(), unmatched.end(), value) != unmatched.end();
  });
  const bool chooses = std::any_of(values.begin(), values.end(), [](const std::string& value) {
    return !value.starts_with('!');
  });
  if (!unmatched.empty() && !chooses) return std::nullopt;
  return values;
}

RigSide open_rig(const DiffOptions& options, const std::string& path, const std::string& role,
                 const std::vector<std::string>& clips, const std::vector<std::string>& meshes) {
  RigSide side;
  side.asset = std::make_shared<Asset>(load_rig(path, options.load));
  Asset& asset = *side.asset;
  if (!asset.inputs.empty()) asset.inputs.front().role = role;
  ClipSource source;
  source.fps = options.frames.fps;
  source.space = options.frames.space;
  source.clips = clips.empty() ? std::vector<std::string>{"all"} : clips;
  side.unmatched.clips = unmatched_clips(asset, source.clips);
  side.unmatched.meshes = unmatched_meshes(asset, meshes);
  std::map<std::string, std::string> file_of;
  if (const auto values = matching_values(source.clips, side.unmatched.clips)) {
    source.clips = *values;
    UsedClips used = use_clip_files(source, options.load, asset);
    file_of = std::move(used.file_of);
    const auto select = [&](const std::vector<std::string>& ids) {
      return selected_or_none([&] { return find_clips(asset.clips, asset.path, ids); });
    };
    side.clips = select(used.ids);
    for (const std::string& id : used.ids) {
      for (const Clip* clip : select({id})) {
        if (clip != nullptr) side.chosen_clips.push_back(clip->id);
      }
    }
  }
  if (const auto values = matching_values(meshes, side.unmatched.meshes)) {
    side.meshes = selected_or_none([&] { return find_meshes(asset, *values); });
  }
  asset.issues = issues_of_used(asset, side.meshes, side.clips, file_of);
  side.unmatched.omitted_clips = unmatched_clip_exclusions(asset, source.clips);
  side.unmatched.omitted_meshes = unmatched_mesh_exclusions(asset, meshes);
  return side;
}

template <class Element>
std::vector<std::string> ids_of(const std::vector<const Element*>& elements) {
  std::vector<std::string> ids;
  for (const Element* element : elements) ids.push_back(element == nullptr ? "" : element->id);
  return ids;
}

template <class Element>
void add_unpaired(const char* kind, const std::string& file,
                  const std::vector<const Element*>& elements,
                  const std::vector<std::size_t>& unpaired, std::vector<UnpairedElement>& list) {
  const std::vector<std::string> ids = ids_of(elements);
  for (const std::size_t i : unpaired) {
    list.push_back({kind, file, ids[i].empty() ? "the rest pose" : ids[i]});
  }
}

// The faults of elements that have no partner, with which they would be reported.
template <class Element>
void add_faults(const std::vector<const Element*>& elements,
                const std::vector<std::size_t>& unpaired,
                std::vector<std::shared_ptr<const Error>>& faults) {
  for (const std::size_t i : unpaired) {
    if (elements[i] != nullptr && elements[i]->fault) faults.push_back(elements[i]->fault);
  }
}

// The names, and with --clip-b the ids of the clips that its values choose, which may be in files.
RenamedNames clip_names(const DiffOptions& options, const RigSide& a, const RigSide& b,
                        RenamedNames renamed) {
  if (options.clips_b.empty() || a.chosen_clips.size() != b.chosen_clips.size()) return renamed;
  for (std::size_t i = 0; i < a.chosen_clips.size(); ++i) {
    renamed[a.chosen_clips[i]] = b.chosen_clips[i];
  }
  return renamed;
}

// With separate names for B, the values of both sides; otherwise the values that neither side has.
std::vector<std::string> unmatched_of(std::vector<std::string> a, const std::vector<std::string>& b,
                                      bool has_own_names) {
  if (!has_own_names) return in_both(std::move(a), b);
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

UnmatchedValues unmatched_of(const DiffOptions& options, const UnmatchedValues& a,
                             const UnmatchedValues& b) {
  return {unmatched_of(a.clips, b.clips, !options.clips_b.empty()),
          unmatched_of(a.meshes, b.meshes, !options.meshes_b.empty()),
          in_both(a.omitted_clips, b.omitted_clips), in_both(a.omitted_meshes, b.omitted_meshes)};
}

}  // namespace

void require_paired_names(const std::string& option, const std::vector<std::string>& a,
                          const std::vector<std::string>& b) {
  if (b.empty()) return;
  if (a.size() != b.size()) {
    throw UsageError(option + "-b",
                     "pairs with " + option + ", name by name; give both equally often");
  }
  for (const std::vector<std::string>* names : {&a, &b}) {
    for (const std::string& name : *names) {
      if (name != "all" && !is_pattern(name) && !name.starts_with('!')) continue;
      throw UsageError(option + "-b", "pairs names, and '" + name + "' is not one");
    }
  }
}

RenamedNames renamed_names(const DiffOptions& options) {
  RenamedNames renamed;
  if (!options.map.empty()) renamed = load_name_map(options.map).clip_name_of;
  add_renamed("--clip", options.clips, options.clips_b, renamed);
  add_renamed("--mesh", options.meshes, options.meshes_b, renamed);
  return renamed;
}

std::vector<std::string> in_both(std::vector<std::string> a, const std::vector<std::string>& b) {
  std::erase_if(
      a, [&](const std::string& value) { return std::find(b.begin(), b.end(), value) == b.end(); });
  return a;
}

RigPairs pair_rigs(const DiffOptions& options, const FilePair& files, const RenamedNames& renamed,
                   LibraryRecord& record) {
  const RigSide a = open_rig(options, files.a, "a", options.clips, options.meshes);
  const RigSide b =
      open_rig(options, files.b, "b", options.clips_b.empty() ? options.clips : options.clips_b,
               options.meshes_b.empty() ? options.meshes : options.meshes_b);
  RigPairs pairs{a.asset, b.asset, {}, {}, unmatched_of(options, a.unmatched, b.unmatched)};
  // Files without a selected clip have nothing to compare.
  if (a.clips.empty() && b.clips.empty()) return pairs;
  NamePairs meshes = pair_names(ids_of(a.meshes), ids_of(b.meshes), renamed);
  NamePairs clips =
      pair_names(ids_of(a.clips), ids_of(b.clips), clip_names(options, a, b, renamed));
  find_renamed_meshes(files.name, a.meshes, b.meshes, meshes, record.renamed);
  find_renamed_clips(files.name, *a.asset->skeleton, a.clips, *b.asset->skeleton, b.clips, clips,
                     record.renamed);
  for (const auto& pair : meshes.pairs)
    pairs.meshes.push_back({a.meshes[pair.a], b.meshes[pair.b]});
  for (const auto& pair : clips.pairs) pairs.clips.push_back({a.clips[pair.a], b.clips[pair.b]});
  add_unpaired("mesh", files.name, a.meshes, meshes.only_a, record.only_a);
  add_unpaired("clip", files.name, a.clips, clips.only_a, record.only_a);
  add_unpaired("mesh", files.name, b.meshes, meshes.only_b, record.only_b);
  add_unpaired("clip", files.name, b.clips, clips.only_b, record.only_b);
  add_faults(a.meshes, meshes.only_a, pairs.faults);
  add_faults(a.clips, clips.only_a, pairs.faults);
  add_faults(b.meshes, meshes.only_b, pairs.faults);
  add_faults(b.clips, clips.only_b, pairs.faults);
  return pairs;
}

namespace {

std::vector<std::string> clips_in(const CacheProvenance& known) {
  if (known.clips.empty()) return {known.clip};
  std::vector<std::string> ids;
  for (const CacheClip& clip : known.clips) ids.push_back(clip.clip);
  return ids;
}

std::vector<std::string> meshes_in(const CacheReader& cache, const CacheProvenance& known) {
  std::vector<std::string> ids;
  for (const CachePart& part : cache.parts()) ids.push_back(part.mesh);
  return ids.empty() ? std::vector{known.mesh} : ids;
}

void require_known(const char* option, const std::vector<std::string>& values,
                   const std::vector<std::string>& ids, const std::string& path) {
  if (values.empty() || !ids.empty()) return;
  throw Error("NOT_COMPARABLE",
              "no sidecar names its clip and mesh, so that " + std::string(option) +
                  " cannot select it; leave out " + option + ", or bake the cache again",
              {path, ""});
}

}  // namespace

CacheChoice::CacheChoice(const DiffOptions& options, const DiffSide& a, const DiffSide& b)
    : clip_values_(options.clips), mesh_values_(options.meshes) {
  const auto of_a = a.cache->claimed_provenance(), of_b = b.cache->claimed_provenance();
  const bool takes_b = !(of_a && of_a->is_complete) && of_b && of_b->is_complete;
  if (const auto& known = takes_b ? of_b : of_a; known && known->is_complete) {
    clips_ = clips_in(*known);
    meshes_ = meshes_in(takes_b ? *b.cache : *a.cache, *known);
  }
  if (takes_b && !options.clips_b.empty()) clip_values_ = options.clips_b;
  if (takes_b && !options.meshes_b.empty()) mesh_values_ = options.meshes_b;
  require_known("--clip", clip_values_, clips_, a.path);
  require_known("--mesh", mesh_values_, meshes_, a.path);
}

bool CacheChoice::takes_clip() const {
  return clip_values_.empty() ||
         std::any_of(clips_.begin(), clips_.end(),
                     [&](const std::string& id) { return selects_name(clip_values_, id); });
}

bool CacheChoice::takes_mesh(const std::string& id) const {
  return mesh_values_.empty() || selects_name(mesh_values_, id);
}

UnmatchedValues CacheChoice::unmatched() const {
  UnmatchedNames clips = unmatched_names(clip_values_, clips_);
  UnmatchedNames meshes = unmatched_names(mesh_values_, meshes_);
  return {std::move(clips.chosen), std::move(meshes.chosen), std::move(clips.omitted),
          std::move(meshes.omitted)};
}

namespace {

// Whether a pair of the mesh differs or could not be compared.
bool mesh_differs(const Report& report, const std::string& id) {
  const std::vector<FailedPair>& failed = report.library->failed;
  const auto is_failed = [&](const FailedPair& pair) { return pair.name == id; };
  if (std::any_of(failed.begin(), failed.end(), is_failed)) return true;
  return std::any_of(report.meshes.begin(), report.meshes.end(), [&](const MeshRecord& mesh) {
    return mesh.rig->id == id &&
           std::any_of(mesh.runs.begin(), mesh.runs.end(),
                       [](const auto& run) { return run.difference->vertices > 0; });
  });
}

void add_issue_of_data(const FilePair& files, const std::vector<RigDataDifference>& data,
                       Report& report) {
  constexpr std::size_t kNamed = 5;
  if (data.empty()) return;
  const std::vector<Cause> causes = causes_of(data);
  Issue issue;
  issue.code = "RIG_DATA_DIFFERS";
  issue.severity = Severity::kInfo;
  issue.file = shown(files.b);
  for (std::size_t i = 0; i < std::min(kNamed, causes.size()); ++i) {
    issue.message += (i == 0 ? "" : "; ") + causes[i].text;
  }
  if (causes.size() > kNamed) {
    issue.message += fmt::format("; and {} more", causes.size() - kNamed);
  }
  issue.count = static_cast<std::int64_t>(data.size());
  report.issues.push_back(std::move(issue));
}

}  // namespace

std::string id_in(const std::string& file, const std::string& mesh) {
  return file.empty() ? mesh : mesh.empty() ? file : file + "/" + mesh;
}

void add_causes(const FilePair& files, const RigPairs& pairs,
                const std::set<std::string>& other_triangles, Report& report) {
  std::vector<RigDataDifference> all;
  const auto add = [&](const char* kind, const std::string& name,
                       const std::vector<std::string>& found) {
    for (const std::string& what : found) all.push_back({files.name, kind, name, what});
  };
  bool moves = false;
  for (const RigPairs::Meshes& meshes : pairs.meshes) {
    const std::string id = id_in(files.name, meshes.a->id);
    const bool differs = mesh_differs(report, id);
    moves = moves || differs;
    if (!differs && !other_triangles.contains(id)) continue;
    add("mesh", meshes.a->id, mesh_differences(*meshes.a, *meshes.b));
  }
  if (moves) {
    add("nodes", "", node_differences(*pairs.a->skeleton, *pairs.b->skeleton));
    for (const RigPairs::Clips& clips : pairs.clips) {
      if (clips.a == nullptr || clips.a->fault || (clips.b != nullptr && clips.b->fault)) continue;
      add("clip", clips.a->id,
          clip_differences(*pairs.a->skeleton, clips.a, *pairs.b->skeleton, clips.b));
    }
  } else if (all.empty()) {
    return;
  }
  add_issue_of_data(files, all, report);
  auto& data = report.rig_data ? *report.rig_data : report.rig_data.emplace();
  data.insert(data.end(), all.begin(), all.end());
}

namespace {

// Whether a mesh of the pair was compared in the clip, and none differs or failed.
bool are_equal_in(const FilePair& files, const RigPairs& pairs, const std::string& clip,
                  const Report& report) {
  bool is_compared = false;
  for (const RigPairs::Meshes& of : pairs.meshes) {
    const std::string id = id_in(files.name, of.a->id);
    for (const FailedPair& failed : report.library->failed) {
      if (failed.name == id && (failed.clip == clip || failed.clip.empty())) return false;
    }
    for (const MeshRecord& mesh : report.meshes) {
      if (mesh.rig->id != id) continue;
      for (const RunRecord& run : mesh.runs) {
        if (run.clip != clip) continue;
        if (run.difference->vertices > 0) return false;
        is_compared = true;
      }
    }
  }
  return is_compared;
}

}  // namespace

void add_other_channels(const FilePair& files, const RigPairs& pairs, Report& report) {
  for (const RigPairs::Clips& clips : pairs.clips) {
    if (clips.a == nullptr || !are_equal_in(files, pairs, clips.a->id, report)) continue;
    for (Issue& issue : other_channels(files.b, {pairs.a->skeleton.get(), clips.a},
                                       {pairs.b->skeleton.get(), clips.b})) {
      report.issues.push_back(std::move(issue));
    }
  }
}

}  // namespace skinbake::cli
