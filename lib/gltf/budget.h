// Memory that a file asks for, summed before it is allocated: declared counts can be lies.

#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace skinbake::gltf {

// Sums and products that stay at the greatest number instead of wrapping round.
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

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit) : limit_(limit) {}

  // False, and nothing taken, if `count` things of `size` bytes exceed what is left.
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
  std::uint64_t taken_ = 0;
};

// "needs at least 5.2 GiB of memory, more than the 4 GiB of --max-memory; give --max-memory 6G or
// more, …": the end of a sentence. At least, as `needed` is what is known so far: a compressed
// stream tells only on the way what it takes to decode.
std::string over_the_limit(std::uint64_t needed, std::uint64_t limit);

}  // namespace skinbake::gltf
