#include "clips/clip_source.h"

#include "options/file_kinds.h"

namespace skinbake::cli {

// Splits at the first '#' that follows a file extension: an id may contain '#' too.
FileClip split_clip(const std::string& wanted) {
  for (std::size_t at = wanted.find('#'); at != std::string::npos; at = wanted.find('#', at + 1)) {
    const std::string path = wanted.substr(0, at);
    if (is_animation_file(path)) return {path, wanted.substr(at + 1)};
  }
  return is_animation_file(wanted) ? FileClip{wanted, ""} : FileClip{};
}

bool is_made_clip(std::string_view value) {
  return value == kRom || value.starts_with("rom:") || value.starts_with(kPoses);
}

}  // namespace skinbake::cli
