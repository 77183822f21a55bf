#include "bake/appearance.h"

#include "gltf/materials/rig_materials.h"
#include "report/report_text.h"
#include "report/viewer/viewer.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The images that cannot be read: the first, and the number of the others.
std::string unread_images(const Issues& issues) {
  std::string text;
  std::size_t others = 0;
  for (const Issue& issue : issues) {
    if (issue.code != "IMAGE_LEFT_OUT") continue;
    if (text.empty()) {
      text = issue.message;
    } else {
      ++others;
    }
  }
  if (others == 0) return text;
  return fmt::format("{}, and {}", text, counted(others, "other image", "other images"));
}

}  // namespace

ViewAppearance appearance_of(const Asset& asset, std::span<const Rig* const> rigs,
                             LoadOptions load) {
  load.memory_taken += kMostViewBytes;
  RigMaterials read{asset.materials, {}, asset.issues};
  if (!read.materials) read = load_rig_materials(asset, load);
  ViewAppearance appearance;
  if (read.materials) appearance = view_appearance(*read.materials, rigs);
  const std::string unread = read.materials
                                 ? unread_images(read.issues)
                                 : fmt::format("base colours are left out: {}", read.problem);
  if (!unread.empty()) appearance.note += (appearance.note.empty() ? "" : "; ") + unread;
  return appearance;
}

}  // namespace skinbake::cli
