#pragma once

#include "skinbake/clip.h"

namespace skinbake {

// The word of glTF's channel.target.path.
constexpr const char* to_string(ChannelPath path) {
  switch (path) {
    case ChannelPath::kTranslation:
      return "translation";
    case ChannelPath::kRotation:
      return "rotation";
    case ChannelPath::kScale:
      return "scale";
    case ChannelPath::kWeights:
      break;
  }
  return "weights";
}

}  // namespace skinbake
