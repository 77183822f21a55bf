#include "surfaces/clip_pairs.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/paths.h"
#include "comparison/stated_frames.h"
#include "options/usage_error.h"
#include "report/report_text.h"
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

// The time until which --frames asks for frames; infinite: until the end. Precondition: the option
// is valid.
double asked_until_s(const FrameOptions& options) {
  if (!options.frames) return std::numeric_limits<double>::infinity();
  const std::string& text = *options.frames;
  const std::size_t colon = text.find(':');
  const std::string last = colon == std::string::npos
                               ? text
                               : text.substr(colon + 1, text.find(':', colon + 1) - colon - 1);
  return last.empty() ? std::numeric_limits<double>::infinity() : std::stod(last) / options.fps;
}

// Whether one of two clips is shorter, in the requested part, by more than a frame at 30 fps, or at
// the compared rate if it is higher. Counts at a low rate would hide it: at 1 fps, a clip of a
// second has two frames. Tools that resample clips, such as gltfpack, change a length by less than
// a frame. A cache has only a count of frames, and may lack one.
bool lengths_differ(const FrameOptions& options, const ClipPair& pair) {
  if (std::abs(pair.a->frames.frame_count - pair.b->frames.frame_count) > 1) return true;
  if (pair.a->clip == nullptr || pair.b->clip == nullptr) return false;
  constexpr double kFrameRate = 30, kRounding = 1e-3;  // of a frame, as in last_frame()
  const double until_s = asked_until_s(options);
  const double apart_s = std::abs(std::min(pair.a->clip->duration_s, until_s) -
                                  std::min(pair.b->clip->duration_s, until_s));
  return apart_s * std::max(kFrameRate, options.fps) > 1 + kRounding;
}

// "has 31 frames and lasts 1 s"; a cache does not know its duration.
std::string length_text(const SideClip& clip) {
  const std::string frames = "has " + frames_text(clip.frames.frame_count);
  return clip.clip == nullptr ? frames
                              : frames + fmt::format(" and lasts {:.4g} s", clip.clip->duration_s);
}

Issue length_issue(const SurfaceSide& a, const SurfaceSide& b, const ClipPair& pair) {
  Issue issue;
  issue.code = "CLIP_LENGTHS_DIFFER";
  issue.severity = Severity::kWarning;
  issue.file = shown(b.path);
  if (pair.b->clip != nullptr) issue.pointer = "/animations/" + std::to_string(pair.b->clip->index);
  issue.message =
      fmt::format("{} {}, {} of {} {}; {} compared", name_of(*pair.b), length_text(*pair.b),
                  name_of(*pair.a), shown(a.path), length_text(*pair.a),
                  pair.frame_count == 1 ? "the first one is"
                                        : fmt::format("the first {} are", pair.frame_count));
  return issue;
}

// Frames are compared by their position, so they must be at the same times.
void require_same_times(const SurfaceSide& a, const SurfaceSide& b, const ClipPair& pair) {
  const auto stated = [](const SideClip& clip) {
    StatedFrames frames{clip.frames};
    if (!clip.has_rate) frames.frames.fps = 0;
    frames.is_exact = clip.is_exact;
    return frames;
  };
  const StatedFrames of_a = stated(*pair.a), of_b = stated(*pair.b);
  if (!have_other_rates(of_a, of_b) && !have_other_numbers(of_a, of_b)) return;
  const auto text = [](const SideClip& clip) {
    const FrameRange& f = clip.frames;
    return fmt::format("frames from {} by {}", f.first_frame, f.frame_step) +
           (clip.has_rate ? fmt::format(" at {} fps", f.fps) : "");
  };
  throw Error("NOT_COMPARABLE",
              fmt::format("not comparable: {} has {}, {} has {}; use --fps and --frames", a.path,
                          text(*pair.a), b.path, text(*pair.b)));
}

void require_clips(const SurfaceSide& a, const SurfaceSide& b) {
  if (!b.has_no_clips() || a.has_no_clips() || (a.cache && a.clips.front().id.empty())) return;
  throw Error("NOT_COMPARABLE",
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

// The clips of --clip and --clip-b, in the order of both. Throws UsageError.
ClipPairs paired_by_option(const SurfaceSide& a, const SurfaceSide& b) {
  if (a.cache || b.cache) {
    throw UsageError("--clip-b", (a.cache ? a.path : b.path) + " is a cache, which has one clip");
  }
  if (a.clips.size() != b.clips.size()) {
    throw UsageError("--clip-b", "pairs with --clip, name by name; name each clip once");
  }
  ClipPairs clips;
  for (std::size_t i = 0; i < a.clips.size(); ++i)
    clips.pairs.push_back({&a.clips[i], &b.clips[i]});
  return clips;
}

}  // namespace

ClipPairs pair_clips(const SurfaceOptions& options, const SurfaceSide& a, SurfaceSide& b,
                     Issues& issues) {
  require_clips(a, b);
  if (a.has_no_clips() && !b.has_no_clips() && !b.cache) {
    b.clips.insert(b.clips.begin(), {"", nullptr, a.clips.front().frames});
  }
  const bool are_named = !options.clips_b.empty();
  ClipPairs clips;
  if (are_named) {
    clips = paired_by_option(a, b);
  } else if (a.cache) {
    clips.pairs.push_back({&a.clips.front(), b.cache ? &b.clips.front() : &clip_in_cache(b, a)});
  } else if (b.cache) {
    clips.pairs.push_back({&clip_in_cache(a, b), &b.clips.front()});
  } else {
    clips = paired_by_name_and_order(a, b, issues);
  }
  for (ClipPair& pair : clips.pairs) {
    require_same_times(a, b, pair);
    if (!are_named) warn_of_other_name(a, b, pair, issues);
    const std::int64_t in_a = pair.a->frames.frame_count, in_b = pair.b->frames.frame_count;
    pair.frame_count = std::min(in_a, in_b);
    pair.frames_left_out = std::abs(in_a - in_b);
    pair.of_a = pair.a->frames;
    pair.of_b = pair.b->frames;
    pair.of_a.frame_count = pair.of_b.frame_count = pair.frame_count;
    if (!a.cache && !b.cache) add_ends({pair.a->clip, &pair.of_a}, {pair.b->clip, &pair.of_b});
    pair.has_other_length = !options.overlap && lengths_differ(options.frames, pair);
    if (pair.has_other_length) issues.push_back(length_issue(a, b, pair));
  }
  return clips;
}

std::int64_t frames_left_out(const ClipPairs& clips) {
  std::int64_t frames = 0;
  for (const ClipPair& pair : clips.pairs) frames += pair.frames_left_out;
  return frames;
}

void add_clip_checks(const ClipPairs& clips, const SurfaceSide& b, Report& report) {
  const auto add = [&](std::string_view key, const std::string& clip, std::int64_t value) {
    Check check;
    check.key = key;
    check.unit = Unit::kNumber;
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
    if (!pair.has_other_length) continue;
    add(kFramesLeftOut, pair.a->id.empty() ? pair.b->id : pair.a->id, pair.frames_left_out);
  }
}

}  // namespace skinbake::cli
