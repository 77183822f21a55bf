#include "outputs/rig_output.h"

#include <algorithm>
#include <filesystem>

#include "base/paths.h"
#include "json/text.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"

namespace skinbake::cli {

void require_rig_name(const std::string& output) {
  if (is_binary_gltf(output)) return;
  throw UsageError("--output", "'" + printable(output) +
                                   "' must be a .glb or a .vrm file, which contains its buffers "
                                   "and images");
}

void require_avatar(const std::string& output, const Asset& rig) {
  if (!has_extension(output, ".vrm")) return;
  const auto is_avatar = [](const std::string& extension) {
    return extension == "VRM" || extension == "VRMC_vrm";
  };
  if (std::any_of(rig.extensions_used.begin(), rig.extensions_used.end(), is_avatar)) return;
  const std::string glb = std::filesystem::path(output).replace_extension(".glb").string();
  throw UsageError("--output", "'" + printable(output) +
                                   "' would not be a VRM file: " + printable(rig.path) +
                                   " does not have the extension VRMC_vrm or VRM; write '" +
                                   printable(glb) + "'");
}

}  // namespace skinbake::cli
