// The changes of rigs in a document.

#pragma once

#include <cstdint>
#include <span>

#include "gltf/write/document_writer.h"
#include "skinbake/gltf.h"
#include "skinbake/rig_changes.h"

namespace skinbake::gltf {

// Adds the changes. What they replace stays, although nothing may use it any more. Throws Error
// (kUsage, CACHE_TIMES_COLLIDE).
void add_changes(const Asset& asset, std::span<const RigChanges> changes, DocumentWriter& writer);

// The bytes that a file gets more; none if it gets smaller, as it may with fewer influences.
std::uint64_t more_than(std::uint64_t before, std::uint64_t after);

}  // namespace skinbake::gltf
