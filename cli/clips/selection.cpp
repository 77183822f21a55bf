#include "clips/selection.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/file_kind.h"
#include "base/nearest_word.h"
#include "base/paths.h"
#include "batch/jobs/glob.h"
#include "clips/clip_source.h"
#include "options/numbers.h"
#include "options/usage_error.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

template <class Elements, class IdOf>
std::string list_of(const Elements& elements, const IdOf& id_of) {
  constexpr std::size_t kShown = 20;
  std::string text;
  std::size_t shown = 0;
  for (const auto& element : elements) {
    if (shown == kShown) return text + fmt::format(", … ({} in all)", elements.size());
    text += (shown++ == 0 ? "'" : ", '") + std::string(id_of(element)) + "'";
  }
  return text.empty() ? "none" : text;
}

std::optional<std::int64_t> index_of(const std::string& wanted) {
  return wanted.starts_with('#') ? whole_number(std::string_view(wanted).substr(1)) : std::nullopt;
}

// The index of "#7"; none: the value is not one of `count` elements.
std::optional<std::size_t> index_in(const std::string& wanted, std::size_t count) {
  const auto index = index_of(wanted);
  if (!index || *index >= static_cast<std::int64_t>(count)) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

std::string ids_of(const std::vector<Clip>& clips) {
  return list_of(clips, [](const Clip& c) { return c.id; });
}

// Throws if several mesh nodes have the name: then it is not the id of any of them.
void require_unambiguous(const Asset& asset, const std::string& name) {
  std::vector<std::string> ids;
  for (const Rig& rig : asset.rigs) {
    const Node& node = rig.skeleton->nodes[static_cast<std::size_t>(rig.node)];
    if (node.name == name) ids.push_back(rig.id);
  }
  if (ids.empty()) return;
  throw_usage(
      "MESH_AMBIGUOUS",
      fmt::format("{}: {} mesh nodes have the name '{}'; choose one of {}", asset.path, ids.size(),
                  name, list_of(ids, [](const std::string& id) { return id; })));
}

// The same of clips.
void require_unambiguous(const std::vector<Clip>& clips, const std::string& path,
                         const std::string& name) {
  std::vector<std::string> ids;
  for (const Clip& clip : clips) {
    if (clip.name == name) ids.push_back(clip.id);
  }
  if (ids.empty()) return;
  throw_usage("CLIP_AMBIGUOUS",
              fmt::format("{}: {} clips have the name '{}'; choose one of {}", path, ids.size(),
                          name, list_of(ids, [](const std::string& id) { return id; })));
}

// The remedy if the scene does not have a mesh.
std::string remedy_without_mesh(const Asset& asset) {
  for (std::size_t s = 0; s < asset.scenes.size(); ++s) {
    if (asset.scenes[s].mesh_nodes == 0 || asset.scenes[s].is_read) continue;
    return fmt::format("choose a scene that has a mesh, with --scene {}", s);
  }
  const auto has = [&](std::string_view code) {
    return std::any_of(asset.issues.begin(), asset.issues.end(),
                       [&](const Issue& issue) { return issue.code == code; });
  };
  if (has("PRIMITIVE_EMPTY")) return "export its meshes with their positions";
  if (has("MESHES_NOT_IN_SCENE") || has("MESH_UNUSED")) {
    return "put its meshes into the scene and export it again";
  }
  return asset.clips.empty() ? "export it with a mesh"
                             : "apply its clips to a rig with bake RIG --clip FILE";
}

bool is_exclusion(const std::string& value) {
  return value.size() > 1 && value.front() == '!';
}

// The values of --clip or --mesh: what they select, and what the values that begin with '!' omit.
// A name of the file that begins with '!' is that name.
struct Wanted {
  std::vector<std::string> chosen, omitted;

  bool omits(const std::string& id) const {
    return std::any_of(omitted.begin(), omitted.end(), [&](const std::string& pattern) {
      return pattern == id || matches_pattern(pattern, id);
    });
  }
};

template <class HasId>
Wanted wanted_of(const std::vector<std::string>& values, const HasId& has_id) {
  Wanted wanted;
  for (const std::string& value : values) {
    if (is_exclusion(value) && !has_id(value)) {
      wanted.omitted.push_back(value.substr(1));
    } else {
      wanted.chosen.push_back(value);
    }
  }
  return wanted;
}

// The clips whose ids match a pattern; none: the value is not a pattern, or nothing matches.
std::vector<const Clip*> clips_matching(const std::vector<Clip>& clips, const std::string& value) {
  std::vector<const Clip*> matching;
  if (!is_pattern(value)) return matching;
  for (const Clip& clip : clips) {
    if (matches_pattern(value, clip.id)) matching.push_back(&clip);
  }
  return matching;
}

// The clips of one value of --clip; empty: the only clip.
std::vector<const Clip*> clips_of(const std::vector<Clip>& clips, const std::string& path,
                                  const std::string& wanted) {
  if (clips.empty() && (wanted.empty() || wanted == "all")) return {nullptr};
  if (wanted.empty() && clips.size() == 1) return {&clips.front()};
  if (wanted.empty()) {
    throw_usage("CLIP_AMBIGUOUS", path + ": several clips; choose 'all', " + ids_of(clips));
  }
  for (const Clip& clip : clips) {
    if (clip.id == wanted) return {&clip};
  }
  if (wanted == "all") {
    std::vector<const Clip*> all;
    for (const Clip& clip : clips) all.push_back(&clip);
    return all;
  }
  if (const auto index = index_in(wanted, clips.size())) return {&clips[*index]};
  if (const auto matching = clips_matching(clips, wanted); !matching.empty()) return matching;
  require_unambiguous(clips, path, wanted);
  std::vector<std::string> ids;
  for (const Clip& clip : clips) ids.push_back(clip.id);
  fail_unknown_clip(path, wanted, ids);
}

}  // namespace

void fail_unknown_clip(const std::string& place, const std::string& wanted,
                       const std::vector<std::string>& ids) {
  refuse_other_kind(wanted.substr(0, wanted.find('#')));
  throw_usage("CLIP_UNKNOWN", place + ": no clip '" + wanted + "'; there are: " +
                                  list_of(ids, [](const std::string& id) { return id; }) +
                                  did_you_mean(wanted, ids));
}

void fail_unknown_mesh(const std::string& place, const std::string& wanted,
                       const std::vector<std::string>& ids) {
  throw_usage("MESH_UNKNOWN", place + ": no mesh node '" + wanted + "'; there are: " +
                                  list_of(ids, [](const std::string& id) { return id; }) +
                                  did_you_mean(wanted, ids));
}

void require_one_meaning(const std::vector<Clip>& clips, const std::string& path,
                         const std::string& value) {
  const auto named =
      std::find_if(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.id == value; });
  const std::size_t meant = value == "all" ? clips.size() : clips_matching(clips, value).size();
  if (named == clips.end() || meant < 2) return;
  throw_usage("CLIP_AMBIGUOUS", path + ": '" + value + "' is the name of a clip and means " +
                                    std::to_string(meant) + " clips; choose '#" +
                                    std::to_string(named - clips.begin()) +
                                    "' for the one, or another pattern, such as '*'");
}

std::vector<const Clip*> find_clips(const std::vector<Clip>& clips, const std::string& path,
                                    const std::vector<std::string>& values) {
  const Wanted wanted = wanted_of(values, [&](const std::string& value) {
    return std::any_of(clips.begin(), clips.end(), [&](const Clip& c) { return c.id == value; });
  });
  std::vector<const Clip*> chosen;
  if (values.empty()) {
    chosen = clips_of(clips, path, "");
  } else if (wanted.chosen.empty()) {  // all; a clip may have that name
    for (const Clip& clip : clips) {
      if (!wanted.omits(clip.id)) chosen.push_back(&clip);
    }
    if (clips.empty()) chosen.push_back(nullptr);
  }
  for (const std::string& one : wanted.chosen) {
    for (const Clip* clip : clips_of(clips, path, one)) {
      if (clip != nullptr && wanted.omits(clip->id)) continue;
      if (std::find(chosen.begin(), chosen.end(), clip) == chosen.end()) chosen.push_back(clip);
    }
  }
  if (chosen.empty()) {
    throw_usage("CLIP_UNKNOWN",
                path + ": every selected clip is omitted; there are: " + ids_of(clips));
  }
  return chosen;
}

std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::vector<std::string>& values) {
  std::vector<const Clip*> chosen = find_clips(clips, path, values);
  for (const Clip* clip : chosen) {
    if (clip != nullptr) require_read(*clip);
  }
  return chosen;
}

std::size_t most_mesh_nodes(const Asset& asset) {
  constexpr std::size_t kMostProducts = 3'000'000'000;  // half a minute
  return kMostProducts / std::max<std::size_t>(1, asset.skeleton->nodes.size());
}

namespace {

// The mesh nodes of one value of --mesh; none: no node matches.
std::vector<const Rig*> rigs_of(const Asset& asset, const std::string& id) {
  std::vector<const Rig*> rigs;
  const auto node = index_of(id);
  const auto take = [&](const auto& fits) {
    for (const Rig& rig : asset.rigs) {
      if (fits(rig)) rigs.push_back(&rig);
    }
  };
  take([&](const Rig& rig) { return rig.id == id; });
  if (rigs.empty() && node) take([&](const Rig& rig) { return rig.node == *node; });
  if (rigs.empty()) require_unambiguous(asset, id);
  if (rigs.empty() && is_pattern(id)) {
    take([&](const Rig& rig) { return matches_pattern(id, rig.id); });
  }
  if (rigs.empty() && id == "all") take([](const Rig&) { return true; });
  return rigs;
}

std::vector<std::string> ids_of(const std::vector<Rig>& rigs) {
  std::vector<std::string> ids;
  for (const Rig& rig : rigs) ids.push_back(rig.id);
  return ids;
}

}  // namespace

std::vector<const Rig*> find_meshes(const Asset& asset, const std::vector<std::string>& values) {
  const Wanted wanted = wanted_of(values, [&](const std::string& value) {
    return std::any_of(asset.rigs.begin(), asset.rigs.end(),
                       [&](const Rig& rig) { return rig.id == value; });
  });
  std::vector<bool> chosen(asset.rigs.size(), wanted.chosen.empty());
  for (const std::string& id : wanted.chosen) {
    const std::vector<const Rig*> found = rigs_of(asset, id);
    if (found.empty()) fail_unknown_mesh(asset.path, id, ids_of(asset.rigs));
    for (const Rig* rig : found) chosen[static_cast<std::size_t>(rig - asset.rigs.data())] = true;
  }
  std::vector<const Rig*> rigs;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] && !wanted.omits(asset.rigs[i].id)) rigs.push_back(&asset.rigs[i]);
  }
  if (rigs.empty() && !asset.rigs.empty()) {
    throw_usage("MESH_UNKNOWN", asset.path + ": every selected mesh node is omitted");
  }
  if (rigs.empty()) {
    throw Error("NOTHING_TO_BAKE",
                "the scene does not have a mesh, so that there is nothing to bake; " +
                    remedy_without_mesh(asset),
                {asset.path, "/scenes"});
  }
  return rigs;
}

std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& values) {
  std::vector<const Rig*> rigs = find_meshes(asset, values);
  for (const Rig* rig : rigs) require_read(*rig);
  return rigs;
}

namespace {

// The values that begin with '!' and omit nothing.
std::vector<std::string> unmatched_exclusions(const std::vector<std::string>& ids,
                                              const Wanted& wanted) {
  std::vector<std::string> unmatched;
  for (const std::string& pattern : wanted.omitted) {
    const Wanted one{{}, {pattern}};
    const auto omits = [&](const std::string& id) { return one.omits(id); };
    if (std::none_of(ids.begin(), ids.end(), omits)) unmatched.push_back("!" + pattern);
  }
  return unmatched;
}

template <class Elements>
std::vector<std::string> unmatched_exclusions(const Elements& elements,
                                              const std::vector<std::string>& values) {
  std::vector<std::string> ids;
  for (const auto& element : elements) ids.push_back(element.id);
  return unmatched_exclusions(ids, wanted_of(values, [&](const std::string& value) {
                                return std::find(ids.begin(), ids.end(), value) != ids.end();
                              }));
}

}  // namespace

std::vector<std::string> unmatched_clip_exclusions(const Asset& asset,
                                                   const std::vector<std::string>& values) {
  return unmatched_exclusions(asset.clips, values);
}

std::vector<std::string> unmatched_mesh_exclusions(const Asset& asset,
                                                   const std::vector<std::string>& values) {
  return unmatched_exclusions(asset.rigs, values);
}

std::vector<std::string> unmatched_clips(const Asset& asset,
                                         const std::vector<std::string>& values) {
  const auto is_of_the_asset = [&](const std::string& value) {
    return value == "all" || index_in(value, asset.clips.size()) ||
           std::any_of(asset.clips.begin(), asset.clips.end(), [&](const Clip& clip) {
             return clip.id == value || (is_pattern(value) && matches_pattern(value, clip.id));
           });
  };
  std::vector<std::string> unmatched;
  for (const std::string& value : values) {
    const bool is_elsewhere = is_made_clip(value) || !split_clip(value).path.empty();
    if (is_exclusion(value) || is_elsewhere || is_of_the_asset(value)) continue;
    unmatched.push_back(value);
  }
  return unmatched;
}

std::vector<std::string> unmatched_meshes(const Asset& asset,
                                          const std::vector<std::string>& values) {
  std::vector<std::string> unmatched;
  for (const std::string& value : values) {
    if (!is_exclusion(value) && rigs_of(asset, value).empty()) unmatched.push_back(value);
  }
  return unmatched;
}

namespace {

bool chooses_name(const std::string& value, const std::string& id) {
  return value == id || value == "all" || (is_pattern(value) && matches_pattern(value, id));
}

}  // namespace

bool selects_name(const std::vector<std::string>& values, const std::string& id) {
  const Wanted wanted = wanted_of(values, [&](const std::string& value) { return value == id; });
  const bool is_chosen =
      wanted.chosen.empty() ||
      std::any_of(wanted.chosen.begin(), wanted.chosen.end(),
                  [&](const std::string& value) { return chooses_name(value, id); });
  return is_chosen && !wanted.omits(id);
}

UnmatchedNames unmatched_names(const std::vector<std::string>& values,
                               const std::vector<std::string>& ids) {
  const auto any = [&](const auto& fits) { return std::any_of(ids.begin(), ids.end(), fits); };
  const Wanted wanted = wanted_of(values, [&](const std::string& value) {
    return any([&](const std::string& id) { return id == value; });
  });
  UnmatchedNames unmatched;
  for (const std::string& value : wanted.chosen) {
    if (!any([&](const std::string& id) { return chooses_name(value, id); })) {
      unmatched.chosen.push_back(value);
    }
  }
  unmatched.omitted = unmatched_exclusions(ids, wanted);
  return unmatched;
}

Issues warn_of_exclusions(const std::string& file, const std::vector<std::string>& clips,
                          const std::vector<std::string>& meshes) {
  const std::size_t count = clips.size() + meshes.size();
  if (count == 0) return {};
  std::string list;
  for (const auto& [option, values] : {std::pair("--clip ", &clips), {"--mesh ", &meshes}}) {
    if (values->empty()) continue;
    list += (list.empty() ? "" : ", ") + std::string(option) +
            list_of(*values, [](const std::string& value) { return value; });
  }
  Issue issue;
  issue.code = "EXCLUSION_UNMATCHED";
  issue.file = file;
  issue.message = list + (count == 1 ? " matches nothing, so that it omits nothing"
                                     : " match nothing, so that they omit nothing");
  issue.count = static_cast<std::int64_t>(count);
  return {issue};
}

Issues warn_of_exclusions(const Asset& asset, const std::vector<std::string>& clip_values,
                          const std::vector<std::string>& mesh_values) {
  return warn_of_exclusions(shown(asset.path), unmatched_clip_exclusions(asset, clip_values),
                            unmatched_mesh_exclusions(asset, mesh_values));
}

bool selects_several(const std::vector<std::string>& values) {
  return values.size() > 1 ||
         (values.size() == 1 &&
          (values.front() == "all" || is_pattern(values.front()) || is_exclusion(values.front())));
}

}  // namespace skinbake::cli
