// What a file will take in memory, summed from its declared counts before anything is allocated.
//
// A count needs no bytes behind it: an accessor without a bufferView is legally all zeros, a
// compressed stream says itself how large it becomes, and many nodes may bind one mesh. So what the
// loader allocates for each use is added up here, and held against the limit first.

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "gltf/document.h"

namespace skinbake::gltf {

struct Forecast {
  std::uint64_t bytes = 0;  // at most; the greatest number if there are more
  Element largest;          // what takes most of it
};

// `shaped` is the checked document with its compressing extensions. Without geometry: nodes and
// clips only.
Forecast forecast(const nlohmann::json& shaped, bool geometry);

// Throws Error (MEMORY_LIMIT) if the document's budget has not so much left.
void require_memory(const Document& document, const Forecast& forecast);

}  // namespace skinbake::gltf
