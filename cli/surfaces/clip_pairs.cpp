#include "surfaces/clip_pairs.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "options/parsing/usage_error.h"
#include "outputs/output_paths.h"
#include "skinbake/tool/report/report_text.h"
#include "terminal/console.h"
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

void check_lengths(const SurfaceSide& a, const SurfaceSide& b, ClipPair& pair, Issues& issues) {
  const std::int64_t in_a = pair.a->frames.frame_count, in_b = pair.b->frames.frame_count;
  if (std::abs(in_a - in_b) <= 1) return;
  pair.frames_left_out = std::abs(in_a - in_b);
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
  const bool same_rate = fa.fps == fb.fps || !pair.a->has_rate || !pair.b->has_rate;
  if (same_rate && fa.first_frame == fb.first_frame && fa.frame_step == fb.frame_step) return;
  const auto text = [](const SideClip& clip) {
    const FrameRange& f = clip.frames;
    return fmt::format("frames from {} by {}", f.first_frame, f.frame_step) +
           (clip.has_rate ? fmt::format(" at {} fps", f.fps) : "");
  };
  throw Error(ErrorKind::kNotComparable, "NOT_COMPARABLE",
              fmt::format("not comparable: {} has {}, {} has {}; use --fps and --frames", a.path,
                          text(*pair.a), b.path, text(*pair.b)));
}

void require_clips(const SurfaceSide& a, const SurfaceSide& b) {
  if (!b.has_no_clips() || a.has_no_clips() || (a.cache && a.clips.front().id.empty())) return;
  throw Error(ErrorKind::kNotComparable, "NOT_COMPARABLE",
              fmt::format("not comparable: {} has no clips, {} has {}", b.path, a.path,
                          a.clips.size() == 1 ? name_of(a.clips.front())
                                              : fmt::format("{}", a.clips.size())));
}

// The clip of a rig that a cache contains.
const SideClip& clip_in_cache(const SurfaceSide& rig, const SurfaceSide& cache) {
  const std::string& id = cache.clips.front().id;
  for (const SideClip& clip : rig.clips) {
    if (clip.id == id) return clip;
  }
  if (rig.clips.size() == 1) return rig.clips.front();
  throw UsageError("--clip",
                   fmt::format("{} has {} clips, {}; choose one", rig.path, rig.clips.size(),
                               id.empty() ? cache.path + " does not say which it contains"
                                          : "but none of the name '" + id + "' of " + cache.path));
}

void warn_of_other_name(const SurfaceSide& a, const SurfaceSide& b, const ClipPair& pair,
                        Issues& issues) {
  if (pair.a->id == pair.b->id || pair.a->id.empty() || pair.b->id.empty()) return;
  Issue issue;
  issue.code = "CLIP_OF_OTHER_NAME";
  issue.severity = Severity::kWarning;
  issue.file = shown(b.path);
  if (pair.b->clip != nullptr) issue.pointer = "/animations/" + std::to_string(pair.b->clip->index);
  issue.message = fmt::format("{} is compared with {} of {} because of its place in the file",
                              name_of(*pair.b), name_of(*pair.a), shown(a.path));
  issues.push_back(issue);
}

bool is_allowed_code(const std::string& code) {
  Issue issue;
  issue.code = code;
  issue.severity = Severity::kWarning;
  return is_allowed(issue);
}

ClipPairs paired_by_name_and_order(const SurfaceSide& a, const SurfaceSide& b, Issues& issues) {
  Free free_b(b);
  ClipPairs clips;
  for (const SideClip& clip : a.clips) clips.pairs.push_back({&clip, free_b.take(clip.id)});
  for (ClipPair& pair : clips.pairs) {
    if (pair.b == nullptr) pair.b = free_b.take_first();
    if (pair.b != nullptr) continue;
    issues.push_back(unpaired(*pair.a, a, b));
    clips.missing.push_back(pair.a->id);
  }
  std::erase_if(clips.pairs, [](const ClipPair& pair) { return pair.b == nullptr; });
  free_b.report(a, issues);
  return clips;
}

}  // namespace

ClipPairs pair_clips(const SurfaceOptions& options, const SurfaceSide& a, SurfaceSide& b,
                     Issues& issues) {
  require_clips(a, b);
  if (a.has_no_clips() && !b.has_no_clips() && !b.cache) {
    b.clips.insert(b.clips.begin(), {"", nullptr, a.clips.front().frames});
  }
  ClipPairs clips;
  if (a.cache) {
    clips.pairs.push_back({&a.clips.front(), b.cache ? &b.clips.front() : &clip_in_cache(b, a)});
  } else if (b.cache) {
    clips.pairs.push_back({&clip_in_cache(a, b), &b.clips.front()});
  } else {
    clips = paired_by_name_and_order(a, b, issues);
  }
  for (ClipPair& pair : clips.pairs) {
    require_same_times(a, b, pair);
    warn_of_other_name(a, b, pair, issues);
    pair.frame_count = std::min(pair.a->frames.frame_count, pair.b->frames.frame_count);
    if (!options.overlap) check_lengths(a, b, pair, issues);
  }
  return clips;
}

void add_clip_checks(const ClipPairs& clips, const SurfaceSide& b, Report& report) {
  const auto add = [&](std::string_view metric, const std::string& clip, std::int64_t value) {
    Check check;
    check.option = "--fail-missing";
    check.metric = metric;
    check.value = static_cast<double>(value);
    check.failures = 1;
    check.mesh = shown(b.path);
    check.clip = clip;
    report.checks.push_back(check);
  };
  if (!is_allowed_code("CLIP_UNPAIRED")) {
    for (const std::string& clip : clips.missing) add(kMissingClip, clip, 1);
  }
  if (is_allowed_code("CLIP_LENGTHS_DIFFER")) return;
  for (const ClipPair& pair : clips.pairs) {
    if (pair.frames_left_out == 0) continue;
    add(kFramesLeftOut, pair.a->id.empty() ? pair.b->id : pair.a->id, pair.frames_left_out);
  }
}

}  // namespace skinbake::cli
