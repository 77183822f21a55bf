#include "surfaces/clip_pairs.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "outputs/output_paths.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

std::string name_of(const SideClip& clip) {
  return clip.id.empty() ? "the rest pose" : "clip '" + clip.id + "'";
}

Issue unpaired(const SideClip& clip, const SurfaceSide& side, const SurfaceSide& other) {
  Issue issue;
  issue.code = "CLIP_UNPAIRED";
  issue.severity = Severity::kWarning;
  issue.file = shown(side.path);
  if (clip.clip != nullptr) issue.pointer = "/animations/" + std::to_string(clip.clip->index);
  issue.message =
      fmt::format("{} has no partner in {} and is not compared", name_of(clip), shown(other.path));
  return issue;
}

// The clips of a side that have no partner yet.
class Free {
 public:
  explicit Free(const SurfaceSide& side) : side_(side) {
    for (const SideClip& clip : side.clips) clips_.push_back(&clip);
  }

  const SideClip* take(const std::string& id) {
    const auto found = std::find_if(clips_.begin(), clips_.end(),
                                    [&](const SideClip* clip) { return clip->id == id; });
    return found == clips_.end() ? nullptr : take(found);
  }
  const SideClip* take_first() { return clips_.empty() ? nullptr : take(clips_.begin()); }

  void report(const SurfaceSide& other, Issues& issues) const {
    for (const SideClip* clip : clips_) issues.push_back(unpaired(*clip, side_, other));
  }

 private:
  const SideClip* take(std::vector<const SideClip*>::iterator at) {
    const SideClip* clip = *at;
    clips_.erase(at);
    return clip;
  }

  const SurfaceSide& side_;
  std::vector<const SideClip*> clips_;
};

std::string frames_text(std::int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "frame" : "frames");
}

void check_lengths(const SurfaceSide& a, const SurfaceSide& b, const ClipPair& pair,
                   Issues& issues) {
  const std::int64_t in_a = pair.a->frames.frame_count, in_b = pair.b->frames.frame_count;
  if (std::abs(in_a - in_b) <= 1) return;
  Issue issue;
  issue.code = "CLIP_LENGTHS_DIFFER";
  issue.severity = Severity::kWarning;
  issue.file = shown(b.path);
  if (pair.b->clip != nullptr) issue.pointer = "/animations/" + std::to_string(pair.b->clip->index);
  issue.message =
      fmt::format("{} has {}, {} of {} has {}; {} compared", name_of(*pair.b), frames_text(in_b),
                  name_of(*pair.a), shown(a.path), frames_text(in_a),
                  pair.frame_count == 1 ? "the first one is"
                                        : fmt::format("the first {} are", pair.frame_count));
  issues.push_back(issue);
}

// Frames are compared by their position, so they must be at the same times.
void require_same_times(const SurfaceSide& a, const SurfaceSide& b, const ClipPair& pair) {
  const FrameRange &fa = pair.a->frames, &fb = pair.b->frames;
  if (fa.fps == fb.fps && fa.first_frame == fb.first_frame && fa.frame_step == fb.frame_step) {
    return;
  }
  const auto text = [](const FrameRange& f) {
    return fmt::format("frames from {} by {} at {} fps", f.first_frame, f.frame_step, f.fps);
  };
  throw Error(ErrorKind::kNotComparable, "NOT_COMPARABLE",
              fmt::format("not comparable: {} has {}, {} has {}; use --fps and --frames", a.path,
                          text(fa), b.path, text(fb)));
}

}  // namespace

std::vector<ClipPair> pair_clips(const SurfaceOptions& options, const SurfaceSide& a,
                                 const SurfaceSide& b, Issues& issues) {
  Free free_b(b);
  std::vector<ClipPair> pairs;
  for (const SideClip& clip : a.clips) pairs.push_back({&clip, free_b.take(clip.id)});
  for (ClipPair& pair : pairs) {
    if (pair.b == nullptr) pair.b = free_b.take_first();
    if (pair.b != nullptr) continue;
    issues.push_back(unpaired(*pair.a, a, b));
  }
  std::erase_if(pairs, [](const ClipPair& pair) { return pair.b == nullptr; });
  free_b.report(a, issues);
  for (ClipPair& pair : pairs) {
    require_same_times(a, b, pair);
    pair.frame_count = std::min(pair.a->frames.frame_count, pair.b->frames.frame_count);
    if (!options.overlap) check_lengths(a, b, pair, issues);
  }
  return pairs;
}

}  // namespace skinbake::cli
