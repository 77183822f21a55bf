// Numbers as the bytes that files store, and the hash of bytes.

#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "base/bytes.h"

namespace skinbake::test {

// The bytes in memory of a number or an array.
template <class T>
std::string bytes_of(const T& numbers) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(&numbers), sizeof numbers};
}
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

// The hash that sidecars record.
inline std::string hash_of(const std::string& bytes) {
  Xxh128 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.hex();
}

}  // namespace skinbake::test
