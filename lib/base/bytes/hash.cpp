#include "base/bytes/hash.h"

#include <xxhash.h>
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>  // the same digests by the widest instructions of this processor
#endif

#include <cstdio>
#include <new>

namespace skinbake {

struct Xxh128::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
  }
  ~State() { XXH3_freeState(xxh); }
};

Xxh128::Xxh128() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(state_->xxh);
}

Xxh128::~Xxh128() = default;

void Xxh128::update(const void* data, std::size_t size) {
  XXH3_128bits_update(state_->xxh, data, size);
}

std::string Xxh128::hex() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_->xxh));
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

}  // namespace skinbake
