#include "memory_limit.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>

namespace skinbake::cli {

namespace {

std::atomic<std::uint64_t> limit_bytes = std::numeric_limits<std::uint64_t>::max();
std::atomic<bool> ran_out = false;

thread_local std::array<char, 256> work_of_thread{};
thread_local std::array<char, 512> text_of_thread{};

}  // namespace

void limit_memory(std::uint64_t bytes) {
  limit_bytes = bytes;
#ifndef SKINBAKE_SANITIZED
  // Blocks of the threshold and more get pages of their own, which they return when they are freed.
  // Smaller ones leave holes in the heap, which are small beside the limit.
  const auto part = [&](std::uint64_t share) {
    constexpr std::uint64_t kLeast = 128 << 10, kMost = 1 << 30;
    return static_cast<int>(std::clamp(bytes / share, kLeast, kMost));
  };
  mallopt(M_MMAP_THRESHOLD, part(256));
  mallopt(M_TRIM_THRESHOLD, part(16));
#endif
}

std::uint64_t memory_limit() {
  return limit_bytes;
}

void note_work(std::string_view work, std::string_view object) {
  std::snprintf(work_of_thread.data(), work_of_thread.size(), " while %.*s%s%.*s",
                static_cast<int>(work.size()), work.data(), object.empty() ? "" : " ",
                static_cast<int>(object.size()), object.data());
}

std::string_view out_of_memory_text() {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  const std::uint64_t most = limit_bytes;
  const bool is_small = most < kMiB;
  const int length = std::snprintf(
      text_of_thread.data(), text_of_thread.size(), "out of memory%s; raise the limit of %llu %s",
      work_of_thread.data(), static_cast<unsigned long long>(is_small ? most : most / kMiB),
      most == 1  ? "byte"
      : is_small ? "bytes"
                 : "MiB");
  return {text_of_thread.data(),
          std::min(text_of_thread.size() - 1, static_cast<std::size_t>(length))};
}

bool memory_ran_out() {
  return ran_out;
}

#ifndef SKINBAKE_SANITIZED

namespace {

std::atomic<std::uint64_t> held = 0;

// Blocks of a page and less may exceed the limit by this, so that a failure can be reported.
constexpr std::uint64_t kPage = 4096, kReserve = std::uint64_t{8} << 20;

bool exceeds_limit(std::uint64_t bytes) {
  const std::uint64_t most = limit_bytes.load(std::memory_order_relaxed);
  const std::uint64_t taken = held.load(std::memory_order_relaxed);
  if (bytes <= kPage) return taken > kReserve && taken - kReserve > most;
  return bytes > most || taken > most - bytes;
}

// Null: there is no memory.
void* counted_block(std::size_t bytes, std::size_t alignment = 1) noexcept {
  void* block = nullptr;
  if (!exceeds_limit(bytes)) {
    block = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                ? std::malloc(std::max<std::size_t>(bytes, 1))
                : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  }
  if (block == nullptr) {
    ran_out = true;
  } else {
    held.fetch_add(malloc_usable_size(block), std::memory_order_relaxed);
  }
  return block;
}

void* counted_block_or_throw(std::size_t bytes, std::size_t alignment = 1) {
  void* const block = counted_block(bytes, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  held.fetch_sub(malloc_usable_size(block), std::memory_order_relaxed);
  std::free(block);
}

}  // namespace

#endif

}  // namespace skinbake::cli

#ifndef SKINBAKE_SANITIZED

// clang-format off
#define NEW(NAME) \
  void* operator NAME(std::size_t n) { return skinbake::cli::counted_block_or_throw(n); } \
  void* operator NAME(std::size_t n, std::align_val_t a) { \
    return skinbake::cli::counted_block_or_throw(n, static_cast<std::size_t>(a)); \
  } \
  void* operator NAME(std::size_t n, const std::nothrow_t&) noexcept { \
    return skinbake::cli::counted_block(n); \
  } \
  void* operator NAME(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { \
    return skinbake::cli::counted_block(n, static_cast<std::size_t>(a)); \
  }
#define DELETE(NAME, ...) \
  void operator NAME(void* block __VA_OPT__(,) __VA_ARGS__) noexcept { skinbake::cli::release(block); }
#define DELETES(NAME) \
  DELETE(NAME) \
  DELETE(NAME, std::size_t) \
  DELETE(NAME, std::align_val_t) \
  DELETE(NAME, std::size_t, std::align_val_t) \
  DELETE(NAME, const std::nothrow_t&) \
  DELETE(NAME, std::align_val_t, const std::nothrow_t&)
// clang-format on

NEW(new)
NEW(new[])
DELETES(delete)
DELETES(delete[])

#undef NEW
#undef DELETE
#undef DELETES

#endif
