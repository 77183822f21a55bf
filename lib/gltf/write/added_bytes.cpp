#include "gltf/write/added_bytes.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gltf/document/json_member.h"
#include "gltf/write/change_writers.h"
#include "gltf/write/document_writer.h"
#include "gltf/write/reference_counts.h"
#include "gltf/write/unused_elements.h"
#include "json/print.h"

namespace skinbake {

namespace {

using gltf::CountChanges;
using gltf::DocumentEdits;
using gltf::ElementCounts;
using gltf::ReferenceCounts;
using nlohmann::json;

constexpr const char *kAccessors = "accessors", *kViews = "bufferViews";

std::int64_t text_of(const json& value) {
  return static_cast<std::int64_t>(dumped(value).size());
}

// The bytes of the text of a member of an object without its value: name, colon and comma.
std::int64_t text_of_name(const std::string& name) {
  return text_of(name) + 2;
}

std::int64_t commas_between(std::size_t elements) {
  return elements == 0 ? 0 : static_cast<std::int64_t>(elements) - 1;
}

ElementCounts counts_of(const json& document) {
  return {gltf::member(document, kAccessors).size(), gltf::member(document, kViews).size()};
}

// The changes of all that elements add up to: bytes of text, extensions, references.
struct Difference {
  std::int64_t text = 0, unknown = 0;
  CountChanges accessors, views;

  // Adds a part of a document, or takes it away: an object that has some of its elements.
  void add_references(const json& part, const ElementCounts& counts, int sign) {
    unknown += sign * static_cast<std::int64_t>(gltf::count_unknown(part));
    gltf::visit_accessors(part, [&](const json& index) {
      if (const auto i = gltf::index_below(counts.accessors, index)) accessors[*i] += sign;
    });
    gltf::visit_views(part, [&](const json& index) {
      if (const auto i = gltf::index_below(counts.views, index)) views[*i] += sign;
    });
  }

  void add_element(const std::string& list, const json& element, const ElementCounts& counts,
                   int sign) {
    text += sign * text_of(element);
    add_references({{list, json::array({element})}}, counts, sign);
  }

  void add_member(const std::string& name, const json& value, const ElementCounts& counts,
                  int sign) {
    text += sign * (text_of_name(name) + text_of(value));
    add_references({{name, value}}, counts, sign);
  }
};

}  // namespace

class AddedBytes::Measured {
 public:
  Measured(const Asset& asset, const ChangeEncoding& encoding);

  std::uint64_t of(const RigChanges& changes);

 private:
  void count_references();
  Difference difference();
  void erase_samplers();
  void erase_elements(Difference& of) const;

  const json& source() const { return asset_.source->json; }
  const json& document() const { return writer_.current(); }

  const Asset& asset_;
  gltf::DocumentWriter writer_;
  // Sizes of the file without changes. Its text is the document as erase_unused() leaves it.
  std::uint64_t bytes_ = 0;
  std::int64_t text_ = 0;
  std::int64_t unknown_ = 0;  // extensions
  bool has_known_references_ = false;
  ElementCounts counts_;
  ReferenceCounts accessors_, views_;
};

AddedBytes::Measured::Measured(const Asset& asset, const ChangeEncoding& encoding)
    : asset_(asset), writer_(asset.source, encoding) {
  bytes_ = writer_.bytes();
  unknown_ = static_cast<std::int64_t>(gltf::count_unknown(document()));
  has_known_references_ = gltf::are_listed_known(document()) && unknown_ == 0;
  // Nothing is without a use yet. All references get the form that they have in the file.
  gltf::erase_unused(source(), writer_.document().whole());
  text_ = text_of(document());
  counts_ = counts_of(document());
  count_references();
  writer_.record();
}

void AddedBytes::Measured::count_references() {
  using Add = void (ReferenceCounts::*)(std::size_t);
  const auto adding = [](ReferenceCounts& to, std::size_t count, Add add) {
    return [&to, count, add](const json& index) {
      if (const auto i = gltf::index_below(count, index)) (to.*add)(*i);
    };
  };
  constexpr Add kOfSource = &ReferenceCounts::add_of_source, kNow = &ReferenceCounts::add;
  gltf::visit_accessors(source(), adding(accessors_, counts_.accessors, kOfSource));
  gltf::visit_accessors(document(), adding(accessors_, counts_.accessors, kNow));
  gltf::visit_views(source(), adding(views_, counts_.views, kOfSource));
  gltf::visit_views(document(), adding(views_, counts_.views, kNow));
  accessors_.finish();
  views_.finish();
}

Difference AddedBytes::Measured::difference() {
  const json& now = writer_.current();
  const ElementCounts counts = counts_of(now);
  const DocumentEdits& edits = writer_.document().edits();
  Difference sum;
  for (const auto& [key, before] : edits.elements) {
    if (edits.members.contains(key.first)) continue;
    sum.add_element(key.first, before, counts_, -1);
    sum.add_element(key.first, now[key.first][key.second], counts, 1);
  }
  for (const auto& [list, before] : edits.counts) {
    const json& elements = now[list];
    if (!before) sum.text += text_of_name(list) + text_of(json::array());
    for (std::size_t i = before.value_or(0); i < elements.size(); ++i) {
      sum.add_element(list, elements[i], counts, 1);
    }
    sum.text += commas_between(elements.size()) - commas_between(before.value_or(0));
  }
  for (const auto& [name, before] : edits.members) {
    if (before) sum.add_member(name, *before, counts_, -1);
    const auto found = now.find(name);
    if (found != now.end()) sum.add_member(name, *found, counts, 1);
  }
  return sum;
}

// Other animations use all samplers that they used.
void AddedBytes::Measured::erase_samplers() {
  const json& animations = gltf::member(source(), "animations");
  std::vector<std::size_t> edited;
  for (const auto& [key, before] : writer_.document().edits().elements) {
    if (key.first == "animations" && key.second < animations.size()) edited.push_back(key.second);
  }
  for (const std::size_t i : edited) {
    gltf::erase_unused_samplers(animations[i], writer_.document().element("animations", i));
  }
}

// Takes away the elements that erase_unused() would erase.
void AddedBytes::Measured::erase_elements(Difference& of) const {
  const json& now = writer_.current();
  const ElementCounts counts = counts_of(now);
  const auto erase = [&](const char* list, const std::vector<std::size_t>& unused) {
    for (const std::size_t i : unused) of.add_element(list, now[list][i], counts, -1);
    if (unused.empty()) return;
    const std::size_t count = now[list].size();
    of.text -= commas_between(count) - commas_between(count - unused.size());
  };
  const std::vector<std::size_t> accessors = accessors_.unused(of.accessors);
  erase(kAccessors, accessors);
  const std::vector<std::size_t> views = views_.unused(of.views);
  erase(kViews, views);
  of.text -= accessors_.lost_digits(of.accessors, accessors);
  of.text -= views_.lost_digits(of.views, views);
}

std::uint64_t AddedBytes::Measured::of(const RigChanges& changes) {
  gltf::add_changes(asset_, {&changes, 1}, writer_);
  const std::uint64_t bin_bytes = writer_.finish();
  if (has_known_references_) erase_samplers();
  Difference sum = difference();
  // Changes may remove the last extension that is not known. Other elements are then erased.
  const bool is_known = gltf::are_listed_known(document()) && unknown_ + sum.unknown == 0;
  if (is_known != has_known_references_) {
    writer_.undo();
    return bytes_of_changes(asset_, {&changes, 1}, writer_.encoding());
  }
  if (is_known) erase_elements(sum);
  writer_.undo();
  const auto text = static_cast<std::uint64_t>(text_ + sum.text);
  return gltf::more_than(bytes_, gltf::glb_bytes(text, bin_bytes));
}

AddedBytes::AddedBytes(const Asset& asset, const ChangeEncoding& encoding)
    : measured_(std::make_unique<Measured>(asset, encoding)) {}

AddedBytes::~AddedBytes() = default;

std::uint64_t AddedBytes::of(const RigChanges& changes) {
  return measured_->of(changes);
}

}  // namespace skinbake
