// The JSON of a document that is changed element by element. It can remember what the changes
// replace: a size by difference looks at the changed elements only, and takes the changes back.

#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skinbake::gltf {

// What changes have replaced since EditedDocument::record().
struct DocumentEdits {
  // [array and index] The elements that were there and may have changed.
  std::map<std::pair<std::string, std::size_t>, nlohmann::json> elements;
  // [member of the document] Values that may have changed as a whole; none: it was absent.
  std::map<std::string, std::optional<nlohmann::json>> members;
  // [array] The number of elements before others were appended; none: it was absent.
  std::map<std::string, std::optional<std::size_t>> counts;
};

class EditedDocument {
 public:
  explicit EditedDocument(nlohmann::json document) : json_(std::move(document)) {}

  const nlohmann::json& current() const { return json_; }

  // All of it, to be changed. Precondition: changes are not recorded.
  nlohmann::json& whole();

  // An element of an array of the document, or a member, to be changed. A member that is absent
  // becomes null. References are valid until the array gets another element.
  nlohmann::json& element(const char* list, std::size_t index);
  nlohmann::json& member(const char* name);

  void erase(const char* name);

  // Appends an element to an array, which is created if it is absent. Returns its index.
  std::size_t append(const char* list, nlohmann::json element);

  // The number of nodes whose member `kind`, "mesh" or "skin", is the index.
  std::size_t users(const char* kind, std::size_t index);

  // A node uses another mesh or skin, `to`, than before.
  void replace_use(const char* kind, std::size_t node, std::size_t to);

  // Whether a node has the name. Nodes that are appended have their names at once.
  bool has_node(const std::string& name);

  // From now on, changes are recorded, and undo() takes those back.
  void record();
  const DocumentEdits& edits() const { return edits_; }
  void undo();

 private:
  // The nodes by what they use and by their names: files have many, and changes look for one.
  struct Nodes {
    std::map<std::pair<std::string, std::size_t>, std::size_t> users;  // [member and index]
    std::set<std::string> names;
  };

  struct Use {
    std::string kind;
    std::size_t from = 0, to = 0;
  };

  Nodes& nodes();

  nlohmann::json json_;
  std::optional<Nodes> nodes_;
  bool is_recorded_ = false;
  DocumentEdits edits_;
  std::vector<Use> replaced_uses_;
  std::vector<std::string> added_names_;
};

}  // namespace skinbake::gltf
