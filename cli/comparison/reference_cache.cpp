#include "comparison/reference_cache.h"

#include <algorithm>
#include <cmath>

#include "base/paths.h"
#include "comparison/stated_frames.h"
#include "json/text.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

[[noreturn]] void not_comparable(const std::string& path, const std::string& message) {
  throw Error("NOT_COMPARABLE", message, {path, ""});
}

const char* name_of(CacheRole role) {
  return role == CacheRole::kReference ? "reference" : "target";
}

void require_counts(const CacheReader& cache, const ReferenceUse& use) {
  const std::int64_t vertices = use.rig->mesh->vertex_count();
  const std::int64_t frames = use.frames.frame_count;
  const FrameRange theirs = stated_frames(cache, true).frames;
  const std::int64_t ends = theirs.is_end(cache.frame_count() - 1) ? 1 : 0;  // it is not compared
  if (cache.vertex_count() == vertices && cache.frame_count() - ends == frames) return;
  const char* const remedy =
      use.role == CacheRole::kReference
          ? "use a cache of this mesh, baked with the same --clip, --fps and --frames"
      : cache.vertex_count() != vertices
          ? "use a cache of this mesh"
          : "a target has every frame of its clip: bake or export the whole clip, at the rate of "
            "the fit, or give the rate of the cache by --fps";
  not_comparable(cache.path(),
                 fmt::format("the {} has {} vertices and {}, mesh '{}' has {} and {}; {}",
                             name_of(use.role), cache.vertex_count(), counted_frames(theirs),
                             use.rig->id, vertices, frames, remedy));
}

std::string text_of(const FrameRange& frames) {
  std::int64_t last = frames.frame_count - 1;
  if (frames.is_end(last)) --last;
  return fmt::format("{}:{}:{} at {} fps", frames.first_frame, frames.frame(last),
                     frames.frame_step, frames.fps);
}

// A cache of another clip with as many frames would be fitted without a message.
void require_same_clip(const CacheReader& cache, const CacheProvenance& theirs,
                       const ReferenceUse& use) {
  if (use.clip == nullptr || !theirs.is_complete) return;
  if (theirs.clips.empty() && theirs.clip == use.clip->id) return;
  not_comparable(
      cache.path(),
      fmt::format("the {} is {}, the fit has clip '{}'; give a cache of that clip, in the order of "
                  "the clips, or choose the other clip by --clip",
                  name_of(use.role),
                  !theirs.clips.empty() ? "a cache of several clips"
                  : theirs.clip.empty() ? "a cache of the rest pose"
                                        : "a cache of clip '" + printable(theirs.clip) + "'",
                  printable(use.clip->id)));
}

// By the sidecar, else by a file that tells its times.
void require_same_frames(const CacheReader& cache, const ReferenceUse& use) {
  const StatedFrames theirs = stated_frames(cache, true), ours{use.frames};
  if (theirs.frames.fps == 0) return;
  if (!have_other_rates(theirs, ours) && !have_other_numbers(theirs, ours)) return;
  not_comparable(cache.path(),
                 fmt::format("the {} has frames {}, the run has {}; {}", name_of(use.role),
                             text_of(theirs.frames), text_of(ours.frames),
                             use.role == CacheRole::kReference
                                 ? "give the same --fps and --frames"
                                 : "bake or export the whole clip from time 0 on, at the --fps of "
                                   "the fit; if it begins with the clip's first frame, convert it "
                                   "to NPY, which does not store times"));
}

void require_same_source(const CacheReader& cache, const ReferenceUse& use) {
  const std::optional<CacheProvenance> provenance = cache.provenance();
  if (provenance) require_same_clip(cache, *provenance, use);
  require_same_frames(cache, use);
  if (!provenance || provenance->space == use.space) return;
  const char* const space = provenance->space == Space::kScene ? "scene" : "mesh";
  const std::string remedy = use.role == CacheRole::kReference
                                 ? fmt::format("use --space {}", space)
                                 : std::string("bake it with --space scene");
  not_comparable(cache.path(),
                 fmt::format("the {} is in {} space; {}", name_of(use.role), space, remedy));
}

}  // namespace

ReferenceCache::ReferenceCache(const std::string& path, const ReferenceUse& use)
    : cache_(open_cache(path, use.rig->id)), frames_(use.frames), role_(use.role) {
  require_counts(*cache_, use);
  require_same_source(*cache_, use);
  turned_ = in_rig_axes(*cache_);
}

InputFile ReferenceCache::input() const {
  return {"reference", shown(path()), cache_->bytes(), cache_->xxh128()};
}

Issues ReferenceCache::issues(const std::string& rig_file, const std::string& clip) const {
  StatedFrames ours{frames_};
  ours.clips = {{clip, frames_.first_frame, frames_.frame_step, frames_.frame_count}};
  const Issues of_clips =
      unlike_clips(shown(rig_file), ours, shown(path()), stated_frames(*cache_, true));
  for (const Issue& issue : of_clips) {
    if (issue.code == "FRAMES_UNLIKE") not_comparable(path(), issue.message);
  }
  Issues issues = ignored_sidecar(*cache_);
  issues.insert(issues.end(), of_clips.begin(), of_clips.end());
  return issues;
}

void ReferenceCache::read(std::int64_t first_frame, std::int64_t count, float* rows) const {
  const FrameSource& source = turned_ ? *turned_ : static_cast<const FrameSource&>(*cache_);
  source.read(first_frame, count, rows);
  const auto row = static_cast<std::size_t>(vertex_count()) * 3;
  const float* const end = rows + static_cast<std::size_t>(count) * row;
  const float* const bad = std::find_if_not(static_cast<const float*>(rows), end,
                                            [](float x) { return std::isfinite(x); });
  if (bad == end) return;
  const auto at = static_cast<std::size_t>(bad - rows);
  throw Error("NON_FINITE_POSITION",
              fmt::format("frame {}, vertex {}: the position is not a finite number; bake the "
                          "{} again",
                          frames_.frame(first_frame + static_cast<std::int64_t>(at / row)),
                          at % row / 3, name_of(role_)),
              {path(), ""});
}

}  // namespace skinbake::cli
