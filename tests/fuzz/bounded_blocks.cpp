// The library has no limit of memory, and a few hundred bytes may declare millions of vertices at
// zero. A fuzzer has no block larger than this: the allocation fails. libFuzzer's own tables take
// 20 MiB.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20;

void* block_of(std::size_t bytes, std::size_t alignment) {
  void* block = nullptr;
  const std::size_t most = std::max(alignment, alignof(std::max_align_t));
  if (bytes > kMostBytes || posix_memalign(&block, most, std::max<std::size_t>(bytes, 1)) != 0) {
    throw std::bad_alloc();
  }
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return block_of(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return block_of(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return block_of(bytes, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}
