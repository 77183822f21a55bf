// XXH3 with 128 bits: identifies the content of files. It is not cryptographic.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace skinbake {

class Xxh128 {
 public:
  Xxh128();
  ~Xxh128();
  void update(const void* data, std::size_t size);
  std::string hex() const;  // 32 digits, as `xxhsum -H128` prints them

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skinbake
