// The comparison of two libraries, pair by pair.

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/paths.h"
#include "clips/selection.h"
#include "comparison/library_files.h"
#include "comparison/stated_frames.h"
#include "diff/compared.h"
#include "diff/comparison.h"
#include "diff/conclusion.h"
#include "diff/renamed.h"
#include "diff/rig_pairs.h"
#include "json/text.h"
#include "options/file_kinds.h"
#include "options/frame_options.h"
#include "outputs/output_paths.h"
#include "skinbake/metrics.h"
#include "terminal/format.h"
#include "terminal/progress.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// Both sides of a pair, and what its record in the report says.
struct Pair {
  DiffSide a, b;
  const Rig* rig = nullptr;  // of A; null: a cache
  std::string mesh;          // id in the report
  std::string clip, method;  // empty: unknown
  const Clip* played = nullptr;
  FrameRange frames;
};

class Comparer {
 public:
  Comparer(const DiffOptions& options, LibraryComparison& c)
      : options_(options), c_(c), record_(*c.report.library) {
    inner_ = options;
    inner_.progress = When::kNever;
  }

  // `before`, `all`: the number of pairs of files.
  void compare(const FilePair& files, const RenamedNames& renamed, std::int64_t before,
               std::int64_t all) {
    files_before_ = static_cast<double>(before), all_files_ = static_cast<double>(all);
    attempt(files.name, "", [&] {
      const bool a = is_evaluated(files.a), b = is_evaluated(files.b);
      if (a != b) {
        throw Error("NOT_COMPARABLE", "not comparable: " + (a ? files.a : files.b) +
                                          " is a rig, and " + (a ? files.b : files.a) +
                                          " is a cache; compare them with --clip");
      }
      a ? compare_rigs(files, renamed) : compare_caches(files);
    });
  }

  // Refuses values of --clip and --mesh that match nothing of any pair, and warns of exclusions
  // that do. A file that could not be read might have had it.
  void finish() {
    if (!unmatched_) return;
    if (unread_pairs_ == 0) {
      const std::string place = options_.a + " and " + options_.b;
      const auto list = [](const std::set<std::string>& ids) {
        return std::vector<std::string>(ids.begin(), ids.end());
      };
      const UnmatchedValues& all = *unmatched_;
      if (!all.clips.empty()) fail_unknown_clip(place, all.clips.front(), list(clip_ids_));
      if (!all.meshes.empty()) fail_unknown_mesh(place, all.meshes.front(), list(mesh_ids_));
    }
    add_issues(warn_of_exclusions("", unmatched_->omitted_clips, unmatched_->omitted_meshes));
  }

 private:
  // Calls `work`. A pair that cannot be compared is recorded.
  template <class Work>
  void attempt(const std::string& name, const std::string& clip, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() == "OUTPUT_IS_INPUT") throw;  // it is no property of the pair
      c_.failed_code = std::max(c_.failed_code, exit_code_of(error.kind()));
      record_.failed.push_back({name, clip, error.code(), error.what()});
    }
  }

  void compare_rigs(const FilePair& files, const RenamedNames& renamed) {
    ++unread_pairs_;
    const RigPairs pairs = pair_rigs(options_, files, renamed, record_);
    --unread_pairs_;
    keep(pairs.unmatched);
    refuse_inputs(*pairs.a, *pairs.b);
    for (const Asset* asset : {pairs.a.get(), pairs.b.get()}) {
      add_asset(*asset);
      for (const Clip& clip : asset->clips) clip_ids_.insert(clip.id);
      for (const Rig& rig : asset->rigs) mesh_ids_.insert(rig.id);
    }
    for (const auto& fault : pairs.faults) {
      attempt(files.name, "", [&] { throw Error(*fault); });
    }
    if (pairs.clips.empty()) return;
    double meshes_before = 0;
    for (const RigPairs::Meshes& meshes : pairs.meshes) {
      part_of_file_ = ++meshes_before / static_cast<double>(pairs.meshes.size());
      const std::string id = id_in(files.name, meshes.a->id);
      attempt(id, "", [&] {
        for (const Rig* rig : {meshes.a, meshes.b}) require_read(*rig);
        require_counts(files, meshes);
        compare_meshes(files, pairs, meshes, id);
      });
    }
    add_causes(files, pairs, other_triangles_, c_.report);
    add_other_channels(files, pairs, c_.report);
  }

  // Keeps the values that no pair so far has matched.
  void keep(const UnmatchedValues& of_pair) {
    if (!unmatched_) {
      unmatched_ = of_pair;
      return;
    }
    for (const auto values : {&UnmatchedValues::clips, &UnmatchedValues::meshes,
                              &UnmatchedValues::omitted_clips, &UnmatchedValues::omitted_meshes}) {
      (*unmatched_).*values = in_both((*unmatched_).*values, of_pair.*values);
    }
  }

  void require_counts(const FilePair& files, const RigPairs::Meshes& meshes) {
    const auto counts = [](const std::string& path, const Rig& rig) {
      return FrameCounts{path, rig.mesh->vertex_count(), 1};
    };
    require_comparable(counts(files.a, *meshes.a), counts(files.b, *meshes.b),
                       "; --match surface compares the surfaces");
  }

  void compare_meshes(const FilePair& files, const RigPairs& pairs, const RigPairs::Meshes& meshes,
                      const std::string& id) {
    const auto chosen = [](const std::shared_ptr<Asset>& asset, const Rig* rig) {
      return ChosenRig{asset, rig, nullptr, {}};
    };
    const bool is_asked = options_.typed.contains("--match");  // by index, whatever the order
    const RigsAtBind at_bind(chosen(pairs.a, meshes.a), chosen(pairs.b, meshes.b));
    if (!is_asked) at_bind.require_same_order();
    add_triangles(files, at_bind, *meshes.b, id);
    MeshRecord& record = add_mesh(*meshes.a, id, files.a);
    for (const RigPairs::Clips& clips : pairs.clips) {
      const std::string clip = clips.a == nullptr ? "" : clips.a->id;
      attempt(id, clip, [&] {
        for (const Clip* of : {clips.a, clips.b}) {
          if (of != nullptr) require_read(*of);
        }
        Pair pair;
        const FrameOptions frames = settled_frames(files, pairs, clips);
        pair.a = rig_side(files.a, "a", pairs.a, meshes.a, clips.a, frames);
        pair.b = rig_side(files.b, "b", pairs.b, meshes.b, clips.b, frames);
        limit_frames(pair);
        pair.rig = meshes.a;
        pair.mesh = id;
        pair.clip = clip;
        pair.method = parse_method(options_.method).canonical();
        pair.played = clips.a;
        pair.frames = pair.a.frames();
        evaluate(inner_, pair.a);
        evaluate(inner_, pair.b);
        measure(pair, record);
      });
    }
  }

  // Warns of other triangles, which no frame shows.
  void add_triangles(const FilePair& files, const RigsAtBind& at_bind, const Rig& b,
                     const std::string& id) {
    Issues issues = at_bind.other_triangles();
    if (issues.empty()) return;
    other_triangles_.insert(id);
    for (Issue& issue : issues) {
      issue.pointer = "/nodes/" + std::to_string(b.node);
      issue.message = "mesh '" + id + "' " + issue.message;
    }
    add_issues(issues);
    std::vector<Check>& checks = c_.report.checks;
    const std::size_t first = checks.size();
    add_area_check(at_bind.areas(), files.a, files.b, c_.report);
    for (std::size_t i = first; i < checks.size(); ++i) checks[i].mesh = id;
  }

  // With --fps clip, each pair of clips has its own rate.
  FrameOptions settled_frames(const FilePair& files, const RigPairs& pairs,
                              const RigPairs::Clips& clips) {
    FrameOptions frames = options_.frames;
    settle_fps(std::vector<KeyedClip>{{clips.a, pairs.a->skeleton.get(), files.a},
                                      {clips.b, pairs.b->skeleton.get(), files.b}},
               frames);
    c_.report.settings.fps = frames.fps;
    return frames;
  }

  DiffSide rig_side(const std::string& path, const std::string& role,
                    const std::shared_ptr<Asset>& asset, const Rig* rig, const Clip* clip,
                    const FrameOptions& frames) {
    DiffSide side;
    side.path = path;
    side.role = role;
    side.rig = ChosenRig{asset, rig, clip, select_frames(path, clip, frames)};
    return side;
  }

  // With --overlap, both rigs play the frames that both have.
  void limit_frames(Pair& pair) {
    FrameRange &a = pair.a.rig->frames, &b = pair.b.rig->frames;
    if (options_.overlap) a.frame_count = b.frame_count = std::min(a.frame_count, b.frame_count);
    add_ends({pair.a.rig->clip, &a}, {pair.b.rig->clip, &b});
  }

  // A pair for each mesh, if one of the caches has several.
  void compare_caches(const FilePair& files) {
    inner_.meshes.clear();
    ++unread_pairs_;
    DiffSide a = open_side(inner_, files.a, "a"), b = open_side(inner_, files.b, "b");
    add_input(a);
    add_input(b);
    const CacheChoice choice(options_, a, b);
    --unread_pairs_;
    keep(choice.unmatched());
    clip_ids_.insert(choice.clips().begin(), choice.clips().end());
    mesh_ids_.insert(choice.meshes().begin(), choice.meshes().end());
    clip_ids_.erase("");  // the rest pose
    if (!choice.takes_clip()) return;
    const std::vector<CachePart> of_a = a.cache->parts(), of_b = b.cache->parts();
    if (of_a.empty() && of_b.empty()) {
      if (!choice.meshes().empty() && !choice.takes_mesh(choice.meshes().front())) return;
      attempt(files.name, "", [&] { compare_cache(std::move(a), std::move(b), files.name); });
      return;
    }
    const auto names = [&](const DiffSide& side, const std::vector<CachePart>& parts) {
      std::vector<std::string> ids;
      for (const CachePart& part : parts) ids.push_back(part.mesh);
      const auto provenance = side.cache->claimed_provenance();
      if (ids.empty()) ids.push_back(provenance ? provenance->mesh : "");
      return ids;
    };
    const std::vector<std::string> a_names = names(a, of_a), b_names = names(b, of_b);
    const NamePairs pairs = pair_names(a_names, b_names);
    for (const std::size_t i : pairs.only_a) {
      if (!choice.takes_mesh(a_names[i])) continue;
      record_.only_a.push_back({"mesh", files.name, a_names[i]});
    }
    for (const std::size_t i : pairs.only_b) {
      if (!choice.takes_mesh(b_names[i])) continue;
      record_.only_b.push_back({"mesh", files.name, b_names[i]});
    }
    for (const NamePairs::Pair& pair : pairs.pairs) {
      if (!choice.takes_mesh(a_names[pair.a])) continue;
      const std::string id = id_in(files.name, a_names[pair.a]);
      attempt(id, "", [&] {
        inner_.meshes = {a_names[pair.a]};
        compare_cache(open_side(inner_, files.a, "a"), open_side(inner_, files.b, "b"), id);
      });
    }
  }

  void compare_cache(DiffSide a, DiffSide b, const std::string& id) {
    Pair pair;
    pair.a = std::move(a);
    pair.b = std::move(b);
    pair.mesh = id;
    pair.frames = pair.a.frames();
    const auto of_a = pair.a.cache->claimed_provenance(), of_b = pair.b.cache->claimed_provenance();
    if (const auto& known = of_b ? of_b : of_a) {
      pair.clip = known->clip;
      pair.method = known->method;
    }
    if (of_a) pair.frames = of_a->frames;
    if (options_.overlap) {
      pair.frames.frame_count = std::min(pair.a.counts().frames, pair.b.counts().frames);
    }
    const std::vector<Primitive> primitives = of_a ? of_a->primitives : std::vector<Primitive>{};
    c_.rigs.push_back(rig_of_first_frame(pair.a.source(), id, primitives));
    MeshRecord& record = c_.report.meshes.emplace_back();
    record.rig = &c_.rigs.back();
    record.bbox_diagonal_m = bbox_diagonal(*record.rig);
    try {
      measure(pair, record);
    } catch (...) {
      c_.report.meshes.pop_back();
      throw;
    }
  }

  MeshRecord& add_mesh(const Rig& rig, const std::string& id, const std::string& path) {
    // The report needs neither the skin nor the joints.
    Rig& shown_rig = c_.rigs.emplace_back();
    shown_rig.id = id;
    shown_rig.node = rig.node;
    shown_rig.skeleton = rig.skeleton;
    shown_rig.mesh = rig.mesh;
    MeshRecord& record = c_.report.meshes.emplace_back();
    record.rig = &shown_rig;
    with_mesh_location(path, rig,
                       [&] { record.bbox_diagonal_m = bind_baseline(rig).bbox_diagonal_m; });
    return record;
  }

  // The clip of the report with this name, from the first pair that has one.
  const Clip* clip_record(const Pair& pair) {
    const auto known = std::find_if(c_.clips.begin(), c_.clips.end(),
                                    [&](const Clip& clip) { return clip.id == pair.clip; });
    if (known != c_.clips.end()) return &*known;
    Clip& clip = c_.clips.emplace_back();
    clip.id = pair.clip;
    clip.index = pair.played == nullptr ? -1 : pair.played->index;
    clip.name = pair.played == nullptr ? "" : pair.played->name;
    clip.duration_s = pair.played == nullptr
                          ? std::max(0.0, pair.frames.time_s(pair.frames.frame_count - 1))
                          : pair.played->duration_s;
    c_.report.clips.push_back({&clip, pair.frames});
    return &clip;
  }

  void measure(Pair& pair, MeshRecord& mesh) {
    const FrameCounts counts_a = pair.a.counts(), counts_b = pair.b.counts();
    const bool same_vertices = counts_a.vertices == counts_b.vertices;
    if (!options_.overlap || !same_vertices) {
      require_comparable(counts_a, counts_b,
                         same_vertices ? "; --overlap compares the frames that both have" : "");
    }
    require_like_frames(inner_, pair.a, pair.b);
    const auto a = joined_frames({&pair.a.source()}, pair.frames.frame_count);
    const auto b = joined_frames({&pair.b.source()}, pair.frames.frame_count);
    DiffPlan plan;
    plan.a = a.get();
    plan.b = b.get();
    plan.rig = mesh.rig;
    plan.frames = pair.frames;
    plan.bbox_diagonal_m = mesh.bbox_diagonal_m;
    plan.limits_m = options_.thresholds.vertex_limits_m(plan.bbox_diagonal_m);
    plan.details = options_.wants_report();
    plan.threads = options_.threads;
    RunRecord run;
    run.difference = difference_of(plan);
    run.error = run.difference->error;
    // The table needs no number of a vertex, and a library has many vertices.
    const bool has_no_vertices = run.difference->vertices == 0 || !options_.wants_report();
    if (options_.per_vertex == PerVertex::kNone && has_no_vertices) {
      run.error->per_vertex = {};
    }
    run.difference->error = {};
    run.clip = pair.clip;
    run.method = pair.method;
    run.frames = {pair.frames, clip_record(pair)};
    run.has_own_frames = true;
    run.reference = shown(pair.a.path);
    add_issues(pair, *run.difference);
    mesh.runs.push_back(std::move(run));
  }

  void add_issues(const Issues& issues) {
    Issues& all = c_.report.issues;
    all.insert(all.end(), issues.begin(), issues.end());
  }

  void add_issues(const Pair& pair, const Difference& difference) {
    add_issues(unlike_frames(inner_, pair.a, pair.b));
    if (difference.vertices == 0) return;
    add_issues(other_order(pair.a, pair.b, pair.rig));
    for (const DiffSide* side : {&pair.a, &pair.b}) {
      if (side->cache) add_issues(ignored_sidecar(*side->cache));
    }
  }

  // Throws if an output would replace a file that a rig names, such as its buffer.
  void refuse_inputs(const Asset& a, const Asset& b) const {
    InputFiles inputs;
    inputs.add(a);
    inputs.add(b);
    inputs.refuse(output_paths(options_));
  }

  void add_asset(const Asset& asset) {
    record_inputs(asset.files, asset.inputs);
    c_.files.insert(c_.files.end(), asset.files.begin(), asset.files.end());
    Issues& issues = c_.report.issues;
    issues.insert(issues.end(), asset.issues.begin(), asset.issues.end());
    if (!options_.wants_report()) return;
    std::vector<InputFile>& inputs = c_.report.inputs;
    inputs.insert(inputs.end(), asset.inputs.begin(), asset.inputs.end());
  }

  void add_input(const DiffSide& side) {
    c_.files.push_back(side.path);
    c_.files.push_back(side.path + ".json");
    if (!options_.wants_report()) return;
    c_.report.inputs.push_back(
        {side.role, shown(side.path), side.cache->bytes(), side.cache->xxh128()});
  }

  const DiffOptions& options_;
  DiffOptions inner_;  // of one pair
  LibraryComparison& c_;
  LibraryRecord& record_;
  std::optional<UnmatchedValues> unmatched_;   // of all pairs; none: nothing has been read
  std::set<std::string> clip_ids_, mesh_ids_;  // of all pairs
  std::set<std::string> other_triangles_;      // ids of the meshes that have them
  int unread_pairs_ = 0;                       // that could not be read
  double files_before_ = 0, all_files_ = 1, part_of_file_ = 1;  // of the work
};

// The pairs of files of two libraries, or the two rigs. What only one side has is recorded.
std::vector<FilePair> list_files(const DiffOptions& options, const RenamedNames& renamed,
                                 LibraryRecord& record) {
  if (!is_library(options.a) && !is_library(options.b)) return {{"", options.a, options.b}};
  record_inputs({options.a, options.b});
  const std::vector<LibraryFile> a = library_files(options.a), b = library_files(options.b);
  InputFiles inputs;
  for (const auto* files : {&a, &b}) {
    for (const LibraryFile& file : *files) {
      inputs.add_cache(file.path);
      record_inputs({file.path, file.path + ".json"});  // also one without a partner
    }
  }
  inputs.refuse(output_paths(options));
  FilePairs pairs = pair_files(a, b, renamed);
  find_renamed_files(a, b, pairs, record.renamed);
  for (const std::string& name : pairs.only_a) record.only_a.push_back({"file", name, ""});
  for (const std::string& name : pairs.only_b) record.only_b.push_back({"file", name, ""});
  return std::move(pairs.pairs);
}

// What to do with two folders of reports; empty: one has none.
std::string remedy_of_reports(const DiffOptions& options) {
  if (!has_reports(options.a) || !has_reports(options.b)) return "";
  return "; both have reports, which are compared one by one, diff " + shown(options.a) +
         "/NAME.json " + shown(options.b) + "/NAME.json, or on one page, report " +
         shown(options.b) + "/*.json --against " + shown(options.a) + "/*.json -o changes.html";
}

std::string first_of(const LibraryRecord& record) {
  if (!record.failed.empty()) return "; the first pair: " + record.failed.front().message;
  std::string text;
  if (!record.renamed.empty()) {
    const RenamedElement& element = record.renamed.front();
    text = fmt::format("; the {} '{}' is renamed '{}' in B, which --map pairs", element.kind,
                       element.a, element.b);
  }
  for (const auto& [side, list] : {std::pair{"A", &record.only_a}, {"B", &record.only_b}}) {
    if (list->empty()) continue;
    const UnpairedElement& element = list->front();
    text += fmt::format("; only {} has {} '{}'", side, element.kind,
                        element.name.empty() ? element.file : element.name);
  }
  return text;
}

}  // namespace

void compare_libraries(const DiffOptions& options, LibraryComparison& c) {
  parse_method(options.method);
  c.report = empty_report(options);
  c.report.settings.map = options.map.empty() ? "" : shown(options.map);
  LibraryRecord& record = c.report.library.emplace();
  record.missing_fails = options.fail_missing;
  const RenamedNames renamed = renamed_names(options);
  if (!options.map.empty()) c.files.push_back(options.map);
  const std::vector<FilePair> files = list_files(options, renamed, record);
  record.files = static_cast<std::int64_t>(files.size());
  DiffOptions settled = options;
  settled.per_vertex = c.report.per_vertex;
  Comparer comparer(settled, c);
  Progress progress(record.files, options.bar(), "files");
  std::int64_t done = 0;
  for (const FilePair& pair : files) {
    progress.begin(printable(pair.name.empty() ? options.b : pair.name));
    comparer.compare(pair, renamed, done, record.files);
    progress.update(++done);
  }
  comparer.finish();
  std::erase_if(c.report.meshes, [](const MeshRecord& mesh) { return mesh.runs.empty(); });
  c.report.issues = sorted_unique(std::move(c.report.issues));
  if (!c.report.meshes.empty() || !record.failed.empty()) return;
  throw Error("NOTHING_PAIRS", "not comparable: " + options.a + " and " + options.b +
                                   " have no file, mesh and clip of one name" + first_of(record) +
                                   remedy_of_reports(options));
}

}  // namespace skinbake::cli
