#include "diff/library/rig_pairs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "batch/jobs/glob.h"
#include "clips/clip_files.h"
#include "diff/library/renamed.h"
#include "options/parsing/usage_error.h"
#include "options/selection.h"
#include "skinbake/clip_file.h"
#include "task/task_context.h"

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
  source.clips = clips.empty() ? std::vector<std::string>{"all"} : clips;
  side.unmatched.clips = unmatched_clips(asset, source.clips);
  side.unmatched.meshes = unmatched_meshes(asset, meshes);
  if (const auto values = matching_values(source.clips, side.unmatched.clips)) {
    source.clips = *values;
    const std::vector<std::string> wanted = use_clip_files(source, options.load, asset).ids;
    side.clips = selected_or_none([&] { return select_clips(asset.clips, asset.path, wanted); });
  }
  if (const auto values = matching_values(meshes, side.unmatched.meshes)) {
    side.meshes = selected_or_none([&] { return select_meshes(asset, *values); });
  }
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

// With names of their own for B, the values of both sides; otherwise those that neither has.
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
  NamePairs clips = pair_names(ids_of(a.clips), ids_of(b.clips), renamed);
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
  return pairs;
}

}  // namespace skinbake::cli
