// Memory that a file asks for, summed before it is allocated: declared counts can be lies.

#pragma once

#include <cstdint>

namespace skinbake::gltf {

class MemoryBudget {
 public:
  static constexpr std::uint64_t kDefaultLimit = std::uint64_t{4} << 30;

  explicit MemoryBudget(std::uint64_t limit = kDefaultLimit) : left_(limit) {}

  // False, and nothing taken, if `count` things of `size` bytes exceed what is left.
  [[nodiscard]] bool take(std::uint64_t count, std::uint64_t size) {
    if (size != 0 && count > left_ / size) return false;
    left_ -= count * size;
    return true;
  }

 private:
  std::uint64_t left_;
};

}  // namespace skinbake::gltf
