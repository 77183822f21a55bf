// Elements of a file that a changed document does not refer to any more, because others replace
// them: accessors, their buffer views, and samplers of animations.

#pragma once

#include <nlohmann/json.hpp>

namespace skinbake::gltf {

// Erases the elements that `source` uses and `changed` does not, and renumbers the others. What
// the source does not use stays. Does nothing if the document uses an extension that is not known
// to refer to elements by known members, or to none. Precondition: the elements of `source` have
// the same indices in `changed`.
void erase_unused(const nlohmann::json& source, nlohmann::json& changed);

}  // namespace skinbake::gltf
