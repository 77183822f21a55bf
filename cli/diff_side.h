// One of the two things that `diff` compares: a cache, or a rig that is evaluated.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diff_options.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

bool is_rig_file(const std::string& path);

// A rig and the one mesh and clip of it that are meant.
struct ChosenRig {
  std::unique_ptr<Asset> asset;
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  FrameRange frames;
};

// Throws Error, naming what there is, if several meshes or clips could be meant. `role`: of the
// file, as the report has it. `with_clip`: whether it is to be evaluated.
ChosenRig choose_rig(const DiffOptions& options, const std::string& path, const std::string& role,
                     bool with_clip);

struct DiffSide {
  std::string path;  // as typed
  std::string role;  // "a", "b"
  std::unique_ptr<CacheReader> cache;
  std::unique_ptr<FrameSource> turned;  // of the cache, if its axes are not ours
  std::optional<ChosenRig> rig;         // if there is no cache
  std::unique_ptr<Spool> spool;         // of the rig, once it is evaluated

  FrameCounts counts() const;
  FrameRange frames() const { return rig ? rig->frames : cache->frames(); }
  const FrameSource& source() const;
};

// Opens or loads; computes nothing.
DiffSide open_side(const DiffOptions& options, const std::string& path, const std::string& role);

// Frames of a rig go into a temporary file; those of a cache are there.
void evaluate(const DiffOptions& options, DiffSide& side);

}  // namespace skinbake::cli
