#include "gltf/write/edited_document.h"

#include <cassert>
#include <string_view>

#include "gltf/document/json_member.h"

namespace skinbake::gltf {

using nlohmann::json;

json& EditedDocument::whole() {
  assert(!is_recorded_);
  return json_;
}

json& EditedDocument::element(const char* list, std::size_t index) {
  json& elements = json_[list];
  if (is_recorded_ && !edits_.members.contains(list)) {
    const auto count = edits_.counts.find(list);
    const bool was_there =
        count == edits_.counts.end() || index < count->second.value_or(std::size_t{0});
    const std::pair key(std::string(list), index);
    if (was_there && !edits_.elements.contains(key)) edits_.elements[key] = elements.at(index);
  }
  return elements[index];
}

json& EditedDocument::member(const char* name) {
  if (is_recorded_ && !edits_.members.contains(name)) {
    assert(!edits_.counts.contains(name));
    const auto found = json_.find(name);
    edits_.members[name] = found == json_.end() ? std::optional<json>() : std::optional(*found);
  }
  return json_[name];
}

void EditedDocument::erase(const char* name) {
  if (!json_.contains(name)) return;
  member(name);
  json_.erase(name);
}

std::size_t EditedDocument::append(const char* list, json element) {
  const auto found = json_.find(list);
  if (found == json_.end()) {
    if (is_recorded_ && !edits_.members.contains(list)) edits_.counts.try_emplace(list);
    json_[list] = json::array();
  } else if (!found->is_array()) {
    member(list) = json::array();
  } else if (is_recorded_ && !edits_.members.contains(list)) {
    edits_.counts.try_emplace(list, found->size());
  }
  if (std::string_view(list) == "nodes" && nodes_) {
    const json& name = gltf::member(element, "name");
    if (name.is_string() && nodes_->names.insert(name.get<std::string>()).second) {
      if (is_recorded_) added_names_.push_back(name.get<std::string>());
    }
  }
  json& elements = json_[list];
  elements.push_back(std::move(element));
  return elements.size() - 1;
}

EditedDocument::Nodes& EditedDocument::nodes() {
  if (nodes_) return *nodes_;
  nodes_.emplace();
  for (const json& node : gltf::member(json_, "nodes")) {
    for (const char* kind : {"mesh", "skin"}) {
      const auto index = whole_number(gltf::member(node, kind));
      if (index) ++nodes_->users[{kind, static_cast<std::size_t>(*index)}];
    }
    const json& name = gltf::member(node, "name");
    if (name.is_string()) nodes_->names.insert(name.get<std::string>());
  }
  return *nodes_;
}

std::size_t EditedDocument::users(const char* kind, std::size_t index) {
  const auto found = nodes().users.find({kind, index});
  return found == nodes().users.end() ? 0 : found->second;
}

void EditedDocument::replace_use(const char* kind, std::size_t node, std::size_t to) {
  json& use = element("nodes", node)[kind];
  const auto from = use.get<std::size_t>();
  --nodes().users[{kind, from}];
  ++nodes().users[{kind, to}];
  use = to;
  if (is_recorded_) replaced_uses_.push_back({kind, from, to});
}

bool EditedDocument::has_node(const std::string& name) {
  return nodes().names.contains(name);
}

void EditedDocument::record() {
  nodes();  // of the document without changes
  is_recorded_ = true;
}

void EditedDocument::undo() {
  for (const auto& [name, before] : edits_.counts) {
    if (!before) {
      json_.erase(name);
      continue;
    }
    json::array_t& elements = json_[name].get_ref<json::array_t&>();
    elements.resize(*before);
  }
  for (auto& [key, before] : edits_.elements) {
    if (!edits_.members.contains(key.first)) json_[key.first][key.second] = std::move(before);
  }
  for (auto& [name, before] : edits_.members) {
    if (before) {
      json_[name] = std::move(*before);
    } else {
      json_.erase(name);
    }
  }
  for (const Use& use : replaced_uses_) {
    --nodes_->users[{use.kind, use.to}];
    ++nodes_->users[{use.kind, use.from}];
  }
  for (const std::string& name : added_names_) nodes_->names.erase(name);
  edits_ = {};
  replaced_uses_.clear();
  added_names_.clear();
}

}  // namespace skinbake::gltf
