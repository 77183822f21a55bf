// --map: a JSON object of names. What is wrong with it is said of the map, not of a glTF.

#include <nlohmann/json.hpp>
#include <utility>

#include "gltf/container.h"
#include "gltf/json_text.h"
#include "gltf/uri.h"
#include "skinbake/clip_file.h"

namespace skinbake {

namespace {

using nlohmann::json;

// Names of nodes, and not many: what is larger is another file.
constexpr std::uint64_t kMaxMapBytes = std::uint64_t{64} << 20;

constexpr const char* kForm = R"(write {"name in the rig": "name in the clip's file", ...})";

[[noreturn]] void fail(const char* code, const std::string& path, const std::string& message) {
  throw Error(ErrorKind::kInput, code, "the map of names " + message, {path, ""});
}

json parsed(const std::string& path, std::string_view text) {
  json value;
  const gltf::JsonProblem problem = gltf::parse_text(text, gltf::measure_json(text), value);
  if (!problem.text.empty()) fail("MAP_INVALID", path, problem.text + "; " + kForm);
  if (!value.is_object()) fail("MAP_INVALID", path, std::string("is not an object; ") + kForm);
  return value;
}

}  // namespace

NameMap load_name_map(const std::string& path) {
  gltf::FileContent content = gltf::read_file(path, kMaxMapBytes);
  if (content.too_large != 0) content.problem = "is larger than 64 MiB";
  if (!content.problem.empty()) {
    fail("FILE_UNREADABLE", path, content.problem + "; check the path of --map");
  }
  const gltf::ByteSpan bytes{content.bytes.data(), content.bytes.size()};
  NameMap map{path, gltf::shown_path(path), {}, {}};
  map.inputs.push_back(gltf::input_record("parameters", map.shown_as, bytes));
  const json names = parsed(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (const auto& [rig_name, clip_name] : names.items()) {
    if (!clip_name.is_string()) {
      fail("MAP_INVALID", path, "has no name for " + gltf::in_quotes(rig_name) + "; " + kForm);
    }
    map.clip_name_of[rig_name] = clip_name.get<std::string>();
  }
  return map;
}

}  // namespace skinbake
