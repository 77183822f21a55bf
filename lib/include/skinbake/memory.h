// An account of the memory of a run: the bytes that each consumer will allocate, summed from counts
// before anything is allocated, and compared with a limit.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"

namespace skinbake {

// Sums and products that saturate at the greatest number instead of wrapping around. Counts come
// from untrusted files.
constexpr std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}
constexpr std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b
             ? std::numeric_limits<std::uint64_t>::max()
             : a * b;
}

// "5.2 GiB".
std::string memory_text(std::uint64_t bytes);

// "raise the limit to 6 GiB or more": `needed`, rounded up to whole units.
std::string raised_limit(std::uint64_t needed);

// The bytes of one consumer: "the frames in flight".
struct MemoryNeed {
  std::string consumer;
  std::uint64_t bytes = 0;
};

// The consumers of a run. Some hold their memory until the run ends. The others work one after
// another, as the bind of a method and the frames that follow it: the largest of them counts.
class MemoryPlan {
 public:
  // Adds bytes that are held. Bytes of the same consumer are summed.
  void hold(std::string_view consumer, std::uint64_t bytes);
  // Adds a consumer that releases its memory before the next one starts.
  void use(std::string_view consumer, std::uint64_t bytes);

  std::uint64_t bytes() const;  // of all consumers that are active together
  std::uint64_t held() const;   // without those that work one after another
  MemoryNeed largest() const;   // of them
  // Throws Error (kInput, MEMORY_LIMIT) if the plan needs more than `limit` bytes. The message
  // begins with `subject` and ends with `remedy`: "mesh 'Body' with 3 methods", "bake fewer
  // methods at a time".
  void require(std::uint64_t limit, const std::string& subject, const std::string& remedy,
               const Location& location) const;

 private:
  std::vector<MemoryNeed> held_;
  MemoryNeed used_;  // the largest
};

}  // namespace skinbake
