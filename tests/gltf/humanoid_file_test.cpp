// Humanoid maps that users write.

#include <doctest/doctest.h>

#include <string>

#include "skinbake/gltf.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

Skeleton skeleton() {
  Skeleton result;
  for (const char* name : {"root", "pelvis", "", "twin", "twin"}) {
    Node node;
    node.name = name;
    result.order.push_back(static_cast<NodeIndex>(result.nodes.size()));
    result.nodes.push_back(node);
  }
  return result;
}

std::string written(const TemporaryFolder& folder, const std::string& text) {
  write_file(folder / "bones.json", text);
  return folder / "bones.json";
}

std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  try {
    load_humanoid_file(written(folder, text), skeleton());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "HUMANOID_FILE_INVALID");
    return error.what();
  }
  return "";
}

bool has_text(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("humanoid file: bones are given by names and by indices") {
  const TemporaryFolder folder;
  const std::string path = written(folder, R"({"hips": "pelvis", "spine": "#2"})");
  const HumanoidFile file = load_humanoid_file(path, skeleton());
  CHECK(file.map.source == "file");
  REQUIRE(file.map.bones.size() == 2);
  CHECK(file.map.bones[0].bone == "hips");
  CHECK(file.map.bones[0].node == 1);
  CHECK(file.map.bones[1].node == 2);
  CHECK(file.input.role == "parameters");
}

TEST_CASE("humanoid file: errors name the bone, the node and the remedy") {
  CHECK(has_text(error_of(R"({"pelvis": "hips"})"), "'pelvis' is not a bone of VRM 1.0"));
  CHECK(has_text(error_of(R"({"hips": "gone"})"), "the node 'gone', which the file does not have"));
  CHECK(has_text(error_of(R"({"hips": "#5"})"), "'#5', which the file does not have"));
  CHECK(has_text(error_of(R"({"hips": "twin"})"), "such as #3"));
  CHECK(
      has_text(error_of(R"({"hips": "pelvis", "spine": "#1"})"), "which bone 'hips' already has"));
  CHECK(has_text(error_of(R"({"hips": "pelvis", "spine": "#2", "hips": "root"})"),
                 "has the member 'hips' twice"));
  CHECK(has_text(error_of(R"({"hips": 1})"), "is not a string"));
  CHECK(has_text(error_of("{}"), "is empty"));
  CHECK(has_text(error_of("[]"), "is not an object"));
}
