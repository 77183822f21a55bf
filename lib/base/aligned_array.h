// Memory for lanes: aligned to a cache line, not initialised, never copied.

#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace skinbake {

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

  // Touching fresh memory costs more than computing what goes into it: blocks of large meshes ask
  // for huge pages, which the system may refuse.
  static T* allocate(std::size_t bytes) {
    const std::align_val_t alignment = alignment_of(bytes);
    void* memory = ::operator new(bytes, alignment);
#ifdef MADV_HUGEPAGE
    if (alignment == std::align_val_t{kHugePage}) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace skinbake
