// What of a baked GLB is known before the first frame.

#pragma once

#include <functional>
#include <span>
#include <string>

#include "caches/glb_layout.h"

namespace skinbake {

// The layout without frames; targets and blocks are there, empty. Throws Error (kUsage) if the
// counts are more than a GLB can hold, if times collide, or if an option is not known.
GlbLayout plan_glb(const std::string& path, std::span<const CacheHeader> headers);

// The bytes of what is planned, in the order of the binary chunk, filled up to multiples of 4. Sets
// the views.
using AppendBytes = std::function<GlbView(const void* data, std::size_t size)>;
void write_static_parts(GlbLayout& layout, const AppendBytes& append);

// As many bytes as all of it may have with frames.
std::uint64_t most_glb_bytes(const GlbLayout& layout);

}  // namespace skinbake
