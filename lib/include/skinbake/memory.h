// An account of the memory of a run: the bytes that each consumer will allocate, summed from counts
// before anything is allocated, and compared with a limit.

#pragma once

#include <algorithm>
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

// The memory of the program itself in bytes: its code, its libraries, the stacks of its threads. A
// program that bounds its whole memory sets it once, before the first account, and takes it from
// the limit that it gives to this library. Messages then name needs and limits with it. Initially
// 0.
void set_program_memory(std::uint64_t bytes);
std::uint64_t program_memory();

// "1.2 GiB of memory, more than the limit of 1 GiB": both with program_memory().
std::string more_than_limit(std::uint64_t needed, std::uint64_t limit);

// "raise the limit to 6 GiB or more": `needed` and program_memory(), rounded up to whole units.
std::string raised_limit(std::uint64_t needed);

// A limit of memory, of which others have taken a part before. Messages name the sum of both needs.
struct MemoryShare {
  std::uint64_t limit = 0, taken = 0;  // bytes

  MemoryShare(std::uint64_t of_all, std::uint64_t of_others = 0)
      : limit(of_all), taken(of_others) {}

  std::uint64_t left() const { return limit - std::min(limit, taken); }
  // What these bytes leave.
  MemoryShare after(std::uint64_t bytes) const { return {limit, saturated_sum(taken, bytes)}; }
};

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
  // Throws Error (kInput, MEMORY_LIMIT) if the plan needs more than is left of `share`. The message
  // begins with `subject` and ends with `remedy`: "mesh 'Body' with 3 methods", "bake fewer
  // methods at a time".
  void require(const MemoryShare& share, const std::string& subject, const std::string& remedy,
               const Location& location) const;

 private:
  std::vector<MemoryNeed> held_;
  MemoryNeed used_;  // the largest
};

}  // namespace skinbake
