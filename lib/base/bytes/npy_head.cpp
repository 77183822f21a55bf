#include "base/bytes/npy_head.h"

namespace skinbake {

std::string npy_head(std::initializer_list<std::int64_t> shape, std::string_view descr) {
  constexpr std::size_t kAlignment = 64;
  std::string tuple;
  for (const std::int64_t count : shape) {
    tuple += (tuple.empty() ? "" : ", ") + std::to_string(count);
  }
  std::string dictionary =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + tuple + "), }";
  const std::size_t before = kNpyMagic.size() + 4;
  while ((before + dictionary.size() + 1) % kAlignment != 0) dictionary += ' ';
  dictionary += '\n';
  std::string head(kNpyMagic);
  head += {'\1', '\0', static_cast<char>(dictionary.size() & 0xff),
           static_cast<char>(dictionary.size() >> 8)};
  return head + dictionary;
}

}  // namespace skinbake
