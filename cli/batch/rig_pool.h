// Rigs that the tasks of a batch share: each is loaded once for the tasks that follow one another.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "skinbake/gltf.h"

namespace skinbake::cli {

// A rig without its clips, and the clips: a task copies those that it needs.
struct PooledRig {
  Asset base;
  std::vector<Clip> clips;
  std::uint64_t memory = 0;  // of both, in bytes

  // The asset with this clip alone, or with all clips if it does not have the clip. Its memory
  // includes that of the pool.
  Asset with_clip(const std::string& id) const;
};

class RigPool {
 public:
  // Returns the rig of this path and these options, except for memory. Loads it unless a caller has
  // it. If another thread loads it, waits for that. Throws as load_asset.
  std::shared_ptr<const PooledRig> get(const std::string& path, const LoadOptions& options);

  // Equal keys name the same rig.
  static std::string key_of(const std::string& path, const LoadOptions& options);

 private:
  struct Entry {
    std::mutex loading;
    std::weak_ptr<const PooledRig> rig;
  };
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace skinbake::cli
