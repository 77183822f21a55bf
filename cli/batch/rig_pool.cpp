#include "batch/rig_pool.h"

#include <algorithm>
#include <utility>

namespace skinbake::cli {

std::string RigPool::key_of(const std::string& path, const LoadOptions& options) {
  std::string key = path + '\0' + options.scene + '\0';
  for (const bool flag : {options.allow_outside, options.materials, options.normals_are_kept,
                          options.tangents, options.tangents_are_kept, options.source}) {
    key += flag ? '1' : '0';
  }
  return key;
}

Asset PooledRig::with_clip(const std::string& id) const {
  Asset asset = base;
  const auto found =
      std::find_if(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.id == id; });
  if (found != clips.end()) {
    asset.clips = {*found};
  } else {
    asset.clips = clips;
  }
  // The copy shares the meshes and the keys, and has lists of its own.
  std::uint64_t lists = 0;
  for (const Rig& rig : asset.rigs) lists += memory_of(rig);
  const std::uint64_t both = memory + lists, own = memory_of(asset);
  asset.memory_elsewhere = both - std::min(both, own);
  return asset;
}

std::shared_ptr<const PooledRig> RigPool::get(const std::string& path, const LoadOptions& options) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& known = entries_[key_of(path, options)];
    if (!known) known = std::make_shared<Entry>();
    entry = known;
  }
  const std::lock_guard lock(entry->loading);
  if (std::shared_ptr<const PooledRig> rig = entry->rig.lock()) return rig;
  auto loaded = std::make_shared<PooledRig>();
  loaded->base = load_asset(path, options);
  loaded->memory = memory_of(loaded->base);
  loaded->clips = std::exchange(loaded->base.clips, {});
  entry->rig = loaded;
  return loaded;
}

}  // namespace skinbake::cli
