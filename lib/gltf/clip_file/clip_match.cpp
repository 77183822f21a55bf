// Matches the nodes of a clip with the nodes of a rig, by name or as the bones of humanoids.

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/issue.h"
#include "clip/sampling/sample.h"
#include "gltf/clip_file/face_match.h"
#include "gltf/clip_file/match_index.h"
#include "gltf/clip_file/morph_match.h"
#include "gltf/clip_file/rest_poses.h"
#include "gltf/clip_file/retarget.h"
#include "gltf/document/document.h"
#include "gltf/document/message_text.h"
#include "gltf/user_file/user_json.h"
#include "json/json_text.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake {

namespace {

using gltf::folded;
using gltf::in_quotes;
using gltf::named_nodes;
using gltf::Nodes;
using gltf::NodesByName;
using RestRelation = gltf::RestComparison::Relation;

class Matcher {
 public:
  Matcher(const ClipFile& file, const Clip& clip, const Asset& rig, const RetargetOptions& options,
          const gltf::MatchIndex& index, gltf::MorphMatcher& morphs)
      : file_(file), clip_(clip), rig_(rig), options_(options), index_(index), morphs_(morphs) {}

  // Pairs nodes by their names, and by the map. Returns whether every node of the clip has a
  // partner and keys mean the same on both, perhaps in another unit.
  bool pair_by_names() {
    begin();
    match_pending(&Matcher::match_mapped);
    match_pending(&Matcher::match_place);
    match_pending(&Matcher::match_exact);
    match_pending(&Matcher::match_folded);
    rest_.emplace(index_.clip_rest, index_.rig_rest, pairs_, pairs_below());
    return pending_.empty() && rest_->relation() != RestRelation::kOther;
  }

  // The partners below those of pairs_.
  std::vector<gltf::NodePair> pairs_below() const {
    std::set<NodeIndex> above;
    for (const gltf::NodePair& pair : pairs_) above.insert(pair.from);
    std::vector<gltf::NodePair> below;
    for (const NodeIndex node : file_.skeleton->order) {
      if (!above.contains(file_.skeleton->nodes[static_cast<std::size_t>(node)].parent)) continue;
      const NodeIndex partner = index_.partner_by_place[static_cast<std::size_t>(node)];
      if (partner >= 0 && above.insert(node).second) below.push_back({node, partner});
    }
    return below;
  }

  // The result of pair_by_names.
  MatchedClip by_names() {
    if (options_.mode != RetargetMode::kOff) adapt_to_rest();
    return finish();
  }

  // Matches the bones and the faces of two humanoids, and other nodes by the map. `found` are the
  // issues of both bodies. `shared_face` is the rig's face, once a clip drives it.
  MatchedClip as_humanoids(const gltf::HumanoidRetarget& humanoid, const HumanoidMap& bones,
                           const Issues& found, std::shared_ptr<const PlayableFace>& shared_face) {
    humanoid_ = &humanoid;
    result_.as_humanoids = true;
    result_.issues = found;
    face_ = gltf::match_face(file_, clip_, rig_, bones, options_.mirror, shared_face);
    begin();
    match_pending(&Matcher::match_mapped);
    match_pending(&Matcher::match_bone);
    match_pending(&Matcher::match_driver_of_face);
    add_motion();
    return finish();
  }

 private:
  using Channels = std::vector<const Channel*>;

  void begin() {
    pending_ = channels_by_node();
    drivers_of_faces_ = {file_.face.look_at};
    for (const FaceNodes::Driver& driver : file_.face.expressions) {
      drivers_of_faces_.insert(driver.node);
    }
    index_map();
    result_.clip = clip_;
    result_.clip.channels.clear();
  }

  void add_motion() {
    const bool turns_eyes = face_.player && face_.player->turns_eyes();
    if (moves_bones_ || turns_eyes) {
      result_.clip.motion = humanoid_->motion(clip_, claimed_, turns_eyes ? face_.player : nullptr);
    }
    if (face_.player && face_.player->drives_expressions()) {
      result_.clip.motion = std::make_shared<const FaceMotion>(result_.clip.motion, face_.player);
      for (const Rig& rig : rig_.rigs) {
        if (face_.player->moves_morphs(rig.node)) morphed_.insert(rig.node);
      }
    }
    result_.issues.insert(result_.issues.end(), face_.issues.begin(), face_.issues.end());
  }

  bool match_driver_of_face(NodeIndex node, const Channels&) {
    return face_.drivers.contains(node);
  }

  MatchedClip finish() {
    for (const auto& [node, channels] : pending_) note_unmatched(node, channels);
    if (result_.clip.channels.empty() && !result_.clip.motion) {
      note("CLIP_EMPTY", "/animations/" + std::to_string(clip_.index),
           "clip " + in_quotes(clip_.id) +
               " does not move a node of the rig; the rest pose is baked");
    }
    note_still_meshes();
    result_.issues = sorted_unique(std::move(result_.issues));
    return std::move(result_);
  }

  // [node of the rig] Whether the clip moves it or a node above it.
  std::vector<char> moved_nodes() {
    std::vector<char> moved(rig_.skeleton->nodes.size(), 0);
    const auto move = [&](NodeIndex node) { moved[static_cast<std::size_t>(node)] = 1; };
    for (const Channel& channel : result_.clip.channels) {
      if (channel.path != ChannelPath::kWeights) move(channel.node);
    }
    if (result_.clip.motion) {
      for (const NodeIndex node : result_.clip.motion->nodes()) move(node);
    }
    for (const NodeIndex node : rig_.skeleton->order) {
      const NodeIndex above = rig_.skeleton->nodes[static_cast<std::size_t>(node)].parent;
      if (above >= 0 && moved[static_cast<std::size_t>(above)] != 0) move(node);
    }
    return moved;
  }

  // A file with two characters may get a clip of one of them.
  void note_still_meshes() {
    const std::vector<char> moved = moved_nodes();
    for (const Channel& channel : result_.clip.channels) {
      if (channel.path == ChannelPath::kWeights) morphed_.insert(channel.node);
    }
    std::vector<const Rig*> still;
    for (std::size_t r = 0; r < rig_.rigs.size(); ++r) {
      const Rig& rig = rig_.rigs[r];
      const Nodes& moving = index_.moving[r];
      const bool follows = std::any_of(moving.begin(), moving.end(), [&](NodeIndex node) {
        return moved[static_cast<std::size_t>(node)] != 0;
      });
      if (!follows && !morphed_.contains(rig.node)) still.push_back(&rig);
    }
    result_.moves_meshes = still.size() < rig_.rigs.size();
    for (const Rig* rig : still) {
      if (!rig->skinned || !result_.moves_meshes) continue;
      noted_.add(make_issue("CLIP_LEAVES_MESH", gltf::shown_path(rig_.path), pointer_of(rig->node),
                            "clip " + in_quotes(clip_.id) + " of " + in_quotes(file_.shown_as) +
                                " does not move a joint of the skinned mesh " + in_quotes(rig->id) +
                                ", which stays at rest"),
                 result_.issues);
    }
  }

  void index_map() {
    for (const auto& [rig_name, clip_name] : options_.names.clip_name_of) {
      const Nodes targets = named_nodes(*rig_.skeleton, index_.by_name, rig_name);
      const std::optional<NodeIndex> source = source_named(clip_name);
      if (targets.empty()) note_unknown(rig_name, rig_name, "rig", rig_.path);
      if (!source) note_unknown(rig_name, clip_name, "clip's file", file_.path);
      if (!targets.empty() && carries_bones(targets.front())) {
        note_of_body(rig_name, targets.front());
        continue;
      }
      paired_.insert(targets.begin(), targets.end());
      if (source && !targets.empty()) mapped_[*source].push_back(targets.front());
    }
  }

  // The node that a name of the map means: of several, the first that the clip moves. None: the
  // name is unknown.
  std::optional<NodeIndex> source_named(const std::string& name) {
    const auto [known, is_new] = source_of_.try_emplace(name);
    std::optional<NodeIndex>& source = known->second;
    if (!is_new) return source;
    const Nodes nodes = named_nodes(*file_.skeleton, index_.clip_nodes, name);
    for (const NodeIndex node : nodes) {
      if (!pending_.contains(node)) continue;
      if (source) alike_[node] = *source;
      if (!source) source = node;
    }
    if (!source && !nodes.empty()) source = nodes.front();
    return source;
  }

  void note_unknown(const std::string& key, const std::string& name, const char* where,
                    const std::string& path) {
    noted_.add(make_issue("MAP_NAME_UNKNOWN", options_.names.shown_as, "/" + pointer_token(key),
                          "the " + std::string(where) + " " + in_quotes(gltf::shown_path(path)) +
                              " does not have a node " + in_quotes(name)),
               result_.issues);
  }

  // Whether bones are below the node. Bones turn from T-pose to T-pose whatever the channels of the
  // node, so that the node's motion would be added to the body's.
  bool carries_bones(NodeIndex target) const {
    return humanoid_ != nullptr && humanoid_->carries_bones(target);
  }

  void note_of_body(const std::string& key, NodeIndex target) {
    noted_.add(make_issue("MAP_NODE_OF_BODY", options_.names.shown_as, "/" + pointer_token(key),
                          "the map pairs the rig's node " + std::to_string(target) + ", " +
                              in_quotes(rig_name(target)) +
                              ", which bones of the human body are below: the clip moves the rig "
                              "as a human body; the pair is ignored"),
               result_.issues);
  }

  std::map<NodeIndex, Channels> channels_by_node() const {
    std::map<NodeIndex, Channels> channels;
    for (const Channel& channel : clip_.channels) channels[channel.node].push_back(&channel);
    return channels;
  }

  // Each rule is applied to all nodes before the next rule: an exact name takes precedence over a
  // similar one, whatever the order of their nodes.
  void match_pending(bool (Matcher::*is_matched)(NodeIndex, const Channels&)) {
    for (auto entry = pending_.begin(); entry != pending_.end();) {
      entry = (this->*is_matched)(entry->first, entry->second) ? pending_.erase(entry)
                                                               : std::next(entry);
    }
  }

  bool match_mapped(NodeIndex node, const Channels& channels) {
    if (const auto found = mapped_.find(node); found != mapped_.end()) {
      for (const NodeIndex target : found->second) retarget_all(channels, target);
      return true;
    }
    const auto alike = alike_.find(node);
    if (alike == alike_.end() || !mapped_.contains(alike->second)) return false;
    for (const Channel* channel : channels) {
      ignore(*channel, std::string(to_string(channel->path)) + " of a further node " +
                           in_quotes(name_of(node)) + ", a name in the map, is not used");
    }
    return true;
  }

  // The humanoid reads the channels itself; here they are counted as used or not.
  bool match_bone(NodeIndex node, const Channels& channels) {
    if (!humanoid_->moves_rig(node)) return false;
    for (const Channel* channel : channels) {
      const bool moves_hips =
          channel->path == ChannelPath::kTranslation && humanoid_->moves_hips(node);
      if (channel->path == ChannelPath::kRotation || moves_hips) {
        moves_bones_ = true;
        if (moves_hips) note_unscaled(node);
      } else if (!gltf::keeps_rest(*channel, *file_.skeleton)) {
        const std::string name = name_of(node).empty() ? "#" + std::to_string(node) : name_of(node);
        ignore(*channel, std::string(to_string(channel->path)) + " of the human bone " +
                             in_quotes(name) +
                             " is not used; only rotations and the translation of the hips are");
      }
    }
    return true;
  }

  void note_unscaled(NodeIndex hips) {
    if (humanoid_->is_scaled()) return;
    note("HUMANOID_UNSCALED", pointer_of(hips),
         "the hips of clip " + in_quotes(clip_.id) +
             " or of the rig are less than 1 cm above the ground at rest; the clip's translations "
             "are not scaled");
  }

  bool match_place(NodeIndex node, const Channels& channels) {
    const NodeIndex partner = index_.partner_by_place[static_cast<std::size_t>(node)];
    if (partner < 0 || paired_.contains(partner)) return false;
    retarget_all(channels, partner);
    return true;
  }

  bool match_exact(NodeIndex node, const Channels& channels) {
    const Nodes nodes = free_of(index_.by_name, name_of(node));
    if (nodes.empty()) return false;
    retarget_all(channels, first_of(nodes, node));
    return true;
  }

  bool match_folded(NodeIndex node, const Channels& channels) {
    Nodes nodes = free_of(index_.by_folded, folded(name_of(node)));
    // A node of the clip with the exact name takes precedence, even if it rests in this clip.
    std::erase_if(nodes, [&](NodeIndex n) {
      return claimed_.contains(n) || index_.clip_nodes.contains(rig_name(n));
    });
    if (nodes.empty()) return false;
    note("CLIP_NODE_CASE", pointer_of(node),
         "node " + in_quotes(name_of(node)) + " moves the rig's " + in_quotes(rig_name(nodes[0])) +
             ", whose name differs in case");
    retarget_all(channels, first_of(nodes, node));
    return true;
  }

  const std::string& name_of(NodeIndex node) const {
    return file_.skeleton->nodes[static_cast<std::size_t>(node)].name;
  }
  const std::string& rig_name(NodeIndex node) const {
    return rig_.skeleton->nodes[static_cast<std::size_t>(node)].name;
  }

  // Returns the nodes with the name that the map does not pair with another name.
  Nodes free_of(const NodesByName& index, const std::string& name) const {
    const auto found = index.find(name);
    if (name.empty() || found == index.end()) return {};
    Nodes free;
    std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(free),
                 [&](NodeIndex n) { return !paired_.contains(n); });
    return free;
  }

  NodeIndex first_of(const Nodes& nodes, NodeIndex node) {
    if (nodes.size() > 1) {
      note("CLIP_NODE_AMBIGUOUS", pointer_of(node),
           "the rig has " + std::to_string(nodes.size()) + " nodes " + in_quotes(name_of(node)) +
               "; the first, node " + std::to_string(nodes[0]) + ", is moved");
    }
    return nodes[0];
  }

  void note_unmatched(NodeIndex node, const Channels& channels) {
    std::string paths;
    for (const Channel* channel : channels) {
      paths += (paths.empty() ? "" : ", ") + std::string(to_string(channel->path));
    }
    const std::string& name = name_of(node);
    const std::string what = name.empty() ? "node " + std::to_string(node) : in_quotes(name);
    note("CLIP_NODE_UNMATCHED", pointer_of(node),
         "clip " + in_quotes(clip_.id) + " moves " + (name.empty() ? "" : "node ") + what + " (" +
             paths + "), " + why_unmatched(node) + "; left out",
         static_cast<std::int64_t>(channels.size()));
  }

  std::string why_unmatched(NodeIndex node) const {
    if (drivers_of_faces_.contains(node))
      return "which drives a part of a face that the rig does not have";
    if (humanoid_ != nullptr) {
      return humanoid_->role(node) == gltf::HumanoidRetarget::Role::kBone
                 ? "a bone that the rig does not have"
                 : "which is not one of the human bones by which the clip moves the rig";
    }
    if (name_of(node).empty()) return "which does not have a name";
    const auto alike = index_.by_folded.find(folded(name_of(node)));
    if (alike == index_.by_folded.end()) return "which the rig does not have";
    return "but the rig's " + in_quotes(rig_name(alike->second[0])) + " is paired with another";
  }

  void retarget_all(const Channels& channels, NodeIndex target) {
    claimed_.insert(target);
    gltf::NodePair pair{channels.front()->node, target};
    for (const Channel* channel : channels) {
      if (!retarget(*channel, target)) continue;
      pair.turns |= channel->path == ChannelPath::kRotation;
      pair.moves |= channel->path == ChannelPath::kTranslation;
      pair.scales |= channel->path == ChannelPath::kScale;
    }
    pair_of_.resize(result_.clip.channels.size(), pairs_.size());
    if (pair.turns || pair.moves || pair.scales) pairs_.push_back(pair);
  }

  // Keys mean another pose, or another place, on a node with another rest pose.
  void adapt_to_rest() {
    if (rest_->relation() == RestRelation::kSame) return;
    for (std::size_t c = 0; c < pair_of_.size(); ++c) {
      Channel& channel = result_.clip.channels[c];
      if (channel.path == ChannelPath::kWeights) continue;
      channel = gltf::changed(channel, rest_->change(pairs_[pair_of_[c]]));
    }
    const std::string pointer = "/animations/" + std::to_string(clip_.index);
    const std::string clip = "clip " + in_quotes(clip_.id);
    const std::string effect = rest_->unit_text();
    if (rest_->relation() == RestRelation::kUnit) {
      if (!effect.empty()) {
        note("CLIP_UNIT", pointer, clip + " is in another unit than the rig: " + effect);
      }
      return;
    }
    note("REST_POSES_DIFFER", pointer,
         clip +
             " moves nodes that rest differently in the rig, so that it moves them relative to "
             "their rest poses" +
             (effect.empty() ? "" : ", and " + effect) + ": " + rest_->differences());
  }

  // Returns whether the channel moves the target.
  bool retarget(const Channel& channel, NodeIndex target) {
    const Node& node = rig_.skeleton->nodes[static_cast<std::size_t>(target)];
    const std::string moves =
        std::string(to_string(channel.path)) + " of the rig's node " + in_quotes(node.name);
    const auto is_free = [&](int first_weight) {
      const bool is_new = taken_.emplace(target, channel.path, first_weight).second;
      if (!is_new) ignore(channel, moves + " is moved by another channel already");
      return is_new;
    };
    if (channel.path == ChannelPath::kWeights) {
      gltf::MatchedMorphs matched = morphs_.match(channel, target);
      if (!matched.channel) {
        ignore(channel, moves + " " + matched.problem);
        return false;
      }
      if (!is_free(matched.channel->first_weight)) return false;
      if (!matched.problem.empty()) note_morphs(channel, node, matched.problem);
      result_.clip.channels.push_back(std::move(*matched.channel));
      return true;
    }
    if (!is_free(channel.first_weight)) return false;
    if (node.matrix) {
      ignore(channel, moves + " cannot be moved: the node has a matrix");
      return false;
    }
    result_.clip.channels.push_back(channel);
    result_.clip.channels.back().node = target;
    return true;
  }

  void note_morphs(const Channel& channel, const Node& node, const std::string& problem) {
    note("MORPH_NAMES_DIFFER", pointer_of(channel.node),
         "clip " + in_quotes(clip_.id) + " and the rig's node " + in_quotes(node.name) +
             " do not name the same morph targets: " + problem);
  }

  void ignore(const Channel& channel, const std::string& why) {
    note("CHANNEL_IGNORED", pointer_of(channel.node),
         "clip " + in_quotes(clip_.id) + ": " + why + "; ignored");
  }

  static std::string pointer_of(NodeIndex node) { return "/nodes/" + std::to_string(node); }

  void note(std::string_view code, std::string pointer, std::string message,
            std::int64_t count = 1) {
    noted_.add(make_issue(code, file_.shown_as, std::move(pointer), std::move(message), count),
               result_.issues);
  }

  const ClipFile& file_;
  const Clip& clip_;
  const Asset& rig_;
  const RetargetOptions& options_;
  const gltf::MatchIndex& index_;
  gltf::MorphMatcher& morphs_;
  const gltf::HumanoidRetarget* humanoid_ = nullptr;  // null: nodes match by name
  gltf::MatchedFace face_;
  std::set<NodeIndex> drivers_of_faces_;                       // nodes of the clip's file
  std::map<std::string, std::optional<NodeIndex>> source_of_;  // by the map's names of the clip
  std::map<NodeIndex, NodeIndex> alike_;   // nodes of the clip, by name: the node of source_of_
  std::map<NodeIndex, Nodes> mapped_;      // by the clip's node: nodes of the rig
  std::set<NodeIndex> paired_;             // nodes of the rig that the map names
  std::map<NodeIndex, Channels> pending_;  // by the clip's node, not matched yet
  std::set<NodeIndex> claimed_;            // nodes of the rig that are matched
  std::set<NodeIndex> morphed_;            // mesh nodes of the rig whose morph targets move
  std::set<std::tuple<NodeIndex, ChannelPath, int>> taken_;  // targets of accepted channels
  std::vector<gltf::NodePair> pairs_;         // whose rotation, translation or scale moves
  std::vector<std::size_t> pair_of_;          // [channel of the result] index in pairs_
  std::optional<gltf::RestComparison> rest_;  // of pairs_
  bool moves_bones_ = false;                  // of the humanoid
  IssueLimit noted_;                          // of the issues of result_
  MatchedClip result_;
};

bool is_humanoid(const HumanoidMap& given, const Skeleton& skeleton) {
  if (!given.bones.empty() || given.source == "none") return !given.bones.empty();
  return !find_humanoid(skeleton).bones.empty();
}

}  // namespace

struct ClipMatcher::Humanoids {
  HumanoidMap from, to;
  gltf::HumanoidRetarget retarget;
  Issues issues;
  std::shared_ptr<const PlayableFace> face;  // of the rig, once a clip drives it

  Humanoids(const ClipFile& file, const Asset& rig, const RetargetOptions& options)
      : from(required_humanoid(file.humanoid, *file.skeleton, file.path)),
        to(required_humanoid(rig.humanoid, *rig.skeleton, rig.path)),
        retarget(file, from, rig, to, options),
        issues(negative_scales(*file.skeleton, from, file.shown_as)) {
    const Issues of_rig = negative_scales(*rig.skeleton, to, gltf::shown_path(rig.path));
    issues.insert(issues.end(), of_rig.begin(), of_rig.end());
  }
};

ClipMatcher::ClipMatcher(const ClipFile& file, const Asset& rig, const RetargetOptions& options)
    : file_(file),
      rig_(rig),
      options_(options),
      index_(std::make_unique<gltf::MatchIndex>(file, rig)),
      morphs_(std::make_unique<gltf::MorphMatcher>(file, rig)) {}

ClipMatcher::~ClipMatcher() = default;

MatchedClip ClipMatcher::match(const Clip& clip) {
  require_read(clip);
  const bool is_auto = options_.mode == RetargetMode::kAuto;
  const bool are_vrm = is_vrm(file_.humanoid) && is_vrm(rig_.humanoid);
  if (!options_.needs_humanoid() && !(is_auto && are_vrm)) {
    Matcher matcher(file_, clip, rig_, options_, *index_, *morphs_);
    if (matcher.pair_by_names() || !is_auto || !is_humanoid(file_.humanoid, *file_.skeleton) ||
        !is_humanoid(rig_.humanoid, *rig_.skeleton)) {
      return matcher.by_names();
    }
  }
  if (!humanoids_) humanoids_ = std::make_unique<Humanoids>(file_, rig_, options_);
  return Matcher(file_, clip, rig_, options_, *index_, *morphs_)
      .as_humanoids(humanoids_->retarget, humanoids_->to, humanoids_->issues, humanoids_->face);
}

MatchedClip match_clip(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const RetargetOptions& options) {
  return ClipMatcher(file, rig, options).match(clip);
}

}  // namespace skinbake
