#include "gltf/write/reference_counts.h"

#include <algorithm>

namespace skinbake::gltf {

void ReferenceCounts::add_of_source(std::size_t index) {
  if (index >= is_of_source_.size()) is_of_source_.resize(index + 1);
  is_of_source_[index] = true;
}

void ReferenceCounts::add(std::size_t index) {
  if (index >= counts_.size()) counts_.resize(index + 1);
  ++counts_[index];
}

void ReferenceCounts::finish() {
  for (const std::int64_t count : counts_) sums_.push_back(sums_.back() + count);
}

std::vector<std::size_t> ReferenceCounts::unused(const CountChanges& changes) const {
  std::vector<std::size_t> unused;
  for (const auto& [index, change] : changes) {
    const bool was_used = index < counts_.size() && index < is_of_source_.size() &&
                          is_of_source_[index] && counts_[index] > 0;
    if (was_used && counts_[index] + change == 0) unused.push_back(index);
  }
  return unused;
}

std::int64_t ReferenceCounts::count_between(std::size_t begin, std::size_t end) const {
  const std::size_t most = counts_.size();
  return sums_[std::min(end, most)] - sums_[std::min(begin, most)];
}

std::int64_t ReferenceCounts::lost_digits(const CountChanges& changes,
                                          const std::vector<std::size_t>& erased) const {
  if (erased.empty()) return 0;
  std::size_t count = counts_.size();
  if (!changes.empty()) count = std::max(count, changes.rbegin()->first + 1);
  std::int64_t lost = 0;
  for (std::size_t power = 10; power < count; power *= 10) {
    // The indices below `end` become less than the power.
    std::size_t end = power, before = 0;
    do {
      before = end;
      end = power + static_cast<std::size_t>(std::upper_bound(erased.begin(), erased.end(), end) -
                                             erased.begin());
    } while (end != before);
    lost += count_between(power, end);
    const auto last = changes.lower_bound(end);
    for (auto change = changes.lower_bound(power); change != last; ++change) {
      lost += change->second;
    }
  }
  return lost;
}

}  // namespace skinbake::gltf
