// Elements of a file that a changed document does not refer to any more, because others replace
// them: accessors, their buffer views, and samplers of animations.

#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>

namespace skinbake::gltf {

// Erases the elements that `source` uses and `changed` does not, and renumbers the others. What
// the source does not use stays. Does nothing if the document uses an extension that is not known
// to refer to elements by known members, or to none. Precondition: the elements of `source` have
// the same indices in `changed`.
void erase_unused(const nlohmann::json& source, nlohmann::json& changed);

// Erases the materials, textures, samplers, images, accessors and buffer views of a baked document
// that its other elements do not use, and renumbers the others.
void erase_unused_appearance(nlohmann::json& document);

// The parts of erase_unused(), for documents whose other elements are known.

// Whether all extensions that a document lists are known, and the number of unknown extensions in a
// value.
bool are_listed_known(const nlohmann::json& document);
std::size_t count_unknown(const nlohmann::json& value);

// The same as erase_unused() for the samplers of one animation.
void erase_unused_samplers(const nlohmann::json& source, nlohmann::json& changed);

// Calls use(index) with each reference to an accessor or to a buffer view.
using Use = std::function<void(const nlohmann::json&)>;
void visit_accessors(const nlohmann::json& document, const Use& use);
void visit_views(const nlohmann::json& document, const Use& use);

}  // namespace skinbake::gltf
