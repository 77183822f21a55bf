#include "gltf/clip_file/face_match.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/issue.h"
#include "gltf/document/message_text.h"

namespace skinbake::gltf {

namespace {

// The channels of a clip by node and path.
class ChannelIndex {
 public:
  explicit ChannelIndex(const Clip& clip) {
    for (const Channel& channel : clip.channels) {
      channels_.try_emplace({channel.node, channel.path}, &channel);
    }
  }

  // Null: the clip does not have it.
  const Channel* find(NodeIndex node, ChannelPath path) const {
    const auto found = channels_.find({node, path});
    return found == channels_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::pair<NodeIndex, ChannelPath>, const Channel*> channels_;
};

bool has_eyes(const HumanoidMap& bones) {
  return std::any_of(bones.bones.begin(), bones.bones.end(), [](const HumanoidBone& b) {
    return b.bone == "leftEye" || b.bone == "rightEye";
  });
}

bool has_expression(const Face& face, std::string_view name) {
  return std::any_of(face.expressions.begin(), face.expressions.end(),
                     [&](const Expression& e) { return e.name == name; });
}

bool can_look(const Face& face, const HumanoidMap& bones) {
  if (!face.look_at) return false;
  if (face.look_at->type == LookType::kBones) return has_eyes(bones);
  constexpr std::array<std::string_view, 4> kLooks{"lookUp", "lookDown", "lookLeft", "lookRight"};
  return std::any_of(kLooks.begin(), kLooks.end(),
                     [&](std::string_view name) { return has_expression(face, name); });
}

bool is_curved(const LookAt& look) {
  return look.inner.is_curved || look.outer.is_curved || look.down.is_curved || look.up.is_curved;
}

}  // namespace

MatchedFace match_face(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const HumanoidMap& bones, bool is_mirrored,
                       std::shared_ptr<const PlayableFace>& shared) {
  MatchedFace result;
  FaceChannels channels;
  const ChannelIndex index(clip);
  std::set<std::string_view> known;  // expressions of the rig
  for (const Expression& expression : rig.face.expressions) known.insert(expression.name);
  for (const FaceNodes::Driver& driver : file.face.expressions) {
    const Channel* channel = index.find(driver.node, ChannelPath::kTranslation);
    const std::string_view name =
        is_mirrored ? other_side_of_face(driver.expression) : driver.expression;
    if (channel == nullptr || !known.contains(name)) continue;
    channels.expressions.push_back({driver.expression, *channel});
    result.drivers.insert(driver.node);
  }
  const Channel* look = index.find(file.face.look_at, ChannelPath::kRotation);
  if (look != nullptr && can_look(rig.face, bones)) {
    channels.look_at = *look;
    result.drivers.insert(look->node);
    if (is_curved(*rig.face.look_at)) {
      result.issues.push_back(make_issue(
          "EXTENSION_IGNORED", shown_path(rig.path), "/extensions/VRM/firstPerson",
          "the look-at of the rig has curves, which are not evaluated; the eyes move in proportion "
          "to the direction"));
    }
  }
  if (result.drivers.empty()) return result;
  if (!shared) shared = std::make_shared<const PlayableFace>(rig.face);
  result.player = std::make_shared<const FacePlayer>(shared, std::move(channels), is_mirrored);
  return result;
}

}  // namespace skinbake::gltf
