// Arrays for SIMD lanes: aligned to a cache line, not initialised, not copyable.

#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace skinbake {

// Requests huge pages for memory that has not been touched yet; the system may refuse. The first
// touch of a page costs more than computing its content.
inline void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t begin =
      (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(kPage - 1);
  constexpr std::uintptr_t kWorthIt = std::uintptr_t{4} << 20;
  if (end > begin && end - begin >= kWorthIt) {
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
#endif
}

// Reserves memory of a vector in huge pages. The capacity grows by at least half, so that many
// calls in a row do not copy the vector each time.
template <class T>
void reserve_huge(std::vector<T>& values, std::size_t size) {
  if (size <= values.capacity()) return;
  values.reserve(std::max(size, values.capacity() + values.capacity() / 2));
  advise_huge_pages(values.data() + values.size(), (values.capacity() - values.size()) * sizeof(T));
}

template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : data_(allocate(size * sizeof(T)), Free{alignment_of(size * sizeof(T))}), size_(size) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::size_t kCacheLine = 64;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  struct Free {
    std::align_val_t alignment{kCacheLine};
    void operator()(T* p) const { ::operator delete(p, alignment); }
  };

  static std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes < 2 * kHugePage ? kCacheLine : kHugePage};
  }

  static T* allocate(std::size_t bytes) {
    const std::align_val_t alignment = alignment_of(bytes);
    void* memory = ::operator new(bytes, alignment);
    if (alignment == std::align_val_t{kHugePage}) advise_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace skinbake
