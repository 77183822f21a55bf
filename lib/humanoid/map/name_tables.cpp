// The words of a node's name, and the tables of names.

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "humanoid/map/name_tables.h"

namespace skinbake {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_separator(char c) {
  return c == ' ' || c == '\t' ||
         std::string_view("-._:(){}[]<>|").find(c) != std::string_view::npos;
}

// Texts in UTF-8 and their ASCII forms.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kAscii{{
    {"左", " left "},
    {"右", " right "},
    {"０", "0"},
    {"１", "1"},
    {"２", "2"},
    {"３", "3"},
    {"４", "4"},
    {"５", "5"},
    {"６", "6"},
    {"７", "7"},
    {"８", "8"},
    {"９", "9"},
}};

std::string in_ascii(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const auto found = std::find_if(kAscii.begin(), kAscii.end(),
                                    [&](const auto& pair) { return name.starts_with(pair.first); });
    if (found == kAscii.end()) {
      text += name.front();
      name.remove_prefix(1);
    } else {
      text += found->second;
      name.remove_prefix(found->first.size());
    }
  }
  return text;
}

// Whether a word ends before text[i].
bool is_boundary(const std::string& text, std::size_t i) {
  const char before = text[i - 1], here = text[i];
  if (is_digit(before) != is_digit(here)) return true;
  if (is_lower(before) && is_upper(here)) return true;
  // The last capital of several begins the next word: "IKFoot" is "IK" and "Foot".
  return is_upper(before) && is_upper(here) && i + 1 < text.size() && is_lower(text[i + 1]);
}

BodySide side_of(const std::string& word) {
  if (word == "l" || word.starts_with("left")) return BodySide::kLeft;
  if (word == "r" || word.starts_with("right")) return BodySide::kRight;
  return BodySide::kMiddle;
}

std::size_t side_length(const std::string& word) {
  return word.starts_with("left") ? 4 : word.starts_with("right") ? 5 : 1;
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  constexpr std::size_t kLongest = 256;  // each byte may be a word
  if (name.size() > kLongest) return {};
  const std::string text = in_ascii(name);
  std::vector<std::string> words;
  bool is_open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_separator(text[i])) {
      is_open = false;
      continue;
    }
    if (!is_open || is_boundary(text, i)) words.emplace_back();
    is_open = true;
    words.back() += is_upper(text[i]) ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
  }
  return words;
}

BoneWords bone_words(std::vector<std::string> words, LeadingZeros zeros) {
  BoneWords result;
  for (std::string& word : words) {
    if (result.side == BodySide::kMiddle) {
      result.side = side_of(word);
      if (result.side != BodySide::kMiddle) word.erase(0, side_length(word));
    }
    const bool is_number = !word.empty() && is_digit(word.front());
    if (is_number && zeros == LeadingZeros::kDropped) {
      word.erase(0, std::min(word.find_first_not_of('0'), word.size() - 1));
    }
    result.words += word;
  }
  return result;
}

namespace {

constexpr std::string_view kThumb = "ThumbMetacarpal ThumbProximal ThumbDistal";
constexpr std::string_view kIndex = "IndexProximal IndexIntermediate IndexDistal";
constexpr std::string_view kMiddle = "MiddleProximal MiddleIntermediate MiddleDistal";
constexpr std::string_view kRing = "RingProximal RingIntermediate RingDistal";
constexpr std::string_view kLittle = "LittleProximal LittleIntermediate LittleDistal";

// Maya HumanIK, and without a prefix Ready Player Me, use the same names. "Arm" is the upper arm,
// "Leg" the lower leg.
constexpr BoneNames kMixamo[] = {
    {"hips", "hips referencehips"},
    {"neck", "neck"},
    {"head", "head"},
    {"jaw", "jaw"},
    {"Eye", "eye"},
    {"Shoulder", "shoulder"},
    {"UpperArm", "arm"},
    {"LowerArm", "forearm"},
    {"Hand", "hand"},
    {"UpperLeg", "upleg"},
    {"LowerLeg", "leg"},
    {"Foot", "foot"},
    {"Toes", "toebase"},
    {kThumb, "handthumb#"},
    {kIndex, "handindex#"},
    {kMiddle, "handmiddle#"},
    {kRing, "handring#"},
    {kLittle, "handpinky#"},
};

// The neck is numbered.
constexpr BoneNames kUnreal[] = {
    {"hips", "pelvis"},       {"neck", "neck1 neck"},   {"head", "head"}, {"Shoulder", "clavicle"},
    {"UpperArm", "upperarm"}, {"LowerArm", "lowerarm"}, {"Hand", "hand"}, {"UpperLeg", "thigh"},
    {"LowerLeg", "calf"},     {"Foot", "foot"},         {"Toes", "ball"}, {kThumb, "thumb#"},
    {kIndex, "index#"},       {kMiddle, "middle#"},     {kRing, "ring#"}, {kLittle, "pinky#"},
};

// The metarig, and with the prefix DEF the generated rig. The root of the spine is the hips.
constexpr BoneNames kRigify[] = {
    {"hips", "spine"}, {"neck", "spine4"},       {"head", "spine6 spine5"}, {"jaw", "jaw"},
    {"Eye", "eye"},    {"Shoulder", "shoulder"}, {"UpperArm", "upperarm"},  {"LowerArm", "forearm"},
    {"Hand", "hand"},  {"UpperLeg", "thigh"},    {"LowerLeg", "shin"},      {"Foot", "foot"},
    {"Toes", "toe"},   {kThumb, "thumb#"},       {kIndex, "findex#"},       {kMiddle, "fmiddle#"},
    {kRing, "fring#"}, {kLittle, "fpinky#"},
};

constexpr BoneNames kVroid[] = {
    {"hips", "hips"},         {"neck", "neck"},         {"head", "head"},
    {"Eye", "faceeye"},       {"Shoulder", "shoulder"}, {"UpperArm", "upperarm"},
    {"LowerArm", "lowerarm"}, {"Hand", "hand"},         {"UpperLeg", "upperleg"},
    {"LowerLeg", "lowerleg"}, {"Foot", "foot"},         {"Toes", "toebase"},
    {kThumb, "thumb#"},       {kIndex, "index#"},       {kMiddle, "middle#"},
    {kRing, "ring#"},         {kLittle, "little#"},
};

// 3ds Max Biped, and what is made with it: Rocketbox, and Valve's bodies, which number the neck and
// the head. Finger 0 is the thumb; its second segment is "Finger01", which differs from "Finger1"
// by its zero.
constexpr BoneNames kBiped[] = {
    {"Eye UpperArm Hand Foot", "%"},
    {"hips", "pelvis"},
    {"neck", "neck neck1"},
    {"head", "head head1"},
    {"jaw", "mjaw jaw"},
    {"Shoulder", "clavicle"},
    {"LowerArm", "forearm"},
    {"UpperLeg", "thigh"},
    {"LowerLeg", "calf"},
    {"Toes", "toe0"},
    {"ThumbMetacarpal", "finger0"},
    {"ThumbProximal", "finger01"},
    {"ThumbDistal", "finger02"},
    {"IndexProximal", "finger1"},
    {"IndexIntermediate", "finger11"},
    {"IndexDistal", "finger12"},
    {"MiddleProximal", "finger2"},
    {"MiddleIntermediate", "finger21"},
    {"MiddleDistal", "finger22"},
    {"RingProximal", "finger3"},
    {"RingIntermediate", "finger31"},
    {"RingDistal", "finger32"},
    {"LittleProximal", "finger4"},
    {"LittleIntermediate", "finger41"},
    {"LittleDistal", "finger42"},
};

// Triangular pelvis and neck, which are options of the tool.
constexpr OtherParent kBipedParents[] = {{"UpperLeg", "spine"}, {"Shoulder", "neck"}};

// MikuMikuDance: both halves of the body hang from the centre.
constexpr BoneNames kMmd[] = {
    {"hips", "腰 センター 下半身"},
    {"neck", "首"},
    {"head", "頭"},
    {"jaw", "あご"},
    {"Eye", "目"},
    {"Shoulder", "肩"},
    {"UpperArm", "腕"},
    {"LowerArm", "ひじ"},
    {"Hand", "手首"},
    {"UpperLeg", "足 足d"},
    {"LowerLeg", "ひざ ひざd"},
    {"Foot", "足首 足首d"},
    {"Toes", "つま先 足先ex"},
    {"ThumbMetacarpal", "親指0"},
    {"ThumbProximal", "親指1"},
    {"ThumbDistal", "親指2"},
    {kIndex, "人指# 人差指#"},
    {kMiddle, "中指#"},
    {kRing, "薬指#"},
    {kLittle, "小指#"},
};

// Character Creator. The pelvis holds the legs only.
constexpr BoneNames kReallusion[] = {
    {"hips", "hip"},          {"neck", "necktwist1"},  {"head", "head"},
    {"jaw", "jawroot"},       {"Eye", "eye"},          {"Shoulder", "clavicle"},
    {"UpperArm", "upperarm"}, {"LowerArm", "forearm"}, {"Hand", "hand"},
    {"UpperLeg", "thigh"},    {"LowerLeg", "calf"},    {"Foot", "foot"},
    {"Toes", "toebase"},      {kThumb, "thumb#"},      {kIndex, "index#"},
    {kMiddle, "mid#"},        {kRing, "ring#"},        {kLittle, "pinky#"},
};

// KayKit. The joint at the end of the lower arm is the wrist; "hand" is a joint in the palm.
constexpr BoneNames kKayKit[] = {
    {"hips", "hips"},         {"neck", "neck"},  {"head", "head"},         {"UpperArm", "upperarm"},
    {"LowerArm", "lowerarm"}, {"Hand", "wrist"}, {"UpperLeg", "upperleg"}, {"LowerLeg", "lowerleg"},
    {"Foot", "foot"},         {"Toes", "toes"},
};

// Rokoko Studio.
constexpr BoneNames kRokoko[] = {
    {"hips neck head Shoulder Hand Foot", "%"},
    {"UpperArm", "arm"},
    {"LowerArm", "forearm"},
    {"UpperLeg", "thigh"},
    {"LowerLeg", "shin"},
    {"Toes", "toe"},
    {"ThumbMetacarpal", "finger1metacarpal"},
    {"ThumbProximal", "finger1proximal"},
    {"ThumbDistal", "finger1distal"},
    {"IndexProximal", "finger2proximal"},
    {"IndexIntermediate", "finger2medial"},
    {"IndexDistal", "finger2distal"},
    {"MiddleProximal", "finger3proximal"},
    {"MiddleIntermediate", "finger3medial"},
    {"MiddleDistal", "finger3distal"},
    {"RingProximal", "finger4proximal"},
    {"RingIntermediate", "finger4medial"},
    {"RingDistal", "finger4distal"},
    {"LittleProximal", "finger5proximal"},
    {"LittleIntermediate", "finger5medial"},
    {"LittleDistal", "finger5distal"},
};

// Auto-Rig Pro: the bones that deform the mesh, and the controls, which begin with "c". A bone of
// the middle ends with "x".
constexpr BoneNames kAutoRigPro[] = {
    {"hips", "rootx crootmasterx rootmasterx crootx"},
    {"neck head", "%x c%x"},
    {"jaw", "jawbonex cjawbonex"},
    {"Eye Shoulder", "% c%"},
    {"UpperArm", "armstretch carmfk armfk"},
    {"LowerArm", "forearmstretch cforearmfk forearmfk"},
    {"UpperLeg", "thighstretch cthighfk thighfk"},
    {"LowerLeg", "legstretch clegfk legfk"},
    {"Hand Foot", "% c%fk %fk"},
    {"Toes", "toes1 ctoesfk toesfk"},
    {kThumb, "thumb# cthumb#"},
    {kIndex, "index# cindex#"},
    {kMiddle, "middle# cmiddle#"},
    {kRing, "ring# cring#"},
    {kLittle, "pinky# cpinky#"},
};

// SMPL, SMPL-H and SMPL-X. A bone has the name of the joint at its beginning: the hip is the upper
// leg, the shoulder the upper arm.
constexpr BoneNames kSmpl[] = {
    {"neck head jaw", "%"}, {"hips", "pelvis"},       {"Eye", "eyesmplhf eye"},
    {"Shoulder", "collar"}, {"UpperArm", "shoulder"}, {"LowerArm", "elbow"},
    {"Hand", "wrist"},      {"UpperLeg", "hip"},      {"LowerLeg", "knee"},
    {"Foot", "ankle"},      {"Toes", "foot"},         {kThumb, "thumb#"},
    {kIndex, "index#"},     {kMiddle, "middle#"},     {kRing, "ring#"},
    {kLittle, "pinky#"},
};

// Daz Genesis 3, 8 and 9. The pelvis holds the legs only.
constexpr BoneNames kDaz[] = {
    {"head Eye Hand Foot", "%"},
    {"hips", "hip"},
    {"neck", "necklower neck1"},
    {"jaw", "lowerjaw"},
    {"Shoulder", "collar shoulder"},
    {"UpperArm", "shldrbend upperarm"},
    {"LowerArm", "forearmbend forearm"},
    {"UpperLeg", "thighbend thigh"},
    {"LowerLeg", "shin"},
    {"Toes", "toe toes"},
    {kThumb, "thumb#"},
    {kIndex, "index#"},
    {kMiddle, "mid#"},
    {kRing, "ring#"},
    {kLittle, "pinky#"},
};

// Advanced Skeleton. Joints as in SMPL; a joint of the middle ends with "M".
constexpr BoneNames kAdvancedSkeleton[] = {
    {"neck head jaw", "%m"},   {"hips", "rootm"},          {"Eye", "eye"},
    {"Shoulder", "scapula"},   {"UpperArm", "shoulder"},   {"LowerArm", "elbow"},
    {"Hand", "wrist"},         {"UpperLeg", "hip"},        {"LowerLeg", "knee"},
    {"Foot", "ankle"},         {"Toes", "toes"},           {kThumb, "thumbfinger#"},
    {kIndex, "indexfinger#"},  {kMiddle, "middlefinger#"}, {kRing, "ringfinger#"},
    {kLittle, "pinkyfinger#"},
};

// Meta's avatars and the skeleton of its body tracking.
constexpr BoneNames kMeta[] = {
    {"hips neck head jaw Eye", "%"},
    {"Shoulder", "shoulder armscapula scapula"},
    {"UpperArm", "armupper"},
    {"LowerArm", "armlower"},
    {"Hand", "handwrist"},
    {"UpperLeg", "legupper upperleg"},
    {"LowerLeg", "leglower lowerleg"},
    {"Foot", "footankle"},
    {"Toes", "football"},
    {kThumb, "hand%"},
    {kIndex, "hand%"},
    {kMiddle, "hand%"},
    {kRing, "hand%"},
    {kLittle, "hand%"},
};

// Quaternius. "Body" holds the legs and the spine, whose first node is "Hips".
constexpr BoneNames kQuaternius[] = {
    {"neck head Shoulder UpperArm LowerArm UpperLeg LowerLeg Foot", "%"},
    {"hips", "body hips"},
    {"Hand", "palm wrist fist hand"},
    {"Toes", "pt toe toes"},
    {kThumb, "thumb#"},
    {kIndex, "index#"},
    {kMiddle, "middle#"},
    {kRing, "ring#"},
    {kLittle, "pinky#"},
};

// Rigs made by hand in Blender.
constexpr BoneNames kBlender[] = {
    {"head jaw Eye UpperArm Hand Foot", "%"},
    {"hips", "hips pelvis hip"},
    {"neck", "neck neck1"},
    {"Shoulder", "shoulder clavicle"},
    {"LowerArm", "forearm lowerarm"},
    {"UpperLeg", "thigh upperleg"},
    {"LowerLeg", "shin lowerleg"},
    {"Toes", "toe toes"},
    {kThumb, "thumb#"},
    {kIndex, "index# findex# fingerindex#"},
    {kMiddle, "middle# fmiddle# fingermiddle#"},
    {kRing, "ring# fring# fingerring#"},
    {kLittle, "pinky# little# fpinky# fingerpinky#"},
};

// The bones' own names, which Godot's SkeletonProfileHumanoid has too, and the usual words beside
// them.
constexpr BoneNames kEnglish[] = {
    {"hips", "% hip pelvis"},
    {"neck", "% neck1"},
    {"head", "%"},
    {"jaw", "%"},
    {"Eye", "% eyeball"},
    {"Shoulder", "% clavicle collar collarbone"},
    {"UpperArm", "% uparm bicep shldr"},
    {"LowerArm", "% forearm elbow"},
    {"Hand", "% wrist"},
    {"UpperLeg", "% upleg thigh"},
    {"LowerLeg", "% calf shin knee"},
    {"Foot", "% ankle"},
    {"Toes", "% toe ball toebase"},
    // VRM 0.x calls the three bones proximal, intermediate and distal.
    {kThumb, "% thumb# handthumb#"},
    {"ThumbMetacarpal", "thumbproximal"},
    {"ThumbProximal", "thumbintermediate"},
    {kIndex, "% index# handindex# indexfinger#"},
    {kMiddle, "% middle# mid# handmiddle# middlefinger#"},
    {kRing, "% ring# handring# ringfinger#"},
    {kLittle, "% little# pinky# handpinky# littlefinger# pinkyfinger#"},
};

constexpr NameTable kTables[] = {
    {"mixamo", LeadingZeros::kDropped, "spine", kMixamo},
    {"unreal", LeadingZeros::kDropped, "spine", kUnreal},
    {"rigify", LeadingZeros::kDropped, "spine", kRigify},
    {"vroid", LeadingZeros::kDropped, "spine chest upperchest", kVroid},
    {"biped", LeadingZeros::kKept, "spine", kBiped, kBipedParents},
    {"mmd", LeadingZeros::kDropped, "上半身", kMmd},
    {"reallusion", LeadingZeros::kDropped, "waist spine", kReallusion},
    {"kaykit", LeadingZeros::kDropped, "spine chest", kKayKit},
    {"rokoko", LeadingZeros::kDropped, "spine", kRokoko},
    {"autorigpro", LeadingZeros::kDropped, "spinex cspinex", kAutoRigPro},
    {"smpl", LeadingZeros::kDropped, "spine", kSmpl},
    {"daz", LeadingZeros::kDropped, "abdomenlower abdomenupper chestlower chestupper spine", kDaz},
    {"advancedskeleton", LeadingZeros::kDropped, "spinem chestm backam backbm", kAdvancedSkeleton},
    {"meta", LeadingZeros::kDropped, "spinelower spinemiddle spineupper chest", kMeta},
    {"quaternius", LeadingZeros::kDropped, "hips abdomen torso", kQuaternius},
    {"blender", LeadingZeros::kDropped, "spine chest upperchest", kBlender},
    {"english", LeadingZeros::kDropped,
     "spine chest upperchest torso abdomen waist belly upperbody ribs", kEnglish},
};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string expanded(std::string_view pattern, std::size_t number, std::string_view bone) {
  std::string text;
  for (const char c : pattern) {
    if (c == '#') {
      text += std::to_string(number);
    } else if (c == '%') {
      for (const char b : bone) text += b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b;
    } else {
      text += c;
    }
  }
  return text;
}

using NamesOfBones = std::map<std::string_view, std::vector<std::string>>;

NamesOfBones names_of_bones(const NameTable& table) {
  NamesOfBones names;
  for (const BoneNames& row : table.rows) {
    const std::vector<std::string_view> bones = split(row.bones);
    for (std::size_t b = 0; b < bones.size(); ++b) {
      for (const std::string_view pattern : split(row.names)) {
        names[bones[b]].push_back(expanded(pattern, b + 1, bones[b]));
      }
    }
  }
  return names;
}

}  // namespace

const std::vector<std::string>& NameTable::names_of(std::string_view bone) const {
  static const std::vector<NamesOfBones> kNames = [] {  // [table]
    std::vector<NamesOfBones> names;
    for (const NameTable& table : kTables) names.push_back(names_of_bones(table));
    return names;
  }();
  static const std::vector<std::string> kNone;
  const NamesOfBones& names = kNames[static_cast<std::size_t>(this - std::data(kTables))];
  const auto found = names.find(bone);
  return found == names.end() ? kNone : found->second;
}

bool NameTable::is_spine(const std::string& node_words) const {
  std::string base = node_words;
  std::erase_if(base, is_digit);
  const std::vector<std::string_view> parts = split(spine);
  return std::find(parts.begin(), parts.end(), base) != parts.end();
}

std::string_view NameTable::other_parent_of(std::string_view bone) const {
  const auto found = std::find_if(parents.begin(), parents.end(), [&](const OtherParent& other) {
    return other.bone == without_side(bone).bone;
  });
  return found == parents.end() ? std::string_view() : found->parent;
}

std::span<const NameTable> name_tables() {
  return kTables;
}

}  // namespace skinbake
