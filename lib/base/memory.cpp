#include "skinbake/memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

namespace skinbake {

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

std::atomic<std::uint64_t> memory_of_program = 0;

}  // namespace

std::string memory_text(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  static constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 1000 ? "%.3g %s" : "%.0f %s", value,
                kUnits[unit]);
  return text.data();
}

void set_program_memory(std::uint64_t bytes) {
  memory_of_program = bytes;
}

std::uint64_t program_memory() {
  return memory_of_program;
}

// A limit that is smaller than the program leaves nothing.
std::string more_than_limit(std::uint64_t needed, std::uint64_t limit) {
  const std::string program = memory_text(program_memory());
  const std::string text =
      memory_text(saturated_sum(needed, program_memory())) + " of memory, more than the limit";
  if (limit == 0 && program_memory() > 0) {
    return text + ", which does not exceed the " + program + " of the program itself";
  }
  return text + " of " + memory_text(saturated_sum(limit, program_memory()));
}

// Below 16 GiB the limit is named in MiB: a whole GiB would be much more than is needed.
std::string raised_limit(std::uint64_t of_accounts) {
  const std::uint64_t needed = saturated_sum(of_accounts, program_memory());
  const std::uint64_t unit = needed > 16 * kGiB ? kGiB : kMiB;
  return "raise the limit to " + std::to_string(needed / unit + (needed % unit == 0 ? 0 : 1)) +
         (unit == kGiB ? " GiB" : " MiB") + " or more";
}

void MemoryPlan::hold(std::string_view consumer, std::uint64_t bytes) {
  const auto known = std::find_if(held_.begin(), held_.end(), [&](const MemoryNeed& need) {
    return need.consumer == consumer;
  });
  if (known == held_.end()) {
    held_.push_back({std::string(consumer), bytes});
  } else {
    known->bytes = saturated_sum(known->bytes, bytes);
  }
}

void MemoryPlan::use(std::string_view consumer, std::uint64_t bytes) {
  if (bytes > used_.bytes) used_ = {std::string(consumer), bytes};
}

std::uint64_t MemoryPlan::held() const {
  std::uint64_t sum = 0;
  for (const MemoryNeed& need : held_) sum = saturated_sum(sum, need.bytes);
  return sum;
}

std::uint64_t MemoryPlan::bytes() const {
  return saturated_sum(held(), used_.bytes);
}

MemoryNeed MemoryPlan::largest() const {
  MemoryNeed largest = used_;
  for (const MemoryNeed& need : held_) {
    if (need.bytes > largest.bytes) largest = need;
  }
  return largest;
}

void MemoryPlan::require(const MemoryShare& share, const std::string& subject,
                         const std::string& remedy, const Location& location) const {
  if (bytes() <= share.left()) return;
  MemoryPlan whole = *this;
  if (share.taken > 0) whole.hold("the files before it", share.taken);
  const std::uint64_t needed = whole.bytes();
  const MemoryNeed most = whole.largest();
  throw Error("MEMORY_LIMIT",
              subject + " needs " + more_than_limit(needed, share.limit) + "; the largest part, " +
                  memory_text(most.bytes) + ", is " + most.consumer + "; " + raised_limit(needed) +
                  ", or " + remedy,
              location);
}

}  // namespace skinbake
