#include "options/file_kinds.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "base/paths.h"
#include "skinbake/caches.h"

namespace skinbake::cli {

namespace {

bool has_one_of(const std::string& path, std::initializer_list<std::string_view> extensions) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](std::string_view extension) { return has_extension(path, extension); });
}

}  // namespace

bool is_rig_file(const std::string& path) {
  return has_one_of(path, {".gltf", ".glb", ".vrm"});
}

bool is_binary_gltf(const std::string& path) {
  return has_one_of(path, {".glb", ".vrm"});
}

bool is_animation_file(const std::string& path) {
  return is_rig_file(path) || has_extension(path, ".vrma");
}

bool is_report_file(const std::string& path) {
  return has_extension(path, ".json");
}

bool is_array_file(const std::string& path) {
  return has_extension(path, ".npy");
}

bool is_evaluated(const std::string& path) {
  return is_rig_file(path) && !is_baked_glb(path);
}

bool names_cache(const std::string& reference) {
  return find_cache_format_of(reference) != nullptr;
}

}  // namespace skinbake::cli
