// Memory that a file needs, summed from its declared counts before anything is allocated.
//
// A count does not require bytes in the file: an accessor without a bufferView is legally all
// zeros, a compressed stream declares its decoded size, and many nodes may use one mesh. So the
// sizes of all allocations are added first, and compared with the limit.

#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gltf/document/message_text.h"
#include "skinbake/memory.h"

namespace skinbake::gltf {

using skinbake::saturated_product;
using skinbake::saturated_sum;

// Whether a buffer serves readers without EXT_meshopt_compression. Its bytes may be absent; they
// are needed only if an uncompressed view uses the buffer.
bool is_fallback(const nlohmann::json& buffer);

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit, std::uint64_t taken = 0)
      : limit_(limit), taken_(std::min(taken, limit)) {}

  // Takes `count` * `size` bytes. Returns false, and takes nothing, if fewer are left.
  [[nodiscard]] bool take(std::uint64_t count, std::uint64_t size) {
    const std::uint64_t sum = saturated_sum(taken_, saturated_product(count, size));
    if (sum > limit_) return false;
    taken_ = sum;
    return true;
  }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t left() const { return limit_ - taken_; }

 private:
  std::uint64_t limit_;
  std::uint64_t taken_;
};

// "needs at least 5.2 GiB of memory, more than the limit of 4 GiB; raise the limit to 6 GiB or
// more, …": the end of a sentence. `needed` is a lower bound: the memory of a compressed stream is
// known only while it is decoded. The raised limit has room for `more` bytes.
std::string over_the_limit(std::uint64_t needed, std::uint64_t limit, std::uint64_t more = 0);

// Takes `count` * `size` bytes from the budget. Throws Error (kInput, MEMORY_LIMIT) at the element
// of the file `path` if fewer are left. What the rest of the file needs is not known then: the
// message names a limit with room for it, so that few refusals precede a sufficient limit.
void reserve(MemoryBudget& budget, std::uint64_t count, std::uint64_t size, const std::string& path,
             const Element& element);

// Bytes that the Draco library allocates for a face while it decodes: corners, opposite corners,
// vertices; and as many again for each attribute with its own seams. Measured on triangles that do
// not share vertices: 63 and 61.
constexpr std::uint64_t kDracoBytesPerFace = 64;
constexpr std::uint64_t kDracoSeamBytesPerFace = 64;

struct Forecast {
  std::uint64_t bytes = 0;  // an upper bound; saturates
  Element largest;          // the element that needs the largest part
  std::uint64_t largest_bytes = 0;
  bool is_whole = true;  // false: a part is not known

  void add(std::uint64_t count, std::uint64_t size, const Element& element);
};

// As over_the_limit, for a file that needs `taken` bytes beside its forecast.
std::string over_the_limit(const Forecast& forecast, std::uint64_t taken, std::uint64_t limit);

// Sums the memory that loading a document of checked_json will need beside its JSON and images,
// with its compressing extensions and with buffers outside the file. Without `geometry`: nodes and
// clips only.
Forecast forecast(const nlohmann::json& checked, bool geometry);

}  // namespace skinbake::gltf
