// A file that is only wanted for its clips.

#include "skinbake/clip_file.h"

#include <new>
#include <utility>

#include "gltf/document.h"
#include "gltf/parts.h"
#include "rig/validate.h"

namespace skinbake {

namespace {

ClipFile build_clip_file(gltf::Document document) {
  gltf::check_extensions(document);
  ClipFile file;
  file.path = document.path;
  file.shown_as = document.shown_as;
  file.skeleton = gltf::load_skeleton(document);
  validate(*file.skeleton, {file.path, "/nodes"});
  file.clips = gltf::load_clips(document, *file.skeleton);
  file.humanoid = std::move(document.humanoid);
  file.memory_left = document.budget.left();
  file.inputs = std::move(document.inputs);
  file.files = std::move(document.files);
  file.issues = sorted_unique(std::move(document.issues));
  return file;
}

}  // namespace

ClipFile load_clip_file(const std::string& path, const LoadOptions& options) {
  try {
    return build_clip_file(gltf::open_document(path, options, gltf::Role::kClip));
  } catch (const std::bad_alloc&) {
    gltf::fail_out_of_memory(path);
  }
}

}  // namespace skinbake
