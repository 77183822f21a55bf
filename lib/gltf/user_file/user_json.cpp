#include "gltf/user_file/user_json.h"

#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "gltf/document/linked_file.h"
#include "gltf/document/message_text.h"
#include "json/json_text.h"
#include "json/json_visitor.h"

namespace skinbake::gltf {

namespace {

// Limits of a file, which contains names and a few numbers for each.
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

// Finds the first member that an object has twice: a parser keeps only the last one.
class RepeatedMember : public JsonVisitor {
 public:
  // A JSON pointer; none if the names of all objects differ.
  std::optional<std::string> found;

  bool key(string_t& name) override {
    objects_.back().name = name;
    if (objects_.back().names.insert(name).second) return true;
    found.emplace();
    for (const Object& object : objects_) *found += "/" + pointer_token(object.name);
    return false;
  }
  bool start_object(std::size_t) override { return objects_.emplace_back(), true; }
  bool end_object() override { return objects_.pop_back(), true; }

 private:
  struct Object {
    std::set<std::string> names;
    std::string name;  // of the member that is read
  };
  std::vector<Object> objects_;  // those around the place that is read
};

[[noreturn]] void fail(const char* code, const UserFile& file, const std::string& message) {
  throw Error(code, std::string(file.what) + " " + message, {file.path, ""});
}

}  // namespace

UserJson read_user_json(const UserFile& file) {
  FileContent content = read_file(file.path, kMaxBytes);
  if (content.too_large != 0) content.problem = "is larger than 64 MiB";
  if (!content.problem.empty()) {
    fail("FILE_UNREADABLE", file, content.problem);
  }
  const ByteSpan bytes{content.bytes.data(), content.bytes.size()};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  UserJson json;
  const JsonProblem problem = parse_text(text, json.value);
  if (problem) fail(file.code, file, problem.text);
  const bool is_list = file.json == JsonForm::kList;
  if (is_list ? !json.value.is_array() : !json.value.is_object()) {
    fail(file.code, file, is_list ? "is not a list" : "is not an object");
  }
  RepeatedMember repeated;
  visit_text(text, repeated);
  if (const auto& member = repeated.found) {
    fail_in(file, file.what, *member, "has the member " + in_quotes(member->substr(1)) + " twice");
  }
  json.shown_as = shown_path(file.path);
  json.input = input_record("parameters", json.shown_as, bytes);
  return json;
}

void fail_in(const UserFile& file, const std::string& element, const std::string& pointer,
             const std::string& message) {
  throw Error(file.code, element + " " + message, {file.path, pointer});
}

namespace {

// The index in "#7"; nothing if the name does not have this form, or if it exceeds every index.
std::optional<NodeIndex> index_in(const std::string& name) {
  const std::string_view digits = std::string_view(name).substr(name.starts_with('#') ? 1 : 0);
  if (digits.size() == name.size() || digits.empty()) return std::nullopt;
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  NodeIndex index = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return read.ec == std::errc{} ? std::optional(index) : std::nullopt;
}

}  // namespace

NodesByName nodes_by_name(const std::vector<Node>& nodes) {
  NodesByName by_name;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].name.empty()) by_name[nodes[n].name].push_back(static_cast<NodeIndex>(n));
  }
  return by_name;
}

Nodes named_nodes(const Skeleton& skeleton, const NodesByName& by_name, const std::string& name) {
  if (const auto found = by_name.find(name); found != by_name.end()) return found->second;
  const std::optional<NodeIndex> index = index_in(name);
  if (!index || static_cast<std::size_t>(*index) >= skeleton.nodes.size()) return {};
  return {*index};
}

}  // namespace skinbake::gltf
