#include "terminal/option_hints.h"

#include <algorithm>
#include <iterator>

namespace skinbake::cli {

namespace {

struct Hint {
  std::string_view code;
  std::string_view option;
  std::string_view only_if = {};  // a word of the messages that the option helps with; empty: all
};

// If several hints have the code of a message, the first that fits is given.
constexpr Hint kHints[] = {
    // Errors.
    {"CACHE_TIMES_COLLIDE", "option --fps"},
    {"CACHE_TIMES_UNKNOWN", "option --fps"},
    {"CACHE_UNSUITABLE", "options --up, --scale", "scale"},
    {"CACHE_UNSUITABLE", "option --format"},
    {"CACHE_UNSUPPORTED", "see skinbake list formats"},
    {"CLIP_AMBIGUOUS", "option --clip"},
    {"CLIP_MOVES_NOTHING", "option --clip"},
    {"CLIP_TWICE", "option --clip"},
    {"CLIP_UNKNOWN", "option --clip"},
    {"FORMAT_OPTION_UNKNOWN", "option --format"},
    {"FORMAT_UNKNOWN", "see skinbake list formats"},
    {"FPS_INSUFFICIENT", "option --fps"},
    {"FPS_INVALID", "option --fps"},
    {"FRAMES_INVALID", "option --frames"},
    {"FRAMES_OUTSIDE", "option --frames"},
    {"GLB_TOO_LARGE", "option --fps"},
    {"HALF_OVERFLOW", "options --precision, --scale"},
    {"HUMANOID_FILE_INVALID", "options --humanoid, --clip-humanoid"},
    {"HUMANOID_INCOMPLETE", "skinbake retarget --humanoid, --clip-humanoid"},
    {"HUMANOID_NOT_FINITE", "options --humanoid, --clip-humanoid"},
    {"HUMANOID_UNKNOWN", "skinbake retarget --humanoid, --clip-humanoid"},
    {"JOINT_PARAMETERS_INVALID", "option --joint-params"},
    {"JOINT_UNKNOWN", "option --joint-params"},
    {"MAP_INVALID", "option --map"},
    {"MEMORY_LIMIT", "option --max-memory", "raise the limit"},
    {"MESH_AMBIGUOUS", "option --mesh"},
    {"MESH_UNKNOWN", "option --mesh"},
    {"METHOD_PARAMETER_INVALID", "see skinbake list methods"},
    {"METHOD_PARAMETER_UNKNOWN", "see skinbake list methods"},
    {"METHOD_UNKNOWN", "see skinbake list methods"},
    {"MUSCLE_RANGES_INVALID", "option --ranges"},
    {"NON_FINITE_POSITION", "option --scale", "with this scale"},
    {"NOTHING_TO_BAKE", "option --scene", "the scene"},
    {"POSES_INVALID", "option --clip poses:FILE"},
    {"REFERENCE_AMBIGUOUS", "options --mesh, --clip"},
    {"REPORT_FORMAT_UNKNOWN", "option --format"},
    {"REPORT_INVALID", "see skinbake report --help"},
    {"SCENE_UNKNOWN", "option --scene"},
    {"SURFACES_TOO_DENSE", "option --match"},
    {"TARGET_UNKNOWN", "see skinbake list targets"},
    {"TOO_MANY_FRAMES", "option --max-frames"},
    {"TWIST_IMPOSSIBLE", "option --twist"},
    {"TWIST_JOINT_AMBIGUOUS", "option --twist"},
    {"TWIST_JOINT_UNKNOWN", "option --twist"},
    {"TWIST_TOO_LONG", "option --twist"},
    {"T_POSE_INVALID", "options --t-pose, --clip-t-pose"},
    {"URI_REFUSED", "option --allow-outside", "trust"},
    {"VIEWER_MISSING", "option --view"},
    {"VIEW_TOO_LARGE", "options --methods, --mesh"},
    // Issues.
    {"BIND_CACHE_DAMAGED", "option --bind-cache"},
    {"BIND_CACHE_NOT_WRITTEN", "option --bind-cache"},
    {"BIND_CACHE_UNTRUSTED", "option --bind-cache"},
    {"CLIP_NODE_AMBIGUOUS", "skinbake retarget --map"},
    {"CLIP_NODE_CASE", "skinbake retarget --map"},
    {"CLIP_NODE_UNMATCHED", "skinbake retarget --map"},
    {"FRAMES_UNLIKE", "options --fps, --space, --clip"},
    {"FIT_BETWEEN_FRAMES", "option --fps"},
    {"FIT_CLIP_UNMEASURED", "option --max-frames"},
    {"FIT_CLIP_WORSE", "option --clip all"},
    {"FIT_COLLAPSE", "option --helpers"},
    {"GLB_MANY_TARGETS", "option --format glb:split=1", "split=1"},
    {"GLB_MANY_TARGETS", "options --fps, --frames"},
    {"IMAGE_LEFT_OUT", "option --allow-outside", "trust"},
    {"IMAGE_NOT_EMBEDDED", "option --allow-outside", "trust"},
    {"JOINT_PARAMETERS_UNUSED", "option --joint-params"},
    {"MAP_NAME_UNKNOWN", "option --map"},
    {"MAP_NODE_OF_BODY", "options --map, --mode names"},
    {"MESHES_NOT_IN_SCENE", "option --scene"},
    {"NORMALS_LEFT_OUT", "option --format ID:normals=1 or glb:tangents=1"},
    {"NORMALS_UNAVAILABLE", "option --normals geometric"},
    {"NO_VOLUME", "option --metrics error"},
    {"TWIST_LIMB_LEFT", "option --twist JOINT"},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

const Hint* find(std::string_view code, std::string_view message) {
  const auto fits = [&](const Hint& hint) {
    return hint.code == code && contains(message, hint.only_if);
  };
  const auto* const found = std::find_if(std::begin(kHints), std::end(kHints), fits);
  return found == std::end(kHints) ? nullptr : found;
}

// Messages of the tool name options themselves; messages of the library do not.
bool names_an_option(std::string_view message) {
  return contains(message, "--") || contains(message, "skinbake list");
}

}  // namespace

std::string with_hint(std::string_view message, std::string_view code) {
  std::string line = std::string(message) + " [" + std::string(code) + "]";
  const Hint* const hint = find(code, message);
  if (hint == nullptr || names_an_option(message)) return line;
  return line + " (" + std::string(hint->option) + ")";
}

}  // namespace skinbake::cli
