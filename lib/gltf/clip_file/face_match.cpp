#include "gltf/clip_file/face_match.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/issue.h"
#include "gltf/document/message_text.h"

namespace skinbake::gltf {

namespace {

const Channel* channel_of(const Clip& clip, NodeIndex node, ChannelPath path) {
  const auto found =
      std::find_if(clip.channels.begin(), clip.channels.end(),
                   [&](const Channel& c) { return c.node == node && c.path == path; });
  return found == clip.channels.end() ? nullptr : &*found;
}

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
                       const HumanoidMap& bones, bool is_mirrored) {
  MatchedFace result;
  FaceChannels channels;
  for (const FaceNodes::Driver& driver : file.face.expressions) {
    const Channel* channel = channel_of(clip, driver.node, ChannelPath::kTranslation);
    const std::string_view name =
        is_mirrored ? other_side_of_face(driver.expression) : driver.expression;
    if (channel == nullptr || !has_expression(rig.face, name)) continue;
    channels.expressions.push_back({driver.expression, *channel});
    result.drivers.insert(driver.node);
  }
  const Channel* look = channel_of(clip, file.face.look_at, ChannelPath::kRotation);
  if (look != nullptr && can_look(rig.face, bones)) {
    channels.look_at = *look;
    result.drivers.insert(look->node);
    if (is_curved(*rig.face.look_at)) {
      result.issues.push_back(make_issue(
          IssueCode::EXTENSION_IGNORED, shown_path(rig.path), "/extensions/VRM/firstPerson",
          "the look-at of the rig has curves, which are not evaluated; the eyes move in proportion "
          "to the direction"));
    }
  }
  if (result.drivers.empty()) return result;
  result.player = std::make_shared<const FacePlayer>(rig.face, std::move(channels), is_mirrored);
  return result;
}

}  // namespace skinbake::gltf
