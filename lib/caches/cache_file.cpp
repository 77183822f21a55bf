#include "caches/cache_file.h"

#include "caches/origin.h"
#include "skinbake/error.h"

namespace skinbake {

std::string CacheFile::xxh128() const {
  std::call_once(hashed_, [this] { xxh128_ = file_.xxh128(); });
  return xxh128_;
}

std::optional<CacheOrigin> CacheFile::origin() const {
  return read_origin(*this, chosen_mesh());
}

void CacheFile::fail(const std::string& element, const std::string& cause,
                     const std::string& remedy) const {
  throw Error(ErrorKind::kInput, "CACHE_INVALID", element + ": " + cause + "; " + remedy,
              {path(), ""});
}

bool is_size_of(std::uint64_t size, std::uint64_t vertices, std::uint64_t frames,
                std::uint64_t other, std::uint64_t position_bytes) {
  if (size < other || (size - other) % position_bytes != 0) return false;
  const std::uint64_t positions = (size - other) / position_bytes;
  if (vertices == 0 || frames == 0) return positions == 0;
  return positions % vertices == 0 && positions / vertices == frames;  // no product to overflow
}

}  // namespace skinbake
