#include "gltf/user_file/user_json.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gltf/document/linked_file.h"
#include "gltf/document/message_text.h"
#include "json/json_text.h"

namespace skinbake::gltf {

namespace {

// Limits of a file, which contains names and a few numbers for each.
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 30;

// The first member that an object has twice, as a JSON pointer; a parser keeps only the last one.
// None if the names of all objects differ. Precondition: `text` is JSON of limited depth.
std::optional<std::string> repeated_member(std::string_view text) {
  struct Object {
    std::set<std::string> names;
    std::string name;  // of the member that is read
  };
  std::vector<Object> objects;
  std::optional<std::string> repeated;
  const auto note = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    if (event == nlohmann::json::parse_event_t::object_start) objects.emplace_back();
    if (event == nlohmann::json::parse_event_t::object_end) objects.pop_back();
    if (event != nlohmann::json::parse_event_t::key) return true;
    objects.back().name = parsed.get<std::string>();
    const bool is_new = objects.back().names.insert(objects.back().name).second;
    if (is_new || repeated) return true;
    repeated.emplace();
    for (const Object& object : objects) *repeated += "/" + pointer_token(object.name);
    return true;
  };
  static_cast<void>(nlohmann::json::parse(text, note));
  return repeated;
}

[[noreturn]] void fail(const char* code, const UserFile& file, const std::string& message) {
  throw Error(ErrorKind::kInput, code, std::string(file.what) + " " + message, {file.path, ""});
}

}  // namespace

UserJson read_user_json(const UserFile& file) {
  FileContent content = read_file(file.path, kMaxBytes);
  if (content.too_large != 0) content.problem = "is larger than 64 MiB";
  if (!content.problem.empty()) {
    fail("FILE_UNREADABLE", file, content.problem + "; check the path");
  }
  const ByteSpan bytes{content.bytes.data(), content.bytes.size()};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  UserJson json;
  const JsonProblem problem = parse_text(text, kMaxMemory, json.value);
  if (problem) fail(file.code, file, problem.text + "; " + file.form);
  const bool is_list = file.json == JsonForm::kList;
  if (is_list ? !json.value.is_array() : !json.value.is_object()) {
    const char* const wrong = is_list ? "is not a list; " : "is not an object; ";
    fail(file.code, file, wrong + std::string(file.form));
  }
  if (const auto member = repeated_member(text)) {
    fail_in(file, file.what, *member,
            "has the member " + in_quotes(member->substr(1)) + " twice; leave one out");
  }
  json.shown_as = shown_path(file.path);
  json.input = input_record("parameters", json.shown_as, bytes);
  return json;
}

void fail_in(const UserFile& file, const std::string& element, const std::string& pointer,
             const std::string& message) {
  throw Error(ErrorKind::kInput, file.code, element + " " + message, {file.path, pointer});
}

}  // namespace skinbake::gltf
